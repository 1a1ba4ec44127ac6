import type { Episode, Measured } from '../contract/index.ts';
import type { Observation } from '../perception/observation.ts';
import { confidenceOf, instantOf } from './statements.ts';

/** Spans and cuts that are kept of a segment; no paragraph names more than a few. */
const MOST_KEPT = 32;

function numberOr<T>(value: number | null | undefined, otherwise: T): number | T {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** What was measured, as it can be stored: what is no number counts as its statements take it. */
export function measuredOf({ faces, motion, light, sound, telemetry }: Measured): Measured {
  return {
    faces: {
      most: numberOr(faces.most, 0),
      share: numberOr(faces.share, 1),
      confidence: confidenceOf(faces.confidence),
      spans: faces.spans
        .slice(0, MOST_KEPT)
        .map(({ startMs, endMs }) => ({ startMs: instantOf(startMs), endMs: instantOf(endMs) })),
    },
    motion: {
      level: numberOr(motion.level, 0),
      still: numberOr(motion.still, 0),
      cuts: motion.cuts.filter(Number.isFinite).slice(0, MOST_KEPT).map(instantOf),
    },
    light: { level: numberOr(light.level, 1), black: numberOr(light.black, 0) },
    sound: sound && { level: numberOr(sound.level, 0), silent: sound.silent },
    telemetry: telemetry && {
      place:
        telemetry.place && Number.isFinite(telemetry.place.lat + telemetry.place.lon)
          ? { lat: telemetry.place.lat, lon: telemetry.place.lon }
          : null,
      distance: numberOr(telemetry.distance, null),
      speed: numberOr(telemetry.speed, null),
      altitude: numberOr(telemetry.altitude, null),
    },
  };
}

/**
 * The observation a stored episode was written from, for another writer. Its statements are those of the import; files and redaction
 * are as they are stored.
 * @returns null for an episode stored before what was measured was kept
 */
export function observationOf(episode: Episode): Observation | null {
  const { measured, record } = episode;
  if (!measured) return null;
  return {
    episodeId: episode.id,
    recordingId: episode.recordingId,
    chapterId: episode.chapterId,
    index: episode.index,
    startMs: episode.startMs,
    endMs: episode.endMs,
    zone: episode.zone,
    speech: record.transcript,
    visibleText: record.visibleText,
    ...measured,
    keyframes: episode.keyframes,
    clip:
      episode.clip === null
        ? null
        : { file: episode.clip, bytes: 0, durationMs: episode.endMs - episode.startMs },
    redaction: {
      status: episode.clip === null && episode.keyframes.length === 0 ? 'no-pixels' : 'redacted',
      detector: null,
      facesBlurred: 0,
    },
  };
}
