import { join } from 'node:path';
import { FootnoteError } from '../../contract/errors.ts';
import type { Answer, Footnote } from '../../contract/index.ts';
import { parseMediaId } from '../../contract/media.ts';
import type { Engine } from '../../engine/engine.ts';
import { EXIT } from '../exit-codes.ts';
import { parseInstant } from '../parse-args.ts';
import { type CommonOptions, note, print, printJson, withEngine } from '../session.ts';
import { clockWords, plain } from '../words.ts';

export interface AskCommandOptions extends CommonOptions {
  at?: string;
}

async function pathOf(engine: Engine, mediaId: string | null): Promise<string | null> {
  if (!mediaId || !parseMediaId(mediaId)) return null;
  return (await engine.mediaFile(mediaId))?.path ?? null;
}

async function jsonFootnote(engine: Engine, footnote: Footnote) {
  const { number, episodeId, recordingId, start, end, text, clipOffset } = footnote;
  return {
    number,
    episodeId,
    recordingId,
    start,
    end,
    text,
    keyframe: await pathOf(engine, footnote.keyframe),
    clip: await pathOf(engine, footnote.clip),
    clipOffset,
  };
}

/** The documented object of `footnote ask --json`: media as file paths, times as ISO 8601. */
export async function jsonAnswer(engine: Engine, answer: Answer) {
  return {
    question: answer.question,
    answer: answer.answer,
    found: answer.found,
    footnotes: await Promise.all(answer.footnotes.map((footnote) => jsonFootnote(engine, footnote))),
    steps: answer.steps.map(({ tool, args, returned }) => ({ tool, args, returned })),
    writer: answer.writer,
    reader: answer.reader,
    seconds: answer.seconds,
  };
}

/** `footnote ask "…"`: answers from the library, with footnotes. */
export function askCommand(question: string, options: AskCommandOptions): Promise<number> {
  if (question.trim() === '')
    throw new FootnoteError('BAD_REQUEST', 'Ask something, such as "where are my keys?".');
  return withEngine(options, { readOnly: true }, async (engine) => {
    const { zone } = await engine.client.status();
    let answer: Answer | null = null;
    const asked = { question, ...(options.at ? { atMs: parseInstant(options.at, zone) } : {}) };
    for await (const event of await engine.client.ask(asked)) {
      if (event.type === 'answer') answer = event.answer;
      else if (event.type === 'step' && !options.json) note(`… ${event.step.words}`);
    }
    if (!answer) throw new FootnoteError('INTERNAL', 'The reader ended without an answer.');
    if (options.json) printJson(await jsonAnswer(engine, answer));
    else {
      print(plain(answer.answer));
      if (answer.footnotes.length > 0) print();
      for (const footnote of answer.footnotes) {
        print(`[${footnote.number}] ${clockWords(footnote.atMs, footnote.zone)}  “${plain(footnote.text)}”`);
        const clip = await pathOf(engine, footnote.clip);
        if (clip) print(`    ${clip} at ${footnote.clipOffset.toFixed(1)} s`);
        else print(`    ${join(footnote.recordingId, footnote.episodeId)} (no picture stored)`);
      }
    }
    return answer.found ? EXIT.ok : EXIT.nothingFound;
  });
}
