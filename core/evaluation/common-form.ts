/** A folder in the common form (episodes.jsonl, questions.jsonl) as Footnote's own episodes, for what runs on the memory itself. */
import path from 'node:path';
import type { Episode } from '../contract/index.ts';
import { loadSet } from './loaders/load.ts';
import { episodeId, toEpisode } from './to-episode.ts';

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

/** Reads one set. @throws FootnoteError as `loadSet` */
export function readCommonSet(folder: string): CommonSet {
  const set = loadSet({
    episodes: path.join(folder, 'episodes.jsonl'),
    questions: path.join(folder, 'questions.jsonl'),
    format: 'common',
  });
  const streams: CommonSet['streams'] = new Map();
  for (const { id, episodes } of set.streams) {
    const questions = set.questions
      .filter(({ stream }) => stream === id)
      .map(({ id, stream, kind, question, askedAtMs, answer, unanswerable, evidence }) => ({
        id,
        stream,
        kind,
        question,
        askedAtMs,
        answer: unanswerable ? null : answer,
        evidence: evidence.map(episodeId),
      }));
    streams.set(id, { episodes: episodes.map(toEpisode), questions });
  }
  return { name: path.basename(folder), streams };
}
