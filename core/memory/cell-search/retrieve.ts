import { questionKeys } from '../graph/analysis.ts';
import type { CellIndex, CellQuery } from './cell-index.ts';
import { K_E, K_S, SCALES } from './constants.ts';
import { type RankedFact, rankFacts } from './facts.ts';
import { type Anchor, project } from './project.ts';
import { type Candidate, poolOf, type Role, type RoledCandidate, withRoles } from './roles.ts';
import { inOrderAsked, type Selector, select } from './select.ts';
import { CELL_SETTINGS, type CellSettings } from './settings.ts';
import { type Asked, expand, type ScoredUnit, searchScale } from './units.ts';
import { tellingWords } from './words.ts';

/** An event as it was found. */
export interface RankedEvent {
  episodeId: string;
  startMs: number;
  endMs: number;
  /** 0..1 within this search. */
  score: number;
  role: Role;
}

export interface Retrieved {
  /** The selected first, then the rest, best first. */
  ranked: RankedEvent[];
  /** How many of `ranked` the selector chose. */
  selected: number;
  /** Views that took part, best of each scale first. */
  views: { id: string; scale: ScoredUnit['scale']; startMs: number; endMs: number; score: number }[];
  facts: RankedFact[];
}

export interface RetrieveOptions {
  settings?: CellSettings;
  selector?: Selector | null;
  /** Events to select (K_E), and to return in all. */
  select?: number;
  most?: number;
}

const MOST = 40;

/** Events that only a view, a neighbour or a fact led to have to be looked up before they can be judged. */
async function candidatesOf(
  index: CellIndex,
  query: CellQuery,
  anchors: readonly Anchor[],
  parents: ReadonlyMap<string, string>,
): Promise<Candidate[]> {
  const unknown = anchors.filter(({ unit }) => !unit).map(({ episodeId }) => episodeId);
  const units = unknown.length > 0 ? await index.units('event', unknown, query) : [];
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  return anchors.flatMap(({ episodeId, score, unit, facts }) => {
    const found = unit ?? byId.get(episodeId);
    if (!found) return [];
    const words =
      unit?.words ?? new Set(tellingWords(`${byId.get(episodeId)!.text} ${byId.get(episodeId)!.graph}`));
    return {
      episodeId,
      startMs: found.startMs,
      endMs: found.endMs,
      score,
      words,
      hasFacts: facts.length > 0,
      parent: parents.get(episodeId) ?? null,
    };
  });
}

/**
 * EM²Mem's readout: searches the record and the views of every scale, expands one hop over the episodic graph, brings everything to
 * the events it rests on, adds what the facts speak for, tells roles apart and selects. Causal as the index is.
 */
export async function retrieveCells(
  index: CellIndex,
  query: CellQuery,
  options: RetrieveOptions = {},
): Promise<Retrieved> {
  const { settings = CELL_SETTINGS, selector = null, most = MOST } = options;
  const asked: Asked = {
    query,
    words: new Set(tellingWords(query.question)),
    keys: questionKeys(query.question),
  };
  const scales = settings.views ? SCALES : (['event'] as const);
  const found = await Promise.all(scales.map((scale) => searchScale(index, scale, asked, settings)));
  const events = found[0] ?? [];
  const hops = settings.expansion ? await expand(index, events, asked) : [];
  const facts = settings.semantic === 'off' ? [] : await rankFacts(index, query, asked.keys, K_S);
  const units = [...found.flat(), ...hops];
  const anchors = project(units, facts, settings).slice(0, most);
  const parents = new Map(
    found
      .flat()
      .flatMap((unit) => (unit.scale === '3min' ? unit.episodeIds.map((id) => [id, unit.id] as const) : [])),
  );
  const roled = withRoles(await candidatesOf(index, query, anchors, parents), asked.words);
  const ordered = settings.order ? inOrderAsked(roled, query.question) : roled;
  const pool = poolOf(ordered);
  const selected = await select(query.question, pool, selector, options.select ?? K_E);
  const chosen = new Set(selected);
  return {
    ranked: [...selected, ...ordered.filter((one) => !chosen.has(one))].map(rankedEvent),
    selected: selected.length,
    views: found
      .flat()
      .filter(({ scale }) => scale !== 'event')
      .map(({ id, scale, startMs, endMs, score }) => ({ id, scale, startMs, endMs, score })),
    facts,
  };
}

function rankedEvent({ episodeId, startMs, endMs, ep, role }: RoledCandidate): RankedEvent {
  return { episodeId, startMs, endMs, score: ep, role };
}
