import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the server treats a path. */
export interface Behaviour {
  body: Buffer;
  /** Answers Range requests (default true). */
  ranges?: boolean;
  /** Names no version of the file (default: a strong ETag of its content). */
  noEtag?: boolean;
  /** Says no length. */
  chunked?: boolean;
  /** Breaks the connection after so many bytes of an answer, the first `cuts` times. */
  cutAfter?: number;
  cuts?: number;
  /** Answers the first times with these statuses, without a body. */
  statuses?: number[];
  headers?: Record<string, string>;
  /** Sends on to this address. */
  redirect?: string;
  /** Announces more bytes than it has and ends there, properly as far as it can. */
  truncateTo?: number;
  /** Sends pieces of this size, this often. */
  slow?: { bytes: number; everyMs: number };
  /** Sends nothing at all after this many bytes, and keeps the connection. */
  stallAfter?: number;
}

export interface Seen {
  path: string;
  range: string | null;
  ifRange: string | null;
}

const CUT_DELAY_MS = 120;

/** A file server on 127.0.0.1 with the faults of real ones. */
export class ModelServer {
  readonly files = new Map<string, Behaviour>();
  readonly seen: Seen[] = [];
  readonly #server = http.createServer((request, response) => this.#answer(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests for paths that end so. */
  asked(suffix: string): Seen[] {
    return this.seen.filter(({ path }) => path.endsWith(suffix));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const path = decodeURIComponent(request.url ?? '');
    const range = request.headers.range ?? null;
    const ifRange = (request.headers['if-range'] as string | undefined) ?? null;
    this.seen.push({ path, range, ifRange });
    const file = this.files.get(path);
    if (!file) {
      response.writeHead(404).end('no such file');
      return;
    }
    const status = file.statuses?.shift();
    if (status !== undefined) {
      response.writeHead(status, file.headers).end();
      return;
    }
    if (file.redirect !== undefined) {
      response.writeHead(302, { location: file.redirect }).end();
      return;
    }
    this.#send(file, range, ifRange, response);
  }

  #send(file: Behaviour, range: string | null, ifRange: string | null, response: http.ServerResponse): void {
    const etag = `"${createHash('sha1').update(file.body).digest('hex')}"`;
    const whole = file.body.length;
    let from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
    if (file.ranges === false || (ifRange !== null && ifRange !== etag)) from = 0;
    if (from >= whole && from > 0) {
      response.writeHead(416, { 'content-range': `bytes */${whole}` }).end();
      return;
    }
    const rest = file.body.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-type': 'application/octet-stream',
      ...(file.noEtag ? {} : { etag }),
      ...(file.ranges === false ? {} : { 'accept-ranges': 'bytes' }),
      ...(file.chunked ? {} : { 'content-length': rest.length }),
      ...(from > 0 ? { 'content-range': `bytes ${from}-${whole - 1}/${whole}` } : {}),
      ...file.headers,
    });
    if (file.cutAfter !== undefined && (file.cuts ?? 1) > 0) {
      file.cuts = (file.cuts ?? 1) - 1;
      // A client throws away what it has not read when a connection breaks: it gets the time to read.
      response.write(rest.subarray(0, file.cutAfter), () =>
        setTimeout(() => response.destroy(), CUT_DELAY_MS),
      );
    } else if (file.stallAfter !== undefined) {
      response.write(rest.subarray(0, file.stallAfter));
    } else if (file.truncateTo !== undefined) {
      response.end(rest.subarray(0, file.truncateTo));
    } else if (file.slow) {
      dribble(rest, file.slow, response);
    } else {
      response.end(rest);
    }
  }
}

function dribble(
  rest: Buffer,
  { bytes, everyMs }: { bytes: number; everyMs: number },
  response: http.ServerResponse,
): void {
  let at = 0;
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer);
    else if (at >= rest.length) {
      clearInterval(timer);
      response.end();
    } else {
      response.write(rest.subarray(at, at + bytes));
      at += bytes;
    }
  }, everyMs);
}
