import { describe, expect, it } from 'vitest';
import { makeDay } from '../../testing/make-day.ts';
import { groupDay } from './group-day.ts';

const DAY = makeDay({ seed: 5, recordings: 3, length: 6 });

describe('a day', () => {
  it('falls into its recordings with the pauses between and inside them', () => {
    const runs = groupDay(DAY.episodes);
    expect(runs.map((run) => run.recordingId)).toEqual(DAY.recordings.map((recording) => recording.id));
    expect(runs[0]?.gapBeforeMs).toBe(0);
    expect(runs[1]?.gapBeforeMs).toBe(DAY.recordings[1]!.startMs - DAY.recordings[0]!.endMs);
    expect(runs[1]?.episodes.map((one) => one.gapBeforeMs)).toEqual([0, 0, 0, 95_000, 0, 0]);
  });

  it('is the same from episodes in any order, and empty from none', () => {
    expect(groupDay([...DAY.episodes].reverse())).toEqual(groupDay(DAY.episodes));
    expect(groupDay([])).toEqual([]);
  });

  it('keeps two wearers who filmed at once in time order, without a pause where either filmed', () => {
    const [a, b] = [DAY.episodes[0]!, DAY.episodes[1]!];
    const other = {
      ...a,
      id: 'other-0000',
      recordingId: 'rother',
      startMs: a.startMs + 1000,
      endMs: a.endMs + 1000,
    };
    const runs = groupDay([a, other, b]);
    expect(runs.map((run) => run.recordingId)).toEqual([a.recordingId, 'rother', a.recordingId]);
    expect(runs.map((run) => run.gapBeforeMs)).toEqual([0, 0, 0]);
  });

  it('draws no pause for the milliseconds between chapters', () => {
    const [a, b] = [DAY.episodes[0]!, DAY.episodes[1]!];
    const late = { ...b, startMs: b.startMs + 1200 };
    expect(groupDay([a, late])[0]?.episodes[1]?.gapBeforeMs).toBe(0);
  });
});
