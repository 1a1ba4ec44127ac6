import { mkdir, mkdtemp, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FootnoteError } from '../contract/errors.ts';
import { film, filmProxies, takeSeconds } from './film.ts';
import { recordSound, type SaidLine, subtitles } from './sound.ts';
import { ASKED_AT, QUESTIONS, type SampleQuestion, TAKES, type Take } from './story.ts';
import { loadVoice, type Voice } from './voice.ts';

/** Grows whenever what is made changes, so that an older sample day is made anew. */
const VERSION = 2;
const TRUTH_FILE = 'questions.json';
/** Takes filmed at once: one ffmpeg thread each, and the day must not take a whole machine. */
const AT_ONCE = 2;

/** Where in the footage a thing is shown or said. */
export interface Evidence {
  scene: string;
  /** Path inside the sample day. */
  file: string;
  /** Seconds from the start of the file. */
  fromSeconds: number;
  toSeconds: number;
  /** The same as true time, ISO 8601 UTC. */
  start: string;
  end: string;
}

export type AnsweredQuestion = Omit<SampleQuestion, 'evidence'> & { evidence: Evidence[] };

/** What questions.json holds: ground truth of the day. */
export interface SampleTruth {
  version: number;
  askedAt: string;
  zone: string;
  /** Path inside the sample day and size of every file made. */
  files: { file: string; bytes: number }[];
  speech: ({ file: string } & SaidLine)[];
  questions: AnsweredQuestion[];
}

export interface SampleDay {
  dir: string;
  /** Absolute paths of everything a person would drop: footage with its sidecars. */
  files: string[];
  questions: AnsweredQuestion[];
  /** True when a complete sample day was already there. */
  reused: boolean;
}

export interface SampleOptions {
  signal?: AbortSignal;
  /** Seconds of footage made so far, of all. */
  onProgress?: (doneSeconds: number, totalSeconds: number) => void;
}

function evidenceOf(sceneId: string): Evidence {
  for (const take of TAKES) {
    let from = 0;
    for (const scene of take.scenes) {
      if (scene.id === sceneId) {
        const startMs = Date.parse(take.recordedAt);
        const to = from + scene.seconds;
        const iso = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();
        return {
          scene: sceneId,
          file: take.file,
          fromSeconds: from,
          toSeconds: to,
          start: iso(from),
          end: iso(to),
        };
      }
      from += scene.seconds;
    }
  }
  throw new FootnoteError('INTERNAL', `The sample day has no scene "${sceneId}".`);
}

/** A truth file whose every footage file is there in full; null when the day must be made. */
async function completeTruth(dir: string): Promise<SampleTruth | null> {
  let truth: SampleTruth;
  try {
    truth = JSON.parse(await readFile(join(dir, TRUTH_FILE), 'utf8')) as SampleTruth;
  } catch {
    // Missing or half-written: either way the day is not complete.
    return null;
  }
  if (truth?.version !== VERSION || !Array.isArray(truth.files)) return null;
  for (const { file, bytes } of truth.files) {
    const size = await stat(join(dir, file)).then(
      (s) => s.size,
      () => -1,
    );
    if (size !== bytes) return null;
  }
  return truth;
}

const subtitleFile = (take: Take) => take.file.replace(/\.[^.]+$/, '.srt');

interface MadeTake {
  said: SaidLine[];
  /** Paths inside the sample day. */
  files: string[];
}

