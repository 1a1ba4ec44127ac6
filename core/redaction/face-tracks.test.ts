import { describe, expect, it } from 'vitest';
import { containment } from '../../models/faces/boxes.ts';
import type { Face } from '../../models/faces/face-detector.ts';
import { FaceTracks, HOLD_FRAMES } from './face-tracks.ts';

/** Adds a frame's faces and begins tracks with the new ones. */
function see(tracks: FaceTracks, frame: number, faces: Face[]): number {
  const unclaimed = tracks.add(frame, faces);
  for (const found of unclaimed) tracks.begin(frame, found);
  return unclaimed.length;
}

const face = (x: number, confidence = 0.9, size = 40) => ({
  x,
  y: 50,
  width: size,
  height: size,
  confidence,
});

describe('face tracks', () => {
  it('cover a face between two sightings where it must have been', () => {
    const tracks = new FaceTracks();
    see(tracks, 0, [face(100)]);
    see(tracks, 4, [face(120)]);
    expect(tracks.covering(2)).toHaveLength(1);
    expect(containment(tracks.covering(2)[0]!.cover, face(110))).toBe(1);
  });

  it('cover more than the face on every side', () => {
    const tracks = new FaceTracks();
    see(tracks, 0, [face(100)]);
    const { cover } = tracks.covering(0)[0]!;
    expect(cover.x).toBeLessThanOrEqual(90);
    expect(cover.y).toBeLessThanOrEqual(40);
    expect(cover.x + cover.width).toBeGreaterThanOrEqual(150);
    expect(cover.y + cover.height).toBeGreaterThanOrEqual(100);
  });

  it('hold before the first and after the last sighting, and no longer', () => {
    const tracks = new FaceTracks();
    see(tracks, 20, [face(100)]);
    expect(tracks.covering(20 - HOLD_FRAMES)).toHaveLength(1);
    expect(tracks.covering(20 + HOLD_FRAMES)).toHaveLength(1);
    expect(tracks.covering(20 - HOLD_FRAMES - 1)).toHaveLength(0);
    expect(tracks.covering(20 + HOLD_FRAMES + 1)).toHaveLength(0);
  });

  it('go on with a lost moving face, and still cover where it was', () => {
    const tracks = new FaceTracks();
    for (let frame = 0; frame <= 4; frame += 1) see(tracks, frame, [face(100 + frame * 10)]);
    const { cover } = tracks.covering(7)[0]!;
    expect(containment(cover, face(140))).toBe(1);
    expect(containment(cover, face(170))).toBe(1);
  });

  it('keep the size of a head that is measured too small for a moment', () => {
    const tracks = new FaceTracks();
    see(tracks, 0, [face(100)]);
    see(tracks, 1, [face(110, 0.9, 20)]);
    see(tracks, 2, [face(100)]);
    expect(containment(tracks.covering(1)[0]!.cover, face(100))).toBeGreaterThan(0.95);
  });

  it('keep two people apart', () => {
    const tracks = new FaceTracks();
    see(tracks, 0, [face(100), face(300)]);
    see(tracks, 1, [face(305), face(104)]);
    expect(tracks.covering(1)).toHaveLength(2);
    expect(tracks.covering(1).map(({ track }) => track.sightings.length)).toEqual([2, 2]);
  });

  it('do not begin with a doubtful face, but go on with one', () => {
    const tracks = new FaceTracks();
    expect(see(tracks, 0, [face(100, 0.55)])).toBe(0);
    expect(see(tracks, 1, [face(100, 0.7)])).toBe(1);
    see(tracks, 2, [face(100, 0.55)]);
    expect(tracks.covering(2)[0]!.track.last.frame).toBe(2);
  });

  it('tell of a person only when seen surely and more than twice', () => {
    const tracks = new FaceTracks();
    see(tracks, 0, [face(100, 0.9)]);
    see(tracks, 1, [face(100, 0.7)]);
    const { track } = tracks.covering(1)[0]!;
    expect(track.isPerson).toBe(false);
    see(tracks, 2, [face(100, 0.7)]);
    expect(track.isPerson).toBe(true);
  });

  it('do not grow with a face that stays', () => {
    const tracks = new FaceTracks();
    for (let frame = 0; frame < 1000; frame += 1) {
      see(tracks, frame, [face(100)]);
      tracks.forget(frame - 10);
    }
    expect(tracks.covering(999)[0]!.track.sightings.length).toBeLessThan(40);
  });
});
