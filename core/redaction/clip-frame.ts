import type { PlanarPicture } from '../../models/faces/face-detector.ts';

/** One frame of a chapter on the reading grid. */
export interface ClipFrame {
  /** Frame number from the chapter's start; it is shown at index × FRAME_MS. */
  index: number;
  /** The pixels, planar YUV 4:2:0. Changed in place when redacted. */
  picture: PlanarPicture;
  /** Luma at half width and height, of the pixels as read. */
  half: HalfLuma;
}

export interface HalfLuma {
  data: Uint8Array;
  width: number;
  height: number;
}

/** Wraps pixels as read; halves their luma by the mean of 2 × 2. */
export function clipFrame(index: number, data: Uint8Array, width: number, height: number): ClipFrame {
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const half = new Uint8Array(halfWidth * halfHeight);
  for (let y = 0, to = 0; y < halfHeight; y += 1) {
    let at = y * 2 * width;
    for (let x = 0; x < halfWidth; x += 1, at += 2, to += 1) {
      half[to] = (data[at]! + data[at + 1]! + data[at + width]! + data[at + width + 1]! + 2) >> 2;
    }
  }
  return {
    index,
    picture: { data, width, height },
    half: { data: half, width: halfWidth, height: halfHeight },
  };
}

/** A copy whose pixels no later redaction changes. */
export function copyPicture(picture: PlanarPicture): PlanarPicture {
  return { ...picture, data: picture.data.slice() };
}
