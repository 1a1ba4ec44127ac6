import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool } from '../footage/ffmpeg.ts';
import { startScriptedServer } from '../reading/testing/scripted-server.ts';
import { createEngine, type Engine } from './engine.ts';
import { spawnNodeProcess } from './processes.ts';

const START = Date.parse('2026-06-01T08:00:00Z');
let dir: string;
let engine: Engine;

/** 20 s of red, then 20 s of blue. */
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-watching-'));
  const film = join(dir, 'GX010078.MP4');
  const colour = (name: string) => ['-f', 'lavfi', '-i', `color=${name}:s=640x360:r=10:d=20`];
  await runTool(
    'ffmpeg',
    [
      ...['-v', 'error', ...colour('red'), ...colour('blue')],
      ...[
        '-filter_complex',
        '[0:v][1:v]concat=n=2,format=yuv420p',
        '-c:v',
        'libx264',
        '-preset',
        'ultrafast',
      ],
      ...['-metadata', 'creation_time=2026-06-01T08:00:00Z', film],
    ],
    {},
  );
  engine = await createEngine({ library: join(dir, 'library'), spawn: spawnNodeProcess, zone: 'UTC' });
  const job = await engine.client.imports.start({ paths: [film] });
  for await (const _ of await engine.client.imports.watch({ id: job.id }));
}, 120_000);
afterAll(async () => {
  await engine?.close();
  await rm(dir, { recursive: true, force: true });
});

describe('an agent that watches', { timeout: 60_000 }, () => {
  it('is shown redacted frames of the span it asks for, in time order, and told when they are', async () => {
    const pictures: string[] = [];
    const server = await startScriptedServer((asked, turn) => {
      if (turn === 1)
        return 'TOOL: {"name":"fetch_video","args":{"time_anchor":["2026-06-01 08:00","2026-06-01 09:00"],"num_frames":50}}';
      if (turn === 2) return 'TOOL: {"name":"fetch_video","args":{"time_anchor":[12,28],"num_frames":4}}';
      const parts = asked.messages.at(-1)!.content as unknown as {
        image_url?: { url: string };
        text?: string;
      }[];
      pictures.push(...parts.flatMap(({ image_url }) => image_url?.url ?? []));
      pictures.push(parts.at(-1)!.text!);
      return 'ANSWER: NOTHING';
    });
    await engine.client.readers.use({ kind: 'server', address: server.address, model: 'm', looks: true });
    const steps: string[] = [];
    for await (const event of await engine.client.ask({
      question: 'What did I see?',
      atMs: START + 3_600_000,
    }))
      if (event.type === 'step') steps.push(event.step.tool);
    await server.close();
    expect(steps.slice(0, 2)).toEqual(['fetch_video', 'fetch_video']);
    const words = pictures.pop()!;
    expect(words).toContain('Frames at 14, 18, 22, 26.');
    const colours = await Promise.all(
      pictures.map(async (url) => {
        const { channels } = await sharp(Buffer.from(url.split(',')[1]!, 'base64')).stats();
        return channels[0]!.mean > channels[2]!.mean ? 'red' : 'blue';
      }),
    );
    expect(colours).toEqual(['red', 'red', 'blue', 'blue']);
  });
});
