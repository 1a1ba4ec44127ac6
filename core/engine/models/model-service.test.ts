import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { StoreOptions } from '../../../models/store/index.ts';
import { storeBench, WEIGHTS } from '../../../models/store/testing/bench.ts';
import { noise } from '../../../models/store/testing/test-model.ts';
import type { GetModel, ModelJob, ModelsNews } from '../../contract/models.ts';
import { ModelService } from './model-service.ts';

const bench = storeBench();
const ID = 'test-model';
const SLOW = { bytes: 20_000, everyMs: 20 };
/** Slow enough not to be over before it is stopped, on a busy machine too. */
const VERY_SLOW = { bytes: 2_000, everyMs: 20 };

let changes: string[];

beforeEach(() => {
  changes = [];
  bench.model.entry = {
    ...bench.model.entry,
    loading: {
      by: 'transformers',
      dtype: 'q8',
      config: { model_type: 'idefics3', architectures: ['Idefics3ForConditionalGeneration'] },
    },
  };
});

function service(options: Partial<StoreOptions> = {}): ModelService {
  return new ModelService({ store: bench.open(options), onChange: (task) => changes.push(task) });
}

async function got(models: ModelService, wanted: Partial<GetModel> = {}): Promise<ModelJob[]> {
  const jobs: ModelJob[] = [];
  for await (const job of await models.get({ id: ID, repair: true, ...wanted })) jobs.push(job);
  return jobs;
}

async function modelOf(models: ModelService) {
  const { tasks } = await models.list();
  const writer = tasks.find(({ task }) => task === 'writer')!;
  return { writer, model: writer.models[0]! };
}

