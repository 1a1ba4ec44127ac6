/** Small made-up lives for the causal property: several wearers and zones, speech, texts, names, overlapping cameras, stored in any order. */
import fc from 'fast-check';
import type { Episode, Recording } from '../../contract/index.ts';
import { episodeAt, NINE, SEGMENT_MS } from '../../memory/testing/episodes.ts';

const DAY_MS = 86_400_000;
const ACTS = ['wash', 'cut', 'read', 'repair', 'drink'];
const THINGS = ['the blue bowl', 'an onion', 'a letter', 'the bicycle', 'tea', 'coffee', 'the spare keys'];
const PLACES = ['kitchen', 'garden', 'office'];
const PEOPLE = ['Anna', 'Tomasz', 'Dr. Novak'];
const SIGNS = ['OPEN 9-17', 'Milk 2.49', 'Gate 12 closes 14:20'];
const WEARERS = [undefined, undefined, 'anna'];
const ZONES = ['UTC', 'UTC', 'America/New_York'];

/** What happens at one moment of a life, as choices out of the lists above. */
export interface Moment {
  day: number;
  /** Half minutes after nine, some beside each other, some hours apart. */
  slot: number;
  /** Longer or shorter than a slot: cameras overlap. */
  lengthMs: number;
  act: number;
  thing: number;
  place: number;
  speaker: number | null;
  sign: number | null;
  camera: number;
}

const moment: fc.Arbitrary<Moment> = fc.record({
  day: fc.integer({ min: 0, max: 3 }),
  slot: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 240 })),
  lengthMs: fc.constantFrom(12_000, SEGMENT_MS, SEGMENT_MS, SEGMENT_MS, 95_000),
  act: fc.nat(ACTS.length - 1),
  thing: fc.nat(THINGS.length - 1),
  place: fc.nat(PLACES.length - 1),
  speaker: fc.option(fc.nat(PEOPLE.length - 1), { freq: 1 }),
  sign: fc.option(fc.nat(SIGNS.length - 1), { freq: 1 }),
  camera: fc.nat(WEARERS.length - 1),
});

export interface Life {
  /** In the order in which they are stored. */
  episodes: Episode[];
  recordings: Recording[];
  /** Instants to ask at: between, during and at the end of episodes. */
  instants: number[];
}

function episodeOf(it: Moment, n: number): Episode {
  const startMs = NINE + it.day * DAY_MS + it.slot * SEGMENT_MS;
  const endMs = startMs + it.lengthMs;
  const [act, thing, place] = [ACTS[it.act]!, THINGS[it.thing]!, PLACES[it.place]!];
  const speaker = it.speaker === null ? null : PEOPLE[it.speaker]!;
  const sign = it.sign === null ? null : SIGNS[it.sign]!;
  const wearer = WEARERS[it.camera];
  const heard = `Please ${act} ${thing} before five.`;
  const text = `I ${act} ${thing} in the ${place}.`;
  return episodeAt(
    startMs,
    text,
    {
      caption: text,
      actions: [act],
      objects: [thing],
      scenes: [place],
      entities: speaker ? [speaker] : [],
      transcript: speaker
        ? [{ startMs, endMs: startMs + 4_000, speaker, text: heard, source: 'speech-sidecar', confidence: 1 }]
        : [],
      visibleText: sign ? [{ text: sign, confidence: 0.9, firstMs: startMs, lastMs: endMs }] : [],
      claims: [{ text, source: 'vision-model', confidence: 0.8, atMs: startMs }],
    },
    {
      id: `f${String(n).padStart(24, '0')}-0000`,
      recordingId: recordingId(it),
      chapterId: `f${String(n).padStart(24, '0')}`,
      endMs,
      zone: ZONES[it.camera]!,
      ...(wearer && { wearer }),
    },
  );
}

const recordingId = ({ camera, day }: Pick<Moment, 'camera' | 'day'>): string =>
  `r${String(camera * 10 + day).padStart(24, '0')}`;

function recordingsOf(episodes: readonly Episode[]): Recording[] {
  const ids = [...new Set(episodes.map((one) => one.recordingId))].sort();
  return ids.map((id): Recording => {
    const own = episodes.filter((one) => one.recordingId === id);
    const [startMs, endMs] = [
      Math.min(...own.map((one) => one.startMs)),
      Math.max(...own.map((one) => one.endMs)),
    ];
    const { zone, wearer } = own[0]!;
    return {
      id,
      name: id,
      ...(wearer && { wearer }),
      family: 'other',
      camera: null,
      takeKey: id,
      startMs,
      endMs,
      clock: { zone } as Recording['clock'],
      chapters: [] as Recording['chapters'],
      hasSound: false,
      notes: [],
      importedAtMs: 0,
    };
  });
}

/** A life of 6 to 36 moments and instants out of it. */
export const life: fc.Arbitrary<Life> = fc
  .record({
    moments: fc.array(moment, { minLength: 6, maxLength: 36 }),
    order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    at: fc.array(fc.tuple(fc.double({ min: 0.2, max: 0.9, noNaN: true }), fc.constantFrom(-5_000, 0, 0, 1)), {
      minLength: 2,
      maxLength: 2,
    }),
  })
  .map(({ moments, order, at }) => {
    const told = moments.map(episodeOf);
    const keys = new Map(told.map((one) => [one, order.next().value as number]));
    const ends = told.map((one) => one.endMs).sort((a, b) => a - b);
    return {
      episodes: [...told].sort((a, b) => keys.get(a)! - keys.get(b)!),
      recordings: recordingsOf(told),
      instants: at.map(([share, by]) => ends[Math.floor(share * (ends.length - 1))]! + by),
    };
  });
