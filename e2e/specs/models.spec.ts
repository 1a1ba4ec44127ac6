import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Page, test } from '@playwright/test';
import sharp from 'sharp';
import { runTool } from '../../core/footage/ffmpeg.ts';
import { ModelServer } from '../../models/store/testing/model-server.ts';
import { drawFrames } from '../../models/writer/testing/scenes.ts';
import { expect, expectAccessible, listen, signIn } from '../harness/fixtures.ts';
import { home } from '../harness/places.ts';
import { hubPath, TINY_WRITER, tinyFiles } from '../harness/served-model.ts';
import { type RunningServer, startModelsServer } from '../harness/server.ts';

test.describe.configure({ mode: 'serial' });

const VISION = 'onnx/vision_encoder_quantized.onnx';
const DECODER = 'onnx/decoder_model_merged_quantized.onnx';
const IMPORT_TIMEOUT_MS = 3 * 60_000;

let hub: ModelServer;
let host: string;
let server: RunningServer;
let page: Page;
let errors: string[];

const served = (path: string) => hub.files.get(hubPath(path))!;
const model = () => page.locator('[data-model="tiny-smolvlm"]');
const button = (name: string | RegExp) => model().getByRole('button', { name });

test.beforeAll(async ({ browser }) => {
  hub = new ModelServer();
  await hub.start();
  host = new URL(hub.address).host;
  for (const [path, body] of Object.entries(tinyFiles())) hub.files.set(hubPath(path), { body });
  server = await startModelsServer(home('models-library'), hub.address);
  const context = await browser.newContext({
    storageState: await signIn(server),
    baseURL: server.origin,
    locale: 'en-GB',
  });
  page = await context.newPage();
  errors = listen(page);
});

test.afterAll(async () => {
  await page.context().close();
  await server.stop();
  await hub.stop();
});

/** Models that few need lie folded. */
async function openModels(): Promise<void> {
  await page.goto('/#/models');
  await expect(page.getByRole('region', { name: 'Writing episodes' })).toBeVisible();
  if (await model().isVisible()) return;
  await page
    .getByRole('region', { name: 'Writing episodes' })
    .getByText(/other models? for this/)
    .click();
}

