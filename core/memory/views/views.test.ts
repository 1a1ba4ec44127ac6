import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Episode } from '../../contract/index.ts';
import { episodeAt, NINE, SEGMENT_MS, said } from '../testing/episodes.ts';
import { ViewMemory } from './in-memory.ts';
import { SUMMARY_CHARACTERS } from './levels.ts';
import { updateViews, viewsInProgress } from './update.ts';
import { type ContextView, viewSearchText } from './view.ts';
import { windowStart } from './windows.ts';

const MINUTE = 60_000;

async function viewsOf(episodes: readonly Episode[]): Promise<ContextView[]> {
  const memory = new ViewMemory();
  await memory.change(episodes);
  return memory.all();
}

const TEXTS = [
  'I wash the blue bowl.',
  'I cut an onion.',
  'I read a letter from the bank.',
  'I carry the ladder.',
];
/** Episodes that overlap, lie far apart, of two people and several zones, some over a change of the clocks. */
const anyEpisode = fc
  .record({
    slot: fc.oneof(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 6000 })),
    shift: fc.constantFrom(0, 0, 7_000, -13_000),
    length: fc.constantFrom(SEGMENT_MS, SEGMENT_MS, 1_500, 200_000),
    text: fc.constantFrom(...TEXTS),
    wearer: fc.constantFrom(undefined, undefined, 'anna'),
    zone: fc.constantFrom('UTC', 'UTC', 'Europe/Warsaw', 'Asia/Kolkata'),
    scene: fc.constantFrom('kitchen', 'outdoors'),
  })
  .map(({ slot, shift, length, text, wearer, zone, scene }) => {
    // The clocks go back in Warsaw at 1 h UTC on this day.
    const startMs = Date.UTC(2026, 9, 25, 0, 30) + slot * SEGMENT_MS + shift;
    return episodeAt(
      startMs,
      text,
      { scenes: [scene], transcript: [said(startMs, 'Anna', 'Let’s buy a new lamp tomorrow.')] },
      {
        endMs: startMs + length,
        zone,
        ...(wearer ? { wearer } : {}),
        id: `e${slot}x${shift + 20_000}${wearer ?? ''}`,
      },
    );
  });
const library = fc.uniqueArray(anyEpisode, { selector: ({ id }) => id, maxLength: 24 });

describe('windows', () => {
  it('start at whole minutes of the wall clock, and an hour that comes twice is two', () => {
    const at = (iso: string) => Date.parse(iso);
    expect(windowStart('3min', at('2026-06-01T09:05:59Z'), 'UTC')).toBe(at('2026-06-01T09:03:00Z'));
    expect(windowStart('1h', at('2026-06-01T09:05:00Z'), 'Asia/Kolkata')).toBe(at('2026-06-01T08:30:00Z'));
    expect(windowStart('day', at('2026-06-01T22:30:00Z'), 'Europe/Warsaw')).toBe(at('2026-06-01T22:00:00Z'));
    const twice = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map((iso) =>
      windowStart('1h', at(iso), 'Europe/Warsaw'),
    );
    expect(twice[1]! - twice[0]!).toBe(60 * MINUTE);
    expect(windowStart('10min', NINE, 'no such zone')).toBe(windowStart('10min', NINE, 'UTC'));
  });

  it('put a 3-minute view that straddles two of ten minutes into the one it starts in', async () => {
    const views = await viewsOf(
      [10, 9, 11].map((minute) => episodeAt(NINE + minute * MINUTE, `Minute ${minute}.`)),
    );
    const ten = views.filter(({ level }) => level === '10min');
    expect(ten.map(({ windowMs, startMs, endMs }) => [windowMs, startMs, endMs])).toEqual([
      [NINE, NINE + 9 * MINUTE, NINE + 11 * MINUTE + SEGMENT_MS],
    ]);
  });
});

