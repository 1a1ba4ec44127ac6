import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import type { Episode } from '../contract/index.ts';
import { CANDIDATES } from '../memory/channels.ts';
import { fuse, type Hit } from '../memory/fusion.ts';
import { FUSION } from '../memory/settings.ts';
import { type CommonQuestion, readCommonSet } from './common-form.ts';
import { openTextIndex } from './systems/bm25.ts';

/** Results a question may find its evidence in. */
export const TOP = 5;
/** Constant of reciprocal rank fusion (Cormack et al. 2009). */
const RRF_K = 60;
const WEIGHTS = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8];

type Ranker = (text: Hit[], vector: Hit[]) => string[];

/** Exact nearest episodes by cosine, of those that had ended. */
function nearest(
  query: Float32Array,
  episodes: Episode[],
  vectors: Map<string, Float32Array>,
  nowMs: number,
) {
  const hits: Hit[] = [];
  for (const episode of episodes) {
    if (episode.endMs > nowMs) continue;
    const vector = vectors.get(episode.id)!;
    let value = 0;
    for (let i = 0; i < vector.length; i++) value += vector[i]! * query[i]!;
    hits.push({ id: episode.id, startMs: episode.startMs, value });
  }
  return hits.sort((a, b) => b.value - a.value || b.startMs - a.startMs);
}

/** The vector channel as the memory runs it: its best, and the cosines of the text channel's hits. */
function asChannel(all: Hit[], text: Hit[]): Hit[] {
  const ids = new Set(text.map((hit) => hit.id));
  return all.filter((hit, rank) => rank < CANDIDATES || ids.has(hit.id));
}

function byReciprocalRank(vectorWeight: number): Ranker {
  return (text, vector) => {
    const scores = new Map<string, number>();
    const add = (hits: Hit[], weight: number) => {
      hits.forEach(({ id }, rank) => {
        scores.set(id, (scores.get(id) ?? 0) + weight / (RRF_K + rank + 1));
      });
    };
    add(text, 1 - vectorWeight);
    add(vector.slice(0, CANDIDATES), vectorWeight);
    return [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
  };
}

function rankers(): Map<string, Ranker> {
  const all = new Map<string, Ranker>();
  all.set('alone', (_, vector) => vector.map((hit) => hit.id));
  all.set('as shipped', (text, vector) => fuse(text, vector, FUSION).map((hit) => hit.id));
  for (const weight of WEIGHTS) {
    all.set(`scores ${weight}`, (text, vector) =>
      fuse(text, vector, { vectorWeight: weight }).map((hit) => hit.id),
    );
  }
  for (const weight of WEIGHTS) all.set(`ranks ${weight}`, byReciprocalRank(weight));
  return all;
}

/** Full-text hits of each question, from a memory that holds the stream alone. */
async function textHits(episodes: Episode[], questions: CommonQuestion[]): Promise<Hit[][]> {
  const index = await openTextIndex(episodes);
  const all: Hit[][] = [];
  for (const { question, askedAtMs } of questions) all.push(await index.search(question, askedAtMs));
  index.close();
  return all;
}

/**
 * Share of a set's answerable questions, %, with any evidence among the first TOP results, by way of ranking: "full text", then for
 * each embedder "NAME, alone", "NAME, as shipped" and the fusions over a range of weights.
 * @param folder a set in the common form
 */
export async function measureRetrieval(
  folder: string,
  embedders: ReadonlyMap<string, TextEmbedder>,
): Promise<Map<string, number>> {
  const right = new Map<string, number>();
  let asked = 0;
  const count = (name: string, ranked: string[], { evidence }: CommonQuestion) => {
    const hit = ranked.slice(0, TOP).some((id) => evidence.includes(id));
    right.set(name, (right.get(name) ?? 0) + (hit ? 1 : 0));
  };
  for (const { episodes, questions: every } of readCommonSet(folder).streams.values()) {
    const questions = every.filter(({ answer, evidence }) => answer !== null && evidence.length > 0);
    asked += questions.length;
    const texts = await textHits(episodes, questions);
    questions.forEach((question, i) => {
      const ranked = texts[i]!.map((hit) => hit.id);
      count('full text', ranked, question);
    });
    for (const [name, embedder] of embedders) {
      const passages = await embedder.embed(
        episodes.map(({ text }) => text),
        'passage',
      );
      const queries = await embedder.embed(
        questions.map(({ question }) => question),
        'query',
      );
      const vectors = new Map(episodes.map((episode, i) => [episode.id, passages[i]!]));
      questions.forEach((question, i) => {
        const all = nearest(queries[i]!, episodes, vectors, question.askedAtMs);
        for (const [how, rank] of rankers()) {
          const vector = how === 'alone' ? all : asChannel(all, texts[i]!);
          count(`${name}, ${how}`, rank(texts[i]!, vector), question);
        }
      });
    }
  }
  return new Map([...right].map(([name, n]) => [name, (100 * n) / asked]));
}