/** Makes one take with everything that belongs beside it. */
async function makeTake(
  dir: string,
  take: Take,
  voice: Voice,
  signal: AbortSignal | undefined,
): Promise<MadeTake> {
  const workDir = await mkdtemp(join(tmpdir(), 'footnote-sample-'));
  try {
    const sound = join(workDir, 'sound.wav');
    const target = join(dir, take.file);
    await mkdir(dirname(target), { recursive: true });
    const said = await recordSound(take, voice, sound, TAKES.indexOf(take) + 1);
    signal?.throwIfAborted();
    await film(take, { target, sound, workDir }, signal);
    const files = [take.file];
    if (take.proxy) {
      const { lrv, thm } = take.proxy;
      await filmProxies(take, { original: target, lrv: join(dir, lrv), thm: join(dir, thm) }, signal);
      files.push(lrv, thm);
    }
    if (said.length > 0) {
      const path = join(dir, subtitleFile(take));
      await writeFile(path, subtitles(said));
      const endMs = Date.parse(take.recordedAt) + takeSeconds(take) * 1000;
      await utimes(path, endMs / 1000, endMs / 1000);
      files.push(subtitleFile(take));
    }
    return { said, files };
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Makes every take, two at a time; one that fails stops the others, whose ffmpeg would otherwise go on. */
async function makeTakes(dir: string, { signal, onProgress }: SampleOptions): Promise<Map<Take, MadeTake>> {
  const total = TAKES.reduce((sum, take) => sum + takeSeconds(take), 0);
  const voice = await loadVoice();
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const made = new Map<Take, MadeTake>();
  const failures: unknown[] = [];
  let done = 0;
  // Longest first: the last take to finish then keeps the others waiting least.
  const queue = [...TAKES].sort((a, b) => takeSeconds(b) - takeSeconds(a));
  const worker = async () => {
    for (let take = queue.shift(); take && !either.aborted; take = queue.shift()) {
      try {
        made.set(take, await makeTake(dir, take, voice, either));
      } catch (error) {
        failures.push(error);
        stop.abort();
        return;
      }
      done += takeSeconds(take);
      onProgress?.(done, total);
    }
  };
  onProgress?.(0, total);
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (signal?.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');
  // The first failure is the cause; the ones after it are the takes it stopped.
  if (failures.length > 0) throw failures[0];
  return made;
}

/**
 * Makes the sample day: about five minutes of drawn and spoken footage of one invented person's Friday, with chapters,
 * sidecars, GPS and subtitles as cameras write them, and questions with known answers. A complete day that is already
 * there is used as it is.
 * @param dir folder to make it in; created when missing, and nothing else in it is touched
 * @throws FootnoteError CANCELLED when the signal aborts, FFMPEG_MISSING without an ffmpeg, BAD_REQUEST where no folder can be
 */
export async function makeSampleDay(dir: string, options: SampleOptions = {}): Promise<SampleDay> {
  const known = await completeTruth(dir);
  if (known) return sampleDay(dir, known, true);

  try {
    await mkdir(dir, { recursive: true });
  } catch (error) {
    throw new FootnoteError(
      'BAD_REQUEST',
      'The sample day cannot be made there: no such folder can be created.',
      {},
      { cause: error },
    );
  }
  const made = await makeTakes(dir, options);
  const files: SampleTruth['files'] = [];
  for (const take of TAKES) {
    for (const file of made.get(take)!.files) files.push({ file, bytes: (await stat(join(dir, file))).size });
  }
  const truth: SampleTruth = {
    version: VERSION,
    askedAt: ASKED_AT,
    zone: 'Europe/London',
    files,
    speech: TAKES.flatMap((take) => made.get(take)!.said.map((line) => ({ file: take.file, ...line }))),
    questions: QUESTIONS.map((q) => ({ ...q, evidence: q.evidence.map(evidenceOf) })),
  };
  // Written last and renamed into place: a day with this file is a whole day.
  const part = join(dir, `${TRUTH_FILE}.part`);
  await writeFile(part, `${JSON.stringify(truth, null, 2)}\n`);
  await rename(part, join(dir, TRUTH_FILE));
  return sampleDay(dir, truth, false);
}

function sampleDay(dir: string, truth: SampleTruth, reused: boolean): SampleDay {
  return { dir, files: truth.files.map(({ file }) => join(dir, file)), questions: truth.questions, reused };
}
