import { type Episode, wearerOf } from '../../contract/index.ts';
import { analyse, tripleKey } from '../graph/analysis.ts';
import type { Evidence } from '../graph/semantic-graph.ts';
import { localDay } from '../rows.ts';
import { type ContextView, viewSearchText, windowOfEpisode } from '../views/view.ts';

export interface ViewRow extends Record<string, unknown> {
  id: string;
  level: string;
  wearer: string;
  startMs: number;
  endMs: number;
  searchText: string;
  body: string;
  vector: number[] | null;
}

/** Ids of one chapter differ in their number alone: "f0…-0001".."f0…-0006" as ["f0…-", 4, 1, 2, 3, …]. */
type PackedIds = [prefix: string, digits: number, ...numbers: number[]];

/** Ids in order, those of one chapter together: a day's views name every episode of it. */
export function packIds(ids: readonly string[]): PackedIds[] {
  const groups: PackedIds[] = [];
  for (const id of ids) {
    const match = /^(.*-)(\d{1,9})$/.exec(id);
    const [prefix, digits, number] = match ? [match[1]!, match[2]!.length, Number(match[2])] : [id, 0, 0];
    const last = groups.at(-1);
    if (last && match && last[0] === prefix && last[1] === digits) last.push(number);
    else groups.push([prefix, digits, number]);
  }
  return groups;
}

export function unpackIds(groups: readonly PackedIds[]): string[] {
  return groups.flatMap(([prefix, digits, ...numbers]) =>
    numbers.map((number) => (digits === 0 ? prefix : `${prefix}${String(number).padStart(digits, '0')}`)),
  );
}

/** @param vector of `viewSearchText`, or null to have it embedded later */
export function viewRow(view: ContextView, vector: number[] | null): ViewRow {
  const { id, level, wearer, startMs, endMs, episodeIds, childIds, ...rest } = view;
  const children = level === '3min' ? [] : childIds;
  return {
    id,
    level,
    wearer,
    startMs,
    endMs,
    searchText: viewSearchText(view),
    body: JSON.stringify({ ...rest, children, episodes: packIds(episodeIds) }),
    vector,
  };
}

/** The view of a row without its vector. */
export function viewOfRow(
  row: Pick<ViewRow, 'id' | 'level' | 'wearer' | 'startMs' | 'endMs' | 'body'>,
): ContextView {
  const { children, episodes, ...rest } = JSON.parse(row.body) as Omit<
    ContextView,
    'episodeIds' | 'childIds'
  > & {
    children: string[];
    episodes: PackedIds[];
  };
  const episodeIds = unpackIds(episodes);
  const { id, wearer, startMs, endMs } = row;
  const level = row.level as ContextView['level'];
  return {
    ...rest,
    id,
    level,
    wearer,
    startMs,
    endMs,
    childIds: level === '3min' ? episodeIds : children,
    episodeIds,
  };
}

/** Evidence beside a row: [episode, recording, start and end from the row's start, ms]. */
type Packed = [episodeId: string, recordingId: string, fromMs: number, toMs: number];

export interface MentionRow extends Record<string, unknown> {
  key: string;
  wearer: string;
  windowMs: number;
  startMs: number;
  endMs: number;
  evidence: string;
}

export interface FactRow extends Record<string, unknown> {
  subject: string;
  verb: string;
  object: string;
  wearer: string;
  day: string;
  windowMs: number;
  startMs: number;
  endMs: number;
  evidence: string;
}

function spanned(episodes: readonly Episode[]): { startMs: number; endMs: number; evidence: string } {
  const startMs = Math.min(...episodes.map((episode) => episode.startMs));
  const endMs = Math.max(...episodes.map((episode) => episode.endMs));
  const packed = episodes.map(
    (one): Packed => [one.id, one.recordingId, one.startMs - startMs, one.endMs - startMs],
  );
  return { startMs, endMs, evidence: JSON.stringify(packed) };
}

/** Episodes a row rests on. */
export function evidenceOf(row: { startMs: number; evidence: string; day?: string }): Evidence[] {
  return (JSON.parse(row.evidence) as Packed[]).map(([episodeId, recordingId, from, to]) => ({
    episodeId,
    recordingId,
    startMs: row.startMs + from,
    endMs: row.startMs + to,
    day: row.day ?? '',
  }));
}

/** Rows of one window's episodes, all of one wearer, in time order. */
export function postingsOf(episodes: readonly Episode[]): { mentions: MentionRow[]; facts: FactRow[] } {
  const first = episodes[0];
  if (!first) return { mentions: [], facts: [] };
  const wearer = wearerOf(first);
  const { windowMs } = windowOfEpisode(first);
  const byKey = new Map<string, Episode[]>();
  const byTriple = new Map<string, { subject: string; verb: string; object: string; of: Episode[] }>();
  for (const episode of episodes) {
    const { entities, triples } = analyse(episode);
    for (const { key } of entities) byKey.set(key, [...(byKey.get(key) ?? []), episode]);
    for (const triple of triples) {
      // What was said about is found by its words; that it was said again is no habit.
      if (triple.object.type === 'topic') continue;
      const { subject, verb, object } = triple;
      const known = byTriple.get(tripleKey(triple)) ?? {
        subject: subject.key,
        verb,
        object: object.key,
        of: [],
      };
      known.of.push(episode);
      byTriple.set(tripleKey(triple), known);
    }
  }
  const day = localDay(first.startMs, first.zone);
  return {
    mentions: [...byKey].map(([key, of]) => ({ key, wearer, windowMs, ...spanned(of) })),
    facts: [...byTriple.values()].map(({ of, ...triple }) => ({
      ...triple,
      wearer,
      day,
      windowMs,
      ...spanned(of),
    })),
  };
}
