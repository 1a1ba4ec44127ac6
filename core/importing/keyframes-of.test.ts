import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observed } from '../writing/testing/observed.ts';
import { keyframesOf } from './keyframes-of.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'keyframes-of-'));
  await writeFile(join(dir, 'a-0.jpg'), 'first');
  await writeFile(join(dir, 'a-2.jpg'), 'third');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe('the frames of a segment that was observed before a kill', () => {
  it('are its stored keyframes, in order, without those that are gone', async () => {
    const keyframes = [0, 1, 2].map((n) => ({ file: `a-${n}.jpg`, atMs: n, width: 4, height: 4 }));
    const frames = await keyframesOf(observed({ keyframes }), dir);
    expect(frames.map((frame) => Buffer.from(frame).toString())).toEqual(['first', 'third']);
    expect(await keyframesOf(observed({ keyframes }), join(dir, 'nowhere'))).toEqual([]);
  });
});
