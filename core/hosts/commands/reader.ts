import { FootnoteError } from '../../contract/errors.ts';
import { ReaderChoice, type Readers } from '../../contract/index.ts';
import { EXIT } from '../exit-codes.ts';
import { type CommonOptions, print, printJson, withEngine } from '../session.ts';

function show(readers: Readers, json: boolean | undefined): number {
  if (json) {
    printJson(readers);
    return EXIT.ok;
  }
  for (const { choice, name, detail, ready } of readers.offers) {
    const used = JSON.stringify(choice) === JSON.stringify(readers.choice) ? '*' : ' ';
    print(`${used} ${name}${ready ? '' : '  (not ready)'}`);
    print(`    ${detail}`);
    if (choice.kind === 'server') print(`    footnote reader use ${choice.address} ${choice.model}`);
    else print(`    footnote reader use ${choice.kind}`);
  }
  return EXIT.ok;
}

/** `footnote reader list`: who answers, and who could. */
export function readerListCommand(options: CommonOptions): Promise<number> {
  return withEngine(options, { readOnly: true }, async ({ client }) =>
    show(await client.readers.list(), options.json),
  );
}

export interface ReaderUseOptions extends CommonOptions {
  allowHost?: string[];
  looks?: boolean;
  context?: string;
}

/** `footnote reader use planner|model|ADDRESS MODEL`: who answers from now on. */
export function readerUseCommand(
  who: string,
  model: string | undefined,
  options: ReaderUseOptions,
): Promise<number> {
  const wanted =
    who === 'planner' || who === 'model'
      ? { kind: who }
      : {
          kind: 'server',
          address: who,
          model,
          allowedHosts: options.allowHost ?? [],
          looks: options.looks ?? false,
          ...(options.context !== undefined && { contextTokens: Number(options.context) }),
        };
  const choice = ReaderChoice.safeParse(wanted);
  if (!choice.success)
    throw new FootnoteError(
      'BAD_REQUEST',
      'Say who is to answer: “planner”, “model”, or a server’s address and its model (“http://127.0.0.1:11434/v1 llama3.2”).',
    );
  return withEngine(options, { readOnly: false, resumeImports: false }, async ({ client }) =>
    show(await client.readers.use(choice.data), options.json),
  );
}
