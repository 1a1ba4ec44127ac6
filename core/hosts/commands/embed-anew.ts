import { join } from 'node:path';
import { FootnoteError } from '../../contract/errors.ts';
import { defaultLibraryDir } from '../../library/default-dir.ts';
import { embedderOfMemory } from '../../memory/lance-memory.ts';
import { type CommonOptions, note, withEngine } from '../session.ts';

const TELL_EVERY_MS = 500;
/** Without a terminal, a line this often is enough for a log. */
const LOG_EVERY_MS = 5_000;

/** How a library took up another text embedding. */
export interface EmbeddedAnew {
  state: 'done' | 'later' | 'left-to-another' | 'failed';
  /** What a person should know of it; null when there was nothing to do. */
  words: string | null;
}

/**
 * Gives the library the vectors of the text embedding that is chosen now, with progress. Where another Footnote has the library open, that
 * one does it. Ctrl-C leaves the rest for later.
 * @returns null when there is no library yet
 */
export async function embedAnew(options: CommonOptions): Promise<EmbeddedAnew | null> {
  const dir = options.library ?? defaultLibraryDir();
  if ((await embedderOfMemory(join(dir, 'memory'))) === null) return null;
  let stop = () => {};
  const stopped = new Promise<'stopped'>((resolve) => {
    stop = () => resolve('stopped');
  });
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await withEngine(options, { resumeImports: false }, async ({ textModels }) => {
      await textModels.takeUpTextModel();
      if (!textModels.takingUp()) return ended(await textModels.settled());
      note(
        'The library is given its vectors. It can be searched meanwhile; Ctrl-C leaves the rest for later.',
      );
      const telling = setInterval(teller(textModels), TELL_EVERY_MS);
      const trouble = await Promise.race([textModels.settled(), stopped]);
      clearInterval(telling);
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
      return trouble === 'stopped'
        ? { state: 'later', words: 'The rest is done with the next import, or when Footnote is open.' }
        : ended(trouble, 'The library has its vectors.');
    });
  } catch (error) {
    if (!(error instanceof FootnoteError) || error.code !== 'LIBRARY_BUSY') throw error;
    return {
      state: 'left-to-another',
      words:
        'The Footnote that has this library open gives it the new vectors; it can be searched meanwhile.',
    };
  }
}

function ended(trouble: string | null, done: string | null = null): EmbeddedAnew {
  return trouble === null ? { state: 'done', words: done } : { state: 'failed', words: trouble };
}

function teller(textModels: { takingUp(): { done: number; total: number } | null }): () => void {
  let lastMs = 0;
  return () => {
    const at = textModels.takingUp();
    if (!at || at.total === 0) return;
    const line = `${at.done} of ${at.total} episodes`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
    else if (Date.now() - lastMs >= LOG_EVERY_MS) {
      lastMs = Date.now();
      note(line);
    }
  };
}
