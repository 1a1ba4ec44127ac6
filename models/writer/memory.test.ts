import { expect, it } from 'vitest';
import { drawFrames, heldOutScenes, TINY_WRITER } from './testing/scenes.ts';
import { loadVisionWriter } from './vision-writer.ts';

/** Descriptions after which everything that is allocated once has been. */
const WARM_UP = 15;
const DESCRIPTIONS = 60;

it('needs no more memory after sixty descriptions than after the first few', async () => {
  const writer = await loadVisionWriter(TINY_WRITER, { dtype: 'q8', threads: 1 });
  const clips = await Promise.all(heldOutScenes(3).map((scene) => drawFrames(scene, 8)));
  const describeNext = (n: number) =>
    writer.describe(
      { system: null, frames: clips[n % clips.length]!, text: 'Describe what I see.' },
      { maxNewTokens: 64 },
    );
  for (let n = 0; n < WARM_UP; n += 1) await describeNext(n);
  const before = process.memoryUsage().rss;
  for (let n = 0; n < DESCRIPTIONS; n += 1) await describeNext(n);
  const after = process.memoryUsage().rss;
  await writer.dispose();
  expect(after).toBeLessThan(before * 1.1);
});
