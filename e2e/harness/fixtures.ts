import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page, request } from '@playwright/test';
import { libraryDir } from './places.ts';
import { type RunningServer, startServer } from './server.ts';

type StorageState = Awaited<ReturnType<Awaited<ReturnType<typeof request.newContext>>['storageState']>>;
type Served = { server: RunningServer; signedIn: StorageState };

/** Spends a host's token. @returns the cookie, so that every page of a spec may use it */
export async function signIn(server: RunningServer): Promise<StorageState> {
  const visitor = await request.newContext();
  const reply = await visitor.get(server.url);
  expect(reply.ok(), `the host answered ${reply.status()}`).toBe(true);
  const state = await visitor.storageState();
  await visitor.dispose();
  return state;
}

/** Specs over the shared library, served by one host a worker; pages fail when they write to the console's errors. */
export const test = base.extend<{ quietConsole: undefined }, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const server = await startServer(libraryDir());
      await use({ server, signedIn: await signIn(server) });
      await server.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ served }, use) => use(served.server.origin),
  storageState: async ({ served }, use) => use(served.signedIn),
  quietConsole: [
    async ({ page }, use) => {
      const errors = listen(page);
      await use(undefined);
      expect(errors, 'errors on the console, policy violations among them').toEqual([]);
    },
    { auto: true },
  ],
});

/** Gathers what a page reports as an error. */
export function listen(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}

/** No finding of axe's WCAG 2.2 AA rules on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  const result = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = result.violations.map(({ id, nodes }) => ({
    id,
    where: nodes.map((node) => node.target.join(' ')),
  }));
  expect(found).toEqual([]);
}

export { expect };
