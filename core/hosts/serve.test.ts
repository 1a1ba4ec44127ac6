import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createEngine, type Engine } from '../engine/engine.ts';
import { spawnNodeProcess } from '../engine/processes.ts';
import type { EngineClient } from '../engine/router.ts';
import { type Serving, serve } from './serve.ts';
import { safeParts } from './upload.ts';

let dir: string;
let engine: Engine;
let serving: Serving;
let cookie: string;

interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}
function request(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = http.request(
      {
        host: '127.0.0.1',
        port: serving.port,
        path,
        method: options.method ?? 'GET',
        headers: options.headers,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(options.body);
  });
}
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search;

function socket(headers: Record<string, string>): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const opened = new WebSocket(`ws://127.0.0.1:${serving.port}/rpc`, { headers });
    opened.once('open', () => resolve(opened));
    opened.once('error', reject);
  });
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'footnote-serve-'));
  const real = await createEngine({ library: join(dir, 'library'), spawn: spawnNodeProcess });
  await writeFile(join(dir, 'clip.mp4'), Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256)));
  engine = {
    ...real,
    mediaFile: async (id) =>
      id === 'clip/fabc-0000' ? { path: join(dir, 'clip.mp4'), type: 'video/mp4' } : null,
  };
  serving = await serve(engine);
  const reply = await request(pathOf(serving.newUrl()));
  cookie = reply.headers['set-cookie']![0]!.split(';')[0]!;
});
afterAll(async () => {
  await serving?.close();
  await engine?.close();
  await rm(dir, { recursive: true, force: true });
});

describe('who gets in', () => {
  it('opens for a token once, and gives a cookie that scripts and other sites cannot use', async () => {
    const url = serving.newUrl();
    const first = await request(pathOf(url));
    expect(first.status).toBe(303);
    expect(first.headers['set-cookie']![0]).toMatch(/HttpOnly; SameSite=Strict/);
    expect((await request(pathOf(url))).status).toBe(403);
  });
  it('refuses requests without a cookie or with a made-up token', async () => {
    expect((await request('/')).status).toBe(401);
    expect((await request('/media/clip/fabc-0000')).status).toBe(401);
    expect((await request('/?token=guess')).status).toBe(403);
    expect((await request('/', { headers: { cookie: 'footnote=guess' } })).status).toBe(401);
  });
  it('refuses a name that was pointed at this address', async () => {
    expect((await request('/', { headers: { host: 'evil.example', cookie } })).status).toBe(421);
  });
  it('refuses sockets from other origins, without an origin and without a cookie', async () => {
    const origin = `http://127.0.0.1:${serving.port}`;
    await expect(socket({ cookie, origin: 'http://evil.example' })).rejects.toThrow('403');
    await expect(socket({ cookie })).rejects.toThrow('403');
    await expect(socket({ origin })).rejects.toThrow('403');
    (await socket({ cookie, origin })).close();
  });
  it('lets nothing inline or foreign run on its pages', async () => {
    const { headers } = await request('/', { headers: { cookie } });
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*script-src 'self'/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('media', () => {
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    request('/media/clip/fabc-0000', { method, headers: { cookie, ...headers } });
  it('serves ranges, so that a player can seek', async () => {
    const part = await get({ range: 'bytes=100-199' });
    expect(part.status).toBe(206);
    expect(part.headers).toMatchObject({
      'content-range': 'bytes 100-199/1000',
      'content-type': 'video/mp4',
    });
    expect(part.body[0]).toBe(100);
    expect((await get({ range: 'bytes=900-' })).body).toHaveLength(100);
    expect((await get({ range: 'bytes=-10' })).body).toHaveLength(10);
    expect((await get({ range: 'bytes=5000-' })).status).toBe(416);
    expect((await get({}, 'HEAD')).headers['content-length']).toBe('1000');
    expect((await get()).body).toHaveLength(1000);
  });
  it('knows nothing but ids', async () => {
    for (const path of [
      '/media/clip/fnone-0000',
      '/media/../../etc/passwd',
      '/media/%2e%2e%2f%2e%2e%2fetc/passwd',
      '/..%2f..%2fpackage.json',
    ]) {
      expect((await request(path, { headers: { cookie } })).status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('uploads', () => {
  const send = (name: string, headers: Record<string, string> = {}) =>
    request(`/upload/batch-0001?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { cookie, origin: `http://127.0.0.1:${serving.port}`, ...headers },
      body: 'film',
    });
  it('keeps a dropped file inside the inbox, under its own name', async () => {
    const reply = await send("DCIM/it's a d#y 100%.MP4");
    expect(reply.status).toBe(200);
    const { path } = JSON.parse(reply.body.toString()) as { path: string };
    expect(path.startsWith(engine.library.inboxDir)).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('film');
    expect((await send("DCIM/it's a d#y 100%.MP4")).status).toBe(400);
  });
  it('refuses names that lead elsewhere, and other origins', async () => {
    expect((await send('../../evil.mp4')).status).toBe(400);
    expect((await send('a\0b.mp4')).status).toBe(400);
    expect((await send('')).status).toBe(400);
    expect((await send('x.mp4', { origin: 'http://evil.example' })).status).toBe(403);
    expect(() => safeParts('a/../b')).toThrow();
    expect(safeParts('./a//b.mp4')).toEqual(['a', 'b.mp4']);
  });
});

it('speaks the contract over the socket, with error codes kept', async () => {
  const opened = await socket({ cookie, origin: `http://localhost:${serving.port}` });
  const client: EngineClient = createORPCClient(
    new RPCLink({ websocket: opened as unknown as globalThis.WebSocket }),
  );
  expect(await client.status()).toMatchObject({ episodes: 0 });
  await expect(client.episodes.get({ id: 'fnone-0000' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(client.imports.start({ paths: [] })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  opened.close();
});
