import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { planRange } from '../core/hosts/range.ts';

/** Finds the file of a media id; null when there is no such thing. */
export type FindMedia = (mediaId: string) => Promise<{ path: string; type: string } | null>;

const notFound = () => new Response(null, { status: 404 });

/** The media id in an address of the media scheme; null for another host. */
export function mediaIdOf(address: string): string | null {
  try {
    const url = new URL(address);
    return url.host === 'media' ? url.pathname.slice(1) : null;
  } catch {
    // Not an address at all.
    return null;
  }
}

/** Answers a request for a keyframe or clip, in parts where parts are asked for, so that a player can seek. */
export async function mediaResponse(request: Request, find: FindMedia): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 });
  const id = mediaIdOf(request.url);
  const file = id === null ? null : await find(id);
  // The file may have been forgotten between the asking and the reading.
  const info = file && (await stat(file.path).catch(() => null));
  if (!file || !info?.isFile()) return notFound();
  const { status, headers, bytes } = planRange(info.size, file.type, request.headers.get('range'));
  const all = { ...headers, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  if (!bytes || request.method === 'HEAD') return new Response(null, { status, headers: all });
  const stream = createReadStream(file.path, { start: bytes.first, end: bytes.last });
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers: all });
}
