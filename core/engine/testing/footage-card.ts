import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeClip } from '../../footage/testing/make-clip.ts';

/** When the test card was recorded. */
export const CARD_START_MS = Date.UTC(2026, 5, 1, 8, 0, 0);

const SRT = `1
00:00:02,000 --> 00:00:05,000
Anna: The spare keys are in the blue bowl by the door.

2
00:00:40,000 --> 00:00:44,000
Dr. Novak: Take two hundred milligrams twice a day, with food.
`;

/**
 * Makes a small card of real files: a two-chapter take, a clip with an .srt beside it, and what a card holds besides.
 * @param seconds length of each clip, s
 * @returns the card's folder
 */
export async function makeCard(dir: string, seconds = 65): Promise<string> {
  const card = join(dir, 'DCIM', '100GOPRO');
  await mkdir(card, { recursive: true });
  const at = (offsetSeconds: number) => new Date(CARD_START_MS + offsetSeconds * 1000).toISOString();
  const size = { width: 320, height: 180, fps: 15, seconds };
  await makeClip({ ...size, path: join(card, 'GX010042.MP4'), creationTime: at(0), seed: 1 });
  await makeClip({ ...size, path: join(card, 'GX020042.MP4'), creationTime: at(0), seed: 2 });
  await makeClip({ ...size, path: join(card, 'GX010043.MP4'), creationTime: at(3_600), seed: 3 });
  await writeFile(join(card, 'GX010043.srt'), SRT);
  await writeFile(join(card, 'GX010044.MP4'), '');
  await writeFile(join(dir, 'version.txt'), 'HERO');
  return dir;
}
