import type { Episode } from '../../core/contract/episode.ts';
import type { ImportJob } from '../../core/contract/importing.ts';
import { parseMediaId } from '../../core/contract/media.ts';
import type { ModelJob, ModelPlan, ModelsNews, ModelsOverview } from '../../core/contract/models.ts';
import type { ReaderChoice, Readers } from '../../core/contract/readers.ts';
import type { AskEvent } from '../../core/contract/reading.ts';
import type { Status } from '../../core/contract/router.ts';
import type { Client } from '../client.ts';
import type { ConnectionState } from '../connection/reconnecting-link.ts';
import type { Host } from '../host.ts';
import type { Day } from './make-day.ts';
import { makeModels, makePlan } from './make-models.ts';
import { makeReaders } from './make-readers.ts';

export type FakeWorld = {
  days: Day[];
  jobs: ImportJob[];
  /** What following a job streams; null streams the jobs as they stand. */
  watched: ImportJob[] | null;
  checks: Status['checks'];
  readOnly: boolean;
  /** What `ask` streams. */
  ask: (question: string, signal: AbortSignal | undefined) => AsyncGenerator<AskEvent, void, void>;
  /** Every call made, by its path. */
  calls: string[];
  models: ModelsOverview;
  /** Who answers. */
  readers: Readers;
  /** Changes what a plan says. */
  plan: Partial<ModelPlan>;
  /** What `models.watch` tells after the downloads as they stand. */
  modelNews: ModelsNews[];
  /** What `models.verify` finds wrong. */
  modelDamage: string[];
  picture: (name: string) => string;
  connection: ConnectionState;
};

/** A world with nothing in it; give the parts that matter. */
export function makeWorld(part: Partial<FakeWorld> = {}): FakeWorld {
  return {
    days: [],
    jobs: [],
    watched: null,
    checks: [{ name: 'ffmpeg', ok: true, detail: 'ffmpeg 7.1' }],
    readOnly: false,
    ask: async function* () {},
    calls: [],
    models: makeModels(),
    readers: makeReaders(),
    plan: {},
    modelNews: [],
    modelDamage: [],
    picture: (name) => name,
    connection: 'open',
    ...part,
  };
}

/** A host that answers from a made-up world, for the gallery and for tests of the store. */
export function fakeHost(world: FakeWorld, kind: Host['kind'] = 'browser'): Host {
  return {
    kind,
    client: fakeClient(world),
    onConnection: (listener) => {
      listener(world.connection);
      return () => undefined;
    },
    mediaUrl: (id) => {
      const media = parseMediaId(id);
      const episode = media && allEpisodes(world).find((one) => one.id === media.episodeId);
      const file = episode?.keyframes[0]?.file;
      return media?.kind === 'keyframe' && file ? world.picture(file) : id;
    },
    takeIn: async (offered) => offered.top.map((file) => `/inbox/${file.name}`),
  };
}

function allEpisodes(world: FakeWorld): Episode[] {
  return world.days.flatMap((day) => day.episodes);
}

