import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cardDir, FOOTNOTE, ROOT, SAMPLE_DIR } from './places.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Takes of the sample day that the specs ask about: keys and parcel, pharmacy and receipt. */
const ON_THE_CARD = [
  'DCIM/100GOPRO/GX010101.MP4',
  'DCIM/100GOPRO/GX010101.srt',
  'DCIM/100GOPRO/GL010101.LRV',
  'DCIM/100GOPRO/GX010101.THM',
  'DCIM/100GOPRO/GX010103.MP4',
];

/** Builds the interface, makes the sample day, and lays out a memory card with some of it and with files that are none. */
export default async function prepare(): Promise<void> {
  const options = { cwd: ROOT, maxBuffer: MAX_OUTPUT_BYTES };
  await run(
    process.execPath,
    [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'renderer/vite.config.ts'],
    options,
  );
  await run(process.execPath, [FOOTNOTE, 'sample', SAMPLE_DIR, '--json'], options);
  for (const file of ON_THE_CARD) {
    const to = join(cardDir(), file);
    await mkdir(dirname(to), { recursive: true });
    await copyFile(join(SAMPLE_DIR, file), to);
  }
  await copyFile(join(SAMPLE_DIR, 'DCIM/100GOPRO/GX010103.MP4'), join(cardDir(), 'copy of receipt.MP4'));
  await writeFile(join(cardDir(), 'DCIM/100GOPRO/GX010199.MP4'), '');
  await writeFile(join(cardDir(), 'shopping list.txt'), 'milk\n');
}
