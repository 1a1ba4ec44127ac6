import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpawnProcess } from '../../models/port.ts';
import { wordErrorRate } from '../../models/speech/testing/word-errors.ts';
import type { ModelStore } from '../../models/store/index.ts';
import type { Episode, ImportJob, SpeechLine } from '../contract/index.ts';
import { SOUND_RATE } from '../footage/decode.ts';
import { runTool } from '../footage/ffmpeg.ts';
import { conversation } from '../perception/testing/talk.ts';
import type { HeardVoice } from '../perception/voices.ts';
import { loadVoice } from '../sample/voice.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';
import { GE2E_FOLDER, tinySpeechStore } from './testing/tiny-speech.ts';

/** Sentences that the test model was trained on, spoken by two. */
const LINES = [
  ['slt', 'the keys are in the bowl.'],
  ['kal16', 'the tickets are under the window.'],
  ['slt', 'i will call the plumber on friday.'],
  ['kal16', 'the papers are behind the cupboard.'],
] as const;
let dir: string;
let film: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-heard-'));
  film = join(dir, 'GX010078.MP4');
  const { samples } = await conversation(await loadVoice(), LINES, [2.6]);
  const sound = join(dir, 'talk.f32');
  await writeFile(sound, new Uint8Array(samples.buffer));
  const seconds = samples.length / SOUND_RATE;
  await runTool(
    'ffmpeg',
    [
      ...['-nostdin', '-v', 'error', '-f', 'f32le', '-ar', `${SOUND_RATE}`, '-ac', '1', '-i', sound],
      ...['-f', 'lavfi', '-i', `color=c=gray:s=160x90:r=10:d=${seconds}`, '-c:v', 'libx264', '-c:a', 'aac'],
      ...['-b:a', '96k', '-metadata', 'creation_time=2026-06-01T08:00:00Z', film],
    ],
    { timeoutMs: 60_000 },
  );
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function opened<T>(
  name: string,
  options: { models: ModelStore; spawn?: SpawnProcess },
  act: (engine: Engine) => Promise<T>,
): Promise<T> {
  const engine = await createEngine({
    library: join(dir, name),
    spawn: spawnNodeProcess,
    zone: 'UTC',
    ...options,
  });
  try {
    return await act(engine);
  } finally {
    await engine.close();
  }
}

async function imported(engine: Engine): Promise<{ job: ImportJob; episodes: Episode[] }> {
  let job = await engine.client.imports.start({ paths: [film] });
  for await (const change of await engine.client.imports.watch({ id: job.id })) job = change;
  return { job, episodes: await all(engine) };
}

async function all(engine: Engine): Promise<Episode[]> {
  const episodes: Episode[] = [];
  for (const { day } of await engine.client.timeline.days()) {
    episodes.push(...(await engine.client.timeline.day({ day })).episodes);
  }
  return episodes;
}

const linesOf = (episodes: readonly Episode[]) => episodes.flatMap(({ record }) => record.transcript);

/** The right voice for each turn, and most of its words: the test model knows them, and makes mistakes as a real one does. */
function expectTalk(lines: readonly SpeechLine[]): void {
  const heard = (letter: string) => lines.filter(({ voice }) => voice === letter).map(({ text }) => text);
  for (const [who, letter] of [
    ['slt', 'A'],
    ['kal16', 'B'],
  ] as const) {
    const truth = LINES.filter(([speaker]) => speaker === who).map(([, text]) => text);
    expect(wordErrorRate(truth.join(' '), heard(letter).join(' '))).toBeLessThan(0.35);
  }
  expect(lines.map(({ voice }) => voice)).toEqual(['A', 'B', 'A', 'B']);
}

describe.skipIf(!existsSync(join(GE2E_FOLDER, 'model.onnx')))(
  'an import of footage in which two talk (needs models/speakers/make)',
  () => {
    let undisturbed: SpeechLine[] = [];

    it('has their words, language, recogniser and voices, and follows a naming', async () => {
      const models = await tinySpeechStore(join(dir, 'talk'));
      const kept: string[] = [];
      const work = join(dir, 'talk-library/work');
      const watching: SpawnProcess = (entry) => {
        const port = spawnNodeProcess(entry);
        return {
          ...port,
          onMessage: (listener) =>
            port.onMessage((message) => {
              if ((message as { type: string }).type !== 'segment') return listener(message);
              void keptIn(work).then((texts) => {
                kept.push(...texts);
                listener(message);
              });
            }),
        };
      };
      await opened('talk-library', { models, spawn: watching }, async (engine) => {
        const { job, episodes } = await imported(engine);
        undisturbed = linesOf(episodes);
        expect(job.files[0]).toMatchObject({ outcome: 'imported', notes: [] });
        expectTalk(undisturbed);
        for (const line of undisturbed) {
          expect(line).toMatchObject({ language: 'en', recogniser: { name: 'tiny-whisper' } });
          expect(line.recogniser!.version).toMatch(/^[0-9a-f]{12}$/);
        }
        // Words and voices lay on disk while the recording was imported, and no longer.
        expect(kept.map((text) => JSON.parse(text).voices.map(({ letter }: HeardVoice) => letter))).toEqual([
          ['A', 'B'],
        ]);
        expect(await readdir(work)).toEqual([]);

        const { recordingId } = episodes[0]!;
        const named = await engine.client.recordings.nameSpeaker({
          id: recordingId,
          voice: 'B',
          name: 'Bert',
        });
        expect(named.map(({ voice, name, lines }) => [voice, name, lines])).toEqual([
          ['A', null, 2],
          ['B', 'Bert', 2],
        ]);
        const words = undisturbed.find(({ voice }) => voice === 'B')!.text;
        expect((await all(engine))[0]!.text).toContain(`Bert said: “${words}”`);
      });
    });

    it('does not hear again what was heard before a kill, though its model is gone by then', async () => {
      const models = await tinySpeechStore(join(dir, 'killed'));
      let arrived = 0;
      const killing: SpawnProcess = (entry) => {
        const port = spawnNodeProcess(entry);
        if (entry !== 'perception' || arrived > 0) return port;
        return {
          ...port,
          onMessage: (listener) =>
            port.onMessage((message) => {
              // The segment was heard and looked at; what was observed of it is lost.
              if ((message as { type: string }).type !== 'segment') return listener(message);
              arrived += 1;
              void models.remove('tiny-whisper').then(() => port.kill());
            }),
        };
      };
      await opened('killed-library', { models, spawn: killing }, async (engine) => {
        const { job, episodes } = await imported(engine);
        expect(arrived).toBe(1);
        expect(job.files[0]).toMatchObject({ outcome: 'imported', notes: [] });
        expect(linesOf(episodes)).toEqual(undisturbed);
      });
    });
  },
);

/** What is kept of speech below a folder. */
async function keptIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const own = names.filter((name) => name.endsWith('.speech.json'));
  return Promise.all(own.map((name) => readFile(join(folder, name), 'utf8')));
}
