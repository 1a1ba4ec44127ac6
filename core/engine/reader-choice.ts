import { join } from 'node:path';
import { writeAtomic } from '../../models/durable-file.ts';
import { FootnoteError } from '../contract/errors.ts';
import { ReaderChoice, type ReaderOffer, type Readers } from '../contract/index.ts';
import { readJson } from '../library/files.ts';
import type { Library } from '../library/library.ts';
import type { MemoryReader } from '../memory/memory.ts';
import { createAgentReader } from '../reading/agent/agent-reader.ts';
import type { ChatBackend } from '../reading/agent/chat.ts';
import type { VideoSource } from '../reading/agent/tools.ts';
import type { Entails } from '../reading/agent/verify.ts';
import { serverAddress } from '../reading/backends/loopback.ts';
import { createServerBackend, serverModels } from '../reading/backends/openai-server.ts';
import type { Reader } from '../reading/reader.ts';

const FILE = 'reader.json';
const PLANNER: ReaderChoice = { kind: 'planner' };
/** Where the usual programs listen, each on its own port. */
const USUAL = [
  { address: 'http://127.0.0.1:11434/v1', program: 'Ollama' },
  { address: 'http://127.0.0.1:1234/v1', program: 'LM Studio' },
  { address: 'http://127.0.0.1:8080/v1', program: 'llama.cpp' },
] as const;

export interface ReaderChoiceParts {
  library: Library;
  memory: MemoryReader;
  planner: Reader;
  video: VideoSource | null;
  entails(): Promise<Entails | null>;
  /** The language model of this computer; null when none was fetched. */
  localModel(): Promise<ChatBackend | null>;
  /** Servers to look for; default the usual ones. */
  usual?: readonly { address: string; program: string }[];
}

export interface ReaderService {
  /** The reader for the next question. */
  reader(): Promise<Reader>;
  list(): Promise<Readers>;
  /** @throws FootnoteError BAD_REQUEST for a server that is not allowed, LIBRARY_BUSY when read-only */
  use(choice: ReaderChoice): Promise<Readers>;
}

/** Remembers which reader the person chose, with the library, and makes it when a question comes. */
export function createReaderService(parts: ReaderChoiceParts): ReaderService {
  const { library, memory, planner } = parts;
  const path = join(library.root, FILE);

  /** A choice that cannot be read is none: the planner always works. */
  async function chosen(): Promise<ReaderChoice> {
    try {
      const parsed = ReaderChoice.safeParse(await readJson(path));
      return parsed.success ? parsed.data : PLANNER;
    } catch {
      return PLANNER;
    }
  }

  async function backendOf(choice: ReaderChoice): Promise<ChatBackend | null> {
    if (choice.kind === 'server') return createServerBackend(choice);
    return choice.kind === 'model' ? parts.localModel() : null;
  }

  async function offers(choice: ReaderChoice): Promise<ReaderOffer[]> {
    const local = await parts.localModel();
    const list: ReaderOffer[] = [
      {
        choice: PLANNER,
        name: 'Quotes, without a model',
        detail: 'Plans from the kind of question and quotes what was written, said or read. Always there.',
        ready: true,
      },
      {
        choice: { kind: 'model' },
        name: local?.name ?? 'A language model of this computer',
        detail: local
          ? 'Looks several times and answers in its own words; sentences its evidence does not bear out are left out.'
          : 'No language model was fetched. Fetch a writer to have one.',
        ready: local !== null,
      },
    ];
    const usual = parts.usual ?? USUAL;
    const found = await Promise.all(
      usual.map(async ({ address, program }) => ({ address, program, models: await serverModels(address) })),
    );
    for (const { address, program, models } of found) {
      for (const model of models) {
        list.push({
          choice: ReaderChoice.parse({ kind: 'server', address, model }),
          name: `${model} (${program})`,
          detail: 'Runs beside Footnote on this computer.',
          ready: true,
        });
      }
    }
    const known = list.some((offer) => JSON.stringify(offer.choice) === JSON.stringify(choice));
    if (choice.kind === 'server' && !known) {
      const there = await serverModels(choice.address, choice.allowedHosts);
      list.push({
        choice,
        name: `${choice.model} at ${new URL(choice.address).host}`,
        detail: there.includes(choice.model)
          ? 'The server answers.'
          : 'The server does not answer, or does not have this model; questions are answered without it.',
        ready: there.includes(choice.model),
      });
    }
    return list;
  }

  return {
    async reader() {
      const backend = await backendOf(await chosen());
      if (!backend) return planner;
      return createAgentReader({
        memory,
        backend,
        planner,
        video: parts.video,
        entails: await parts.entails(),
      });
    },
    async list() {
      const choice = await chosen();
      return { choice, offers: await offers(choice) };
    },
    async use(choice) {
      if (library.readOnly) throw new FootnoteError('LIBRARY_BUSY', 'The library is open for reading only.');
      if (choice.kind === 'server') serverAddress(choice.address, choice.allowedHosts);
      await writeAtomic(path, `${JSON.stringify(choice, null, 2)}\n`);
      return { choice, offers: await offers(choice) };
    },
  };
}
