import type { Episode } from '../../contract/index.ts';
import type { Corrections } from '../graph/corrections.ts';
import { correctedAnalysis } from '../graph/episodic-graph.ts';
import { type ContextView, viewSearchText } from '../views/view.ts';
import type { Unit } from './cell-index.ts';
import type { Scale } from './constants.ts';

/** What a view is to the ranking. */
export function unitOfView(view: ContextView): Unit {
  const labels = [...view.objects, ...view.topics, ...view.scenes].map(({ label }) => label);
  return {
    id: view.id,
    scale: view.level as Scale,
    startMs: view.startMs,
    endMs: view.endMs,
    text: viewSearchText(view),
    graph: [...labels, ...view.speakers.map(({ name }) => name)].join('; '),
    triples: view.actions.map(({ label }) => label).join('; '),
    keys: [],
    episodeIds: view.episodeIds,
  };
}

/**
 * What an episode is to the ranking.
 * @param thorough read its sentences for the graph; else the labels of its record stand for it, where it has any
 */
export function unitOfEpisode(
  episode: Episode,
  text: string,
  corrections: Corrections,
  thorough = true,
): Unit {
  const { id, startMs, endMs, record } = episode;
  const unit = { id, scale: 'event' as const, startMs, endMs, text, episodeIds: [id] };
  const labels = [...record.objects, ...record.entities, ...record.topics, ...record.scenes];
  if (!thorough && labels.length + record.actions.length > 0) {
    return { ...unit, graph: labels.join('; '), triples: record.actions.join('; '), keys: [] };
  }
  const { entities, triples } = correctedAnalysis(episode, corrections);
  return {
    ...unit,
    graph: entities.map(({ label }) => label).join('; '),
    triples: triples
      .map(({ subject, verb, object }) => `${subject.label} ${verb} ${object.label}`)
      .join('; '),
    // A scene is shared with half a day: it links nothing.
    keys: entities.flatMap(({ key, type }) => (type === 'scene' ? [] : [key])),
  };
}