test('every task says what does it, what works without, and what a model would add', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: 'See the models' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Models' })).toBeFocused();
  const speech = page.getByRole('region', { name: 'Hearing speech' });
  await expect(speech).toContainText('No model does this yet.');
  await expect(speech).toContainText('Speech is known from subtitle files only');
  await expect(speech.getByRole('button', { name: 'Download… Whisper base' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Finding faces, to blur them' })).toContainText('in use');
  await expectAccessible(page);
  expect(hub.seen).toEqual([]);
});

test('a question comes before any download, and its no contacts nobody', async () => {
  await openModels();
  await button(/^Download/).click();
  const dialog = page.getByRole('dialog', { name: 'Download Tiny writer?' });
  await expect(dialog).toContainText(host);
  await expect(dialog).toContainText('2.6 MB');
  await expect(dialog).toContainText('Apache-2.0');
  await expect(dialog).toContainText(/needed, .* free/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(/^Download/)).toBeFocused();
  expect(hub.seen).toEqual([]);
});

test('a download tells its progress, is seen in another window, and pauses with what it has', async () => {
  // Slow enough to be looked at for as long as a busy machine takes.
  served(VISION).slow = { bytes: 1_000, everyMs: 50 };
  await button(/^Download/).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
  await expect(model().getByRole('progressbar', { name: 'Tiny writer: fetched' })).toBeVisible();
  await expect(model()).toContainText(/MB of 2\.6 MB.*per second.*left/);
  await expect(model()).toContainText(`from ${host}`);
  await expectAccessible(page);

  const other = await page.context().newPage();
  await other.goto('/#/days');
  await expect(other.getByRole('link', { name: /Fetching Tiny writer/ })).toBeVisible();
  await other.close();

  await expect.poll(() => hub.asked(VISION).length).toBe(1);
  await button('Pause').click();
  await expect(model()).toContainText(/of 2\.6 MB have arrived and are kept\./);
  await expect(model().getByRole('heading')).toBeFocused();
});

test('it goes on where it was, also after a cut, and the model is here', async () => {
  delete served(VISION).slow;
  Object.assign(served(VISION), { cutAfter: 150_000, cuts: 1 });
  // A window that was closed meanwhile asks again, and says what is here.
  await page.reload();
  await button('Go on').click();
  const dialog = page.getByRole('dialog', { name: 'Download Tiny writer?' });
  await expect(dialog).toContainText('have arrived and are kept');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(button(/^Use/)).toBeVisible();
  // Paused, gone on, cut, gone on: each time from where it was.
  const asked = hub.asked(VISION).map(({ range }) => range);
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
  expect(hub.asked(DECODER)).toHaveLength(1);
});

test('a chosen model is put to work without a restart', async () => {
  test.setTimeout(IMPORT_TIMEOUT_MS);
  await button(/^Use/).click();
  await expect(model().getByText('in use')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Writing episodes' })).toContainText('Now: Tiny writer.');
  await expectAccessible(page);

  await page.goto('/#/add');
  await page.getByLabel('Or type where it lies on this computer').fill(await drawnFilm());
  await page.getByRole('button', { name: 'Read it' }).click();
  const job = page.locator('.job').first();
  await expect(job.getByRole('heading', { name: 'Finished' })).toBeVisible({ timeout: IMPORT_TIMEOUT_MS });
  await job.getByRole('link', { name: 'Read the day' }).click();
  await page.locator('.episode-row').first().click();
  const episode = page.getByRole('complementary', { name: 'Episode' });
  await expect(episode).toContainText('a red cup on a wooden table');
  await expect(episode).toContainText('Written by footnote-vision-tiny-smolvlm');
});

/** A short film of a drawn scene that the model knows. */
async function drawnFilm(): Promise<string> {
  const scene = { place: 'table', object: 'cup', colour: 'red', count: 1, seed: 3 } as const;
  const [frame] = await drawFrames(scene, 1);
  const { rgb, width, height } = frame!;
  const picture = home('cup.png');
  const film = home('GX010077.MP4');
  await sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toFile(picture);
  const input = ['-loop', '1', '-framerate', '10', '-t', '6', '-i', picture];
  const output = ['-pix_fmt', 'yuv420p', '-metadata', 'creation_time=2026-06-01T08:00:00Z', film];
  await runTool('ffmpeg', ['-v', 'error', '-y', ...input, '-c:v', 'libx264', ...output], {});
  return film;
}

test('damaged files are found, and those alone are fetched again', async () => {
  await page.goto('/#/models');
  await button(/^Check its files/).click();
  await expect(model()).toContainText('All its files are as they should be.');
  const file = join(home('models-library'), 'models/installed/tiny-smolvlm', DECODER);
  const bytes = await readFile(file);
  bytes.fill(7, 1000, 2000);
  await writeFile(file, bytes);
  const before = hub.seen.length;
  await button(/^Check its files/).click();
  await expect(model()).toContainText('Some of its files are damaged.');
  await expect(model()).toContainText(DECODER);
  await expectAccessible(page);
  await button(/^Fetch again/).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
  await expect(model()).not.toContainText('damaged');
  await button(/^Check its files/).click();
  await expect(model()).toContainText('All its files are as they should be.');
  expect(hub.seen.slice(before).map(({ path }) => path)).toEqual([hubPath(DECODER)]);
});

test('removing asks, and frees its name and the disk', async () => {
  await button(/^Remove/).click();
  const dialog = page.getByRole('dialog', { name: 'Remove Tiny writer?' });
  await expect(dialog).toContainText('2.6 MB on the disk become free.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Writing episodes' })).toContainText(
    'No model does this yet.',
  );
});

test('what comes wrong is thrown away and told, and can be fetched when it is right', async () => {
  await openModels();
  const right = served(DECODER).body;
  served(DECODER).body = Buffer.from(right).fill(9, 500, 900);
  await button(/^Download/).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
  await expect(model().getByRole('alert')).toContainText(
    'What came was not this model, and was thrown away.',
  );
  await expect(model().getByRole('alert')).toContainText(DECODER);
  await expectAccessible(page);
  served(DECODER).body = right;
  await button('Go on').click();
  await expect(button(/^Use/)).toBeVisible();
});

test('a hub that is gone is named, and a folder serves instead', async () => {
  await button(/^Remove/).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await openModels();
  await hub.stop();
  await button(/^Download/).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Download', exact: true }).click();
  await expect(model().getByRole('alert')).toContainText(`${host} could not be reached.`);
  await expect(model().getByRole('alert')).toContainText('take the model from a folder');
  await expectAccessible(page);

  await button(/^(Download|Take it from a folder)/).click();
  const dialog = page.getByRole('dialog');
  const fold = dialog.getByText('Take it from a folder', { exact: true });
  await fold.click();
  await dialog.getByRole('textbox').fill(dirname(TINY_WRITER));
  await dialog.getByRole('button', { name: 'Look there' }).click();
  await expect(dialog).toContainText('The folder has all of it.');
  await expect(dialog).toContainText('nobody is contacted');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(button(/^Use/)).toBeVisible();
  expect(errors).toEqual([]);
});
