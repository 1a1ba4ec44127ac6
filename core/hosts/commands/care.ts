import { createInterface } from 'node:readline/promises';
import { FootnoteError } from '../../contract/errors.ts';
import { makeSampleDay } from '../../sample/make-sample-day.ts';
import { EXIT } from '../exit-codes.ts';
import { parseInstant, parseShift, parseZone } from '../parse-args.ts';
import { type CommonOptions, note, print, printJson, withEngine } from '../session.ts';
import { sizeWords } from '../words.ts';

export interface ForgetCommandOptions extends CommonOptions {
  recording?: string;
  episode?: string[];
  from?: string;
  to?: string;
  everything?: boolean;
  yes?: boolean;
}

async function confirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new FootnoteError('BAD_REQUEST', 'Say --yes to forget without being asked.');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await reader.question(`${question} Type yes: `)).trim());
  } finally {
    reader.close();
  }
}

/** `footnote forget`: removes episodes, their words, pictures and clips. Originals stay. */
export function forgetCommand(options: ForgetCommandOptions): Promise<number> {
  return withEngine(options, { resumeImports: false }, async (engine) => {
    const { zone } = await engine.client.status();
    const spans = options.from !== undefined || options.to !== undefined;
    const named = [
      options.recording !== undefined,
      (options.episode?.length ?? 0) > 0,
      spans,
      options.everything === true,
    ];
    if (named.filter(Boolean).length !== 1) {
      throw new FootnoteError(
        'BAD_REQUEST',
        'Say what to forget: one of --recording, --episode, --from with --to, or --everything.',
      );
    }
    if (spans && !(options.from && options.to))
      throw new FootnoteError('BAD_REQUEST', 'A span needs both --from and --to.');
    if (!options.yes && !(await confirmed('This cannot be undone. Your original files stay as they are.'))) {
      note('Nothing was forgotten.');
      return EXIT.cancelled;
    }
    const result = await engine.client.privacy.forget(
      options.recording !== undefined
        ? { what: 'recording', recordingId: options.recording }
        : options.episode?.length
          ? { what: 'episodes', episodeIds: options.episode }
          : spans
            ? {
                what: 'span',
                span: { startMs: parseInstant(options.from!, zone), endMs: parseInstant(options.to!, zone) },
              }
            : { what: 'everything' },
    );
    if (options.json) printJson(result);
    else
      print(
        `Forgot ${result.episodes} episodes of ${result.recordings} recordings: ${result.files} files, ${sizeWords(result.bytes)}.`,
      );
    return result.episodes + result.recordings > 0 ? EXIT.ok : EXIT.nothingFound;
  });
}

/** `footnote correct RECORDING`: moves a recording whose camera clock was off. */
export function correctCommand(
  id: string,
  options: CommonOptions & { shift?: string; timezone?: string },
): Promise<number> {
  const shiftMs = options.shift ? parseShift(options.shift) : 0;
  const zone = options.timezone ? parseZone(options.timezone) : null;
  if (shiftMs === 0 && zone === null)
    throw new FootnoteError('BAD_REQUEST', 'Say how: --shift, --timezone, or both.');
  return withEngine(options, { resumeImports: false }, async (engine) => {
    const recording = await engine.client.recordings.correctClock({ id, shiftMs, zone });
    if (options.json) printJson(recording);
    else print(recording.clock.note);
    return EXIT.ok;
  });
}

/** `footnote doctor`: what is there, what is missing, what that costs. */
export function doctorCommand(options: CommonOptions): Promise<number> {
  return withEngine(options, { resumeImports: false }, async (engine) => {
    const status = await engine.client.status();
    if (options.json) printJson(status);
    else {
      print(`Footnote ${status.version}, library ${status.library}`);
      print(
        `${status.recordings} recordings, ${status.episodes} episodes; memory ${sizeWords(status.memoryBytes)}, clips ${sizeWords(status.clipBytes)}, keyframes ${sizeWords(status.keyframeBytes)}`,
      );
      for (const check of status.checks)
        print(`${check.ok ? 'ok     ' : 'MISSING'} ${check.name}: ${check.detail}`);
    }
    return status.checks.every((check) => check.ok) ? EXIT.ok : EXIT.missing;
  });
}

/** `footnote sample [DIR]`: makes the sample day to try Footnote with. */
export async function sampleCommand(dir: string, options: CommonOptions): Promise<number> {
  const made = await makeSampleDay(dir, {
    onProgress: (done, total) => note(`Filming: ${Math.round(done)} of ${Math.round(total)} s`),
  });
  if (options.json) printJson(made);
  else {
    print(`The sample day is in ${made.dir} (${made.files.length} files). Try:`);
    print(`  npm run -s footnote -- import ${JSON.stringify(made.dir)}`);
    for (const { question } of made.questions.slice(0, 3))
      print(`  npm run -s footnote -- ask ${JSON.stringify(question)}`);
  }
  return EXIT.ok;
}
