import { type Episode, wearerOf } from '../../contract/index.ts';
import { byTime } from '../rows.ts';
import { analyse, type Triple, wearerNode } from './analysis.ts';
import { Corrections } from './corrections.ts';
import { type Entity, type EntityType, unique } from './entities.ts';
import { mayEndAt, type Relation } from './relations.ts';

/** How an event is bound to its entities (released code). */
export const ATTACHMENTS: Record<EntityType, string> = {
  person: 'involves',
  place: 'occurs_in',
  scene: 'occurs_in',
  topic: 'about',
  object: 'mentions_object',
};

/** An edge of the episodic graph; (source, target, type, episodeId) is unique. */
export interface Edge {
  /** An entity's key, or `event::` and an episode's id. */
  source: string;
  target: string;
  type: Relation | 'involves' | 'about' | 'mentions_object' | 'before';
  /** The episode that proves it. */
  episodeId: string;
  startMs: number;
  endMs: number;
  from: 'triple' | 'attachment' | 'temporal';
}

/** The node of an episode. */
export const eventKey = (episodeId: string): string => `event::${episodeId}`;

/** What an episode holds once the person's corrections are applied. */
export function correctedAnalysis(
  episode: Episode,
  corrections: Corrections,
): { entities: Entity[]; triples: Triple[] } {
  const { entities, triples } = analyse(episode);
  if (corrections.empty) return { entities, triples };
  const place = { episodeId: episode.id, recordingId: episode.recordingId };
  return {
    entities: unique([
      ...corrections.namedIn(place),
      ...entities.map((one) => corrections.entity(one, place)),
    ]),
    triples: triples.map(({ subject, verb, relation, object }) => {
      const to = corrections.entity(object, place);
      return {
        subject: corrections.entity(subject, place),
        verb,
        relation: relation !== null && mayEndAt(relation, to.type) ? relation : null,
        object: to,
      };
    }),
  };
}

/** Edges one episode proves by itself: what happened in it, and what it is bound to. */
export function edgesOf(episode: Episode, corrections = new Corrections()): Edge[] {
  const { id, startMs, endMs } = episode;
  const { entities, triples } = correctedAnalysis(episode, corrections);
  const edges = new Map<string, Edge>();
  const add = (source: string, target: string, type: Edge['type'], from: Edge['from']) =>
    edges.set(`${source} ${type} ${target}`, {
      source,
      target,
      type,
      episodeId: id,
      startMs,
      endMs,
      from,
    });
  const event = eventKey(id);
  add(event, wearerNode(wearerOf(episode)).key, 'involves', 'attachment');
  for (const { key, type } of entities) add(event, key, ATTACHMENTS[type] as Edge['type'], 'attachment');
  for (const { subject, relation, object } of triples) {
    if (relation !== null) add(subject.key, object.key, relation, 'triple');
  }
  return [...edges.values()];
}

/** "before" edges between one wearer's consecutive events, in time order, across nights too; each proved by the later one. */
export function transitions(episodes: readonly Episode[]): Edge[] {
  const last = new Map<string, Episode>();
  return [...episodes].sort(byTime).flatMap((episode) => {
    const before = last.get(wearerOf(episode));
    last.set(wearerOf(episode), episode);
    if (!before) return [];
    return {
      source: eventKey(before.id),
      target: eventKey(episode.id),
      type: 'before' as const,
      episodeId: episode.id,
      startMs: episode.startMs,
      // Both events have to have ended for one to be known to follow the other.
      endMs: Math.max(before.endMs, episode.endMs),
      from: 'temporal' as const,
    };
  });
}

/** The episodic graph G_E of some episodes. @param nowMs only what had ended by then */
export function episodicGraph(
  episodes: readonly Episode[],
  corrections = new Corrections(),
  nowMs = Number.POSITIVE_INFINITY,
): Edge[] {
  const ended = episodes.filter(({ endMs }) => endMs <= nowMs);
  return [...ended.flatMap((episode) => edgesOf(episode, corrections)), ...transitions(ended)];
}
