/** Finds a browser for the end-to-end tests, or brings one; `tried` says why there is none. */
export function findBrowser(
  log?: (line: string) => void,
): Promise<{ path: string | null; from: string; tried: string[] }>;
