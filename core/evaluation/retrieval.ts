/**
 * Measures retrieval on question sets in the common form (episodes.jsonl, questions.jsonl): the share of questions with any
 * evidence among the first five results, each question asked of its own stream and of nothing that ended after it was asked.
 *
 *     npx tsx core/evaluation/retrieval.ts --data FOLDER_OF_SETS [--models FOLDER] [--json]
 *
 * Channels: full text (BM25 in LanceDB), the built-in static embedding, and all-MiniLM-L6-v2 when --models holds it; then their
 * fusions over a range of weights, by normalised scores (core/memory/fusion) and by weighted reciprocal ranks for comparison.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createEncoderEmbedder } from '../../models/embedding/encoder-embedder.ts';
import { createStaticEmbedder } from '../../models/embedding/static-embedder.ts';
import type { TextEmbedder } from '../../models/embedding/text-embedder.ts';
import { CANDIDATES, textChannel } from '../memory/channels.ts';
import { endedBy } from '../memory/filters.ts';
import { fuse, type Hit } from '../memory/fusion.ts';
import { upsert } from '../memory/reembed.ts';
import { type EpisodeRow, localDay } from '../memory/rows.ts';
import { closeTables, openTables } from '../memory/tables.ts';

const TOP = 5;
/** Constant of reciprocal rank fusion (Cormack et al. 2009). */
const RRF_K = 60;
const WEIGHTS = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8];
const ENCODER = 'sentence-transformers/all-MiniLM-L6-v2';

interface EvalEpisode {
  id: string;
  stream: string;
  startMs: number;
  endMs: number;
  text: string;
}

interface EvalQuestion {
  stream: string;
  question: string;
  askedAtMs: number;
  evidence: Set<string>;
}

type Ranker = (text: Hit[], vector: Hit[]) => string[];

function lines(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The sets give local times without a zone; read as UTC, order and length are theirs. */
function instant(iso: unknown): number {
  return Date.parse(`${String(iso)}Z`);
}

function readSet(folder: string): { episodes: EvalEpisode[]; questions: EvalQuestion[] } {
  const episodes = lines(path.join(folder, 'episodes.jsonl')).map((row) => ({
    id: String(row.id),
    stream: String(row.stream),
    startMs: instant(row.start),
    endMs: instant(row.end),
    text: String(row.text_with_objects ?? row.text),
  }));
  const questions = lines(path.join(folder, 'questions.jsonl'))
    .map((row) => ({
      stream: String(row.stream),
      question: String(row.question),
      askedAtMs: instant(row.asked_at),
      evidence: new Set((row.evidence as string[] | undefined) ?? []),
      unanswerable: row.unanswerable === true,
    }))
    .filter((question) => question.evidence.size > 0 && !question.unanswerable);
  return { episodes, questions };
}

function rowOf(episode: EvalEpisode, dims: number): EpisodeRow {
  const { id, startMs, endMs, text } = episode;
  const vector = Array.from({ length: dims }, (_, i) => (i === 0 ? 1 : 0));
  const day = localDay(startMs, 'UTC');
  return { id, recordingId: 'set', day, startMs, endMs, searchText: text, body: '{}', vector };
}

/** Exact nearest episodes by cosine, of those that had ended. */
function nearest(
  query: Float32Array,
  episodes: EvalEpisode[],
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
  for (const weight of WEIGHTS) {
    all.set(`scores ${weight}`, (text, vector) =>
      fuse(text, vector, { vectorWeight: weight }).map((hit) => hit.id),
    );
  }
  for (const weight of WEIGHTS) all.set(`ranks ${weight}`, byReciprocalRank(weight));
  return all;
}

async function measure(folder: string, embedders: Map<string, TextEmbedder>): Promise<Map<string, number>> {
  const { episodes, questions } = readSet(folder);
  const right = new Map<string, number>();
  const count = (name: string, ranked: string[], question: EvalQuestion) => {
    const hit = ranked.slice(0, TOP).some((id) => question.evidence.has(id));
    right.set(name, (right.get(name) ?? 0) + (hit ? 1 : 0));
  };
  for (const stream of new Set(questions.map((question) => question.stream))) {
    const own = episodes.filter((episode) => episode.stream === stream);
    const asked = questions.filter((question) => question.stream === stream);
    const dir = mkdtempSync(path.join(tmpdir(), 'footnote-retrieval-'));
    const tables = await openTables(dir, { name: 'none', dims: 1 });
    await upsert(
      tables.episodes,
      own.map((episode) => rowOf(episode, 1)),
      1,
    );
    await tables.episodes.optimize();
    const texts: Hit[][] = [];
    for (const question of asked) {
      const hits = await textChannel(tables.episodes, question.question, endedBy(question.askedAtMs));
      // Equal scores are ordered as everywhere: the later first.
      texts.push(hits.sort((a, b) => b.value - a.value || b.startMs - a.startMs));
    }
    closeTables(tables);
    rmSync(dir, { recursive: true });
    asked.forEach((question, i) => {
      count(
        'full text',
        texts[i]!.map((hit) => hit.id),
        question,
      );
    });
    for (const [name, embedder] of embedders) {
      const passages = await embedder.embed(
        own.map((episode) => episode.text),
        'passage',
      );
      const vectors = new Map(own.map((episode, i) => [episode.id, passages[i]!]));
      const queries = await embedder.embed(
        asked.map((question) => question.question),
        'query',
      );
      asked.forEach((question, i) => {
        const all = nearest(queries[i]!, own, vectors, question.askedAtMs);
        for (const [how, rank] of rankers()) {
          const vector = how === 'alone' ? all : asChannel(all, texts[i]!);
          count(`${name}, ${how}`, rank(texts[i]!, vector), question);
        }
      });
    }
  }
  return new Map([...right].map(([name, n]) => [name, (100 * n) / questions.length]));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      models: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.data) throw new Error('Say where the question sets are: --data FOLDER');
  const embedders = new Map<string, TextEmbedder>([['static', await createStaticEmbedder()]]);
  if (values.models) {
    const encoder = { modelsFolder: values.models, model: ENCODER, dims: 384, maxTokens: 256 };
    embedders.set('MiniLM', await createEncoderEmbedder(encoder));
  }
  const sets = readdirSync(values.data)
    .filter((name) => existsSync(path.join(values.data!, name, 'questions.jsonl')))
    .sort();
  const table: Record<string, Record<string, number>> = {};
  for (const set of sets) {
    for (const [name, recall] of await measure(path.join(values.data, set), embedders)) {
      table[name] = { ...table[name], [set]: Number(recall.toFixed(1)) };
    }
  }
  if (values.json)
    console.log(JSON.stringify({ measure: `any evidence in top ${TOP}, %`, sets, recall: table }));
  else console.table(table);
}

await main();
