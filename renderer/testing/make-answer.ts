import type { Episode } from '../../core/contract/episode.ts';
import { clipMediaId, keyframeMediaId } from '../../core/contract/media.ts';
import type { Answer, Footnote, ReaderStep } from '../../core/contract/reading.ts';

export const STEPS: ReaderStep[] = [
  {
    tool: 'search_memory',
    args: { query: 'keys mug' },
    returned: 12,
    words: 'looking for “keys” and “mug” anywhere',
  },
  { tool: 'fetch_memory', args: {}, returned: 8, words: 'reading Friday morning around 9' },
];

/** A footnote to an episode, pointing some seconds into it. */
export function makeFootnote(episode: Episode, number: number, offset = 6): Footnote {
  const pixels = episode.clip !== null;
  return {
    number,
    episodeId: episode.id,
    recordingId: episode.recordingId,
    startMs: episode.startMs,
    endMs: episode.endMs,
    start: new Date(episode.startMs).toISOString(),
    end: new Date(episode.endMs).toISOString(),
    zone: episode.zone,
    text: episode.record.transcript[0]?.text ?? episode.record.caption,
    atMs: episode.startMs + offset * 1000,
    keyframe: pixels ? keyframeMediaId(episode.id, 0) : null,
    clip: pixels ? clipMediaId(episode.id) : null,
    clipOffset: offset,
  };
}

/** An answer that cites the given episodes, in their order. */
export function makeAnswer(question: string, text: string, cited: Episode[], askedAtMs: number): Answer {
  const ordered = [...cited].sort((a, b) => a.startMs - b.startMs);
  return {
    question,
    askedAtMs,
    answer: text,
    found: cited.length > 0,
    footnotes: ordered.map((episode, n) => makeFootnote(episode, n + 1)),
    steps: STEPS,
    writer: 'measured 1',
    reader: 'extractive 1',
    seconds: 0.18,
  };
}
