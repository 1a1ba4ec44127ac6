import { expect, expectAccessible, test } from '../harness/fixtures.ts';
import { cardDir } from '../harness/places.ts';

const IMPORT_TIMEOUT_MS = 8 * 60_000;

test('an empty library says what Footnote does and what stays here', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: 'Your own days, with footnotes' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What stays on this computer' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make a sample day' })).toBeEnabled();
  await expectAccessible(page);
});

test('a path that leads nowhere is told in words', async ({ page }) => {
  await page.goto('/#/add');
  await page.getByRole('button', { name: 'Read it' }).click();
  await expect(page.getByText('Type the path of a file or folder first.')).toBeVisible();
  await page.getByLabel('Or type where it lies on this computer').fill('/nowhere/at/all');
  await page.getByRole('button', { name: 'Read it' }).click();
  await expect(page.getByRole('row', { name: /Could not be read.*Check the path/ })).toBeVisible();
});

test('a memory card is read from its path, watched, and every file accounted for', async ({ page }) => {
  test.setTimeout(IMPORT_TIMEOUT_MS);
  await page.goto('/');
  await page.getByLabel('Or type where it lies on this computer').fill(cardDir());
  await page.getByRole('button', { name: 'Read it' }).click();

  await expect(page).toHaveURL(/#\/add$/);
  const job = page.locator('.job').first();
  await expect(job.getByRole('progressbar', { name: 'Footage read' })).toBeVisible();
  await expect(job.getByText(/of footage/)).toBeVisible();
  await expectAccessible(page);

  await job.getByRole('button', { name: 'Pause' }).click();
  await expect(job.getByRole('heading', { name: 'Paused' })).toBeVisible();
  await job.getByRole('button', { name: 'Resume' }).click();
  await expect(job.getByRole('heading', { name: 'Finished' })).toBeVisible({ timeout: IMPORT_TIMEOUT_MS });

  const table = job.getByRole('table');
  const row = (name: string) =>
    table.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(row('GX010101.MP4')).toContainText('Imported');
  await expect(row('GX010101.srt')).toContainText('Companion file');
  await expect(row('GL010101.LRV')).toContainText('Companion file');
  await expect(row('GX010101.THM')).toContainText('Companion file');
  await expect(row('GX010199.MP4')).toContainText('Could not be read');
  await expect(row('shopping list.txt')).toContainText('Skipped');
  const copies = table.getByRole('row').filter({ hasText: 'Already in the library' });
  await expect(copies).toHaveCount(1);
  await expect(table.getByRole('row')).toHaveCount(1 + 8);
  await expect(job.locator('.job-summary')).toContainText('8 files: 2 imported');
  await expectAccessible(page);

  await job.getByRole('link', { name: 'Read the day' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /15 May 2026/ })).toBeVisible();
});
