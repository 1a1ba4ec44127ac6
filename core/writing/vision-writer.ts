import type { Observation } from '../perception/observation.ts';
import { cleanAnswer } from './clean-answer.ts';
import { episodeOf, type Seen } from './episode.ts';
import type { EpisodeWriter, RecordingFacts, WriteContext } from './episode-writer.ts';
import type { Labels } from './labels.ts';
import { scenesNamed } from './scenes.ts';
import { RECORD_SHAPE, readRecord, recordPrompt, splitAnswer } from './seen-record.ts';
import { type GateView, gateView, SimilarityGate } from './similarity-gate.ts';
import { type Statement, statementsOf, WEIGHT } from './statements.ts';
import { MAX_TOKENS } from './token-budget.ts';
import { type PromptStyle, promptOf } from './writer-prompt.ts';

/** Raised whenever the same observation and model would give another text. */
const VERSION = '2';
/** A model says nothing of how sure it is; what it saw is held for less sure than what was measured. */
const SEEN_CONFIDENCE = 0.6;
/** What is carried over from a segment before is less sure by what may have been missed. */
const CARRIED_CONFIDENCE = 0.5;
/** Sentences that are told again: the same told at length dozens of times would stand in the way of everything else. */
const CARRIED_SENTENCES = 2;
/** Share of black frames from which there is nothing to look at. */
export const MOSTLY_BLACK = 0.9;
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
  /** Of the text; 0 for a record alone. */
  maxNewTokens: number;
  /** The form of a record to be written after the text; null for text alone. */
  record: typeof RECORD_SHAPE | null;
  deadlineMs: number;
}

/** Asks a vision-language model. An error may carry a `code` as models/errors.ts names them. */
export type Describe = (
  request: DescribeRequest,
  signal?: AbortSignal,
) => Promise<{
  text: string;
  /** Null when none was asked for, or the model was not held to its form: then it may stand in the text. */
  record: string | null;
  ended: 'complete' | 'length' | 'deadline';
}>;

export interface VisionWriterOptions {
  /** Catalogue id of the model; part of the writer's name. */
  model: string;
  style: PromptStyle;
  describe: Describe;
  /** Writes what the model could not; its episodes carry its own name. */
  fallback: EpisodeWriter;
}

/** What a model's description of a segment came to. */
interface Looked extends Omit<Seen, 'carriedFrom'> {
  sentences: string[];
}

/** Opens what is carried over. */
const CARRIED = 'Nothing new was to be seen, and it was still as before.';

/**
 * The writer that looks: a vision-language model writes what the frames show, from MemLife's prompt elements, and that is
 * told together with what was measured; speech and print stay quoted word for word. Segments are written one after the
 * other. When the model fails, is too slow, or says nothing usable, the segment is written by the fallback. A segment that shows and
 * says nothing new is written from what the model said of the one before, and says so; `carriedFrom` names it.
 */
export function createVisionWriter(options: VisionWriterOptions): EpisodeWriter {
  const { model, style, fallback } = options;
  const identity = { name: `footnote-vision-${model}`, version: VERSION };
  let failures = 0;
  let last: Promise<unknown> = Promise.resolve();
  const gate = new SimilarityGate<Looked>();

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

  /** Labels by the model's own record; asked for it alone once where the one it gave with its paragraph cannot be used. */
  async function labelsBy(
    record: string | null,
    paragraph: string,
    signal: AbortSignal,
  ): Promise<Partial<Labels>> {
    if (style === 'brief') return {};
    const given = record === null ? null : readRecord(record, paragraph);
    if (given) return given;
    const request = { system: null, frames: [], text: recordPrompt(paragraph), record: RECORD_SHAPE };
    const limits = { maxNewTokens: 0, deadlineMs: RECORD_DEADLINE_MS };
    try {
      const answer = await options.describe({ ...request, ...limits }, signal);
      return readRecord(answer.record ?? answer.text, paragraph) ?? {};
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
  ): Promise<Looked | null> {
    let sentences: string[];
    let record: string | null;
    try {
      const prompt = promptOf(observation, style);
      const limits = { maxNewTokens: MAX_TOKENS, deadlineMs: DEADLINE_MS };
      const form = style === 'full' ? RECORD_SHAPE : null;
      const answer = await ask({ ...prompt, frames, record: form, ...limits }, signal);
      const free = splitAnswer(answer.text);
      record = answer.record ?? free.record;
      // A record after it shows that the paragraph came to its end.
      sentences = cleanAnswer(free.text, answer.ended === 'complete' || free.record !== null);
      failures = answer.ended === 'deadline' && sentences.length === 0 ? failures + 1 : 0;
    } catch {
      // Whatever the reason: the segment is written all the same, and its writer's name tells how.
      if (!signal.aborted) failures += 1;
      return null;
    }
    if (sentences.length === 0) return null;
    const text = sentences.join(' ');
    return { sentences, text, labels: await labelsBy(record, text, signal), scenes: scenesNamed(text) };
  }

  /** What is told of a segment beside what was measured; null leaves it to the fallback. */
  async function seenIn(
    view: GateView,
    frames: readonly Uint8Array[],
    signal: AbortSignal,
  ): Promise<{ told: Statement[]; seen: Seen } | null> {
    const carried = gate.carry(view);
    if (carried) {
      const { sentences, ...seen } = carried.description;
      const told = [CARRIED, ...sentences.slice(0, CARRIED_SENTENCES)];
      return {
        told: told.map((text, group) => seenStatement(text, group, CARRIED_CONFIDENCE)),
        seen: { ...seen, carriedFrom: carried.from },
      };
    }
    const looked = await look(view.observation, frames, signal);
    if (!looked) {
      gate.forget();
      return null;
    }
    gate.keep(view, looked);
    const { sentences, ...seen } = looked;
    return {
      told: sentences.map((text, group) => seenStatement(text, group, SEEN_CONFIDENCE)),
      seen: { ...seen, carriedFrom: null },
    };
  }

  async function write(observation: Observation, recording: RecordingFacts, context: WriteContext) {
    const { signal, hurry, frames = [] } = context;
    const stop = AbortSignal.any([signal, hurry].filter((one) => one !== undefined));
    const worth =
      frames.length > 0 && observation.light.black < MOSTLY_BLACK && failures < FAILURES_TO_GIVE_UP;
    const view = worth ? await gateView(observation, frames) : null;
    const looked = view && !stop.aborted ? await seenIn(view, frames, stop) : null;
    signal?.throwIfAborted();
    if (!looked) return fallback.write(observation, recording, context);
    const [opening, ...measured] = statementsOf(observation, recording);
    return episodeOf(observation, [opening!, ...looked.told, ...measured], looked.seen, identity);
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

function seenStatement(text: string, group: number, confidence: number): Statement {
  const claim = { text, source: 'vision-model', confidence, atMs: null } as const;
  return { kind: 'seen', lead: text, quoted: null, group, weight: WEIGHT.seen, claim };
}
