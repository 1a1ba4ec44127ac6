import type { Episode, EventRecord, FormerText } from '../contract/index.ts';

/** Former texts an episode remembers. */
const MOST_REMEMBERED = 5;

/** Everything of a record that its writer chose; speech, print, people and place were measured and stay. */
function chosen({
  caption,
  actions,
  objects,
  topics,
  scenes,
  entities,
  claims,
}: EventRecord): FormerText['record'] {
  return { caption, actions, objects, topics, scenes, entities, claims };
}

/**
 * A stored episode with what a writer says of it now; what it said before is remembered.
 * @param written the same segment's episode as the writer gave it
 * @param atMs now, epoch ms
 */
export function rewritten(stored: Episode, written: Episode, atMs: number): Episode {
  const former: FormerText = {
    text: stored.text,
    writer: stored.writer,
    carriedFrom: stored.carriedFrom ?? null,
    record: chosen(stored.record),
    atMs,
  };
  return {
    ...stored,
    text: written.text,
    record: { ...stored.record, ...chosen(written.record) },
    writer: written.writer,
    carriedFrom: written.carriedFrom ?? null,
    history: [...(stored.history ?? []), former].slice(-MOST_REMEMBERED),
  };
}

/** A stored episode as it was before its last rewrite; null when it was never rewritten. */
export function undone(stored: Episode): Episode | null {
  const former = stored.history?.at(-1);
  if (!former) return null;
  return {
    ...stored,
    text: former.text,
    record: { ...stored.record, ...former.record },
    writer: former.writer,
    carriedFrom: former.carriedFrom,
    history: stored.history!.slice(0, -1),
  };
}
