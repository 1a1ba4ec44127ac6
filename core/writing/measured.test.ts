import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Episode } from '../contract/index.ts';
import { episodeOf } from './episode.ts';
import type { RecordingFacts } from './episode-writer.ts';
import { measuredOf, observationOf } from './measured.ts';
import { scenesOf } from './scenes.ts';
import { type Statement, statementsOf } from './statements.ts';
import { MORNING, observed, said, shown } from './testing/observed.ts';

const RECORDING: RecordingFacts = { name: 'Trip to Kraków', camera: 'GoPro Max', family: 'gopro', notes: [] };
const WRITER = { name: 'a-writer', version: '1' };

/** Which sign a row is from is told by a running number: what counts is the paragraph, which is compared too. */
const ungrouped = (statements: readonly Statement[]) => statements.map(({ group, ...rest }) => rest);

const share = fc.double({ min: 0, max: 1 });
const instant = fc.integer({ min: MORNING, max: MORNING + 30_000 });
const observations = fc
  .record({
    speech: fc.array(
      fc
        .tuple(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 0, max: 26 }), share)
        .chain(([text, at, sure]) =>
          fc.option(fc.string({ maxLength: 50 })).map((speaker) => said(text, at, speaker, sure)),
        ),
      { maxLength: 4 },
    ),
    visibleText: fc.array(
      fc
        .tuple(fc.string({ unit: 'grapheme', maxLength: 60 }), share)
        .map(([text, sure]) => shown(text, sure)),
      { maxLength: 3 },
    ),
    faces: fc.record({
      most: fc.integer({ min: 0, max: 12 }),
      share,
      confidence: share,
      spans: fc.array(
        fc.tuple(instant, instant).map(([startMs, endMs]) => ({ startMs, endMs })),
        { maxLength: 3 },
      ),
    }),
    motion: fc.record({ level: share, still: share, cuts: fc.array(instant, { maxLength: 6 }) }),
    light: fc.record({ level: share, black: share }),
    sound: fc.option(fc.record({ level: fc.double({ min: -91, max: 0 }), silent: fc.boolean() })),
    telemetry: fc.option(
      fc.record({
        place: fc.option(
          fc.record({ lat: fc.double({ min: -100, max: 100 }), lon: fc.double({ min: -200, max: 200 }) }),
        ),
        distance: fc.option(fc.double({ min: 0, max: 1e8 })),
        speed: fc.option(fc.double({ min: 0, max: 500 })),
        altitude: fc.option(fc.double({ min: -1e3, max: 3e4 })),
      }),
    ),
  })
  .map(observed);

it('gives a stored episode’s statements again as they were at its import, and what is stored is JSON', () => {
  fc.assert(
    fc.property(observations, (observation) => {
      const statements = statementsOf(observation, RECORDING);
      const stored = Episode.parse(
        JSON.parse(JSON.stringify(episodeOf(observation, statements, null, WRITER))),
      );
      const back = observationOf(stored)!;
      expect(ungrouped(statementsOf(back, RECORDING))).toEqual(ungrouped(statements));
      expect(scenesOf(back)).toEqual(scenesOf(observation));
      expect(episodeOf(back, statementsOf(back, RECORDING), null, WRITER)).toEqual(stored);
    }),
    { seed: 4, numRuns: 200 },
  );
});

it('stores what is no number as its statements take it', () => {
  const odd = observed({
    faces: { most: Number.NaN, share: Number.NaN, confidence: Number.POSITIVE_INFINITY, spans: [] },
    motion: { level: Number.NaN, still: Number.NaN, cuts: [Number.NaN, 5] },
    light: { level: Number.NaN, black: Number.NaN },
    sound: { level: Number.NaN, silent: false },
    telemetry: {
      place: { lat: Number.NaN, lon: 5 },
      distance: Number.NaN,
      speed: Number.NaN,
      altitude: null,
    },
  });
  const kept = observed(JSON.parse(JSON.stringify(measuredOf(odd))));
  expect(statementsOf(kept, RECORDING)).toEqual(statementsOf(odd, RECORDING));
});

it('gives none for an episode that was stored before this was kept', () => {
  const { measured, ...older } = episodeOf(observed(), statementsOf(observed(), RECORDING), null, WRITER);
  expect(measured).toBeDefined();
  expect(observationOf(older)).toBeNull();
});
