import { describe, expect, it } from 'vitest';
import { UploadFailed } from '../features/importing/take-in.ts';
import { fakeHost, makeWorld } from '../testing/fake-host.ts';
import { makeDay } from '../testing/make-day.ts';
import { makeJob } from '../testing/make-job.ts';
import { makeStore, settle } from '../testing/make-store.ts';
import { newestFirst, shareDone, summaryOf } from './imports-slice.ts';

const offered = { top: [], files: async () => [] };

describe('an import', () => {
  it('opens its page once it has begun', async () => {
    const world = makeWorld({ jobs: [makeJob('running')] });
    const { store, opened } = makeStore(world);
    await store.getState().startImport(['/media/card']);
    await settle();
    expect(opened).toEqual(['#/add']);
    expect(store.getState().jobs['job-running']?.state).toBe('running');
  });

  it('is followed to its end, and the days are read again then', async () => {
    const world = makeWorld({
      days: [makeDay({ seed: 1 })],
      jobs: [makeJob('running')],
      watched: [makeJob('running'), makeJob('done', { id: 'job-running' })],
    });
    const { store } = makeStore(world);
    await store.getState().startImport(['/media/card']);
    await settle();
    expect(store.getState().jobs['job-running']?.state).toBe('done');
    expect(world.calls).toContain('timeline.days');
    expect(store.getState().announcement.text).toContain('Finished. 8 files: 2 imported');
  });

  it('tells a problem as a code, and opens nothing', async () => {
    const { store, opened } = makeStore(makeWorld());
    await store.getState().startImport(['/nowhere']);
    expect(store.getState().importProblem?.code).toBe('INTERNAL');
    expect(opened).toEqual([]);
  });
});

describe('files handed to a browser', () => {
  const over = (takeIn: ReturnType<typeof fakeHost>['takeIn']) => {
    const world = makeWorld({ jobs: [makeJob('running')] });
    return makeStore(world, { host: { ...fakeHost(world), takeIn } });
  };

  it('show how far the copying is, and are imported from where they lie then', async () => {
    const seen: number[] = [];
    const { store, opened } = over(async (_, onProgress) => {
      onProgress({ files: 2, doneFiles: 1, bytes: 10, doneBytes: 5, name: 'b.mp4' });
      return ['/inbox/a.mp4'];
    });
    store.subscribe((state) => seen.push(state.takingIn?.progress?.doneBytes ?? -1));
    await store.getState().takeIn(offered);
    expect(seen).toContain(5);
    expect(store.getState().takingIn).toBeNull();
    expect(opened).toEqual(['#/add']);
  });

  it('name the file that could not be copied, and a full disk as such', async () => {
    const refused = over(async () => Promise.reject(new UploadFailed('a.mp4', 500)));
    await refused.store.getState().takeIn(offered);
    expect(refused.store.getState().copyFailed).toBe('a.mp4');
    const full = over(async () => Promise.reject(new UploadFailed('a.mp4', 507)));
    await full.store.getState().takeIn(offered);
    expect(full.store.getState().importProblem?.code).toBe('DISK_FULL');
  });

  it('may be stopped without a word of trouble', async () => {
    const { store } = over(
      (_, __, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new UploadFailed('a', 0))),
        ),
    );
    const copying = store.getState().takeIn(offered);
    store.getState().takingIn?.stop();
    await copying;
    expect(store.getState()).toMatchObject({ takingIn: null, copyFailed: null, importProblem: null });
  });

  it('are told about when there were none', async () => {
    const { store, opened } = over(async () => []);
    await store.getState().takeIn(offered);
    expect(store.getState().nothingDropped).toBe(true);
    expect(opened).toEqual([]);
  });
});

describe('a job in words', () => {
  it('accounts for every file once', () => {
    expect(summaryOf(makeJob('done'))).toBe(
      '8 files: 2 imported, 2 companion files, 1 already in the library, 2 skipped, 1 that could not be read.',
    );
    expect(summaryOf(makeJob('scanning'))).toBe('There was no footage in it.');
  });

  it('is done when it has ended, even without any footage', () => {
    const nothing = { doneSeconds: 0, totalSeconds: 0, speed: null, secondsLeft: null, currentFile: null };
    expect(shareDone(makeJob('done', { progress: nothing }))).toBe(1);
    expect(shareDone(makeJob('scanning'))).toBe(0);
    expect(shareDone(makeJob('running'))).toBeCloseTo(0.25, 1);
  });

  it('stands newest first', () => {
    const jobs = {
      a: makeJob('done', { id: 'a', createdAtMs: 1 }),
      b: makeJob('done', { id: 'b', createdAtMs: 2 }),
    };
    expect(newestFirst(jobs).map((job) => job.id)).toEqual(['b', 'a']);
  });
});