describe('a download', () => {
  it('tells how far it is and from where, and its model is used at once', async () => {
    Object.assign(bench.at(WEIGHTS), { slow: SLOW });
    const models = service();
    expect((await modelOf(models)).model).toMatchObject({ state: 'absent', used: false, origin: 'network' });
    const jobs = await got(models);
    const middle = jobs.find((job) => job.file === WEIGHTS && job.source !== null && job.bytesPerSecond);
    expect(middle).toMatchObject({
      stage: 'downloading',
      source: new URL(bench.server.address).host,
      state: 'running',
      totalBytes: 500_021,
    });
    expect(middle!.secondsLeft).toBeGreaterThan(0);
    expect(jobs.at(-1)).toMatchObject({ state: 'done', doneBytes: 500_021, error: null });
    expect(await modelOf(models)).toMatchObject({
      writer: { uses: ID, takenUp: true },
      model: { state: 'installed', used: true },
    });
    expect(changes).toEqual(['writer']);
  });

  it('is one for all who ask, and goes on when they leave', async () => {
    Object.assign(bench.at(WEIGHTS), { slow: SLOW });
    const models = service();
    const news: ModelsNews[] = [];
    const stop = new AbortController();
    const watching = (async () => {
      for await (const one of models.watch(stop.signal)) news.push(one);
    })().catch(() => {});
    for await (const job of await models.get({ id: ID, repair: true })) {
      expect(job.state).toBe('running');
      break;
    }
    const [first, second] = await Promise.all([got(models), got(models)]);
    expect([first.at(-1)?.state, second.at(-1)?.state]).toEqual(['done', 'done']);
    expect(bench.server.asked(WEIGHTS)).toHaveLength(1);
    await expect.poll(() => news.at(-1)?.jobs[0]?.state).toBe('done');
    expect(news.at(-1)!.revision).toBeGreaterThan(news[0]!.revision);
    stop.abort();
    await watching;
  });

  it('that is stopped keeps what has come and goes on from there', async () => {
    Object.assign(bench.at(WEIGHTS), { slow: VERY_SLOW });
    const models = service();
    for await (const job of await models.get({ id: ID, repair: true })) {
      if (job.file === WEIGHTS && job.doneBytes > 230_000) break;
    }
    expect(await models.cancel(ID)).toMatchObject({ state: 'cancelled', error: null });
    const { model } = await modelOf(models);
    expect(model.state).toBe('partial');
    expect(model.bytesHere).toBeGreaterThan(200_000);
    expect((await models.plan(ID)).hereBytes).toBe(model.bytesHere);
    delete bench.at(WEIGHTS).slow;
    expect((await got(models)).at(-1)?.state).toBe('done');
    expect(bench.server.asked(WEIGHTS).at(-1)?.range).toMatch(/^bytes=\d+-$/);
  });

  it('ends with the service, keeping what has come', async () => {
    Object.assign(bench.at(WEIGHTS), { slow: VERY_SLOW });
    const models = service();
    await models.get({ id: ID, repair: true });
    await models.close();
    expect((await models.list()).jobs).toMatchObject([{ id: ID, state: 'cancelled' }]);
    await expect(models.get({ id: ID, repair: true })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('a download that fails', () => {
  it('says who could not be reached and what to do', async () => {
    const jobs = await got(service({ hub: 'http://127.0.0.1:9' }));
    expect(jobs.at(-1)).toMatchObject({
      state: 'failed',
      error: {
        code: 'MODEL_UNREACHABLE',
        data: { hosts: ['127.0.0.1:9'], reason: 'unreachable' },
        message: expect.stringMatching(/127\.0\.0\.1:9.*folder/),
      },
    });
  });

  it('says how much room is missing before anything is asked for', async () => {
    const models = service({ freeBytes: async () => 1_000_000 });
    const plan = await models.plan(ID);
    expect(plan.neededBytes).toBeGreaterThan(plan.freeBytes);
    expect((await got(models)).at(-1)).toMatchObject({
      state: 'failed',
      error: { code: 'DISK_FULL', data: { neededBytes: plan.neededBytes, freeBytes: 1_000_000 } },
    });
    expect(bench.server.seen).toEqual([]);
  });

  it('says what came wrong and was thrown away', async () => {
    bench.at(WEIGHTS).body = noise(300_000, 9);
    const models = service();
    const last = (await got(models)).at(-1)!;
    expect(last).toMatchObject({ state: 'failed', error: { code: 'MODEL_FAILED' } });
    expect(last.error!.message).toMatch(/onnx\/model\.onnx_data.*SHA-256.*deleted/);
    expect(last.notes.join()).toContain('deleted');
    const left = readdirSync(bench.dir, { recursive: true }).map(String);
    expect(left.filter((path) => path.includes('onnx_data') && path.endsWith('.part'))).toEqual([]);
    serveRight();
    expect((await got(models)).at(-1)?.state).toBe('done');
  });
});

function serveRight(): void {
  bench.at(WEIGHTS).body = bench.model.contents[WEIGHTS]!;
}

describe('a model that is here', () => {
  it('is told damaged once it was read through, and only what is wrong is fetched again', async () => {
    const models = service();
    await got(models);
    const { folder } = await bench.open().get(ID);
    writeFileSync(join(folder, WEIGHTS), noise(300_000, 6));
    expect(await models.verify(ID)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining(WEIGHTS)],
    });
    expect((await modelOf(models)).model).toMatchObject({
      state: 'damaged',
      problem: expect.stringContaining('SHA-256'),
    });
    expect((await got(models)).at(-1)?.state).toBe('done');
    expect(bench.server.asked(WEIGHTS)).toHaveLength(2);
    expect(bench.server.asked('onnx/model.onnx')).toHaveLength(1);
    expect((await modelOf(models)).model.state).toBe('installed');
    expect(await models.verify(ID)).toEqual({ id: ID, ok: true, problems: [], pinned: true });
  });

  it('can be chosen and removed, and whoever works with it is told', async () => {
    const models = service();
    await got(models);
    const chosen = await models.use('writer', ID);
    expect(chosen.tasks.find(({ task }) => task === 'writer')).toMatchObject({ chosen: ID, uses: ID });
    expect((await models.remove(ID)).bytes).toBeGreaterThan(500_000);
    expect(await modelOf(models)).toMatchObject({
      writer: { uses: null, chosen: null, problem: null },
      model: { state: 'absent' },
    });
    expect((await models.list()).jobs).toEqual([]);
    expect(existsSync(join(bench.dir, 'installed', ID))).toBe(false);
    expect(changes).toEqual(['writer', 'writer', 'writer']);
  });

  it('is not chosen when Footnote cannot work with it', async () => {
    bench.model.entry = { ...bench.model.entry, loading: { by: 'onnxruntime' } };
    const models = service();
    await got(models);
    expect(await modelOf(models)).toMatchObject({
      writer: { uses: null },
      model: { supported: false, used: false },
    });
    await expect(models.use('writer', ID)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('is removed together with a download of it that runs', async () => {
    Object.assign(bench.at(WEIGHTS), { slow: VERY_SLOW });
    const models = service();
    await models.get({ id: ID, repair: true });
    await expect.poll(async () => (await modelOf(models)).model.state).toBe('partial');
    await models.remove(ID);
    expect((await modelOf(models)).model.state).toBe('absent');
  });
});

describe('a name that is in no catalogue', () => {
  it('is not found, whatever is wanted of it', async () => {
    const models = service();
    const none = { code: 'NOT_FOUND' };
    await expect(models.plan('nonsense')).rejects.toMatchObject(none);
    await expect(models.get({ id: 'nonsense', repair: true })).rejects.toMatchObject(none);
    await expect(models.verify('nonsense')).rejects.toMatchObject(none);
    await expect(models.remove('nonsense')).rejects.toMatchObject(none);
    await expect(models.use('writer', 'nonsense')).rejects.toMatchObject(none);
    await expect(models.cancel(ID)).rejects.toMatchObject(none);
  });

  it('and one that is not here cannot be checked, chosen or removed', async () => {
    const models = service();
    const missing = { code: 'MODEL_MISSING' };
    await expect(models.verify(ID)).rejects.toMatchObject(missing);
    await expect(models.remove(ID)).rejects.toMatchObject(missing);
    await expect(models.use('writer', ID)).rejects.toMatchObject(missing);
  });
});
