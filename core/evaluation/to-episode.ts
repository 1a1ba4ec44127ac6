/** A set's episode as Footnote's own, for what runs on the real memory. */
import { createHash } from 'node:crypto';
import type { Claim, Episode } from '../contract/index.ts';
import type { EvalEpisode } from './set.ts';

/** Any id as one that the memory takes; `kind` is one letter. */
export const safeId = (kind: string, id: string): string =>
  `${kind}${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;

/** Id of a set's episode in the memory. */
export const episodeId = (id: string): string => safeId('e', id);

/** The captions of a set stand for a vision model; without a video, a day of a stream is one recording. */
export function toEpisode(it: EvalEpisode, index: number): Episode {
  const day = new Date(it.startMs).toISOString().slice(0, 10);
  const seen = it.visual.map((text) => ({ text, atMs: null }));
  const claims: Claim[] = [...it.moments, ...seen].map(({ text, atMs }) => ({
    source: 'vision-model',
    confidence: 1,
    text,
    atMs,
  }));
  return {
    id: episodeId(it.id),
    recordingId: safeId('r', it.video ?? `${it.stream}/${day}`),
    chapterId: safeId('f', it.stream),
    index,
    startMs: Math.round(it.startMs),
    endMs: Math.round(it.endMs),
    zone: 'UTC',
    text: it.text,
    record: {
      caption: '',
      transcript: it.transcript.map(({ speaker, text }) => ({
        startMs: Math.round(it.startMs),
        endMs: Math.round(it.endMs),
        speaker,
        text,
        source: 'speech-recognised',
        confidence: 1,
      })),
      visibleText: [],
      actions: [],
      objects: [],
      topics: [],
      scenes: [],
      entities: [],
      claims,
      people: 0,
      place: null,
    },
    keyframes: [],
    clip: null,
    writer: { name: 'common-form', version: '1' },
  };
}