function fakeClient(world: FakeWorld): Client {
  const note = <T>(path: string, value: T): Promise<T> => {
    world.calls.push(path);
    return Promise.resolve(value);
  };
  const job = (path: string) => {
    const first = world.jobs[0];
    world.calls.push(path);
    return first ? Promise.resolve(first) : Promise.reject(new Error('no job in this world'));
  };
  const client = {
    status: () => note('status', statusOf(world)),
    imports: {
      start: () => job('imports.start'),
      list: () => note('imports.list', world.jobs),
      get: () => job('imports.get'),
      watch: async () => watchOf(world),
      pause: () => job('imports.pause'),
      resume: () => job('imports.resume'),
      cancel: () => job('imports.cancel'),
      retry: () => job('imports.retry'),
    },
    sample: { start: () => job('sample.start') },
    recordings: {
      list: () =>
        note(
          'recordings.list',
          world.days.flatMap((day) => day.recordings),
        ),
      get: (input: { id: string }) =>
        oneOf(
          world.days.flatMap((day) => day.recordings),
          input.id,
        ),
      correctClock: (input: { id: string }) =>
        oneOf(
          world.days.flatMap((day) => day.recordings),
          input.id,
        ),
    },
    timeline: {
      days: () =>
        note(
          'timeline.days',
          world.days.map((day) => day.summary),
        ),
      day: (input: { day: string; after?: string | null; limit?: number }) => {
        const all = world.days.find((day) => day.day === input.day)?.episodes ?? [];
        const from = input.after ? all.findIndex((one) => one.id === input.after) + 1 : 0;
        const page = all.slice(from, from + (input.limit ?? 200));
        const more = from + page.length < all.length;
        return note('timeline.day', { episodes: page, next: more ? (page.at(-1)?.id ?? null) : null });
      },
    },
    episodes: { get: (input: { id: string }) => oneOf(allEpisodes(world), input.id) },
    memory: {
      search: (input: { query: string }) => {
        const words = input.query.toLowerCase();
        const hits = allEpisodes(world).filter((one) => one.text.toLowerCase().includes(words));
        return note(
          'memory.search',
          hits.slice(0, 32).map((episode) => ({ episode, score: 0.5 })),
        );
      },
      fetch: () => note('memory.fetch', { episodes: [], more: 0 }),
    },
    ask: async (input: { question: string }, options?: { signal?: AbortSignal | undefined }) => {
      world.calls.push('ask');
      return world.ask(input.question, options?.signal);
    },
    privacy: {
      forget: () => {
        const gone = allEpisodes(world).length;
        world.days = [];
        return note('privacy.forget', { episodes: gone, recordings: 1, files: gone * 2, bytes: 1_200_000 });
      },
    },
  };
  const models = {
    list: () => note('models.list', world.models),
    plan: async (input: { id: string; from?: string }) => {
      world.calls.push(`models.plan ${input.id}${input.from ? ` from ${input.from}` : ''}`);
      return makePlan(world.models, input.id, world.plan);
    },
    get: async (input: { id: string }) => {
      world.calls.push(`models.get ${input.id}`);
      return jobsOf(world.models.jobs.filter((one) => one.id === input.id));
    },
    watch: async () => newsOf(world),
    cancel: (input: { id: string }) =>
      note(`models.cancel ${input.id}`, {
        ...oneJob(world, input.id),
        state: 'cancelled' as const,
      }),
    verify: (input: { id: string }) =>
      note(`models.verify ${input.id}`, {
        id: input.id,
        ok: world.modelDamage.length === 0,
        problems: world.modelDamage,
        pinned: true,
      }),
    remove: (input: { id: string }) => note(`models.remove ${input.id}`, { bytes: 1 }),
    use: (input: { task: string; id: string | null }) =>
      note(`models.use ${input.task} ${input.id}`, world.models),
  };
  const readers = {
    list: () => note('readers.list', world.readers),
    use: (choice: ReaderChoice) => {
      world.readers = { ...world.readers, choice };
      return note(`readers.use ${choice.kind}`, world.readers);
    },
  };
  // The made-up calls take and give the contract's shapes; only oRPC's own wrapper types are not repeated here.
  return { ...client, models, readers } as unknown as Client;
}

async function oneOf<T extends { id: string }>(all: T[], id: string): Promise<T> {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`nothing called ${id} in this world`);
  return found;
}

function oneJob(world: FakeWorld, id: string): ModelJob {
  const found = world.models.jobs.find((one) => one.id === id);
  if (!found) throw new Error(`no download of ${id} in this world`);
  return found;
}

async function* jobsOf(jobs: ModelJob[]): AsyncGenerator<ModelJob, void, void> {
  yield* jobs;
}

async function* newsOf(world: FakeWorld): AsyncGenerator<ModelsNews, void, void> {
  yield { revision: 0, jobs: world.models.jobs };
  yield* world.modelNews;
}

async function* watchOf(world: FakeWorld): AsyncGenerator<ImportJob, void, void> {
  for (const job of world.watched ?? world.jobs) yield job;
}

function statusOf(world: FakeWorld): Status {
  const episodes = allEpisodes(world).length;
  return {
    version: '0.1.0',
    library: '/home/kim/Footnote',
    readOnly: world.readOnly,
    recordings: world.days.reduce((sum, day) => sum + day.recordings.length, 0),
    episodes,
    memoryBytes: episodes * 5100,
    clipBytes: episodes * 440_000,
    keyframeBytes: episodes * 60_000,
    zone: 'Europe/Warsaw',
    checks: world.checks,
  };
}
