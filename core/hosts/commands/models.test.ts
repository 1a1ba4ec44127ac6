import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModelServer } from '../../../models/store/testing/model-server.ts';
import { createEngine } from '../../engine/engine.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import { openLibrary } from '../../library/library.ts';
import { embedderOfMemory } from '../../memory/lance-memory.ts';
import { main } from '../cli.ts';
import { EXIT } from '../exit-codes.ts';

const AT_HAND = fileURLToPath(new URL('../../../../shared/models', import.meta.url));

let library: string;
let server: ModelServer;
let out: string;
let err: string;

beforeEach(async () => {
  library = mkdtempSync(join(tmpdir(), 'footnote-models-cli-'));
  server = new ModelServer();
  await server.start();
  vi.stubEnv('HF_ENDPOINT', server.address);
  vi.stubEnv('FOOTNOTE_MODELS', '');
  out = '';
  err = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += text;
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(library, { recursive: true, force: true });
});

const footnote = (...args: string[]) => main(['models', ...args, '--library', library]);

describe('footnote models', () => {
  it('lists every task, what does it now, and what works without', async () => {
    expect(await footnote('list', '--json')).toBe(EXIT.ok);
    const { tasks, models } = JSON.parse(out);
    expect(tasks).toContainEqual(
      expect.objectContaining({
        task: 'text-embedding',
        uses: 'footnote-static-1',
        offer: 'bge-small-en-v1.5',
      }),
    );
    expect(tasks).toContainEqual(
      expect.objectContaining({ task: 'speech', uses: null, without: expect.stringContaining('subtitle') }),
    );
    expect(models).toContainEqual(
      expect.objectContaining({ id: 'bge-small-en-v1.5', state: 'absent', bytes: 34726871 }),
    );
    expect(server.seen).toEqual([]);
  });

  it('shows size, licence and hosts, and fetches nothing without a yes', async () => {
    expect(await footnote('get', 'bge-small-en-v1.5', '--json')).toBe(EXIT.usage);
    expect(err).toContain('34.7 MB');
    expect(err).toContain('MIT');
    expect(err).toContain(new URL(server.address).host);
    expect(JSON.parse(out).error.code).toBe('BAD_REQUEST');
    expect(server.seen).toEqual([]);
  });

  it('says what a host refused, with an exit code, and leaves nothing behind that counts', async () => {
    expect(await footnote('get', 'bge-small-en-v1.5', '--yes', '--json')).toBe(EXIT.failed);
    expect(JSON.parse(out).error).toMatchObject({
      code: 'MODEL_FAILED',
      message: expect.stringContaining('404'),
    });
    out = '';
    await footnote('list', '--json');
    expect(JSON.parse(out).models).toContainEqual(
      expect.objectContaining({ id: 'bge-small-en-v1.5', state: 'absent' }),
    );
  });

  it('knows no model and no task by a wrong name', async () => {
    expect(await footnote('get', 'nonsense', '--yes')).toBe(EXIT.nothingFound);
    expect(await footnote('use', 'nonsense')).toBe(EXIT.usage);
    expect(await footnote('use', 'speech', 'whisper-base')).toBe(EXIT.missing);
    // Not taken up by the engine yet: choosing it would promise what does not happen.
    expect(await footnote('use', 'speech', 'moonshine-base')).toBe(EXIT.usage);
    expect(await footnote('use', 'faces', 'whisper-base')).toBe(EXIT.nothingFound);
    expect(await footnote('remove', 'centerface')).toBe(EXIT.missing);
    expect(await footnote('remove', 'blazeface-back-256')).toBe(EXIT.failed);
    expect(await footnote('nonsense')).toBe(EXIT.usage);
  });

  it('checks what is here and remembers a choice', async () => {
    expect(await footnote('verify', '--json')).toBe(EXIT.ok);
    const { models } = JSON.parse(out);
    expect(models).toContainEqual({ id: 'blazeface-back-256', ok: true, problems: [], pinned: true });
    expect(await footnote('use', 'faces', 'blazeface-back-256')).toBe(EXIT.ok);
    out = '';
    await footnote('list', '--json');
    expect(JSON.parse(out).tasks).toContainEqual(
      expect.objectContaining({ task: 'faces', chosen: 'blazeface-back-256' }),
    );
  });

  it('does not speak of a library that is not there, when a text embedding is chosen', async () => {
    expect(await footnote('use', 'text-embedding', 'footnote-static-1', '--json')).toBe(EXIT.ok);
    expect(JSON.parse(out)).toEqual({
      task: 'text-embedding',
      chosen: 'footnote-static-1',
      uses: 'footnote-static-1',
    });
  });

  it('leaves the folder free to become a library afterwards', async () => {
    await footnote('use', 'faces', 'blazeface-back-256');
    expect(existsSync(join(library, 'models', 'choices.json'))).toBe(true);
    const opened = await openLibrary(library, {});
    await opened.release();
  });

  it.skipIf(!existsSync(AT_HAND))(
    'fetches from a folder, verifies and removes (needs ../shared/models)',
    async () => {
      expect(await footnote('get', 'tiny-smolvlm', '--from', AT_HAND, '--json')).toBe(EXIT.ok);
      expect(err).toContain('no host is contacted');
      expect(existsSync(join(JSON.parse(out).folder, 'onnx', 'vision_encoder_quantized.onnx'))).toBe(true);
      expect(await footnote('verify', 'tiny-smolvlm')).toBe(EXIT.ok);
      expect(await footnote('remove', 'tiny-smolvlm')).toBe(EXIT.ok);
      expect(server.seen).toEqual([]);
    },
  );

  it.skipIf(!existsSync(AT_HAND))(
    'gives a library the vectors of the text embedding that is chosen (needs ../shared/models)',
    async () => {
      await (await createEngine({ library, spawn: spawnNodeProcess })).close();
      expect(await footnote('get', 'minilm-l6-int8', '--from', AT_HAND)).toBe(EXIT.ok);
      expect(out).toContain('footnote models use text-embedding minilm-l6-int8');
      out = '';
      expect(await footnote('use', 'text-embedding', 'minilm-l6-int8', '--json')).toBe(EXIT.ok);
      expect(JSON.parse(out)).toMatchObject({ uses: 'minilm-l6-int8', library: 'done' });
      expect((await embedderOfMemory(join(library, 'memory')))?.name).toMatch(/^minilm-l6-int8@/);
      const held = await openLibrary(library, {});
      out = '';
      expect(await footnote('use', 'text-embedding', 'footnote-static-1')).toBe(EXIT.ok);
      expect(out).toContain('The Footnote that has this library open');
      await held.release();
    },
  );
});
