/**
 * The reader with a language model: an agent that looks with the same tools as the planner, as often as it needs, and whose every
 * sentence must cite an episode that bears it out. Where the model fails, does not keep to the protocol or says nothing its
 * evidence supports, the planner answers, and the answer says so.
 */
import { type Answer, FootnoteError } from '../../contract/index.ts';
import type { MemoryReader } from '../../memory/memory.ts';
import { writeAnswer } from '../compose.ts';
import { lookFor } from '../look.ts';
import { readQuestion } from '../question.ts';
import type { AskOptions, Reader } from '../reader.ts';
import type { ChatBackend } from './chat.ts';
import { EvidenceList } from './evidence-list.ts';
import { runAgent } from './loop.ts';
import type { VideoSource } from './tools.ts';
import { claimedSentences, type Entails, supported } from './verify.ts';

const VERSION = '1';
/** Earlier turns of a thread that a question is read with. */
const THREAD_TURNS = 3;
/** The line by which a model says that nothing answers. */
const NOTHING = /^\W*nothing\b\W*(?:found)?\W*$/i;

export interface AgentReaderOptions {
  memory: MemoryReader;
  backend: ChatBackend;
  /** Answers where the model cannot. */
  planner: Reader;
  /** Null where no pixels are kept. */
  video: VideoSource | null;
  /** Judges whether evidence bears a sentence out; null to go by the words. */
  entails: Entails | null;
}

/** A reader over a memory and a language model; it keeps nothing between questions. */
export function createAgentReader(options: AgentReaderOptions): Reader {
  const { memory, backend, planner } = options;
  const name = `footnote-agent/${VERSION} (${backend.name})`;

  async function ask(text: string, asking: AskOptions): Promise<Answer> {
    const started = performance.now();
    const asked = text.trim();
    if (asked === '') throw new FootnoteError('BAD_REQUEST', 'The question is empty.');
    const extent = await memory.extent(asking.nowMs);
    if (!extent) return planner.ask(text, asking);
    const question = readQuestion(asked, { nowMs: asking.nowMs, zone: asking.zone });
    const look = lookFor(memory, asking);
    const list = new EvidenceList();
    const world = {
      look,
      video: options.video,
      list,
      originMs: extent.startMs,
      nowMs: asking.nowMs,
      zone: asking.zone,
      ...(asking.signal && { signal: asking.signal }),
    };
    const thread = (asking.thread ?? []).slice(-THREAD_TURNS);
    const answerOf = (written: Pick<Answer, 'answer' | 'footnotes' | 'found'>, writer: string): Answer => ({
      question: asked,
      askedAtMs: asking.nowMs,
      ...written,
      steps: [...look.steps],
      writer,
      reader: name,
      seconds: (performance.now() - started) / 1000,
    });
    const byPlanner = async (why: string): Promise<Answer> => {
      const answer = await planner.ask(text, asking);
      return {
        ...answer,
        steps: [...look.steps, ...answer.steps],
        reader: `${answer.reader} (${why})`,
        seconds: (performance.now() - started) / 1000,
      };
    };
    try {
      const run = await runAgent(
        backend,
        {
          text: asked,
          nowMs: asking.nowMs,
          zone: asking.zone,
          extent: { startMs: extent.startMs, endMs: Math.min(extent.endMs, asking.nowMs) },
          thread,
        },
        world,
      );
      if (run.answer === null) return byPlanner(`${backend.name} gave no answer in the agreed form`);
      if (NOTHING.test(run.answer)) {
        // Its word that there is nothing is checked too: the planner quotes, or says the same.
        return byPlanner(`${backend.name} found nothing`);
      }
      const sentences = await supported(claimedSentences(run.answer, list), question, options.entails);
      if (sentences.length === 0) return byPlanner(`${backend.name} said nothing its evidence supports`);
      const written = writeAnswer(sentences);
      for (const sentence of written.answer.split('\n')) asking.onText?.(sentence);
      const writers = new Set(
        sentences.flatMap(({ cites }) =>
          cites.map(({ unit }) => `${unit.episode.writer.name}/${unit.episode.writer.version}`),
        ),
      );
      return answerOf({ ...written, found: true }, [...writers].join(', '));
    } catch (error) {
      const code = error instanceof FootnoteError ? error.code : 'INTERNAL';
      if (code !== 'MODEL_FAILED' && code !== 'MODEL_MISSING') throw error;
      return byPlanner(`${backend.name} could not be asked`);
    }
  }

  return { name, warm: () => planner.warm(), ask };
}
