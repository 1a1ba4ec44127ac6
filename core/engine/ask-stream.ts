import type { AskEvent, ReaderStep } from '../contract/index.ts';
import type { Reader } from '../reading/reader.ts';

/**
 * Asks the reader and yields each step the moment it is taken, then the answer. Ending the iteration early, or the
 * signal, stops the reader.
 */
export async function* askStream(
  reader: Reader,
  question: string,
  options: { nowMs: number; zone: string; signal?: AbortSignal },
): AsyncGenerator<AskEvent> {
  const abort = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abort.signal]) : abort.signal;
  const steps: ReaderStep[] = [];
  let wake = () => {};
  let settled = false;
  const answered = reader
    .ask(question, {
      nowMs: options.nowMs,
      zone: options.zone,
      signal,
      onStep: (step) => {
        steps.push(step);
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
      for (let step = steps.shift(); step; step = steps.shift()) yield { type: 'step', step };
      if (settled) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (steps.length > 0 || settled) resolve();
      });
    }
    yield { type: 'answer', answer: await answered };
  } finally {
    abort.abort();
  }
}
