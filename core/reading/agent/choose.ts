/** Multiple choice, as the benchmarks ask it: the same agent and tools, an option's letter for an answer. */
import type { Episode } from '../../contract/index.ts';
import type { MemoryReader } from '../../memory/memory.ts';
import { lookFor } from '../look.ts';
import type { AskOptions } from '../reader.ts';
import type { ChatBackend } from './chat.ts';
import { EvidenceList } from './evidence-list.ts';
import { type AgentRun, runAgent } from './loop.ts';
import { readChoice } from './protocol.ts';
import type { VideoSource } from './tools.ts';

export interface Chosen {
  /** Index of the option; null when none was given in the agreed form, which counts as wrong. */
  choice: number | null;
  /** Everything that came back, in the order it was first shown. */
  shown: readonly Episode[];
  run: AgentRun;
}

/**
 * Asks a multiple-choice question.
 * @throws FootnoteError as `runAgent` does
 */
export async function chooseByAgent(
  { memory, backend, video }: { memory: MemoryReader; backend: ChatBackend; video: VideoSource | null },
  question: string,
  choices: readonly string[],
  asking: AskOptions,
): Promise<Chosen> {
  const list = new EvidenceList();
  const extent = await memory.extent(asking.nowMs);
  const startMs = Math.min(extent?.startMs ?? asking.nowMs, asking.nowMs);
  const run = await runAgent(
    backend,
    {
      text: question,
      choices,
      nowMs: asking.nowMs,
      zone: asking.zone,
      extent: { startMs, endMs: Math.min(extent?.endMs ?? asking.nowMs, asking.nowMs) },
      thread: [],
    },
    {
      look: lookFor(memory, asking),
      video,
      list,
      originMs: startMs,
      nowMs: asking.nowMs,
      zone: asking.zone,
      ...(asking.signal && { signal: asking.signal }),
    },
  );
  return { choice: run.answer === null ? null : readChoice(run.answer, choices), shown: list.shown, run };
}
