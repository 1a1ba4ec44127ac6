import { z } from 'zod';
import { EpochMs, Id, Wearer, Zone } from './recording.ts';

/** Where a claim was measured. */
export const ClaimSource = z.enum([
  'speech-sidecar',
  'speech-embedded',
  'speech-recognised',
  'visible-text',
  'faces',
  'motion',
  'light',
  'sound',
  'telemetry',
  'container',
  'vision-model',
]);
export type ClaimSource = z.infer<typeof ClaimSource>;

/** One thing an episode says, with where it comes from and how sure that is. */
export const Claim = z.object({
  text: z.string(),
  source: ClaimSource,
  /** 0..1, as the model or file gives it. */
  confidence: z.number().min(0).max(1),
  /** When in the segment, epoch ms; null when it holds for the whole of it. */
  atMs: EpochMs.nullable(),
});
export type Claim = z.infer<typeof Claim>;

/** Letter of a voice in a recording, in order of first appearance: A to Z, then AA and on. */
export const Voice = z.string().regex(/^[A-Z]{1,3}$/);

/** One line of speech. */
export const SpeechLine = z.object({
  startMs: EpochMs,
  endMs: EpochMs,
  /** Who says it: a subtitle's own name, the name the person gave a voice, or the voice's letter; null when not known. */
  speaker: z.string().nullable(),
  /** Letter of the voice that was told apart by its sound ("A"); stays when the person names it. Of one recording only. */
  voice: Voice.optional(),
  text: z.string(),
  source: z.enum(['speech-sidecar', 'speech-embedded', 'speech-recognised']),
  confidence: z.number().min(0).max(1),
  /** ISO 639 code of the language heard, as the recogniser gives it; left out where nothing was recognised. */
  language: z.string().optional(),
  /** What heard it. */
  recogniser: z.object({ name: z.string(), version: z.string() }).optional(),
});
export type SpeechLine = z.infer<typeof SpeechLine>;

/** The name of whoever says a line; null when there is none, also for a voice that has a letter and no name. */
export function speakerName(line: Pick<SpeechLine, 'speaker' | 'voice'>): string | null {
  return line.voice !== undefined && line.speaker === line.voice ? null : line.speaker;
}

/** Whoever says a line, as a sentence calls them: a name, else "voice A"; null when neither is known. */
export function speakerWords(line: Pick<SpeechLine, 'speaker' | 'voice'>): string | null {
  return speakerName(line) ?? (line.voice === undefined ? null : `voice ${line.voice}`);
}

/** Text read in the picture, merged over the frames that show it. */
export const VisibleText = z.object({
  /** Rows of one surface (a sign, a receipt) from top to bottom, parted by line feeds. */
  text: z.string(),
  confidence: z.number().min(0).max(1),
  firstMs: EpochMs,
  lastMs: EpochMs,
});
export type VisibleText = z.infer<typeof VisibleText>;

/** The structured half of an episode: EM²Mem's local record R = (caption, transcript, keyframes, z), z = (Act, Obj, Top, Scen, Ent). */
export const EventRecord = z.object({
  caption: z.string(),
  transcript: z.array(SpeechLine),
  visibleText: z.array(VisibleText),
  actions: z.array(z.string()),
  objects: z.array(z.string()),
  topics: z.array(z.string()),
  scenes: z.array(z.string()),
  entities: z.array(z.string()),
  claims: z.array(Claim),
  /** Most faces seen at once. */
  people: z.number().int().min(0),
  /** WGS 84 degrees, from telemetry or the container; null when unknown. */
  place: z.object({ lat: z.number(), lon: z.number() }).nullable(),
});
export type EventRecord = z.infer<typeof EventRecord>;

export const Keyframe = z.object({
  atMs: EpochMs,
  /** File name inside the library's keyframes folder of the recording. */
  file: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});
export type Keyframe = z.infer<typeof Keyframe>;

/**
 * What was measured in a segment beside speech and print: kept, so that its episode can be written again without the footage.
 * Instants are epoch ms, shares and levels 0..1.
 */
export const Measured = z.object({
  faces: z.object({
    /** Most faces in one frame. */
    most: z.number(),
    /** Share of the segment's frames with a face. */
    share: z.number(),
    /** Best detector confidence. */
    confidence: z.number(),
    /** Spans in which faces are seen. */
    spans: z.array(z.object({ startMs: z.number(), endMs: z.number() })),
  }),
  motion: z.object({
    /** Mean absolute luma difference between clip frames. */
    level: z.number(),
    /** Share of frame pairs that are as good as identical. */
    still: z.number(),
    /** Instants at which the picture changes as a whole. */
    cuts: z.array(z.number()),
  }),
  light: z.object({
    /** Mean luma. */
    level: z.number(),
    /** Share of frames that are black. */
    black: z.number(),
  }),
  /** Null when the recording has no sound. `level` is mean volume in dBFS (−91 for digital silence). */
  sound: z.object({ level: z.number(), silent: z.boolean() }).nullable(),
  telemetry: z
    .object({
      place: z.object({ lat: z.number(), lon: z.number() }).nullable(),
      /** Metres travelled and mean speed in m/s; null without GPS lock. */
      distance: z.number().nullable(),
      speed: z.number().nullable(),
      altitude: z.number().nullable(),
    })
    .nullable(),
});
export type Measured = z.infer<typeof Measured>;

/** Who wrote an episode's words. */
export const WriterName = z.object({ name: z.string(), version: z.string() });

/** What a rewritten episode said before, with everything of its record that its writer chose. */
export const FormerText = z.object({
  text: z.string(),
  writer: WriterName,
  carriedFrom: Id.nullable(),
  record: EventRecord.pick({
    caption: true,
    actions: true,
    objects: true,
    topics: true,
    scenes: true,
    entities: true,
    claims: true,
  }),
  /** When it was replaced, epoch ms. */
  atMs: EpochMs,
});
export type FormerText = z.infer<typeof FormerText>;

export const Episode = z.object({
  /** Chapter id + "-" + four-digit segment index: derived from content, so an import is idempotent. */
  id: Id,
  recordingId: Id,
  /** Who "I" is; left out for the library's own person (`wearerOf`). */
  wearer: Wearer.optional(),
  chapterId: Id,
  /** Segment number within the chapter, from 0. */
  index: z.number().int().min(0),
  startMs: EpochMs,
  endMs: EpochMs,
  zone: Zone,
  /** First-person paragraph: MemLife's memory text y. */
  text: z.string(),
  record: EventRecord,
  keyframes: z.array(Keyframe),
  /** File name of the redacted 360p clip of this segment, or null when no pixels are stored. */
  clip: z.string().nullable(),
  writer: WriterName,
  /** The episode whose description was carried over, where a model that writes was not asked: nothing new was to be seen. */
  carriedFrom: Id.nullable().optional(),
  /** Left out of episodes that were stored before it was kept. */
  measured: Measured.optional(),
  /** What it said before it was rewritten, newest last. */
  history: z.array(FormerText).optional(),
});
export type Episode = z.infer<typeof Episode>;

/** An inclusive-exclusive span [startMs, endMs). */
export const TimeSpan = z.object({ startMs: EpochMs, endMs: EpochMs });
export type TimeSpan = z.infer<typeof TimeSpan>;
