/**
 * A rendered synthetic day with its ground truth: its windows become episodes as perfect perception would measure them
 * (speech and visible text only), and answers are judged by the strings and the evidence it accepts.
 */
import { createHash } from 'node:crypto';
import type { Answer, Episode } from '../contract/index.ts';
import { createMeasuredWriter } from '../writing/measured-writer.ts';

interface Scene {
  id: string;
  file: string;
  start_s: number;
  end_s: number;
  visible_text: string[];
  speech: { voice: string; text: string; start_s: number; end_s: number }[];
}

interface Window {
  file: string;
  start_s: number;
  end_s: number;
  start_utc: string | null;
  scenes: string[];
}

interface TruthQuestion {
  id: string;
  question: string;
  asked_at: string;
  answer: string | null;
  accept?: string[];
  accept_all?: string[];
  accept_ordered?: string[];
  reject?: string[];
  time?: string;
  tolerance_s?: number;
  /** Every piece of evidence has to be cited; else one of them is enough. */
  all?: boolean;
  needs: string[];
  unanswerable?: boolean;
  evidence: { start_utc: string | null; end_utc: string | null }[];
}

export interface DayQuestion extends Omit<TruthQuestion, 'asked_at'> {
  askedAtMs: number;
  /** The asker's zone. */
  zone: string;
}

/** The questions that the sample day brings with it. */
interface SampleQuestions {
  askedAt: string;
  zone: string;
  questions: {
    id: string;
    question: string;
    accept: string[];
    evidence: { start: string; end: string }[];
    all?: boolean;
    answerable: boolean;
  }[];
}

interface Truth {
  scenes: Scene[];
  windows: Window[];
  questions: TruthQuestion[];
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** Episodes written by the measured writer from the windows, and the questions. Windows without a time are left out. */
export async function readDay(truth: Truth): Promise<{ episodes: Episode[]; questions: DayQuestion[] }> {
  const writer = createMeasuredWriter();
  const episodes: Episode[] = [];
  for (const window of truth.windows) {
    if (window.start_utc === null) continue;
    const startMs = Date.parse(window.start_utc);
    const at = (seconds: number): number => Math.round(startMs + (seconds - window.start_s) * 1000);
    const scenes = truth.scenes.filter(
      (scene) => scene.file === window.file && window.scenes.includes(scene.id),
    );
    const index = Math.round(window.start_s / 30);
    const recordingId = `r${hash(window.file.replace(/GX0\d/, 'GX'))}`;
    const chapterId = `f${hash(window.file)}`;
    episodes.push(
      await writer.write(
        {
          episodeId: `${chapterId}-${String(index).padStart(4, '0')}`,
          recordingId,
          chapterId,
          index,
          startMs,
          endMs: at(window.end_s),
          zone: 'UTC',
          speech: scenes.flatMap((scene) =>
            scene.speech
              .filter((line) => line.start_s >= window.start_s && line.start_s < window.end_s)
              .map((line) => ({
                startMs: at(line.start_s),
                endMs: at(line.end_s),
                speaker: null,
                text: line.text,
                source: 'speech-sidecar' as const,
                confidence: 1,
              })),
          ),
          visibleText: scenes.flatMap((scene) =>
            scene.visible_text
              .filter((text) => text.trim() !== '')
              .map((text) => ({
                text,
                confidence: 0.9,
                firstMs: at(Math.max(scene.start_s, window.start_s)),
                lastMs: at(Math.min(scene.end_s, window.end_s)),
              })),
          ),
          faces: { most: 0, share: 0, confidence: 0, spans: [] },
          motion: { level: 0.01, still: 0.5, cuts: [] },
          light: { level: 0.5, black: 0 },
          sound: { level: -30, silent: false },
          telemetry: null,
          keyframes: [],
          clip: null,
          redaction: { status: 'redacted', detector: null, facesBlurred: 0 },
        },
        { name: window.file, camera: null, family: 'gopro', notes: [] },
      ),
    );
  }
  return { episodes, questions: readQuestions(truth) };
}

/** The questions of a rendered day's ground truth, or of a sample day. */
export function readQuestions(truth: Pick<Truth, 'questions'> | SampleQuestions): DayQuestion[] {
  if (!('askedAt' in truth)) {
    return truth.questions.map(({ asked_at, ...question }) => ({
      ...question,
      askedAtMs: Date.parse(asked_at),
      zone: 'UTC',
    }));
  }
  return truth.questions.map(({ id, question, accept, evidence, all, answerable }) => ({
    id,
    question,
    answer: answerable ? accept.join(' or ') : null,
    accept: answerable ? accept : [],
    unanswerable: !answerable,
    ...(all === undefined ? {} : { all }),
    needs: [],
    evidence: evidence.map(({ start, end }) => ({ start_utc: start, end_utc: end })),
    askedAtMs: Date.parse(truth.askedAt),
    zone: truth.zone,
  }));
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** Nothing recorded by the question's instant answers it. */
export const isUnanswerable = (question: DayQuestion): boolean => question.unanswerable ?? false;

/** True when the answer holds what is accepted, nothing that is rejected, and a footnote within the evidence. */
export function judgeDayAnswer(question: DayQuestion, answer: Answer): boolean {
  if (isUnanswerable(question)) return !answer.found && answer.footnotes.length === 0;
  if (!answer.found) return false;
  const text = plain(answer.answer);
  const holds = (wanted: string): boolean => text.includes(plain(wanted));
  if (question.reject?.some(holds)) return false;
  if (question.accept && !question.accept.some(holds)) return false;
  if (question.accept_all && !question.accept_all.every(holds)) return false;
  if (question.accept_ordered) {
    const places = question.accept_ordered.map((wanted) => text.indexOf(plain(wanted)));
    if (places.some((place, n) => place < 0 || (n > 0 && place < places[n - 1]!))) return false;
  }
  if (question.time) {
    const wanted = Date.parse(question.time);
    const near = answer.footnotes.some(
      ({ atMs }) => Math.abs(atMs - wanted) <= (question.tolerance_s ?? 0) * 1000,
    );
    if (!near) return false;
  }
  const cited = ({ start_utc, end_utc }: DayQuestion['evidence'][number]): boolean =>
    start_utc === null ||
    answer.footnotes.some(
      ({ startMs, endMs }) => startMs < Date.parse(end_utc!) && endMs > Date.parse(start_utc),
    );
  if (question.evidence.length === 0) return true;
  return question.all || question.accept_ordered
    ? question.evidence.every(cited)
    : question.evidence.some(cited);
}
