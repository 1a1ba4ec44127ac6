import type { Episode } from '../../contract/index.ts';

/** Length of a generated episode, ms. */
export const SEGMENT_MS = 30_000;
export const SEGMENTS_PER_HOUR = 120;
/** When the first generated episode starts, epoch ms. */
export const START_MS = Date.UTC(2025, 0, 1, 8);

const ACTIONS = ['open', 'close', 'wash', 'cut', 'put down', 'pick up', 'pour', 'read', 'carry', 'look for'];
const THINGS = [
  'the spare keys',
  'a mug',
  'the fridge',
  'an onion',
  'the phone',
  'a letter',
  'the bicycle',
  'a bag',
  'the kettle',
  'a book',
];
const PLACES = [
  'kitchen',
  'hall',
  'office',
  'garden',
  'train station',
  'shop',
  'living room',
  'street',
  'cellar',
  'café',
];
const PEOPLE = ['Anna', 'Tomasz', 'Maria', 'Jan', 'Zoë', 'Dr. Novak', 'Lena', 'Sam'];

/** The same numbers every run. */
export function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  while (true) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** The n-th episode of a made-up life in which somebody asks for something every half minute. */
export function makeEpisode(n: number, random: Generator<number, never>): Episode {
  const pick = (list: string[]) => list[Math.floor(random.next().value * list.length)]!;
  const [action, thing, place, person] = [pick(ACTIONS), pick(THINGS), pick(PLACES), pick(PEOPLE)];
  const startMs = START_MS + n * SEGMENT_MS;
  const said = `${person} asked whether I could ${pick(ACTIONS)} ${pick(THINGS)} before ${1 + Math.floor(random.next().value * 12)} o'clock.`;
  const text = `I ${action} ${thing} in the ${place}. ${said}`;
  return {
    id: `f${String(n).padStart(24, '0')}-0000`,
    recordingId: `r${String(Math.floor(n / SEGMENTS_PER_HOUR)).padStart(24, '0')}`,
    chapterId: `f${String(n).padStart(24, '0')}`,
    index: 0,
    startMs,
    endMs: startMs + SEGMENT_MS,
    zone: 'UTC',
    text,
    record: {
      caption: `I ${action} ${thing}.`,
      transcript: [
        {
          startMs,
          endMs: startMs + 4_000,
          speaker: person,
          text: said,
          source: 'speech-sidecar',
          confidence: 1,
        },
      ],
      visibleText: [],
      actions: [action],
      objects: [thing],
      topics: [],
      scenes: [place],
      entities: [person],
      claims: [],
      people: 1,
      place: null,
    },
    keyframes: [],
    clip: null,
    writer: { name: 'generated', version: '1' },
  };
}

/** A question about generated episodes. */
export function makeQuestion(random: Generator<number, never>): string {
  const pick = (list: string[]) => list[Math.floor(random.next().value * list.length)]!;
  return `when did ${pick(PEOPLE)} ask me to ${pick(ACTIONS)} ${pick(THINGS)}`;
}

/** A percentile of sorted times, two digits behind the point. */
export function percentile(sorted: number[], share: number): number {
  return Number(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(2));
}
