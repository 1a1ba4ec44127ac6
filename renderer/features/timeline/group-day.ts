import type { Episode } from '../../../core/contract/episode.ts';

/** Episodes of one recording that follow each other in a day, with the pause before each. */
export type RecordingRun = {
  recordingId: string;
  /** Time without any footage before this run, ms; 0 for the first. */
  gapBeforeMs: number;
  episodes: Array<{ episode: Episode; gapBeforeMs: number }>;
};

/** Cameras start a chapter some milliseconds late; only longer pauses are worth drawing. */
const SHOWN_PAUSE_MS = 2000;

/**
 * Groups a day's episodes by recording in time order. Two wearers' recordings may interleave: a run ends whenever the
 * recording changes, so that the page stays in time order.
 */
export function groupDay(episodes: readonly Episode[]): RecordingRun[] {
  const ordered = [...episodes].sort((a, b) => a.startMs - b.startMs || a.index - b.index);
  const runs: RecordingRun[] = [];
  let endMs: number | null = null;
  for (const episode of ordered) {
    const pauseMs = endMs === null ? 0 : Math.max(0, episode.startMs - endMs);
    const shownMs = pauseMs >= SHOWN_PAUSE_MS ? pauseMs : 0;
    const run = runs.at(-1);
    if (run && run.recordingId === episode.recordingId) run.episodes.push({ episode, gapBeforeMs: shownMs });
    else {
      runs.push({
        recordingId: episode.recordingId,
        gapBeforeMs: shownMs,
        episodes: [{ episode, gapBeforeMs: 0 }],
      });
    }
    endMs = Math.max(endMs ?? 0, episode.endMs);
  }
  return runs;
}
