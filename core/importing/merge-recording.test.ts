import { describe, expect, it } from 'vitest';
import type { PlannedChapter, PlannedRecording } from '../footage/plan.ts';
import { MISSING_CHAPTER } from '../footage/plan-import.ts';
import { mergeRecording } from './merge-recording.ts';

const T0 = Date.UTC(2026, 6, 1, 12);

function chapter(number: number, startMs: number, durationMs = 60_000): PlannedChapter {
  const media = {
    path: `/card/GX0${number}0123.MP4`,
    durationMs,
    container: 'mov',
    video: null,
    audio: null,
    subtitles: [],
    gpmdIndex: null,
    tags: {},
  };
  return {
    id: `f${String(number).repeat(24)}`,
    number,
    path: media.path,
    proxyPath: null,
    bytes: 1,
    startMs,
    durationMs,
    gapBeforeMs: 0,
    media,
    picture: media,
    subtitlePaths: [],
  };
}

function take(...chapters: PlannedChapter[]): PlannedRecording {
  return {
    joins: null,
    takeKey: 'gopro:0123',
    name: `GX0${chapters[0]!.number}0123`,
    family: 'gopro',
    camera: null,
    clock: { startMs: chapters[0]!.startMs, zone: 'UTC', basis: 'creation_time', uncertain: false, note: '' },
    chapters,
    hasSound: true,
    notes: [],
  };
}

describe('mergeRecording', () => {
  it('makes a recording from a take, in chapter order', () => {
    const { recording, moved } = mergeRecording(take(chapter(2, T0 + 60_000), chapter(1, T0)), null, 5);
    expect(recording.chapters.map((c) => c.number)).toEqual([1, 2]);
    expect(recording).toMatchObject({ startMs: T0, endMs: T0 + 120_000, importedAtMs: 5 });
    expect(moved).toEqual([]);
  });
  it('marks a missing middle chapter as a gap, and takes the mark away when it arrives', () => {
    const { recording } = mergeRecording(take(chapter(1, T0), chapter(3, T0 + 120_000)), null, 5);
    expect(recording.chapters[1]!.gapBeforeMs).toBe(60_000);
    expect(recording.notes).toContain(MISSING_CHAPTER);
    const later = mergeRecording(take(chapter(2, T0 + 60_000)), recording, 9).recording;
    expect(later.chapters.map((c) => [c.number, c.gapBeforeMs])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(later.notes).not.toContain(MISSING_CHAPTER);
    expect(later).toMatchObject({ id: recording.id, name: recording.name, importedAtMs: 5 });
  });
  it('moves a middle chapter that was dropped first, when the one before it arrives with the same creation time', () => {
    const alone = mergeRecording(take(chapter(2, T0)), null, 5).recording;
    const { recording, moved } = mergeRecording(take(chapter(1, T0)), alone, 9);
    expect(recording.id).toBe(alone.id);
    expect(moved).toEqual([{ chapterId: alone.chapters[0]!.id, deltaMs: 60_000 }]);
    expect(recording).toMatchObject({ startMs: T0, endMs: T0 + 120_000, name: 'GX010123' });
  });
  it('adds nothing when the same chapter arrives again', () => {
    const first = mergeRecording(take(chapter(1, T0)), null, 5).recording;
    expect(mergeRecording(take(chapter(1, T0)), first, 9).recording).toEqual(first);
  });
});
