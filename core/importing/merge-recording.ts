import type { Chapter, Recording } from '../contract/index.ts';
import type { PlannedChapter, PlannedRecording } from '../footage/plan.ts';
import { MISSING_CHAPTER } from '../footage/plan-import.ts';

/** Recording id of a take whose first imported chapter has this fingerprint. */
export function recordingIdOf(chapterId: string): string {
  return `r${chapterId.slice(1)}`;
}

function toChapter(planned: PlannedChapter): Chapter {
  const { id, number, path, proxyPath, bytes, startMs, durationMs, gapBeforeMs } = planned;
  return { id, number, path, proxyPath, bytes, startMs, durationMs, gapBeforeMs };
}

/** Puts chapters in order, each right behind the one it follows; where one is missing between, a gap is kept. */
export function reflow(chapters: readonly Chapter[]): Chapter[] {
  const ordered = [...chapters].sort((a, b) => a.number - b.number || a.startMs - b.startMs);
  const flowed: Chapter[] = [];
  for (const chapter of ordered) {
    const before = flowed.at(-1);
    if (!before) {
      flowed.push({ ...chapter, gapBeforeMs: 0 });
      continue;
    }
    const endBefore = before.startMs + before.durationMs;
    // A camera starts the next chapter with the very next frame.
    const follows = chapter.number === before.number + 1;
    const startMs = follows ? endBefore : Math.max(chapter.startMs, endBefore);
    const gapBeforeMs = startMs - endBefore;
    flowed.push({ ...chapter, startMs, gapBeforeMs });
  }
  return flowed;
}

export interface MergedRecording {
  recording: Recording;
  /** Chapters already stored whose start moved, with by how much, ms: their episodes move too. */
  moved: { chapterId: string; deltaMs: number }[];
}

/**
 * Makes the recording of a planned take, or lets its chapters slot into one that is known.
 * @param known the recording it joins, or null
 * @param nowMs when it is imported, epoch ms
 * @param wearer who wore the camera by the person's word; a known recording keeps its own
 */
export function mergeRecording(
  planned: PlannedRecording,
  known: Recording | null,
  nowMs: number,
  wearer?: string,
): MergedRecording {
  const arriving = planned.chapters.map(toChapter);
  const stays = (known?.chapters ?? []).filter(
    (chapter) => !arriving.some((other) => other.id === chapter.id),
  );
  const chapters = reflow([...stays, ...arriving]);
  const first = chapters[0]!;
  const last = chapters.at(-1)!;
  const moved = stays.flatMap((chapter) => {
    const now = chapters.find((other) => other.id === chapter.id)!;
    return now.startMs === chapter.startMs
      ? []
      : [{ chapterId: chapter.id, deltaMs: now.startMs - chapter.startMs }];
  });
  const notes = [...new Set([...(known?.notes ?? []), ...planned.notes])].filter(
    (note) => note !== MISSING_CHAPTER,
  );
  if (chapters.some((chapter, i) => i > 0 && chapter.number > chapters[i - 1]!.number + 1))
    notes.push(MISSING_CHAPTER);
  const clock =
    known && known.chapters[0]!.number <= planned.chapters[0]!.number ? known.clock : planned.clock;
  const worn = known ? known.wearer : wearer;
  return {
    recording: {
      id: known?.id ?? recordingIdOf(planned.chapters[0]!.id),
      name: known && known.chapters[0]!.number <= first.number ? known.name : planned.name,
      ...(worn === undefined ? {} : { wearer: worn }),
      family: planned.family,
      camera: planned.camera ?? known?.camera ?? null,
      takeKey: planned.takeKey,
      startMs: first.startMs,
      endMs: last.startMs + last.durationMs,
      clock: { ...clock, startMs: first.startMs },
      chapters,
      hasSound: planned.hasSound || (known?.hasSound ?? false),
      notes,
      importedAtMs: known?.importedAtMs ?? nowMs,
    },
    moved,
  };
}
