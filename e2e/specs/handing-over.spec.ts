import { join } from 'node:path';
import { type Page, test } from '@playwright/test';
import { expect, expectAccessible, listen, signIn } from '../harness/fixtures.ts';
import { home, SAMPLE_DIR } from '../harness/places.ts';
import { type RunningServer, startServer } from '../harness/server.ts';

const IMPORT_TIMEOUT_MS = 6 * 60_000;
const FILM = join(SAMPLE_DIR, 'DCIM/100GOPRO/GX010102.MP4');
const WORDS = join(SAMPLE_DIR, 'DCIM/100GOPRO/GX010102.srt');

test.describe.configure({ mode: 'serial' });

let server: RunningServer;
let page: Page;
let errors: string[];

test.beforeAll(async ({ browser }) => {
  server = await startServer(home('dropped-library'));
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
});

/** A drop as the operating system makes it: the browser hands the page real files. */
async function dropOnWindow(files: string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data });
  }
  await expect(page.getByText('Let go to add this footage')).toBeVisible();
  await devtools.send('Input.dispatchDragEvent', { type: 'drop', x: 400, y: 400, data });
}

test('footage dropped anywhere on the window is imported', async () => {
  test.setTimeout(IMPORT_TIMEOUT_MS);
  await page.goto('/#/days');
  await expect(page.getByText('No footage yet.')).toBeVisible();
  await dropOnWindow([FILM, WORDS]);
  await expect(page).toHaveURL(/#\/add$/);
  const job = page.locator('.job').first();
  await expect(job.getByRole('heading', { name: 'Finished' })).toBeVisible({ timeout: IMPORT_TIMEOUT_MS });
  await expect(job.locator('.job-summary')).toContainText('2 files: 1 imported, 1 companion file');
});

test('the interface finds its way back when the host was away', async () => {
  const port = Number(new URL(server.origin).port);
  await server.stop();
  await expect(page.getByText('Connecting again…').first()).toBeVisible();
  await expectAccessible(page);
  server = await startServer(home('dropped-library'), port);
  // A new host knows no cookie of the old one: the person opens the new address, here in another tab.
  const other = await page.context().newPage();
  await other.goto(server.url);
  await other.close();
  await expect(page.locator('.connection-banner')).toHaveCount(0, { timeout: 30_000 });
  await page.goto('/#/days');
  await expect(page.locator('.episode-row').first()).toBeVisible();
  errors.length = 0;
});

test('forgetting asks first, says what goes, and lets it be', async () => {
  await page.locator('.episode-row').first().click();
  await page.getByRole('button', { name: 'Forget this episode…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Forget this episode?' });
  await expect(dialog).toContainText('Your original files stay where they are.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Forget this episode…' })).toBeFocused();
});

test('a forgotten recording is gone from the days, the search and the media', async () => {
  const picture = await page.locator('.episode-list img').first().getAttribute('src');
  await page
    .getByText(/^About this recording/)
    .first()
    .click();
  await page.getByRole('button', { name: 'Forget this recording…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(page.getByText(/^Forgotten: 1 episode, \d+ files?/).first()).toBeVisible();
  await expect(page.getByText('No footage yet.')).toBeVisible();
  const reply = await page.request.get(picture ?? '');
  expect(reply.status()).toBe(404);
  await page.goto('/#/find/bridge');
  await expect(page.getByText('Nothing in your footage matches “bridge”.')).toBeVisible();
  expect(errors.filter((text) => !text.includes('404'))).toEqual([]);
});
