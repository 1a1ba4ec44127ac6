import type { Observation } from '../perception/observation.ts';
import { cleanAnswer } from './clean-answer.ts';
import { episodeOf, type Seen } from './episode.ts';
import type { EpisodeWriter, RecordingFacts, WriteContext } from './episode-writer.ts';
import type { Labels } from './labels.ts';
import { scenesNamed } from './scenes.ts';
import { RECORD_TOKENS, readRecord, recordPrompt } from './seen-record.ts';
import { type Statement, statementsOf, WEIGHT } from './statements.ts';
import { MAX_TOKENS } from './token-budget.ts';
import { type PromptStyle, promptOf } from './writer-prompt.ts';

/** Raised whenever the same observation and model would give another text. */
const VERSION = '1';
/** A model says nothing of how sure it is; what it saw is held for less sure than what was measured. */
const SEEN_CONFIDENCE = 0.6;
/** Share of black frames from which there is nothing to look at. */
const MOSTLY_BLACK = 0.9;
/** Time for one answer, ms: MAX_TOKENS at 3 tokens a second, the slowest machine worth waiting for. */
const DEADLINE_MS = 180_000;
const RECORD_DEADLINE_MS = 60_000;
/** Segments in a row on which the model failed, after which it is not asked again by this writer. */
const FAILURES_TO_GIVE_UP = 3;
/** What a second try cannot mend: the files, and a process that has already died twice over this very segment. */
const FINAL = new Set(['load-failed', 'process-died', 'closed']);

export interface DescribeRequest {
  system: string | null;
  /** JPEGs in time order; none for plain text. */
  frames: readonly Uint8Array[];
  text: string;
  maxNewTokens: number;
  deadlineMs: number;
}

/** Asks a vision-language model. An error may carry a `code` as models/errors.ts names them. */
export type Describe = (
  request: DescribeRequest,
  signal?: AbortSignal,
) => Promise<{ text: string; ended: 'complete' | 'length' | 'deadline' }>;

export interface VisionWriterOptions {
  /** Catalogue id of the model; part of the writer's name. */
  model: string;
  style: PromptStyle;
  describe: Describe;
  /** Writes what the model could not; its episodes carry its own name. */
  fallback: EpisodeWriter;
}

/**
 * The writer that looks: a vision-language model writes what the frames show, from MemLife's prompt elements, and that is
 * told together with what was measured; speech and print stay quoted word for word. Segments are written one after the
 * other. When the model fails, is too slow, or says nothing usable, the segment is written by the fallback.
 */
export function createVisionWriter(options: VisionWriterOptions): EpisodeWriter {
  const { model, style, fallback } = options;
  const identity = { name: `footnote-vision-${model}`, version: VERSION };
  let failures = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** @throws what the second try threw */
  async function ask(request: DescribeRequest, signal: AbortSignal): ReturnType<Describe> {
    try {
      return await options.describe(request, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (FINAL.has((error as { code?: string }).code ?? '')) throw error;
      return options.describe(request, signal);
    }
  }

  /** Labels by the model's own record where it can give one. */
  async function labelsBy(paragraph: string, signal: AbortSignal): Promise<Partial<Labels>> {
    if (style === 'brief') return {};
    const request = { system: null, frames: [], text: recordPrompt(paragraph) };
    const limits = { maxNewTokens: RECORD_TOKENS, deadlineMs: RECORD_DEADLINE_MS };
    try {
      const { text } = await options.describe({ ...request, ...limits }, signal);
      return readRecord(text, paragraph) ?? {};
    } catch {
      // The paragraph stands without it: its labels are found by rule, and a model that is gone shows at the next segment.
      return {};
    }
  }

  /** @returns null when the model fails or says nothing usable */
  async function look(
    observation: Observation,
    frames: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<{ sentences: string[]; seen: Seen } | null> {
    let sentences: string[];
    try {
      const prompt = promptOf(observation, style);
      const limits = { maxNewTokens: MAX_TOKENS, deadlineMs: DEADLINE_MS };
      const answer = await ask({ ...prompt, frames, ...limits }, signal);
      sentences = cleanAnswer(answer.text, answer.ended === 'complete');
      failures = answer.ended === 'deadline' && sentences.length === 0 ? failures + 1 : 0;
    } catch {
      // Whatever the reason: the segment is written all the same, and its writer's name tells how.
      if (!signal.aborted) failures += 1;
      return null;
    }
    if (sentences.length === 0) return null;
    const text = sentences.join(' ');
    return { sentences, seen: { text, labels: await labelsBy(text, signal), scenes: scenesNamed(text) } };
  }

  async function write(observation: Observation, recording: RecordingFacts, context: WriteContext) {
    const { signal, hurry, frames = [] } = context;
    const stop = AbortSignal.any([signal, hurry].filter((one) => one !== undefined));
    const worth =
      frames.length > 0 && observation.light.black < MOSTLY_BLACK && failures < FAILURES_TO_GIVE_UP;
    const looked = worth && !stop.aborted ? await look(observation, frames, stop) : null;
    signal?.throwIfAborted();
    if (!looked) return fallback.write(observation, recording, context);
    const [opening, ...measured] = statementsOf(observation, recording);
    const told = [opening!, ...looked.sentences.map(seenStatement), ...measured];
    return episodeOf(observation, told, looked.seen, identity);
  }

  return {
    ...identity,
    looks: true,
    write(observation, recording, context = {}) {
      const work = last.then(() => write(observation, recording, context));
      last = work.catch(() => undefined);
      return work;
    },
  };
}

function seenStatement(text: string, group: number): Statement {
  const claim = { text, source: 'vision-model', confidence: SEEN_CONFIDENCE, atMs: null } as const;
  return { kind: 'seen', lead: text, quoted: null, group, weight: WEIGHT.seen, claim };
}
