import type { Answer, Footnote, ReaderStep, ThreadTurn } from '../../core/contract/reading.ts';
import { strings } from '../strings.ts';
import { type Problem, toProblem } from './problem.ts';
import type { Slice } from './state.ts';

/** One question and what came of it. */
export type Turn = {
  id: string;
  question: string;
  state: 'asking' | 'answered' | 'stopped' | 'failed';
  steps: ReaderStep[];
  /** Sentences that stand already while the rest is still being written. */
  soFar: string[];
  answer: Answer | null;
  problem: Problem | null;
};

export type ThreadSlice = {
  turns: Turn[];
  /** Asks; a question asked while another is being answered is not taken. */
  ask: (question: string) => Promise<void>;
  /** Gives up the question in work. */
  stopAsking: () => void;
};

/** Turns sent along with a follow-up. */
const EARLIER_TURNS = 3;

/** What a follow-up is read with: the answered turns before it, oldest first. */
const earlierTurns = (turns: readonly Turn[]): ThreadTurn[] =>
  turns
    .flatMap(({ question, answer }) =>
      answer
        ? [{ question, answer: answer.answer.slice(0, 20_000), evidence: evidenceOf(answer.footnotes) }]
        : [],
    )
    .slice(-EARLIER_TURNS);

/** From the first footnote to the last. */
function evidenceOf(footnotes: readonly Footnote[]): ThreadTurn['evidence'] {
  const [first] = footnotes;
  if (!first) return null;
  return {
    startMs: Math.min(...footnotes.map(({ startMs }) => startMs)),
    endMs: Math.max(...footnotes.map(({ endMs }) => endMs)),
    zone: first.zone,
  };
}

export const threadSlice: Slice<ThreadSlice> = (set, get, { host, zone }) => {
  let stop: AbortController | null = null;
  let asked = 0;

  const change = (id: string, part: Partial<Turn>) =>
    set((s) => ({ turns: s.turns.map((turn) => (turn.id === id ? { ...turn, ...part } : turn)) }));

  const read = async (id: string, question: string, thread: ThreadTurn[], signal: AbortSignal) => {
    const steps: ReaderStep[] = [];
    const soFar: string[] = [];
    for await (const event of await host.client.ask({ question, zone, thread }, { signal })) {
      if (signal.aborted) return;
      if (event.type === 'step') {
        steps.push(event.step);
        change(id, { steps: [...steps] });
        get().announce(event.step.words);
        continue;
      }
      if (event.type === 'text') {
        soFar.push(event.text);
        change(id, { soFar: [...soFar] });
        continue;
      }
      change(id, { state: 'answered', answer: event.answer });
      get().announce(
        event.answer.found ? strings.ask.announceAnswer(event.answer.footnotes.length) : strings.ask.nothing,
      );
      return;
    }
    // The stream ended without an answer: the engine went away.
    if (!signal.aborted) change(id, { state: 'failed', problem: { code: 'CONNECTION_LOST', detail: null } });
  };

  return {
    turns: [],
    ask: async (question) => {
      const words = question.trim();
      if (words === '' || stop) return;
      asked += 1;
      const id = `turn-${asked}`;
      const mine = new AbortController();
      stop = mine;
      const thread = earlierTurns(get().turns);
      const turn: Turn = {
        id,
        question: words,
        state: 'asking',
        steps: [],
        soFar: [],
        answer: null,
        problem: null,
      };
      set((s) => ({ turns: [...s.turns, turn], player: null }));
      try {
        await read(id, words, thread, mine.signal);
      } catch (error) {
        if (!mine.signal.aborted) change(id, { state: 'failed', problem: toProblem(error) });
      } finally {
        if (stop === mine) stop = null;
      }
    },
    stopAsking: () => {
      // The person is free again at once, whenever the engine hears of it.
      stop?.abort(new Error('stopped'));
      stop = null;
      set((s) => ({
        turns: s.turns.map((turn) =>
          turn.state === 'asking' ? { ...turn, state: 'stopped' as const } : turn,
        ),
      }));
      get().announce(strings.ask.stopped);
    },
  };
};
