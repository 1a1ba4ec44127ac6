import { describe, expect, it } from 'vitest';
import { fakeHost, makeWorld } from '../testing/fake-host.ts';
import { makeModelJob, makeModels } from '../testing/make-models.ts';
import { makeStore, settle } from '../testing/make-store.ts';
import { missingTasks, shareFetched } from './models-slice.ts';

const ID = 'whisper-base';

describe('fetching a model', () => {
  it('shows the plan first and asks for nothing until the yes', async () => {
    const world = makeWorld({ models: makeModels({}, { jobs: [makeModelJob('running')] }) });
    const { store } = makeStore(world);
    await store.getState().loadModels();
    await store.getState().askToFetch(ID);
    expect(store.getState().fetching?.plan).toMatchObject({ hosts: ['huggingface.co'], licence: 'MIT' });
    expect(world.calls).not.toContain(`models.get ${ID}`);
    store.getState().dontFetch();
    await store.getState().fetchModel();
    expect(world.calls).not.toContain(`models.get ${ID}`);
    await store.getState().askToFetch(ID);
    await store.getState().planFrom('/media/stick');
    expect(world.calls).toContain(`models.plan ${ID} from /media/stick`);
    await store.getState().fetchModel();
    expect(world.calls).toContain(`models.get ${ID}`);
    expect(store.getState().fetching).toBeNull();
    expect(store.getState().announcement.text).toBe('Fetching Whisper base.');
  });

  it('that another window began is seen, and its end is told and looked at', async () => {
    const world = makeWorld({
      models: makeModels({}, { jobs: [makeModelJob('running')] }),
      modelNews: [{ revision: 1, jobs: [makeModelJob('done')] }],
    });
    const { store } = makeStore(world);
    await store.getState().followModels();
    await settle();
    expect(store.getState().modelJobs[ID]?.state).toBe('done');
    expect(store.getState().announcement.text).toBe('Whisper base is here.');
    expect(world.calls).toContain('models.list');
    expect(world.calls).toContain('status');
  });

  it('goes on without a second question only where this window was told yes', async () => {
    const world = makeWorld({ models: makeModels({}, { jobs: [makeModelJob('cancelled')] }) });
    const { store } = makeStore(world);
    await store.getState().goOnFetching(ID);
    expect(store.getState().fetching?.id).toBe(ID);
    expect(world.calls).not.toContain(`models.get ${ID}`);
    await store.getState().fetchModel();
    await store.getState().goOnFetching(ID);
    expect(world.calls.filter((call) => call === `models.get ${ID}`)).toHaveLength(2);
  });

  it('is paused by its button, which is told once', async () => {
    const world = makeWorld({ models: makeModels({}, { jobs: [makeModelJob('running')] }) });
    const { store } = makeStore(world);
    await store.getState().followModels();
    const before = store.getState().announcement.number;
    await store.getState().pauseModel(ID);
    expect(store.getState().modelJobs[ID]?.state).toBe('cancelled');
    expect(store.getState().announcement).toMatchObject({ number: before + 1 });
  });

  it('says every quarter, and knows no share without a size', async () => {
    const half = makeModelJob('running', { doneBytes: 50e6 });
    const world = makeWorld({
      models: makeModels({}, { jobs: [makeModelJob('running')] }),
      modelNews: [{ revision: 0, jobs: [half] }],
    });
    const { store } = makeStore(world);
    await store.getState().followModels();
    expect(store.getState().announcement.text).toBe('Whisper base: 50% fetched.');
    expect(shareFetched(makeModelJob('running', { totalBytes: null }))).toBeNull();
  });
});

describe('a model that is here', () => {
  it('is checked, and what was found is kept', async () => {
    const world = makeWorld({ modelDamage: ['config.json: it is missing'] });
    const { store } = makeStore(world);
    await store.getState().checkModel(ID);
    expect(store.getState().verdicts[ID]).toMatchObject({ ok: false });
    expect(store.getState().checkingModels).toEqual([]);
    expect(store.getState().announcement.text).toContain('damaged');
  });

  it('keeps what went wrong with it beside it', async () => {
    const world = makeWorld();
    const host = fakeHost(world);
    host.client.models.remove = () => Promise.reject(new Error('in use'));
    const { store } = makeStore(world, { host });
    await store.getState().loadModels();
    store.getState().askToRemove(ID);
    await store.getState().removeModel();
    expect(store.getState().modelProblems[ID]?.code).toBe('INTERNAL');
    expect(store.getState().removing).toBeNull();
  });
});

it('names the tasks that nothing does and a model could', () => {
  expect(missingTasks(null)).toEqual([]);
  expect(missingTasks(makeModels())).toEqual(['writer', 'speech']);
  const heard = makeModels({ [ID]: { state: 'installed', used: true } });
  expect(missingTasks(heard)).toEqual(['writer']);
});
