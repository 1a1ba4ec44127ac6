import { basename } from 'node:path';
import { FootnoteError } from '../contract/errors.ts';
import { spawnTool } from './ffmpeg.ts';
import { readFlightLog } from './flight-log.ts';
import { type GpsSample, readGpmfPayload } from './gpmf.ts';
import { guardedInput } from './guarded-input.ts';
import { haversineMetres, placeFromTags } from './place.ts';
import type { MediaInfo } from './plan.ts';

export type { GpsSample } from './gpmf.ts';

/** Where the camera was while it recorded. Only positions with a satellite lock are in it. */
export interface Telemetry {
  source: 'gpmf' | 'flight-log' | 'container';
  /** Camera name the track gives ("GoPro Max"), or null. */
  device: string | null;
  /** In time order, about one a second; a phone's single place is one sample at 0. */
  samples: GpsSample[];
  /** Start of the file in epoch ms by the satellites' clock; null when never locked. */
  gpsStartMs: number | null;
}

/** What telemetry says of a span. Null fields are unknown. */
export interface TelemetrySummary {
  place: { lat: number; lon: number } | null;
  /** Metres travelled. */
  distance: number | null;
  /** Mean ground speed, m/s. */
  speed: number | null;
  /** Metres. */
  altitude: number | null;
}

/** Of 10 to 18 positions a second this many are kept: walking and driving need no more, and a day stays small. */
const KEPT_PER_PAYLOAD = 1;
/** A payload is a few KiB a second; more is not GPMF. */
const MAX_PAYLOAD_BYTES = 4 * 1024 * 1024;
const TELEMETRY_TIMEOUT_MS = 600_000;
/** A position this far outside a span still tells where the span was, ms. */
const NEAR_MS = 5000;

/**
 * Reads where the camera was: GoPro's GPMF track, else a drone's flight log beside the video, else the one place in a
 * phone's container. Read payload by payload, so
 * memory does not grow with the track's other sensors. Malformed payloads are passed over.
 * @returns null when the file knows no place
 * @throws FootnoteError CANCELLED, FFMPEG_MISSING
 */
export async function readTelemetry(
  media: MediaInfo,
  options: { signal?: AbortSignal } = {},
): Promise<Telemetry | null> {
  const gpmf = media.gpmdIndex === null ? null : await readGpmf(media.path, media.gpmdIndex, options.signal);
  if (gpmf && gpmf.samples.length > 0) return gpmf;
  const log = gpmf ? [] : await readFlightLog(media.path, basename(media.path));
  if (log.length > 0) return { source: 'flight-log', device: null, samples: log, gpsStartMs: null };
  const place = placeFromTags(media.tags);
  if (!place) return null;
  const sample = { offsetMs: 0, lat: place.lat, lon: place.lon, altitudeM: place.altitudeM, speedMps: null };
  return { source: 'container', device: gpmf?.device ?? null, samples: [sample], gpsStartMs: null };
}

/**
 * Sums up [startMs, endMs), offsets in ms within the file. A container's single place holds for the whole file; GPMF
 * samples only for their surroundings.
 */
export function summariseTelemetry(
  telemetry: Telemetry | null,
  startMs: number,
  endMs: number,
): TelemetrySummary | null {
  if (!telemetry || telemetry.samples.length === 0) return null;
  if (telemetry.source === 'container') {
    const [only] = telemetry.samples;
    return {
      place: { lat: only!.lat, lon: only!.lon },
      distance: null,
      speed: null,
      altitude: only!.altitudeM,
    };
  }
  const inside = telemetry.samples.filter((s) => s.offsetMs >= startMs && s.offsetMs < endMs);
  if (inside.length === 0) {
    const middle = (startMs + endMs) / 2;
    const distanceTo = (s: GpsSample) => Math.abs(s.offsetMs - middle);
    const near = telemetry.samples.reduce((a, b) => (distanceTo(b) < distanceTo(a) ? b : a));
    if (distanceTo(near) > (endMs - startMs) / 2 + NEAR_MS) return null;
    return {
      place: { lat: near.lat, lon: near.lon },
      distance: null,
      speed: null,
      altitude: near.altitudeM,
    };
  }
  const middle = inside[Math.floor(inside.length / 2)]!;
  return {
    place: { lat: middle.lat, lon: middle.lon },
    distance: travelled(inside),
    speed: mean(inside.map((s) => s.speedMps)),
    altitude: mean(inside.map((s) => s.altitudeM)),
  };
}

