/**
 * Media ids. A clip or keyframe is asked for by id, never by path, so that no odd file name can break or widen a request.
 * A host puts its own base before the id ("/media/" over HTTP, "footnote-media://" in the desktop shell).
 */
export type MediaKind = 'keyframe' | 'clip';

const MEDIA_ID = /^(keyframe|clip)\/([a-z0-9][a-z0-9_-]{3,80})(?:\/(\d{1,2}))?$/;

/** Media id of an episode's n-th keyframe (from 0). */
export function keyframeMediaId(episodeId: string, n: number): string {
  return `keyframe/${episodeId}/${n}`;
}

/** Media id of an episode's redacted clip. */
export function clipMediaId(episodeId: string): string {
  return `clip/${episodeId}`;
}

/** Takes a media id apart; null when it is not one. */
export function parseMediaId(id: string): { kind: MediaKind; episodeId: string; n: number } | null {
  const match = MEDIA_ID.exec(id);
  if (!match) return null;
  const [, kind, episodeId, n] = match;
  if (kind === 'keyframe' && n === undefined) return null;
  if (kind === 'clip' && n !== undefined) return null;
  return { kind: kind as MediaKind, episodeId: episodeId!, n: Number(n ?? 0) };
}