describe('a context view', () => {
  const morning = Array.from({ length: 12 }, (_, n) =>
    episodeAt(
      NINE + n * SEGMENT_MS,
      n % 2 === 0 ? 'I wash the blue bowl in the kitchen.' : 'I cut an onion.',
      {
        scenes: ['kitchen'],
        transcript:
          n === 3 ? [said(NINE, 'Anna', 'We need to buy two lemons tomorrow. It is sunny, yes.')] : [],
      },
    ),
  );

  it('covers its children, flattened to episodes, at four scales', async () => {
    const views = await viewsOf(morning);
    expect(views.map(({ level, episodeIds }) => [level, episodeIds.length])).toEqual(
      expect.arrayContaining([
        ['3min', 6],
        ['10min', 12],
        ['1h', 12],
        ['day', 12],
      ]),
    );
    const day = views.find(({ level }) => level === 'day')!;
    expect([day.startMs, day.endMs]).toEqual([NINE, NINE + 12 * SEGMENT_MS]);
    expect(day.episodeIds).toEqual(morning.map(({ id }) => id));
  });

  it('says what was done, who spoke and where, and keeps the lines that matter', async () => {
    const [view] = (await viewsOf(morning)).filter(({ level }) => level === '3min');
    expect(view!.actions.map(({ label, support }) => [label, support])).toEqual(
      expect.arrayContaining([
        ['wash bowl', 3],
        ['cut onion', 3],
      ]),
    );
    expect(view!.critical).toEqual(['Anna: We need to buy two lemons tomorrow.']);
    expect(view!.speakers).toEqual([{ name: 'anna', lines: 1 }]);
    expect(view!.scenes).toEqual([{ label: 'kitchen', share: 1 }]);
    expect(viewSearchText(view!)).toContain('I cut an onion.');
  });

  it('stays short however much was told', async () => {
    const talk = Array.from({ length: 60 }, (_, n) => `I carry crate ${n} to the van, slowly and with care.`);
    const long = morning.map((episode) => ({ ...episode, text: talk.join(' ') }));
    for (const view of await viewsOf(long)) {
      expect(view.text.length).toBeLessThanOrEqual(SUMMARY_CHARACTERS[view.level]);
      expect(view.text.length).toBeGreaterThan(100);
    }
  });

  it('is summarised by a model where there is one, and by rule where that one declines', async () => {
    const memory = new ViewMemory();
    await memory.change(morning);
    const window = { wearer: 'me', windowMs: NINE };
    const spoken = await updateViews(memory, [window], async ({ level }) =>
      level === '1h' ? { text: 'An hour of cooking.', visual: null } : null,
    );
    expect(spoken.put.find(({ level }) => level === '1h')!.text).toBe('An hour of cooking.');
    expect(spoken.put.find(({ level }) => level === '3min')!.text).toContain('I cut an onion.');
  });
});

describe('views kept up to date', () => {
  it('are those of building everything anew, whatever the order of arrivals, moves and deletions', async () => {
    await fc.assert(
      fc.asyncProperty(
        library,
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: -400, max: 400 }),
        async (episodes, numbers, moveBy) => {
          const number = () => Number(numbers.next().value);
          const memory = new ViewMemory();
          const current = new Map<string, Episode>();
          const waiting = [...episodes].sort(() => (number() % 2) - 0.5);
          while (waiting.length > 0) {
            const arrived = waiting.splice(0, 1 + (number() % 4));
            const some = [...current.values()];
            const gone = some.filter(() => number() % 5 === 0).map(({ id }) => id);
            const moved = some
              .filter(({ id }) => !gone.includes(id) && number() % 5 === 0)
              .map((episode) => ({
                ...episode,
                startMs: episode.startMs + moveBy * 1000,
                endMs: episode.endMs + moveBy * 1000,
              }));
            for (const id of gone) current.delete(id);
            for (const episode of [...arrived, ...moved]) current.set(episode.id, episode);
            await memory.change([...arrived, ...moved], gone);
          }
          expect(memory.all()).toEqual(await viewsOf([...current.values()]));
          await memory.change([], [...current.keys()]);
          expect(memory.all()).toEqual([]);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('rebuild only what an episode touches', async () => {
    const memory = new ViewMemory();
    await memory.change(
      Array.from({ length: 240 }, (_, n) => episodeAt(NINE + n * SEGMENT_MS, TEXTS[n % 4]!)),
    );
    const asked: string[] = [];
    const late = episodeAt(NINE + 61 * MINUTE + 1_000, 'I find the ladder.', {}, { id: 'late' });
    await memory.change([late]);
    const changes = await updateViews(
      {
        episodes: (wearer, from, to) => {
          asked.push('episodes');
          return memory.episodes(wearer, from, to);
        },
        views: (wearer, level, from, to) => {
          asked.push(level);
          return memory.views(wearer, level, from, to);
        },
      },
      [{ wearer: 'me', windowMs: windowStart('3min', late.startMs, 'UTC') }],
    );
    expect(changes.put.map(({ level }) => level)).toEqual(['3min', '10min', '1h', 'day']);
    expect(asked.length).toBeLessThan(10);
  });

  it('at an instant are those of the episodes that had ended by then', async () => {
    await fc.assert(
      fc.asyncProperty(
        library,
        fc.nat({ max: 24 }),
        fc.nat({ max: 60_000 }),
        async (episodes, which, after) => {
          const nowMs = (episodes[which % Math.max(1, episodes.length)]?.startMs ?? NINE) + after;
          const memory = new ViewMemory();
          await memory.change(episodes);
          const expected = await viewsOf(episodes.filter(({ endMs }) => endMs <= nowMs));
          const usable = new Map(
            memory.all().flatMap((view) => (view.endMs <= nowMs ? [[view.id, view]] : [])),
          );
          for (const wearer of ['me', 'anna']) {
            for (const view of await viewsInProgress(memory, wearer, nowMs)) usable.set(view.id, view);
          }
          const byId = (views: Iterable<ContextView>) => [...views].sort((a, b) => (a.id < b.id ? -1 : 1));
          expect(byId(usable.values())).toEqual(byId(expected));
        },
      ),
      { numRuns: 40 },
    );
  });
});
