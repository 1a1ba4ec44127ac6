import type { Episode } from '../../core/contract/episode.ts';
import type { Recording } from '../../core/contract/recording.ts';
import type { DaySummary } from '../../core/contract/router.ts';
import { random } from './random.ts';
import { SCENES, type Scene } from './scenes.ts';

export type Day = { day: string; recordings: Recording[]; episodes: Episode[]; summary: DaySummary };

export type DayOptions = {
  seed: number;
  /** YYYY-MM-DD. */
  day?: string;
  zone?: string;
  /** Hours that the zone is ahead of UTC on that day. */
  offsetHours?: number;
  recordings?: number;
  /** Episodes in each recording. */
  length?: number;
  /** False for a library without pictures. */
  pixels?: boolean;
};

const SEGMENT_MS = 30_000;
const HOUR_MS = 3_600_000;
const MORNING_HOUR = 8;

/** A made-up day of recordings and episodes; everything in it follows from the seed. */
export function makeDay(options: DayOptions): Day {
  const {
    seed,
    day = '2025-03-14',
    zone = 'Europe/Warsaw',
    offsetHours = 1,
    recordings: many = 3,
    length = 6,
    pixels = true,
  } = options;
  const roll = random(seed);
  const midnight = Date.parse(`${day}T00:00:00Z`) - offsetHours * HOUR_MS;
  let at = midnight + MORNING_HOUR * HOUR_MS + Math.floor(roll() * HOUR_MS);
  const recordings: Recording[] = [];
  const episodes: Episode[] = [];
  for (let n = 0; n < many; n += 1) {
    const id = `r${seed}${day.replaceAll('-', '')}${n}`;
    const chapterId = `f${seed}${day.replaceAll('-', '')}${n}`;
    const startMs = at;
    for (let index = 0; index < length; index += 1) {
      // One pause inside the second recording, as when a camera's battery was changed.
      if (n === 1 && index === 3) at += 95_000;
      const scene = SCENES[Math.floor(roll() * SCENES.length)]!;
      episodes.push(
        makeEpisode({ scene, id, chapterId, index, startMs: at, zone, pixels, sure: 0.6 + roll() * 0.39 }),
      );
      at += SEGMENT_MS;
    }
    recordings.push(makeRecording({ id, chapterId, n, startMs, endMs: at, zone }));
    at += Math.floor((0.3 + roll() * 2) * HOUR_MS);
  }
  const first = episodes[0]!;
  const last = episodes.at(-1)!;
  return {
    day,
    recordings,
    episodes,
    summary: {
      day,
      episodes: episodes.length,
      recordings: recordings.length,
      startMs: first.startMs,
      endMs: last.endMs,
      seconds: (episodes.length * SEGMENT_MS) / 1000,
    },
  };
}

type EpisodeParts = {
  scene: Scene;
  id: string;
  chapterId: string;
  index: number;
  startMs: number;
  zone: string;
  pixels: boolean;
  sure: number;
};

function makeEpisode({ scene, id, chapterId, index, startMs, zone, pixels, sure }: EpisodeParts): Episode {
  const endMs = startMs + SEGMENT_MS;
  const confidence = Math.round(sure * 100) / 100;
  return {
    id: `${chapterId}-${String(index).padStart(4, '0')}`,
    recordingId: id,
    chapterId,
    index,
    startMs,
    endMs,
    zone,
    text: scene.text,
    record: {
      caption: scene.caption,
      transcript: scene.said.map(({ speaker, text }, n) => ({
        startMs: startMs + 4000 + n * 6000,
        endMs: startMs + 8000 + n * 6000,
        speaker,
        text,
        source: 'speech-sidecar' as const,
        confidence: 1,
      })),
      visibleText: scene.read.map((text) => ({
        text,
        confidence,
        firstMs: startMs + 2000,
        lastMs: endMs - 3000,
      })),
      actions: [],
      objects: [],
      topics: [],
      scenes: [],
      entities: [],
      claims: [
        ...scene.said.map(({ text }) => ({
          text: `“${text}” is said`,
          source: 'speech-sidecar' as const,
          confidence: 1,
          atMs: startMs + 4000,
        })),
        ...scene.read.map((text) => ({
          text: `${text} can be read`,
          source: 'visible-text' as const,
          confidence,
          atMs: startMs + 2000,
        })),
        { text: 'The camera moves little', source: 'motion', confidence: 0.8, atMs: null },
      ],
      people: scene.people,
      place: null,
    },
    keyframes: pixels
      ? [{ atMs: startMs + 2000, file: `${scene.picture}.svg`, width: 320, height: 180 }]
      : [],
    clip: pixels ? `${chapterId}-${index}.mp4` : null,
    writer: { name: 'measured', version: '1' },
  };
}

type RecordingParts = {
  id: string;
  chapterId: string;
  n: number;
  startMs: number;
  endMs: number;
  zone: string;
};

function makeRecording({ id, chapterId, n, startMs, endMs, zone }: RecordingParts): Recording {
  const name = `GX01004${n + 2}`;
  return {
    id,
    name,
    family: 'gopro',
    camera: 'GoPro HERO11 Black',
    takeKey: `gopro-004${n + 2}`,
    startMs,
    endMs,
    clock: {
      startMs,
      zone,
      basis: n === 2 ? 'file_date' : 'creation_time',
      uncertain: n === 2,
      note:
        n === 2 ? 'Neither GPS nor a time in the file.' : 'The camera wrote its local time labelled as UTC.',
    },
    chapters: [
      {
        id: chapterId,
        number: 1,
        path: `/media/card/DCIM/100GOPRO/${name}.MP4`,
        proxyPath: null,
        bytes: 412_000_000,
        startMs,
        durationMs: endMs - startMs,
        gapBeforeMs: 0,
      },
    ],
    hasSound: true,
    notes: n === 1 ? ['Read from the camera’s own low-resolution copy.'] : [],
    importedAtMs: endMs + HOUR_MS,
  };
}
