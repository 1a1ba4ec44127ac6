import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ModelError } from '../errors.ts';
import { HEAD_BYTES, impostor } from './check.ts';
import { fileSize, readJson, storeError, writeJson } from './files.ts';

/** How network faults are met. */
export interface Patience {
  /** Waits before the second, third … try, ms; their number bounds the tries without progress. */
  readonly retryAfterMs: readonly number[];
  /** A connection that brings nothing for so long is given up, ms. */
  readonly stallMs: number;
}

export const PATIENCE: Patience = { retryAfterMs: [500, 1_000, 2_000, 4_000, 8_000], stallMs: 60_000 };
/** A host that does not answer at all is most often not there for now: fewer tries, so that the next source has its turn. */
const UNANSWERED_TRIES = 3;
/** A server may ask for more patience than ours, up to this. */
const RETRY_AFTER_MAX_MS = 60_000;
/** So much more than at the last fault counts as progress: the tries begin anew. */
const PROGRESS_BYTES = 1 << 20;
const REDIRECTS_MAX = 8;

/** Writes at the end of a part file. */
export type WriteChunk = (handle: FileHandle, chunk: Uint8Array) => Promise<void>;

export const writeChunk: WriteChunk = async (handle, chunk) => {
  for (let at = 0; at < chunk.length; ) at += (await handle.write(chunk, at)).bytesWritten;
};

export interface DownloadRequest {
  url: string;
  /** The part file; what an earlier try left in it is gone on with. */
  part: string;
  /** How to call the file in errors. */
  name: string;
  /** Bytes the file must have; null when not known. */
  size: number | null;
  /** Whether the finished file is held against a hash: then a part may be gone on with on a server that names no version. */
  hashed: boolean;
  signal: AbortSignal;
  /** Bytes of the file that are here. */
  onBytes(bytes: number): void;
  /** The host that answers, after redirects. */
  onHost(host: string): void;
  /** Asked before bytes are written; throws when they find no room. */
  room(bytes: number): Promise<void>;
  write: WriteChunk;
  patience: Patience;
}

/** Beside a part: which version of the file it is a part of. */
const PartState = z.object({
  url: z.string(),
  validator: z.string().nullable(),
  size: z.number().nullable(),
  /** Whether it was put together from more than one answer. */
  resumed: z.boolean(),
});
type PartState = z.infer<typeof PartState>;

const statePath = (part: string) => `${part}.state.json`;

/** Removes a part and what is known of it. */
export async function dropPart(part: string): Promise<void> {
  await rm(part, { force: true });
  await rm(statePath(part), { force: true });
}

/** Whether a finished part was put together from more than one answer. */
export async function wasResumed(part: string): Promise<boolean> {
  const state = PartState.safeParse(await readJson(statePath(part)));
  return state.success && state.data.resumed;
}

/** A fault that the next try may not meet. */
class Passing extends Error {
  readonly afterMs: number | null;
  readonly answered: boolean;
  constructor(message: string, more: { afterMs?: number | null; answered?: boolean; cause?: unknown } = {}) {
    super(message, { cause: more.cause });
    this.afterMs = more.afterMs ?? null;
    this.answered = more.answered ?? true;
  }
}

/**
 * Fetches a file into its part file, going on after cuts. The part stays when it fails for a passing reason or for want of room.
 * @throws ModelError unreachable, refused, wrong-content, no-space, store-failed; the signal's reason when aborted
 */
export async function download(request: DownloadRequest): Promise<void> {
  await mkdir(dirname(request.part), { recursive: true });
  let tries = 0;
  let best = 0;
  for (;;) {
    request.signal.throwIfAborted();
    try {
      await attempt(request);
      return;
    } catch (error) {
      request.signal.throwIfAborted();
      if (!(error instanceof Passing)) {
        if (error instanceof ModelError && error.code === 'wrong-content') await dropPart(request.part);
        throw storeError(error, `${request.name} could not be written`);
      }
      const here = (await fileSize(request.part)) ?? 0;
      if (here >= best + PROGRESS_BYTES) tries = 0;
      best = Math.max(best, here);
      const waitMs = request.patience.retryAfterMs[tries];
      if (waitMs === undefined || (!error.answered && tries >= UNANSWERED_TRIES)) {
        throw new ModelError('unreachable', `${hostOf(request.url)}: ${error.message}`, { cause: error });
      }
      tries += 1;
      await sleep(Math.min(Math.max(waitMs, error.afterMs ?? 0), RETRY_AFTER_MAX_MS), undefined, {
        signal: request.signal,
      });
    }
  }
}

function hostOf(url: string): string {
  return new URL(url).host;
}

/** The state of the part, when it can be gone on with. */
async function resumable({
  part,
  url,
  hashed,
  size,
}: DownloadRequest): Promise<{ from: number; state: PartState } | null> {
  const from = await fileSize(part);
  const state = PartState.safeParse(await readJson(statePath(part)));
  if (!from || !state.success || state.data.url !== url) return null;
  if (state.data.validator === null && !hashed) return null;
  const whole = size ?? state.data.size;
  if (whole !== null && from > whole) return null;
  return { from, state: state.data };
}

