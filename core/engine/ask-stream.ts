import type { AskEvent, ThreadTurn } from '../contract/index.ts';
import type { Reader } from '../reading/reader.ts';

/**
 * Asks the reader and yields each step and sentence the moment it comes, then the answer. Ending the iteration early, or the
 * signal, stops the reader.
 */
export async function* askStream(
  reader: Reader,
  question: string,
  options: { nowMs: number; zone: string; thread?: readonly ThreadTurn[]; signal?: AbortSignal },
): AsyncGenerator<AskEvent> {
  const abort = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
  const events: AskEvent[] = [];
  let wake = () => {};
  let settled = false;
  const answered = reader
    .ask(question, {
      nowMs: options.nowMs,
      zone: options.zone,
      signal,
      ...(options.thread && { thread: options.thread }),
      onStep: (step) => {
        events.push({ type: 'step', step });
        wake();
      },
      onText: (text) => {
        events.push({ type: 'text', text });
        wake();
      },
    })
    .finally(() => {
      settled = true;
      wake();
    });
  // The error is thrown to the caller below, when the steps are through; it must not count as unhandled before.
  answered.catch(() => {});
  try {
    while (true) {
      for (let event = events.shift(); event; event = events.shift()) yield event;
      if (settled) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (events.length > 0 || settled) resolve();
      });
    }
    yield { type: 'answer', answer: await answered };
  } finally {
    abort.abort();
  }
}
