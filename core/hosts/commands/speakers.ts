import { FootnoteError } from '../../contract/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { type CommonOptions, print, printJson, withEngine } from '../session.ts';
import { clockWords, durationWords, plain } from '../words.ts';

/** "A=Anna" as a voice and its name; nothing after the sign takes the name off. */
function parseNaming(text: string): { voice: string; name: string | null } {
  const match = /^\s*([A-Za-z]{1,3})\s*=(.*)$/su.exec(text);
  if (!match) {
    throw new FootnoteError('BAD_REQUEST', `"${text}" names no voice. Write for example --name A=Anna.`);
  }
  const name = match[2]!.trim();
  return { voice: match[1]!.toUpperCase(), name: name === '' ? null : name };
}

/** `footnote speakers RECORDING`: the voices that were told apart, and what the person calls them. */
export function speakersCommand(id: string, options: CommonOptions & { name?: string[] }): Promise<number> {
  const namings = (options.name ?? []).map(parseNaming);
  return withEngine(options, { resumeImports: false }, async (engine) => {
    const { recordings } = engine.client;
    const { clock } = await recordings.get({ id });
    for (const naming of namings) await recordings.nameSpeaker({ id, ...naming });
    const speakers = await recordings.speakers({ id });
    if (options.json) printJson({ speakers });
    else if (speakers.length === 0) print('No voices were told apart in this recording.');
    for (const { voice, name, lines, seconds, firstMs, example } of options.json ? [] : speakers) {
      const who = name === null ? voice : `${voice} is ${plain(name)}`;
      const said = `${lines} ${lines === 1 ? 'line' : 'lines'}, ${durationWords(seconds)}`;
      print(`${who}: ${said}, first at ${clockWords(firstMs, clock.zone)}: “${plain(example)}”`);
    }
    return speakers.length > 0 ? EXIT.ok : EXIT.nothingFound;
  });
}