/**
 * Metres travelled along samples. The receiver's own speed (from Doppler shift) over time is used where it is there:
 * positions jump by metres while one stands still.
 */
function travelled(samples: readonly GpsSample[]): number | null {
  if (samples.length < 2) return null;
  let metres = 0;
  for (let i = 1; i < samples.length; i += 1) {
    const [from, to] = [samples[i - 1]!, samples[i]!];
    const seconds = (to.offsetMs - from.offsetMs) / 1000;
    metres +=
      from.speedMps !== null && to.speedMps !== null
        ? ((from.speedMps + to.speedMps) / 2) * seconds
        : haversineMetres(from, to);
  }
  return metres;
}

function mean(values: (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}

async function readGpmf(path: string, stream: number, signal?: AbortSignal): Promise<Telemetry> {
  const samples: GpsSample[] = [];
  const starts: number[] = [];
  let device: string | null = null;
  for await (const packet of gpmfPackets(path, stream, signal)) {
    const payload = readGpmfPayload(packet.bytes, packet.offsetMs, packet.durationMs);
    if (!payload) continue;
    device ??= payload.device;
    samples.push(...payload.samples.slice(0, KEPT_PER_PAYLOAD));
    if (payload.utcMs !== null) starts.push(payload.utcMs - packet.offsetMs);
  }
  samples.sort((a, b) => a.offsetMs - b.offsetMs);
  return { source: 'gpmf', device, samples, gpsStartMs: median(starts) };
}

/**
 * Every locked payload projected back to the file's start gives the same instant but for jitter; a repeated date, or the
 * jump when leap seconds arrive after the first fix, is an outlier the median does not follow.
 */
function median(values: number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length / 2)]!);
}

interface Packet {
  offsetMs: number;
  durationMs: number;
  bytes: Buffer;
}

/** Timestamps of packets from ffmpeg's framecrc lines: "stream, dts, pts, duration, size, checksum". */
const FRAME_LINE = /^\d+,\s*(-?\d+),\s*(-?\d+),\s*(\d+),\s*(\d+),/;
const TIME_BASE = /^#tb \d+: (\d+)\/(\d+)/;

/**
 * The packets of a data track with their times: the bytes on one pipe, the times and sizes on another, in one run.
 * A track that stops making sense ends early.
 */
async function* gpmfPackets(path: string, stream: number, signal?: AbortSignal): AsyncGenerator<Packet> {
  const map = ['-map', `0:${stream}`, '-c', 'copy'];
  const input = ['-nostdin', '-v', 'error', ...guardedInput(path, ['pipe'])];
  const child = spawnTool(
    'ffmpeg',
    [...input, ...map, '-f', 'data', 'pipe:1', ...map, '-flush_packets', '1', '-f', 'framecrc', 'pipe:3'],
    {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
      ...(signal ? { signal } : {}),
    },
  );
  const closed = new Promise<void>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new FootnoteError('FFMPEG_MISSING', 'ffmpeg could not be started.', {}, { cause })),
    );
    child.once('close', () => resolve());
  });
  closed.catch(() => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), TELEMETRY_TIMEOUT_MS);
  let lines = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    lines += chunk.toString('latin1');
  });
  let pending = Buffer.alloc(0);
  const timeBase = { value: 0.001 };
  try {
    for await (const chunk of child.stdout ?? []) {
      pending = Buffer.concat([pending, chunk as Buffer]);
      const taken = takePackets();
      for (const packet of taken) yield packet;
      if (pending.length > MAX_PAYLOAD_BYTES) return;
    }
    await closed;
    for (const packet of takePackets()) yield packet;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
  if (signal?.aborted) throw new FootnoteError('CANCELLED', 'Cancelled.');

  function takePackets(): Packet[] {
    const packets: Packet[] = [];
    for (let end = lines.indexOf('\n'); end !== -1; end = lines.indexOf('\n')) {
      const line = lines.slice(0, end);
      const base = TIME_BASE.exec(line);
      if (base) timeBase.value = Number(base[1]) / Number(base[2]);
      const frame = FRAME_LINE.exec(line);
      if (frame) {
        const size = Number(frame[4]);
        if (size > pending.length) break;
        const toMs = (ticks: string) => Math.round(Number(ticks) * timeBase.value * 1000);
        packets.push({
          offsetMs: toMs(frame[2]!),
          durationMs: toMs(frame[3]!),
          bytes: pending.subarray(0, size),
        });
        pending = pending.subarray(size);
      }
      lines = lines.slice(end + 1);
    }
    return packets;
  }
}
