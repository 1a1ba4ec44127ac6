/** Finds out what a set's files are and brings them to the one form. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { FootnoteError } from '../../contract/index.ts';
import { type EvalEpisode, type EvalQuestion, type EvalSet, joinEvidence, streamsOf } from '../set.ts';
import { readCaptionJson } from './caption-json.ts';
import { readEpisodeRows, readQuestionRows } from './common-form.ts';
import { readEgoLifeMcq } from './egolife-mcq.ts';
import { readEgoLifeQuestions } from './egolife-qa.ts';
import { readLocomo } from './locomo.ts';
import { readM3Bench } from './m3-bench.ts';
import { malformed, readJson, readRecords } from './read.ts';
import { readSrtFolder } from './srt-folder.ts';
import { readSuperMemory } from './supermemory.ts';

/** Forms that questions come in; `auto` looks at the file. Of episodes the form is always found out. */
export const FORMATS = [
  'auto',
  'common',
  'egolife-qa',
  'ego-r1',
  'egolife-eqa',
  'egolife-mcq',
  'supermemory',
  'lvqa',
  'm3-bench',
  'locomo',
] as const;
export type Format = (typeof FORMATS)[number];

/** LVQA's one store for all wearers. */
const TOGETHER = 'all-wearers';

export interface LoadOptions {
  /** episodes.jsonl, a caption list, a folder of subtitles, or LoCoMo's own file. */
  episodes: string;
  /** Questions in any of FORMATS. */
  questions: string;
  format?: Format;
  /** How EgoLifeQA's joined target times are read; default: one range. */
  joined?: 'range' | 'instants';
}

/** The first record of a file; an object that is no list is itself the first. */
function firstRecord(file: string): Record<string, unknown> {
  const value = /\.(jsonl|ndjson)$/i.test(file) ? readRecords(file)[0]?.value : readJson(file);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'object' || first === null)
    throw malformed(path.basename(file), 'it holds no records');
  return first as Record<string, unknown>;
}

function formatOf(file: string): Format {
  const first = firstRecord(file);
  if ('conversation' in first && 'qa' in first) return 'locomo';
  if ('question_evidence' in first) return 'supermemory';
  if ('evidence_times' in first && 'query' in first) return 'egolife-mcq';
  if ('query_time' in first)
    return 'options' in first ? 'egolife-eqa' : 'identity' in first ? 'ego-r1' : 'egolife-qa';
  if ('asked_at' in first && 'stream' in first) return 'common';
  const video = Object.values(first)[0];
  if (typeof video === 'object' && video !== null && 'qa_list' in video) return 'm3-bench';
  throw malformed(
    path.basename(file),
    `these questions are in no form Footnote knows (${FORMATS.slice(1).join(', ')})`,
  );
}

function readEpisodes(file: string): EvalEpisode[] {
  const info = statSync(file, { throwIfNoEntry: false });
  if (!info) throw new FootnoteError('FILE_MISSING', `There are no episodes at ${file}.`, { file });
  if (info.isDirectory() || /\.(srt|vtt)$/i.test(file)) return readSrtFolder(file);
  if (/\.(jsonl|ndjson)$/i.test(file)) return readEpisodeRows(file);
  const first = firstRecord(file);
  if ('conversation' in first) return readLocomo(file).streams.flatMap(({ episodes }) => episodes);
  return 'start_time' in first ? readCaptionJson(file) : readEpisodeRows(file);
}

function readQuestions(
  file: string,
  format: Format,
  set: Pick<EvalSet, 'streams' | 'notes'>,
  options: LoadOptions,
): EvalQuestion[] {
  const stream = set.streams[0]!.id;
  switch (format) {
    case 'egolife-qa':
    case 'ego-r1':
    case 'egolife-eqa':
      return readEgoLifeQuestions(file, { stream, joined: options.joined ?? 'range' });
    case 'egolife-mcq':
      return readEgoLifeMcq(file, stream);
    case 'supermemory':
    case 'lvqa': {
      const together = format === 'lvqa' ? TOGETHER : null;
      const { questions, left } = readSuperMemory(file, { together, streams: set.streams });
      if (left > 0) set.notes.push(`${left} pieces of evidence are in videos whose start nothing tells.`);
      return questions;
    }
    case 'm3-bench':
      return readM3Bench(file, set.streams);
    case 'locomo':
      return readLocomo(file).questions;
    default:
      return readQuestionRows(file);
  }
}

function refuseTwins(ids: readonly string[], file: string, what: string): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw malformed(path.basename(file), `two ${what} have the id "${id.slice(0, 80)}"`);
    seen.add(id);
  }
}

/**
 * Loads a set. Questions whose stream has no episodes stay and count as missed; a note says how many.
 * @throws FootnoteError FILE_MISSING, FILE_UNREADABLE; BAD_REQUEST for what is malformed (with file and line), an empty set, or when no
 *   question is about any of the episodes
 */
export function loadSet(options: LoadOptions): EvalSet {
  const episodes = readEpisodes(options.episodes);
  if (episodes.length === 0) throw malformed(path.basename(options.episodes), 'it holds no episodes');
  refuseTwins(
    episodes.map(({ id }) => id),
    options.episodes,
    'episodes',
  );
  if (!statSync(options.questions, { throwIfNoEntry: false }))
    throw new FootnoteError('FILE_MISSING', `There are no questions at ${options.questions}.`, {
      file: options.questions,
    });
  const format =
    options.format === undefined || options.format === 'auto' ? formatOf(options.questions) : options.format;
  if (format === 'lvqa') {
    for (const episode of episodes) {
      episode.wearer ??= episode.stream;
      episode.stream = TOGETHER;
    }
  }
  const set: EvalSet = {
    name: path.basename(path.dirname(path.resolve(options.questions))),
    streams: streamsOf(episodes),
    questions: [],
    notes: [],
  };
  set.questions = readQuestions(options.questions, format, set, options);
  if (set.questions.length === 0) throw malformed(path.basename(options.questions), 'it holds no questions');
  refuseTwins(
    set.questions.map(({ id }) => id),
    options.questions,
    'questions',
  );
  const known = new Set(set.streams.map(({ id }) => id));
  const lost = set.questions.filter(({ stream }) => !known.has(stream)).length;
  if (lost === set.questions.length)
    throw new FootnoteError(
      'BAD_REQUEST',
      `No question is about any of the episodes: "${set.questions[0]!.stream}" is not among their streams.`,
      { streams: [...known].slice(0, 5) },
    );
  if (lost > 0) set.notes.push(`${lost} questions are about streams without episodes and count as missed.`);
  const dropped = joinEvidence(set.questions, set.streams);
  if (dropped > 0) set.notes.push(`${dropped} pieces of evidence name episodes that are not there.`);
  return set;
}
