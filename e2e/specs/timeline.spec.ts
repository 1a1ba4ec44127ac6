import { expect, expectAccessible, test } from '../harness/fixtures.ts';

const DAY = '/#/days/2026-05-15';

test.beforeEach(async ({ page }) => {
  await page.goto(DAY);
});

test('a day shows its recordings by the clock, with the pause between them', async ({ page }) => {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Friday,? 15 May 2026/);
  await expect(page.getByRole('heading', { level: 2, name: /8:05.*GX010101/ })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: /9:40.*GX010103/ })).toBeVisible();
  await expect(page.locator('.gap')).toContainText(/1 hr 3\d mins later/);
  await expect(page.getByRole('navigation', { name: 'Days with footage' }).getByRole('link')).toHaveAttribute(
    'aria-current',
    'date',
  );
  await expectAccessible(page);
});

test('keyframes are named by time and caption and are really there', async ({ page }) => {
  const picture = page.locator('.episode-list img').first();
  await expect(picture).toHaveAttribute('alt', /^0?8:05: ./);
  await expect
    .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth))
    .toBeGreaterThan(100);
});

test('an episode opens whole, with its claims and its clip, and the focus goes with it', async ({ page }) => {
  await page.locator('.episode-row').first().click();
  const pane = page.getByRole('complementary', { name: 'Episode' });
  await expect(pane.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(pane.getByText(/^Written by /)).toBeVisible();
  await expect(pane.getByText('What this rests on')).toBeVisible();
  await expect(pane.getByText(/subtitle file, 100% sure/).first()).toBeAttached();
  const video = pane.locator('video');
  await expect.poll(() => video.evaluate((v: HTMLVideoElement) => v.readyState)).toBeGreaterThanOrEqual(1);
  await expect
    .poll(() => video.evaluate((v: HTMLVideoElement) => v.textTracks[0]?.cues?.length ?? 0))
    .toBeGreaterThan(0);
  await expectAccessible(page);

  await pane.getByRole('link', { name: 'Next episode' }).click();
  await expect(pane.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(pane.getByText('Choose an episode')).toBeVisible();
  await expect(page.locator('.episode-row').nth(1)).toBeFocused();
});

test('a recording tells how its clock was understood', async ({ page }) => {
  await page.getByText('About this recording GX010101').click();
  await expect(page.getByText(/GX010101\.MP4/).last()).toBeVisible();
  await expect(page.locator('.run-about dd').nth(1)).not.toBeEmpty();
  await expectAccessible(page);
});
