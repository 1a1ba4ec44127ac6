import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FootnoteError } from '../../contract/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { openAddress } from '../open-address.ts';
import { parseCount } from '../parse-args.ts';
import { serve } from '../serve.ts';
import { type CommonOptions, note, withEngine } from '../session.ts';

export interface ServeCommandOptions extends CommonOptions {
  port: string;
  open: boolean;
}

const INTERFACE = fileURLToPath(new URL('../../../dist/renderer/index.html', import.meta.url));

/** `footnote serve`: the interface in a browser, until Ctrl-C. */
export function serveCommand(options: ServeCommandOptions): Promise<number> {
  const port = parseCount(options.port, 0, 65_535);
  if (!existsSync(INTERFACE)) {
    throw new FootnoteError(
      'FILE_MISSING',
      'The interface is not built yet. Run npm run build:renderer, or npm start.',
    );
  }
  return withEngine(options, { resumeImports: true }, async (engine) => {
    const serving = await serve(engine, { port });
    const stopped = new Promise<void>((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    const show = () => {
      const url = serving.newUrl();
      if (options.json) process.stdout.write(`${JSON.stringify({ url })}\n`);
      else process.stdout.write(`Footnote is at ${url}\n`);
      return url;
    };
    const first = show();
    if (options.open) openAddress(first);
    if (process.stdin.isTTY) {
      note('The address opens once. Press Enter for a new one, Ctrl-C to stop.');
      process.stdin.on('data', show);
    }
    await stopped;
    process.stdin.pause();
    await serving.close();
    return EXIT.ok;
  });
}
