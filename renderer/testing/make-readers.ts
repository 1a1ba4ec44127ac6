import { Readers } from '../../core/contract/readers.ts';

/** Three readers: none needs fetching, one cannot be had, one runs beside. */
export const makeReaders = (): Readers =>
  Readers.parse({
    choice: { kind: 'planner' },
    offers: [
      {
        choice: { kind: 'planner' },
        name: 'Quotes, without a model',
        detail: 'Plans from the kind of question and quotes what was written, said or read. Always there.',
        ready: true,
      },
      {
        choice: { kind: 'model' },
        name: 'A language model of this computer',
        detail: 'No language model was fetched. Fetch a writer to have one.',
        ready: false,
      },
      {
        choice: { kind: 'server', address: 'http://127.0.0.1:11434/v1', model: 'llama3.2' },
        name: 'llama3.2 (Ollama)',
        detail: 'Runs beside Footnote on this computer.',
        ready: true,
      },
    ],
  });
