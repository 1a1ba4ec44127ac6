import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FindMedia, mediaIdOf, mediaResponse } from './media-response.ts';

let dir: string;
const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'media 100% #1 '));
  await writeFile(join(dir, 'clip.mp4'), content);
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const find: FindMedia = async (id) =>
  id === 'clip/f0123-0000'
    ? { path: join(dir, 'clip.mp4'), type: 'video/mp4' }
    : id === 'clip/gone-0000'
      ? { path: join(dir, 'gone.mp4'), type: 'video/mp4' }
      : null;

function ask(id: string, range?: string, method = 'GET'): Promise<Response> {
  const headers = new Headers(range ? { Range: range } : {});
  return mediaResponse(new Request(`footnote-media://media/${id}`, { method, headers }), find);
}

describe('media by id', () => {
  it('comes whole', async () => {
    const response = await ask('clip/f0123-0000');
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  });

  it('comes in the part a player seeks to', async () => {
    const response = await ask('clip/f0123-0000', 'bytes=200000-200099');
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe('bytes 200000-200099/300000');
    expect(Buffer.from(await response.arrayBuffer()).equals(content.subarray(200_000, 200_100))).toBe(true);
  });

  it('is refused beyond its end, and measured without a body', async () => {
    expect((await ask('clip/f0123-0000', 'bytes=300000-')).status).toBe(416);
    const head = await ask('clip/f0123-0000', undefined, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '300000']);
    expect(await head.text()).toBe('');
  });

  it('is not found when unknown, forgotten or asked of another host', async () => {
    expect((await ask('clip/other-0000')).status).toBe(404);
    expect((await ask('clip/gone-0000')).status).toBe(404);
    expect(mediaIdOf('footnote-media://elsewhere/clip/f0123-0000')).toBeNull();
    expect(mediaIdOf('nonsense')).toBeNull();
  });

  it('cannot be written', async () => {
    expect((await ask('clip/f0123-0000', undefined, 'POST')).status).toBe(405);
  });
});
