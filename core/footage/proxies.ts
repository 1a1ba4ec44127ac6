import type { Footage } from './examine.ts';
import { masterKey, stemOf } from './families/naming.ts';
import type { FoundFile } from './scan.ts';

/** A copy must be as long as its master to within this or this share of it, or times in it would be wrong. */
const LENGTH_TOLERANCE_MS = 1500;
const LENGTH_TOLERANCE = 0.005;
/** Width over height of both, to within this share. */
const SHAPE_TOLERANCE = 0.03;
/** Longer side of the frames that are looked at, px (704 in the method): a copy at least so large loses nothing. */
const FRAME_PX = 704;
/** From here on a master is so large that reading a small copy is worth what it loses, px on the longer side. */
const BIG_PX = 2560;

/** Why a low-resolution copy is not read in place of its master; null when it is. */
export function reasonAgainstProxy(master: Footage, proxy: Footage): string | null {
  const [big, small] = [master.media.video, proxy.media.video];
  if (!big || !small) return 'it has no picture';
  const apart = Math.abs(master.media.durationMs - proxy.media.durationMs);
  if (apart > Math.max(LENGTH_TOLERANCE_MS, master.media.durationMs * LENGTH_TOLERANCE)) {
    return 'its length differs from the recording';
  }
  if (Math.abs((big.width / big.height) * (small.height / small.width) - 1) > SHAPE_TOLERANCE) {
    return 'its picture has another shape';
  }
  const bigSide = Math.max(big.width, big.height);
  const smallSide = Math.max(small.width, small.height);
  if (smallSide >= bigSide) return 'it is not smaller than the recording';
  if (smallSide < FRAME_PX && bigSide < BIG_PX) return 'the recording itself is small and shows more';
  return null;
}

/** Key by which extra files beside a recording find it: same folder, same take and chapter, or same name. */
export function keysBeside(file: FoundFile, footage: { named: Footage['named'] }): string[] {
  const keys = [`${file.folder}\n${stemOf(file.name).toLowerCase()}`];
  if (footage.named.take !== null) keys.push(`${file.folder}\n${masterKey(footage.named)}`);
  return keys;
}
