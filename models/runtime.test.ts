import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AutoModel, type PreTrainedModel, Tensor } from '@huggingface/transformers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TINY_ENCODER_FOLDER } from './embedding/testing/tiny-encoder.ts';
import { type Device, measuredDevice, type Provider, type Trial, withFastestDevice } from './runtime.ts';
import { sessionThreads } from './threads.ts';

/** What is done on each provider: the CPU runs the tiny encoder, others fail or take their time. */
interface Seen {
  loads: Provider[];
  disposed: number;
}

let folder: string;
let seen: Seen;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'footnote-device-'));
  writeFileSync(join(folder, 'installed.json'), '{}');
  seen = { loads: [], disposed: 0 };
});
afterEach(() => rmSync(folder, { recursive: true }));

const ids = new Tensor('int64', BigInt64Array.from([2n, 8n, 3n]), [1, 3]);
const mask = new Tensor('int64', BigInt64Array.from([1n, 1n, 1n]), [1, 3]);

interface Loaded {
  device: Provider;
  model: PreTrainedModel;
}

function trial(
  change: {
    failing?: readonly Provider[];
    failingRuns?: readonly Provider[];
    slowMs?: Partial<Record<Provider, number>>;
  } = {},
): Trial<Loaded> {
  return {
    async load({ device, session_options }: Device) {
      seen.loads.push(device);
      if (change.failing?.includes(device)) throw new Error(`no ${device} here`);
      // Every provider of this test does its work on the CPU.
      const model = await AutoModel.from_pretrained(TINY_ENCODER_FOLDER, {
        local_files_only: true,
        dtype: 'fp32',
        device: 'cpu',
        session_options,
      });
      return { device, model };
    },
    async run({ device, model }) {
      if (change.failingRuns?.includes(device)) throw new Error(`${device} lost its device`);
      await new Promise((resolve) => setTimeout(resolve, change.slowMs?.[device] ?? 0));
      return model({ input_ids: ids, attention_mask: mask });
    },
    async dispose({ model }) {
      seen.disposed += 1;
      await model.dispose();
    },
  };
}

describe('where a model runs', () => {
  it('is the CPU where the runtime has nothing else, without measuring', async () => {
    const loaded = await withFastestDevice(folder, trial(), ['cpu']);
    expect(loaded.device).toBe('cpu');
    expect(await measuredDevice(folder)).toBeNull();
  });

  it('is the CPU when the others fail, which are told of and not tried again', async () => {
    const given = trial({ failing: ['cuda'], failingRuns: ['webgpu'] });
    expect((await withFastestDevice(folder, given, ['cpu', 'webgpu', 'cuda', 'tensorrt'])).device).toBe(
      'cpu',
    );
    const { results, trying } = (await measuredDevice(folder))!;
    expect(results).toEqual([
      { provider: 'cuda', ms: null, problem: 'no cuda here' },
      { provider: 'webgpu', ms: null, problem: 'webgpu lost its device' },
      { provider: 'cpu', ms: expect.any(Number), problem: null },
    ]);
    expect(trying).toBeNull();
    expect(seen.disposed).toBe(1);
    seen.loads = [];
    expect((await withFastestDevice(folder, given, ['cpu', 'webgpu', 'cuda', 'tensorrt'])).device).toBe(
      'cpu',
    );
    expect(seen.loads).toEqual(['cpu']);
  });

  it('is the fastest, remembered for the next time', async () => {
    const given = trial({ slowMs: { cpu: 60 } });
    expect((await withFastestDevice(folder, given, ['cpu', 'webgpu'])).device).toBe('webgpu');
    seen.loads = [];
    expect((await withFastestDevice(folder, given, ['cpu', 'webgpu'])).device).toBe('webgpu');
    expect(seen.loads).toEqual(['webgpu']);
  });

  it('is the CPU again when the fastest fails later', async () => {
    await withFastestDevice(folder, trial({ slowMs: { cpu: 60 } }), ['cpu', 'webgpu']);
    const broken = trial({ failing: ['webgpu'] });
    expect((await withFastestDevice(folder, broken, ['cpu', 'webgpu'])).device).toBe('cpu');
    expect((await measuredDevice(folder))!.results).toContainEqual({
      provider: 'webgpu',
      ms: null,
      problem: 'no webgpu here',
    });
  });

  it('is not a provider that took the process down', async () => {
    const file = join(folder, 'device.json');
    await withFastestDevice(folder, trial({ slowMs: { cpu: 60 } }), ['cpu', 'webgpu']);
    const before = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...before, trying: 'webgpu', results: [] }));
    seen.loads = [];
    expect((await withFastestDevice(folder, trial({ slowMs: { cpu: 60 } }), ['cpu', 'webgpu'])).device).toBe(
      'cpu',
    );
    expect(seen.loads).toEqual(['cpu']);
  });

  it('is measured anew with another runtime', async () => {
    await withFastestDevice(folder, trial({ failing: ['cuda'] }), ['cpu', 'cuda']);
    expect((await withFastestDevice(folder, trial({ slowMs: { cpu: 60 } }), ['cpu', 'dml'])).device).toBe(
      'dml',
    );
  });

  it('teaches nothing when not even the CPU can load the model', async () => {
    const given = trial({ failing: ['webgpu', 'cpu'] });
    await expect(withFastestDevice(folder, given, ['cpu', 'webgpu'])).rejects.toThrow('no cpu here');
    expect(await measuredDevice(folder)).toBeNull();
  });

  it('is the CPU in a folder that the store did not fill, where nothing is written', async () => {
    rmSync(join(folder, 'installed.json'));
    expect((await withFastestDevice(folder, trial({ slowMs: { cpu: 60 } }), ['cpu', 'webgpu'])).device).toBe(
      'cpu',
    );
    expect(await measuredDevice(folder)).toBeNull();
  });
});

describe('threads of a session', () => {
  it('are half of the cores, and at least one', () => {
    expect([1, 2, 3, 8, 32].map(sessionThreads)).toEqual([1, 1, 1, 4, 16]);
  });
});
