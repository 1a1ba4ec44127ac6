import type { AppState, AppStore } from '../store/state.ts';
import type { Turn } from '../store/thread-slice.ts';
import type { FakeWorld } from '../testing/fake-host.ts';
import { makeWorld } from '../testing/fake-host.ts';
import { makeAnswer, STEPS } from '../testing/make-answer.ts';
import type { Day } from '../testing/make-day.ts';
import { makeDay } from '../testing/make-day.ts';
import { makeJob } from '../testing/make-job.ts';
import { makeModelJob, makeModels } from '../testing/make-models.ts';

const PICTURES = import.meta.glob<string>('../testing/pictures/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

const picture = (name: string) => PICTURES[`../testing/pictures/${name}`] ?? name;

/** One state of one screen: a world, an address, and what has happened in it. */
export type Exhibit = {
  name: string;
  hash: string;
  world: () => FakeWorld;
  /** What a person has done there; runs once the world is loaded. */
  after?: (store: AppStore) => void;
};

const DAY = makeDay({ seed: 7, recordings: 3, length: 6 });
const EARLIER = [
  makeDay({ seed: 8, day: '2025-03-13', recordings: 2, length: 5 }),
  makeDay({ seed: 9, day: '2025-03-11', recordings: 1, length: 9 }),
  makeDay({
    seed: 4,
    day: '2025-02-27',
    recordings: 2,
    length: 4,
    zone: 'America/New_York',
    offsetHours: -5,
  }),
];
const days = (): Day[] => [DAY, ...EARLIER];
const full = (part: Partial<FakeWorld> = {}) => makeWorld({ days: days(), picture, ...part });
const NOW = Date.parse('2025-03-14T20:00:00Z');

function turn(part: Partial<Turn> & Pick<Turn, 'question' | 'state'>): Turn {
  return {
    id: `turn-${part.question.length}-${part.state}`,
    steps: [],
    soFar: [],
    answer: null,
    problem: null,
    ...part,
  };
}

const KEYS = turn({
  question: 'Where did I leave my keys?',
  state: 'answered',
  steps: STEPS,
  answer: makeAnswer(
    'Where did I leave my keys?',
    'You put your keys down beside the blue mug on the kitchen table on Friday at 9:07, saying “I will just leave the keys here by the mug” [1].\n\nThey had been with you before that: at the counter where you paid [2], and the day after they are not seen again [3].',
    [DAY.episodes[1]!, DAY.episodes[8]!, EARLIER[0]!.episodes[2]!],
    NOW,
  ),
});

const LIST = turn({
  question: 'What did I do on Friday?',
  state: 'answered',
  steps: STEPS,
  answer: makeAnswer(
    'What did I do on Friday?',
    'On Friday you were out from the morning on:\n- at the kitchen table, with your keys and a mug [1]\n- on the street with the pharmacy, which is open from 8 to 20 [2]\n- in a tram to the library [3]',
    [DAY.episodes[0]!, DAY.episodes[7]!, DAY.episodes[14]!],
    NOW,
  ),
});

const NOTHING = turn({
  question: 'Did I see an elephant?',
  state: 'answered',
  steps: STEPS,
  answer: makeAnswer('Did I see an elephant?', 'I found no elephant in the footage up to now.', [], NOW),
});

const put = (state: Partial<AppState>) => (store: AppStore) => store.setState(state);
const dayHash = `#/days/${DAY.day}`;

const fetchingNow = () => makeModels({}, { jobs: [makeModelJob('running')] });

const FAILED_JOBS = [
  makeModelJob('failed', {
    error: {
      code: 'MODEL_UNREACHABLE',
      message: 'Whisper base could not be fetched. huggingface.co: the connection broke off.',
      data: { hosts: ['huggingface.co'], reason: 'unreachable' },
    },
  }),
  makeModelJob('failed', {
    id: 'qwen3.5-0.8b',
    title: 'Qwen3.5 0.8B',
    error: {
      code: 'DISK_FULL',
      message: 'The model needs 799 MB of disk and 212 MB are free.',
      data: { neededBytes: 799e6, freeBytes: 212e6, reason: 'no-space' },
    },
  }),
  makeModelJob('failed', {
    id: 'bge-small-en-v1.5',
    title: 'BGE small',
    error: {
      code: 'MODEL_FAILED',
      message:
        'BGE small could not be fetched. onnx/model_quantized.onnx is not what it should be: it is a web page, not a file of the model. What came was deleted.',
      data: { hosts: ['huggingface.co'], reason: 'wrong-content' },
    },
  }),
];

/** Every screen in every state that matters. */
export const EXHIBITS: readonly Exhibit[] = [
  { name: 'first-run', hash: '#/ask', world: () => makeWorld() },
  {
    name: 'first-run-troubles',
    hash: '#/ask',
    world: () =>
      makeWorld({
        checks: [
          {
            name: 'ffmpeg',
            ok: false,
            detail: 'No ffmpeg was found, so footage cannot be read. Install it and start Footnote again.',
          },
          {
            name: 'Faces',
            ok: false,
            detail: 'The face model is missing: episodes are written, but no pictures or clips are stored.',
          },
        ],
      }),
  },
  { name: 'first-run-importing', hash: '#/ask', world: () => makeWorld({ jobs: [makeJob('running')] }) },
  { name: 'ask-empty', hash: '#/ask', world: full },
  {
    name: 'ask-working',
    hash: '#/ask',
    world: full,
    after: put({ turns: [turn({ question: 'Where did I leave my keys?', state: 'asking', steps: STEPS })] }),
  },
  { name: 'ask-answer', hash: '#/ask', world: full, after: put({ turns: [KEYS] }) },
  { name: 'ask-thread', hash: '#/ask', world: full, after: put({ turns: [LIST, NOTHING, KEYS] }) },
  {
    name: 'ask-playing',
    hash: '#/ask',
    world: full,
    after: put({ turns: [KEYS], player: { turnId: KEYS.id, number: 2, returnTo: '' } }),
  },
  { name: 'ask-nothing', hash: '#/ask', world: full, after: put({ turns: [NOTHING] }) },
  {
    name: 'ask-failed',
    hash: '#/ask',
    world: full,
    after: put({
      turns: [
        turn({ question: 'Who spoke to me?', state: 'stopped' }),
        turn({
          question: 'Where did I leave my keys?',
          state: 'failed',
          problem: { code: 'CONNECTION_LOST', detail: null },
        }),
      ],
    }),
  },
  { name: 'day', hash: dayHash, world: full },
  { name: 'day-episode', hash: `${dayHash}/${DAY.episodes[7]!.id}`, world: full },
  {
    name: 'day-no-pixels',
    hash: dayHash,
    world: () => makeWorld({ days: [makeDay({ seed: 7, pixels: false })], picture }),
  },
  { name: 'day-elsewhere', hash: `#/days/${EARLIER[2]!.day}`, world: full },
  { name: 'days-empty', hash: '#/days', world: () => makeWorld() },
  { name: 'add', hash: '#/add', world: full },
  {
    name: 'add-copying',
    hash: '#/add',
    world: full,
    after: put({
      takingIn: {
        progress: {
          files: 12,
          doneFiles: 2,
          bytes: 2.4e9,
          doneBytes: 5.1e8,
          name: 'DCIM/100GOPRO/GX010042.MP4',
        },
        stop: () => undefined,
      },
    }),
  },
  { name: 'add-scanning', hash: '#/add', world: () => full({ jobs: [makeJob('scanning')] }) },
  { name: 'add-running', hash: '#/add', world: () => full({ jobs: [makeJob('running')] }) },
  { name: 'add-paused', hash: '#/add', world: () => full({ jobs: [makeJob('paused')] }) },
  { name: 'add-done', hash: '#/add', world: () => full({ jobs: [makeJob('done')] }) },
  {
    name: 'add-failed',
    hash: '#/add',
    world: () =>
      full({ jobs: [makeJob('failed', { error: { code: 'DISK_FULL', message: '0 bytes are free.' } })] }),
  },
  {
    name: 'importing-elsewhere',
    hash: '#/ask',
    world: () => full({ jobs: [makeJob('running')] }),
    after: put({ turns: [KEYS] }),
  },
  { name: 'find', hash: '#/find/sign', world: full },
  { name: 'find-nothing', hash: '#/find/elephant', world: full },
  { name: 'library', hash: '#/library', world: full },
  { name: 'models', hash: '#/models', world: full },
  {
    name: 'models-some-here',
    hash: '#/models',
    world: () =>
      full({
        models: makeModels({
          'whisper-base': { state: 'installed', used: true, bytesHere: 79.6e6 },
          'bge-small-en-v1.5': { state: 'damaged', problem: 'config.json is missing', bytesHere: 34.7e6 },
        }),
      }),
  },
  { name: 'models-fetching', hash: '#/models', world: () => full({ models: fetchingNow() }) },
  { name: 'models-fetching-elsewhere', hash: '#/days', world: () => full({ models: fetchingNow() }) },
  {
    name: 'models-failed',
    hash: '#/models',
    world: () =>
      full({
        models: makeModels(
          { 'whisper-base': { state: 'partial', bytesHere: 31.2e6 } },
          { jobs: FAILED_JOBS },
        ),
      }),
  },
  {
    name: 'models-small-computer',
    hash: '#/models',
    world: () => full({ models: makeModels({}, { computerMemoryMb: 2048, freeBytes: 4e8 }) }),
    after: (store) => void store.getState().askToFetch('qwen3.5-0.8b'),
  },
  {
    name: 'models-ask',
    hash: '#/models',
    world: full,
    after: (store) => void store.getState().askToFetch('whisper-base'),
  },
  {
    name: 'models-remove',
    hash: '#/models',
    world: () =>
      full({ models: makeModels({ 'whisper-base': { state: 'installed', used: true, bytesHere: 79.6e6 } }) }),
    // The question needs to know the model.
    after: (store) =>
      void store
        .getState()
        .loadModels()
        .then(() => store.getState().askToRemove('whisper-base')),
  },
  {
    name: 'forget',
    hash: dayHash,
    world: full,
    after: put({ forgetting: { what: 'recording', recordingId: DAY.recordings[1]!.id } }),
  },
  {
    name: 'connection-lost',
    hash: '#/ask',
    world: () => full({ connection: 'lost' }),
    after: put({ turns: [KEYS] }),
  },
];
