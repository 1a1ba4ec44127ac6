/**
 * WorldMM/HippoRAG-style retrieval: a graph of entities and passages, walked from the facts nearest to the question (HippoRAG 2), in
 * rounds. Entities are content words and facts are sentences, by rule in place of a language model's triples; the next round's
 * query is the question with the entities that the passages found so far share, in place of a model's.
 */
import type { EvalEpisode } from '../set.ts';
import { degreeOf, type Graph, graphOf, personalisedPageRank } from './personalised-pagerank.ts';
import { idfOf, remembered, type Sentence, sentencesByEpisode } from './summaries.ts';
import { bytesOf, type CreateSystem, handOver } from './system.ts';
import { best, dot, embedQuery, minMax } from './vectors.ts';

/** HippoRAG's settings as WorldMM has them. */
const DAMPING = 0.5;
const PASSAGE_WEIGHT = 0.05;
const LINKED_FACTS = 5;
const SYNONYM_COSINE = 0.8;
/** WorldMM: at most 5 rounds, 3 texts a round that were not seen before. */
const ROUNDS = 5;
const TEXTS_A_ROUND = 3;
/** Entities that the next round's query takes over. */
const ENTITIES_A_ROUND = 3;

interface Walkable {
  graph: Graph;
  passages: readonly EvalEpisode[];
  entityAt: ReadonlyMap<string, number>;
}

export const worldmm: CreateSystem = ({ embedder }) => ({
  name: 'worldmm',
  about:
    'WorldMM/HippoRAG-style: personalised PageRank (damping 0.5, passage weight 0.05, synonyms from cosine 0.8) from the 5 nearest facts, up to 5 rounds of 3 new passages; entities and facts by rule.',
  async index(stream) {
    const byEpisode = await sentencesByEpisode(stream, embedder);
    const all = [...byEpisode.values()].flat();
    const idf = idfOf(all);
    const texts = stream.episodes.map(({ text }) => text);
    const passageVectors = await embedder.embed(texts, 'passage');
    const vectorOf = new Map(stream.episodes.map((episode, n) => [episode, passageVectors[n]!]));
    const entities = [...new Set(all.flatMap(({ words }) => words))];
    const entityVectors = await embedder.embed(entities, 'passage');
    const synonyms = synonymsOf(entityVectors);
    const walkable = remembered<Walkable>((_, visible) => {
      const entityAt = new Map<string, number>();
      const edges: [number, number, number][] = [];
      visible.forEach((episode, passage) => {
        const words = new Set(byEpisode.get(episode)!.flatMap((sentence) => sentence.words));
        for (const word of words) {
          const known = entityAt.get(word) ?? visible.length + entityAt.size;
          entityAt.set(word, known);
          edges.push([passage, known, 1]);
        }
      });
      for (const [a, b, cosine] of synonyms) {
        const [from, to] = [entityAt.get(entities[a]!), entityAt.get(entities[b]!)];
        if (from !== undefined && to !== undefined) edges.push([from, to, cosine]);
      }
      return { graph: graphOf(visible.length + entityAt.size, edges), passages: visible, entityAt };
    });

    /** One walk: passages by rank. */
    const walk = (on: Walkable, query: Float32Array): EvalEpisode[] => {
      const reset = new Float64Array(on.graph.nodes);
      const near = minMax(on.passages.map((episode) => dot(query, vectorOf.get(episode)!)));
      for (let n = 0; n < on.passages.length; n++) reset[n] = near[n]! * PASSAGE_WEIGHT;
      const facts: Sentence[] = on.passages.flatMap((episode) => byEpisode.get(episode)!);
      const linked = best(facts, ({ vector }) => dot(query, vector)).slice(0, LINKED_FACTS);
      for (const { of: fact, score } of linked)
        for (const word of fact.words) {
          // A fact's weight is shared among the passages an entity is in (HippoRAG 2): everyday words lead nowhere.
          const entity = on.entityAt.get(word)!;
          reset[entity]! += Math.max(0, score) / degreeOf(on.graph, entity);
        }
      const rank = personalisedPageRank(on.graph, reset, DAMPING);
      const order = on.passages.map((episode, n) => ({ episode, score: rank[n]! })).reverse();
      return order.sort((a, b) => b.score - a.score).map(({ episode }) => episode);
    };

    return {
      async retrieve(question) {
        const visible = stream.episodes.filter(({ endMs }) => endMs <= question.nowMs);
        if (visible.length === 0) return handOver(question, []);
        const on = walkable('all', visible);
        const found = new Set<EvalEpisode>();
        const asked = new Set<string>();
        let query = question.question;
        let first: EvalEpisode[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const ranked = walk(on, await embedQuery(embedder, query));
          if (round === 0) first = ranked;
          const fresh = ranked.filter((episode) => !found.has(episode)).slice(0, TEXTS_A_ROUND);
          for (const episode of fresh) found.add(episode);
          const shared = new Map<string, number>();
          for (const episode of fresh)
            for (const { words } of byEpisode.get(episode)!)
              for (const word of words) shared.set(word, (shared.get(word) ?? 0) + idf(word));
          const next = [...shared]
            .filter(([word]) => !asked.has(word))
            .sort((a, b) => b[1] - a[1])
            .slice(0, ENTITIES_A_ROUND)
            .map(([word]) => word);
          if (next.length === 0) break;
          for (const word of next) asked.add(word);
          query = `${question.question} ${next.join(' ')}`;
        }
        const read = [...found].slice(5).map(({ text }) => text);
        return handOver(question, [...found, ...first.filter((episode) => !found.has(episode))], read);
      },
      storedBytes: () =>
        bytesOf([...texts, ...entities], texts.length + all.length + entities.length, embedder.dims),
    };
  },
});

/** Pairs of entities that mean the same: (a, b, cosine), a < b. */
function synonymsOf(vectors: readonly Float32Array[]): [number, number, number][] {
  const pairs: [number, number, number][] = [];
  for (let a = 0; a < vectors.length; a++)
    for (let b = a + 1; b < vectors.length; b++) {
      const cosine = dot(vectors[a]!, vectors[b]!);
      if (cosine >= SYNONYM_COSINE) pairs.push([a, b, cosine]);
    }
  return pairs;
}
