import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isTelemetryText } from './cues.ts';
import { stemOf } from './families/naming.ts';
import type { GpsSample } from './gpmf.ts';
import { decodeText } from './text-encoding.ts';

/** Half an hour at thirty entries a second; longer logs are read to there. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
/** Of up to thirty positions a second one is kept. */
const KEEP_EVERY_MS = 1000;

const TIMING = /^\s*(\d{1,2}):(\d{2}):(\d{1,2})[.,](\d{3})\s*-->/;
/** "[latitude: 41.42] [longitude: 2.23]"; some firmware spells it "longtitude". */
const NAMED = /\[latitude\s*:\s*(-?[\d.]+)\s*\]\s*\[longt?itude\s*:\s*(-?[\d.]+)\s*\]/;
/** "GPS (-121.7458, 48.0771, 17)": longitude first. */
const PLAIN = /GPS\s*\(\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)/;
const ALTITUDE = /(?:\[altitude\s*:\s*|abs_alt\s*:\s*)(-?[\d.]+)/;

/** Positions in the flight log (.SRT) a drone leaves beside its video; none when there is no log or it holds none. */
export async function readFlightLog(videoPath: string, videoName: string): Promise<GpsSample[]> {
  for (const ending of ['SRT', 'srt']) {
    const text = await readHead(join(dirname(videoPath), `${stemOf(videoName)}.${ending}`));
    if (text !== null) return isTelemetryText(text) ? parseFlightLog(text) : [];
  }
  return [];
}

/** Positions of a flight log, about one a second, with offsets in the video. */
export function parseFlightLog(text: string): GpsSample[] {
  const samples: GpsSample[] = [];
  let offsetMs: number | null = null;
  for (const line of text.split(/\r\n?|\n/)) {
    const timing = TIMING.exec(line);
    if (timing) {
      const [hours, minutes, seconds, ms] = timing.slice(1).map(Number) as [number, number, number, number];
      offsetMs = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
      continue;
    }
    const before = samples.at(-1)?.offsetMs ?? -KEEP_EVERY_MS;
    if (offsetMs === null || offsetMs - before < KEEP_EVERY_MS) continue;
    const named = NAMED.exec(line);
    const plain = named ? null : PLAIN.exec(line);
    const lat = Number(named?.[1] ?? plain?.[2] ?? Number.NaN);
    const lon = Number(named?.[2] ?? plain?.[1] ?? Number.NaN);
    // Zeros are what a drone writes before its receiver has a fix.
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180) || (lat === 0 && lon === 0)) continue;
    const altitude = Number(ALTITUDE.exec(line)?.[1] ?? Number.NaN);
    samples.push({
      offsetMs,
      lat,
      lon,
      altitudeM: Number.isFinite(altitude) ? altitude : null,
      speedMps: null,
    });
  }
  return samples;
}

async function readHead(path: string): Promise<string | null> {
  try {
    const file = await open(path, 'r');
    try {
      const size = Math.min((await file.stat()).size, MAX_LOG_BYTES);
      const bytes = Buffer.alloc(size);
      const { bytesRead } = await file.read(bytes, 0, size, 0);
      return decodeText(bytes.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
