/**
 * Question sets in the common form (episodes.jsonl, questions.jsonl) as Footnote's own episodes and questions. The sets give
 * local times without a zone; they are read as UTC.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Claim, Episode } from '../contract/index.ts';

export interface CommonQuestion {
  id: string;
  stream: string;
  kind: string;
  question: string;
  askedAtMs: number;
  /** Null when the set says that it cannot be answered. */
  answer: string | null;
  /** Ids of the episodes (as converted) that prove the answer. */
  evidence: string[];
}

export interface CommonSet {
  name: string;
  /** One person or conversation each; a question is asked of its own stream. */
  streams: Map<string, { episodes: Episode[]; questions: CommonQuestion[] }>;
}

type Row = Record<string, unknown>;

function rowsOf(file: string): Row[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);
}

const utcMs = (iso: unknown): number => Math.round(Date.parse(`${String(iso)}Z`));
const idOf = (kind: string, id: unknown): string =>
  `${kind}${createHash('sha256').update(String(id)).digest('hex').slice(0, 24)}`;

/** Claims with instants from narrations, else one claim for the whole episode: the captions of a set stand for a vision model. */
function claimsOf(row: Row, startMs: number): Claim[] {
  const base = { source: 'vision-model' as const, confidence: 1 };
  const narrations = row.narrations as { start_s: number; text: string }[] | undefined;
  if (narrations) {
    return narrations.map((narration) => ({
      ...base,
      text: `I ${narration.text}.`,
      atMs: Math.round(startMs + (narration.start_s - Number(row.start_s)) * 1000),
    }));
  }
  const objects = row.objects as
    | { object_name: string; status?: string[]; location?: string; interaction?: string }[]
    | undefined;
  const captions = (row.captions as string[] | undefined) ?? (row.speaker ? [] : [String(row.text)]);
  return [
    ...captions.map((text) => ({ ...base, text, atMs: null })),
    ...(objects ?? []).map((object) => ({
      ...base,
      text: `${object.object_name}: ${[(object.status ?? []).join(', '), object.location, object.interaction].filter(Boolean).join('; ')}`,
      atMs: null,
    })),
  ];
}

function episodeOf(row: Row, index: number): Episode {
  const startMs = utcMs(row.start);
  const endMs = utcMs(row.end);
  const speaker = row.speaker === undefined ? null : String(row.speaker);
  const said = speaker ? String(row.text).replace(`${speaker}: `, '') : null;
  return {
    id: idOf('e', row.id),
    recordingId: idOf(
      'r',
      row.video ?? `${String(row.stream)}/${String(row.session ?? String(row.start).slice(0, 10))}`,
    ),
    chapterId: idOf('f', row.stream),
    index,
    startMs,
    endMs,
    zone: 'UTC',
    text: String(row.text_with_objects ?? row.text),
    record: {
      caption: '',
      transcript: said
        ? [{ startMs, endMs, speaker, text: said, source: 'speech-recognised', confidence: 1 }]
        : [],
      visibleText: [],
      actions: [],
      objects: [],
      topics: [],
      scenes: [],
      entities: [],
      claims: claimsOf(row, startMs),
      people: 0,
      place: null,
    },
    keyframes: [],
    clip: null,
    writer: { name: 'common-form', version: '1' },
  };
}

/** Reads one set. @param folder holds episodes.jsonl and questions.jsonl */
export function readCommonSet(folder: string): CommonSet {
  const streams: CommonSet['streams'] = new Map();
  const of = (stream: unknown): { episodes: Episode[]; questions: CommonQuestion[] } => {
    const name = String(stream);
    const known = streams.get(name) ?? { episodes: [], questions: [] };
    streams.set(name, known);
    return known;
  };
  for (const [index, row] of rowsOf(path.join(folder, 'episodes.jsonl')).entries()) {
    of(row.stream).episodes.push(episodeOf(row, index));
  }
  for (const row of rowsOf(path.join(folder, 'questions.jsonl'))) {
    const unanswerable = row.unanswerable === true || row.answer === null;
    of(row.stream).questions.push({
      id: String(row.id),
      stream: String(row.stream),
      kind: String(row.kind),
      question: String(row.question),
      askedAtMs: utcMs(row.asked_at),
      answer: unanswerable ? null : String(row.answer),
      evidence: ((row.evidence as string[] | undefined) ?? []).map((id) => idOf('e', id)),
    });
  }
  return { name: path.basename(folder), streams };
}
