import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { APP_SCHEME, MEDIA_SCHEME } from './addresses.ts';
import { CONTENT_SECURITY_POLICY, interfaceFile } from './interface-files.ts';

/** Tells Chromium about our schemes. Must run before the app is ready. */
export function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
    { scheme: MEDIA_SCHEME, privileges: { standard: true, secure: true, stream: true } },
  ]);
}

/** Serves the built interface. Must run once the app is ready. */
export function serveInterface(folder: string): void {
  protocol.handle(APP_SCHEME, async (request) => {
    const file = request.method === 'GET' ? interfaceFile(folder, request.url) : null;
    const headers = {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
    };
    if (!file) return new Response('Not found.', { status: 404, headers });
    try {
      return new Response(await readFile(file.path), { headers: { ...headers, 'Content-Type': file.type } });
    } catch {
      // A file that is not there and one that cannot be read are the same to a page.
      return new Response('Not found.', { status: 404, headers });
    }
  });
}
