import type { Claim, Episode } from '../contract/index.ts';
import type { Memory } from './memory.ts';

function moved(episode: Episode, deltaMs: number, zone: string | undefined): Episode {
  const { record } = episode;
  const at = (ms: number) => ms + deltaMs;
  const claimsMoved = (claims: readonly Claim[]) =>
    claims.map((claim) => ({ ...claim, atMs: claim.atMs === null ? null : at(claim.atMs) }));
  const { measured, history } = episode;
  return {
    ...episode,
    startMs: at(episode.startMs),
    endMs: at(episode.endMs),
    zone: zone ?? episode.zone,
    keyframes: episode.keyframes.map((keyframe) => ({ ...keyframe, atMs: at(keyframe.atMs) })),
    record: {
      ...record,
      transcript: record.transcript.map((line) => ({
        ...line,
        startMs: at(line.startMs),
        endMs: at(line.endMs),
      })),
      visibleText: record.visibleText.map((line) => ({
        ...line,
        firstMs: at(line.firstMs),
        lastMs: at(line.lastMs),
      })),
      claims: claimsMoved(record.claims),
    },
    ...(measured && {
      measured: {
        ...measured,
        faces: {
          ...measured.faces,
          spans: measured.faces.spans.map(({ startMs, endMs }) => ({
            startMs: at(startMs),
            endMs: at(endMs),
          })),
        },
        motion: { ...measured.motion, cuts: measured.motion.cuts.map(at) },
      },
    }),
    ...(history && {
      history: history.map((former) => ({
        ...former,
        record: { ...former.record, claims: claimsMoved(former.record.claims) },
      })),
    }),
  };
}

/**
 * Moves a recording's stored episodes in time, with every instant inside them: a camera's clock was off, or a chapter
 * that comes before arrived late.
 * @param change `deltaMs` later (negative: earlier); `zone` replaces the zone; `chapterId` limits it to one chapter
 */
export async function moveEpisodes(
  memory: Memory,
  recordingId: string,
  change: { deltaMs: number; zone?: string; chapterId?: string },
): Promise<void> {
  const episodes = await memory.episodesOfRecording(recordingId);
  const affected = episodes.filter((episode) => !change.chapterId || episode.chapterId === change.chapterId);
  if (affected.length > 0) {
    await memory.putEpisodes(affected.map((episode) => moved(episode, change.deltaMs, change.zone)));
  }
}
