import { expect, expectAccessible, test } from '../harness/fixtures.ts';

test('plain search finds as one types and opens the episode', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Find words in your footage' }).pressSequentially('keys bowl');
  await expect(page).toHaveURL(/#\/find\/keys%20bowl$/);
  const hit = page.locator('.episode-row').filter({ hasText: /bowl/i }).first();
  await expect(hit).toBeVisible();
  await expect(page.getByRole('searchbox')).toBeFocused();
  await expectAccessible(page);
  await hit.click();
  await expect(
    page
      .getByRole('complementary', { name: 'Episode' })
      .getByText(/blue bowl/)
      .first(),
  ).toBeVisible();
});

test('the library page says where it lies, what it holds and what works', async ({ page }) => {
  await page.goto('/#/library');
  await expect(page.getByText('2 recordings')).toBeVisible();
  await expect(page.locator('.checks li')).not.toHaveCount(0);
  await expectAccessible(page);
});