async function attempt(request: DownloadRequest): Promise<void> {
  const { part } = request;
  const earlier = await resumable(request);
  if (!earlier) await dropPart(part);
  const whole = request.size ?? earlier?.state.size ?? null;
  if (earlier && whole !== null && earlier.from === whole) return;

  const stall = new AbortController();
  const timer = setTimeout(() => stall.abort(), request.patience.stallMs);
  const signal = AbortSignal.any([request.signal, stall.signal]);
  try {
    const response = await ask(request, earlier, signal);
    await receive(request, earlier, response, () => timer.refresh());
  } catch (error) {
    if (stall.signal.aborted && !request.signal.aborted) throw new Passing('it stopped sending.');
    throw error;
  } finally {
    clearTimeout(timer);
    // Frees the connection of an answer that was not read to its end.
    stall.abort();
  }
}

/** https, or this very machine. */
function secure({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
}

/** Sends the request, following redirects by hand: each hop must be as safe as the first, and the last host is shown. */
async function ask(
  request: DownloadRequest,
  earlier: { from: number; state: PartState } | null,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { 'accept-encoding': 'identity', 'user-agent': 'footnote' };
  if (earlier) {
    headers.range = `bytes=${earlier.from}-`;
    if (earlier.state.validator) headers['if-range'] = earlier.state.validator;
  }
  let url = new URL(request.url);
  if (!secure(url))
    throw new ModelError('refused', `${url.host} is not asked: its address is not secure (https).`);
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    let response: Response;
    try {
      response = await fetch(url, { headers, redirect: 'manual', signal });
    } catch (error) {
      throw new Passing('it cannot be reached.', { answered: false, cause: error });
    }
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || !location) {
      request.onHost(url.host);
      return response;
    }
    await response.body?.cancel();
    const next = new URL(location, url);
    if (!secure(next))
      throw new ModelError('refused', `${url.host} sends on to an address that is not secure.`);
    url = next;
  }
  throw new ModelError('refused', `${hostOf(request.url)} sends on in circles.`);
}

function retryAfterMs(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

/** Where the body begins and how long the file is, or what the status means otherwise. */
function readHead(
  request: DownloadRequest,
  earlier: { from: number } | null,
  response: Response,
): { from: number; size: number | null } {
  const { status, headers } = response;
  if (status === 206) {
    const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('content-range') ?? '');
    if (!match || Number(match[1]) !== earlier?.from)
      throw new Passing('it sent another part than was asked for.');
    return { from: Number(match[1]), size: match[2] === '*' ? null : Number(match[2]) };
  }
  if (status === 200) {
    // What a server packs although it was asked not to has another length on the way.
    const length = headers.has('content-encoding') ? null : headers.get('content-length');
    return { from: 0, size: length === null ? null : Number(length) };
  }
  if (status === 408 || status === 425 || status === 429 || status >= 500) {
    throw new Passing(`it answered ${status}.`, { afterMs: retryAfterMs(response) });
  }
  throw new ModelError('refused', `${hostOf(request.url)} does not give ${request.name} (${status}).`);
}

async function receive(
  request: DownloadRequest,
  earlier: { from: number; state: PartState } | null,
  response: Response,
  alive: () => void,
): Promise<void> {
  const { part, name } = request;
  const wrong = (why: string) => new ModelError('wrong-content', `${name} is not what it should be: ${why}.`);
  if (response.status === 416) {
    // The part is no beginning of the file that is there now.
    await dropPart(part);
    throw new Passing('its file has changed.');
  }
  const { from, size } = readHead(request, earlier, response);
  if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
    throw wrong('a web page came in its place');
  }
  if (size !== null && request.size !== null && size !== request.size) {
    throw wrong(`the file there has ${size} bytes and should have ${request.size}`);
  }
  const whole = request.size ?? size;
  await request.room(whole === null ? 0 : whole - from);
  const etag = response.headers.get('etag');
  await writeJson(statePath(part), {
    url: request.url,
    // A weak tag does not promise equal bytes.
    validator: etag && !etag.startsWith('W/') ? etag : response.headers.get('last-modified'),
    size: whole,
    resumed: from > 0,
  } satisfies PartState);

  const handle = await open(part, from > 0 ? 'a' : 'w');
  let here = from;
  let head = Buffer.alloc(0);
  try {
    for await (const chunk of bodyOf(response)) {
      alive();
      if (from === 0 && head.length < HEAD_BYTES) {
        head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
        const instead = impostor(head);
        if (instead) throw wrong(`it is ${instead}`);
      }
      if (whole !== null && here + chunk.length > whole) throw wrong(`it is longer than ${whole} bytes`);
      await request.write(handle, chunk);
      here += chunk.length;
      request.onBytes(here);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (whole !== null && here < whole) throw new Passing(`it broke off after ${here} of ${whole} bytes.`);
}

async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
  if (!response.body) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      let next: Awaited<ReturnType<typeof reader.read>>;
      try {
        next = await reader.read();
      } catch (error) {
        throw new Passing('the connection broke off.', { cause: error });
      }
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
