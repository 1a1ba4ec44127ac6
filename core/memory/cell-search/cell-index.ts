import type { Observed } from '../graph/semantic-graph.ts';
import type { Scale } from './constants.ts';

/** What is asked, of whom, and as of when: nothing that ended later may be returned or counted. */
export interface CellQuery {
  question: string;
  /** Of unit length; null when no embedder is at hand: then words alone decide. */
  vector: Float32Array | null;
  nowMs: number;
  wearer: string;
  /** Only units that overlap it; null for all. */
  span: { startMs: number; endMs: number } | null;
}

/** An event or a view found by the search of its scale. */
export interface UnitHit {
  id: string;
  startMs: number;
  endMs: number;
  /** Words and meaning fused, 0..1, best of the search 1; ranks within it. */
  score: number;
  /** -1..1; null when not measured. */
  cosine: number | null;
}

/** An event or a view with all the ranking looks at. */
export interface Unit {
  id: string;
  scale: Scale;
  startMs: number;
  endMs: number;
  /** The text that is embedded. */
  text: string;
  /** Labels of its entities, and its triples in words. */
  graph: string;
  triples: string;
  /** Keys of its entities. */
  keys: string[];
  /** Episodes beneath (itself, for an event), in time order. */
  episodeIds: string[];
}

/** An event that holds some of the entities asked for. */
export interface Sharing {
  id: string;
  startMs: number;
  endMs: number;
  keys: string[];
}

/**
 * What retrieval needs of a memory, in memory or on disk. Every answer is causal and of the query's wearer; none may take time in
 * proportion to the library.
 */
export interface CellIndex {
  search(scale: Scale, query: CellQuery, limit: number): Promise<UnitHit[]>;
  units(scale: Scale, ids: readonly string[], query: CellQuery): Promise<Unit[]>;
  /** The event before and the event after, of the same wearer. */
  beside(unit: { startMs: number; endMs: number; id: string }, query: CellQuery): Promise<UnitHit[]>;
  /** Events near an instant that share entities with these keys, nearest in time first. */
  sharing(keys: readonly string[], aroundMs: number, query: CellQuery, limit: number): Promise<Sharing[]>;
  /** Triplets about these entities with their evidence by the query's instant. */
  observed(keys: readonly string[], query: CellQuery): Promise<Observed[]>;
  /** Vectors of texts, of unit length; empty without an embedder. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}
