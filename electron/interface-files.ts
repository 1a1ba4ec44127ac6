import { extname, join, normalize, sep } from 'node:path';

/** Nothing but our own files, no inline code, and media by id only: what footage says can never become script. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' footnote-media:",
  'media-src footnote-media:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/**
 * The file of the built interface that an address means.
 * @param folder folder of the built interface
 * @param address whole URL as the window asked for it
 * @returns null when it is another host, leaves the folder, or is no kind of file the interface consists of
 */
export function interfaceFile(folder: string, address: string): { path: string; type: string } | null {
  let url: URL;
  let name: string;
  try {
    url = new URL(address);
    name = decodeURIComponent(url.pathname);
  } catch {
    // A malformed escape is no file of ours.
    return null;
  }
  if (url.host !== 'app' || name.includes('\0')) return null;
  const path = normalize(join(folder, name === '/' ? 'index.html' : name));
  const type = TYPES[extname(path).toLowerCase()];
  return type && path.startsWith(folder + sep) ? { path, type } : null;
}
