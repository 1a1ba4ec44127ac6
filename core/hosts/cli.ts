import { createRequire } from 'node:module';
import { ORPCError } from '@orpc/server';
import { Command, CommanderError } from 'commander';
import { ERROR_CODES, type ErrorCode, toFootnoteError } from '../contract/index.ts';
import { askCommand } from './commands/ask.ts';
import { recordingsCommand, searchCommand, showCommand, timelineCommand } from './commands/browse.ts';
import { correctCommand, doctorCommand, forgetCommand, sampleCommand } from './commands/care.ts';
import { importCommand } from './commands/import.ts';
import {
  modelsListCommand,
  modelsRemoveCommand,
  modelsUseCommand,
  modelsVerifyCommand,
} from './commands/models.ts';
import { modelsGetCommand } from './commands/models-get.ts';
import { readerListCommand, readerUseCommand } from './commands/reader.ts';
import { rewriteCommand } from './commands/rewrite.ts';
import { serveCommand } from './commands/serve.ts';
import { speakersCommand } from './commands/speakers.ts';
import { EXIT, EXIT_HELP, exitCodeOf } from './exit-codes.ts';
import { note, printJson } from './session.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

function build(done: (code: number) => void): Command {
  const program = new Command('footnote')
    .description(
      'Answers questions about your own recordings, on this computer, with footnotes that play the moment.',
    )
    .version(version)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `\n${EXIT_HELP}\n\nEvery command takes --library DIR and --json (one JSON object on stdout, progress on stderr).`,
    );

  const command = (spec: string, description: string, examples: string[], parent: Command = program) =>
    parent
      .command(spec)
      .description(description)
      .option(
        '--library <dir>',
        'library folder (default: FOOTNOTE_LIBRARY, else the folder for application data)',
      )
      .option('--json', 'print one JSON object')
      .exitOverride()
      .addHelpText(
        'after',
        `\nExamples:\n${examples.map((example) => `  footnote ${example}`).join('\n')}\n\n${EXIT_HELP}`,
      );

  command('import', 'read footage: files, folders or a whole memory card', [
    'import /media/card',
    'import holiday/ GX010042.MP4 --timezone Asia/Tokyo',
    'import clip.mp4 --shift -1h',
    'import            (goes on with an unfinished import)',
  ])
    .argument('[paths...]', 'files and folders')
    .option('--shift <time>', 'move every start time, such as +1h30m or -45s')
    .option('--timezone <zone>', "the camera's zone, such as Europe/Warsaw")
    .option('--keep-sound', 'keep the sound in the stored clips')
    .option('--wearer <name>', 'who wore the camera, when it was not you')
    .action(async (paths, options) => done(await importCommand(paths, options)));

  command('ask', 'answer a question, with footnotes', [
    'ask "where did I leave the spare keys?"',
    'ask "what did I read at the pharmacy?" --at 2026-07-01T20:00 --json',
  ])
    .argument('<question>')
    .option('--at <time>', 'answer as of this instant (ISO 8601); nothing later is read')
    .action(async (question, options) => done(await askCommand(question, options)));

  command('search', 'find episodes by words', [
    'search "blue bowl"',
    'search dose --from 2026-07-01 --to 2026-07-08 --top 5',
  ])
    .argument('<words>')
    .option('--from <time>', 'only from this instant on')
    .option('--to <time>', 'only before this instant')
    .option('--at <time>', 'search as of this instant; nothing later is read')
    .option('--top <n>', 'at most so many, 1 to 32')
    .option('--wearer <name>', "only what this person's camera saw")
    .action(async (words, options) => done(await searchCommand(words, options)));

  command('timeline', 'list the days, or the episodes of one', ['timeline', 'timeline --day 2026-07-01'])
    .option('--day <day>', 'YYYY-MM-DD')
    .action(async (options) => done(await timelineCommand(options)));

  command('show', 'show one episode with everything it rests on', ['show f0123456789abcdef01234567-0002'])
    .argument('<episode>')
    .action(async (episode, options) => done(await showCommand(episode, options)));

  command('recordings', 'list the recordings, their clocks and chapters', ['recordings --json']).action(
    async (options) => done(await recordingsCommand(options)),
  );

  command('correct', "correct a recording's clock", [
    'correct r0123456789abcdef01234567 --shift +1h',
    'correct r0123456789abcdef01234567 --timezone Asia/Tokyo',
  ])
    .argument('<recording>')
    .option('--shift <time>', 'move it, such as +1h30m or -45s')
    .option('--timezone <zone>', 'zone its clock times are shown in')
    .action(async (recording, options) => done(await correctCommand(recording, options)));

  command('speakers', 'list the voices heard in a recording, and say who they are', [
    'speakers r0123456789abcdef01234567',
    'speakers r0123456789abcdef01234567 --name A=Anna --name B=me',
    'speakers r0123456789abcdef01234567 --name A=   (takes the name off)',
  ])
    .argument('<recording>')
    .option('--name <voice=name...>', 'who a voice is')
    .action(async (recording, options) => done(await speakersCommand(recording, options)));

  command('rewrite', 'have episodes written anew by a better writer; the originals are not needed', [
    'rewrite --all --dry-run',
    'rewrite --day 2026-07-01',
    'rewrite --recording r0123456789abcdef01234567 --writer smolvlm2-500m',
    'rewrite --all --undo      (gives them back the words they had before)',
  ])
    .option('--recording <id>', 'the episodes of a recording')
    .option('--day <day>', 'those of a day, YYYY-MM-DD')
    .option('--all', 'all of them')
    .option('--writer <id>', 'by this model, or "measured" for none (default: the writer in use)')
    .option('--dry-run', 'only say what would be done')
    .option('--undo', 'take the last rewrite back')
    .action(async (options) => done(await rewriteCommand(options)));

  command('forget', 'remove episodes with their words, pictures and clips; originals stay', [
    'forget --recording r0123456789abcdef01234567',
    'forget --from 2026-07-01T12:00 --to 2026-07-01T13:00',
    'forget --everything --yes',
  ])
    .option('--recording <id>', 'a whole recording')
    .option('--episode <id...>', 'single episodes')
    .option('--from <time>', 'every episode that touches the span from here …')
    .option('--to <time>', '… to here')
    .option('--everything', 'all of it')
    .option('--yes', 'do not ask')
    .action(async (options) => done(await forgetCommand(options)));

  command('doctor', 'check that everything Footnote needs is there', ['doctor']).action(async (options) =>
    done(await doctorCommand(options)),
  );

  command(
    'mcp',
    'serve search, fetch and ask to another assistant on this computer, reading only, over stdio',
    ['mcp --library ~/Footnote'],
  ).action(async (options) => done(await (await import('./commands/mcp.ts')).mcpCommand(options)));

  const reader = program
    .command('reader')
    .description('choose who answers: quotes without a model, a model of this computer, or a language server')
    .exitOverride();
  command('list', 'show who answers, and who could', ['reader list'], reader).action(async (options) =>
    done(await readerListCommand(options)),
  );
  command(
    'use',
    'choose who answers from now on',
    ['reader use planner', 'reader use model', 'reader use http://127.0.0.1:11434/v1 llama3.2'],
    reader,
  )
    .argument('<who>', 'planner, model, or the address of a language server')
    .argument('[model]', 'the model, as the server names it')
    .option('--allow-host <name...>', 'send questions and memory to this host, which is not this computer')
    .option('--looks', 'the model takes pictures')
    .option('--context <tokens>', 'its context, prompt and reply together (default 8192)')
    .action(async (who, model, options) => done(await readerUseCommand(who, model, options)));

  const models = program
    .command('models')
    .description('list, fetch, check, remove and choose the models that run on this computer')
    .exitOverride();
  command(
    'list',
    'list the models by task, which is used, and what works without',
    ['models list'],
    models,
  ).action(async (options) => done(await modelsListCommand(options)));
  command(
    'get',
    'fetch a model; shows its size and hosts and asks first',
    [
      'models get whisper-base',
      'models get minilm-l6-int8 --from /media/stick/models',
      'models get qwen3.5-0.8b --yes',
    ],
    models,
  )
    .argument('<model>')
    .option('--from <dir>', 'a folder that has the files; looked in first')
    .option('--yes', 'do not ask')
    .option('--no-repair', 'never fetch damaged files of it again without asking')
    .action(async (model, options) => done(await modelsGetCommand(model, options)));
  command(
    'verify',
    'read the files of a model, or of all, through',
    ['models verify', 'models verify whisper-base'],
    models,
  )
    .argument('[model]')
    .action(async (model, options) => done(await modelsVerifyCommand(model, options)));
  command('remove', 'remove a model', ['models remove whisper-base'], models)
    .argument('<model>')
    .action(async (model, options) => done(await modelsRemoveCommand(model, options)));
  command(
    'use',
    'choose the model of a task',
    ['models use speech whisper-small', 'models use speech   (leaves it to the catalogue)'],
    models,
  )
    .argument('<task>')
    .argument('[model]')
    .action(async (task, model, options) => done(await modelsUseCommand(task, model, options)));

  command('serve', 'serve the interface on 127.0.0.1', ['serve', 'serve --port 8123 --no-open'])
    .option('--port <n>', 'port, 0 for any free one', '0')
    .option('--no-open', 'print the address, do not open it')
    .action(async (options) => done(await serveCommand(options)));

  command('evaluate', 'measure how well questions of a set find their evidence', [
    'evaluate --episodes set/episodes.jsonl --questions set/questions.jsonl',
    'evaluate --episodes set/episodes.jsonl --questions qa.json --systems memlife,bm25 --embedding minilm --json',
  ])
    .requiredOption('--episodes <path>', 'episodes.jsonl, a caption list, or a folder of subtitles')
    .requiredOption('--questions <file>', 'the questions')
    .option('--format <name>', 'form of the questions (default: found out)', 'auto')
    .option('--joined <how>', 'how a target time that joins two times is read: range or instants', 'range')
    .option('--systems <names>', 'systems to measure, comma between (default: all)')
    .option('--embedding <name>', 'text embedding: static, minilm, or a model of the catalogue', 'static')
    .option('--models <dir>', 'folder that holds the model')
    .option('--seed <n>', 'seed of the intervals', '1')
    .option('--report <file>', 'where the report goes', 'evaluation.html')
    .action(async (options) => done(await (await import('./commands/evaluate.ts')).evaluateCommand(options)));

  command('sample', 'make a short day of footage to try Footnote with', ['sample', 'sample my-sample'])
    .argument('[dir]', 'where to', 'sample-day')
    .action(async (dir, options) => done(await sampleCommand(dir, options)));

  return program;
}

function isCode(code: string): code is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(code);
}

/**
 * The command line.
 * @param argv arguments without node and script
 * @returns the exit code
 */
export async function main(argv: string[]): Promise<number> {
  // Whatever is written, only this person may read.
  process.umask(0o077);
  // A reader that has seen enough (`| head`) closes the pipe: that ends the command, it is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.ok);
  });
  let code: number = EXIT.ok;
  try {
    await build((result) => {
      code = result;
    }).parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.ok;
      if (argv.includes('--json')) printJson({ error: { code: 'BAD_REQUEST', message: error.message } });
      return EXIT.usage;
    }
    const known =
      error instanceof ORPCError && isCode(error.code)
        ? { code: error.code, message: error.message }
        : toFootnoteError(error);
    if (argv.includes('--json')) printJson({ error: { code: known.code, message: known.message } });
    note(known.message);
    if (process.env.FOOTNOTE_DEBUG && error instanceof Error) note(error.stack ?? '');
    return exitCodeOf(known.code);
  }
}
