import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpawnProcess } from '../../models/port.ts';
import type { ModelStore } from '../../models/store/index.ts';
import { drawFrames } from '../../models/writer/testing/scenes.ts';
import type { Episode, ImportJob } from '../contract/index.ts';
import { runTool } from '../footage/ffmpeg.ts';
import { createEngine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';
import { tinyWriterStore } from './testing/tiny-writer.ts';

const CUP = { place: 'table', object: 'cup', colour: 'red', count: 1, seed: 3 } as const;
const BAG = { place: 'kitchen', object: 'bag', colour: 'blue', count: 1, seed: 5 } as const;
const SEEN = 'footnote-vision-tiny-smolvlm';
const MEASURED = 'footnote-measured';

let dir: string;
let film: string;
let models: ModelStore;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-looks-'));
  film = join(dir, 'GX010077.MP4');
  for (const [name, scene] of Object.entries({ cup: CUP, bag: BAG })) {
    const [frame] = await drawFrames(scene, 1);
    const { rgb, width, height } = frame!;
    await sharp(rgb, { raw: { width, height, channels: 3 } })
      .png()
      .toFile(join(dir, `${name}.png`));
  }
  const picture = (name: string, seconds: number) => [
    '-loop',
    '1',
    '-framerate',
    '10',
    '-t',
    `${seconds}`,
    '-i',
    join(dir, `${name}.png`),
  ];
  await runTool(
    'ffmpeg',
    [
      '-v',
      'error',
      ...picture('cup', 30),
      ...picture('bag', 12),
      '-filter_complex',
      '[0:v][1:v]concat=n=2,format=yuv420p',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-metadata',
      'creation_time=2026-06-01T08:00:00Z',
      film,
    ],
    {},
  );
  models = await tinyWriterStore(dir);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function imported(
  name: string,
  options: { models?: ModelStore; spawn?: SpawnProcess } = {},
): Promise<{ job: ImportJob; episodes: Episode[] }> {
  const library = join(dir, name);
  const engine = await createEngine({ library, spawn: spawnNodeProcess, zone: 'UTC', ...options });
  try {
    let job = await engine.client.imports.start({ paths: [film] });
    for await (const change of await engine.client.imports.watch({ id: job.id })) job = change;
    const episodes: Episode[] = [];
    for (const { day } of await engine.client.timeline.days()) {
      episodes.push(...(await engine.client.timeline.day({ day })).episodes);
    }
    return { job, episodes };
  } finally {
    await engine.close();
  }
}

describe('an import with a writer that looks', () => {
  it('writes what each segment shows, from frames that never reach the disk', async () => {
    const { job, episodes } = await imported('looks', { models });
    expect(job).toMatchObject({ state: 'done', episodes: 2 });
    expect(episodes.map(({ writer }) => writer.name)).toEqual([SEEN, SEEN]);
    expect(episodes[0]!.text).toContain('I see a red cup on a wooden table.');
    expect(episodes[1]!.text).toContain('I see a blue bag on the kitchen counter.');
    expect(episodes[1]!.record.scenes).toContain('kitchen');
    const pictures = (await readdir(join(dir, 'looks'), { recursive: true })).filter((file) =>
      /\.jpe?g$/u.test(file),
    );
    const keyframes = episodes.flatMap((episode) => episode.keyframes);
    expect(pictures).toHaveLength(keyframes.length);
  });

  it('stores every episode when the model process dies over each of them', async () => {
    const spawn: SpawnProcess = (entry) => {
      const port = spawnNodeProcess(entry);
      return {
        ...port,
        post: (message) => {
          port.post(message);
          if ((message as { task?: string }).task === 'describe') port.kill();
        },
      };
    };
    const { job, episodes } = await imported('dies', { models, spawn });
    expect(job).toMatchObject({ state: 'done', episodes: 2 });
    expect(episodes.map(({ writer }) => writer.name)).toEqual([MEASURED, MEASURED]);
  });

  it('is the import it always was where no writer was fetched', async () => {
    const asked: string[] = [];
    const spawn: SpawnProcess = (entry) => {
      const port = spawnNodeProcess(entry);
      return {
        ...port,
        post: (message) => {
          asked.push((message as { task?: string }).task?.toString() ?? '');
          port.post(message);
        },
      };
    };
    const { episodes } = await imported('bare', { spawn });
    expect(episodes.map(({ writer }) => writer.name)).toEqual([MEASURED, MEASURED]);
    expect(asked).not.toContain('describe');
    expect(JSON.stringify(episodes)).not.toContain('vision-model');
  });
});
