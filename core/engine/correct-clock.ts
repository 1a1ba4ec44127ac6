import { DateTime } from 'luxon';
import { FootnoteError } from '../contract/errors.ts';
import type { Recording } from '../contract/index.ts';
import type { Memory } from '../memory/memory.ts';
import { moveEpisodes } from '../memory/move-episodes.ts';

/**
 * Moves a recording in time: by `shiftMs`, into `zone`, or both. A zone alone keeps the instant and changes the clock
 * time shown.
 * @throws FootnoteError NOT_FOUND; BAD_REQUEST for a zone that does not exist
 */
export async function correctClock(
  memory: Memory,
  { id, shiftMs, zone }: { id: string; shiftMs: number; zone: string | null },
): Promise<Recording> {
  const recording = await memory.getRecording(id);
  if (!recording) throw new FootnoteError('NOT_FOUND', 'There is no such recording.', { id });
  if (zone && !DateTime.local({ zone }).isValid) {
    throw new FootnoteError(
      'BAD_REQUEST',
      `"${zone}" is not a time zone. Use a name such as Europe/Warsaw, or UTC+2.`,
    );
  }
  const corrected: Recording = {
    ...recording,
    startMs: recording.startMs + shiftMs,
    endMs: recording.endMs + shiftMs,
    chapters: recording.chapters.map((chapter) => ({ ...chapter, startMs: chapter.startMs + shiftMs })),
    clock: {
      startMs: recording.clock.startMs + shiftMs,
      zone: zone ?? recording.clock.zone,
      basis: 'corrected',
      uncertain: false,
      note: `Corrected by hand (${shiftMs >= 0 ? '+' : '−'}${Math.abs(shiftMs) / 1000} s); before: ${recording.clock.note}`,
    },
  };
  // Episodes first: a kill in between leaves a shift that can be seen and done again, never half a recording's rows.
  await moveEpisodes(memory, id, { deltaMs: shiftMs, ...(zone ? { zone } : {}) });
  await memory.putRecording(corrected);
  return corrected;
}
