/**
 * EgoRAG-style coarse to fine, without a language model: day, then hours, then sentences. Where EgoRAG lets a model choose from
 * summaries, nearness to extractive summaries chooses; "the last time" goes by time, as in the original. The annotated `keywords`
 * that the original searches with are a gold hint: the question is searched with.
 */
import type { EvalEpisode } from '../set.ts';
import {
  idfOf,
  remembered,
  type Sentence,
  type Summary,
  sentencesByEpisode,
  summarise,
  windowsOf,
} from './summaries.ts';
import { bytesOf, type CreateSystem, handOver } from './system.ts';
import { best, dot, embedQuery } from './vectors.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Words of the originals' summaries. */
const HOUR_WORDS = 500;
const DAY_WORDS = 1500;
/** Hours that are searched together; the model of the original names a first and a last one. */
const HOURS = 3;
const LAST = /\blast\s+time\b|\bthe\s+last\b/i;
/** "The last time" is looked for up to this long before the question, among so many nearest sentences. */
const MARGIN_MS = 5 * 60_000;
const NEAREST = 50;
/** Share of the best cosine from which a sentence counts as relevant; the original asks a model. */
const RELEVANT = 0.9;

/** Each episode once, in the order of its first sentence. */
const episodesOf = (sentences: readonly Sentence[]): EvalEpisode[] => [
  ...new Set(sentences.map(({ episode }) => episode)),
];

export const egorag: CreateSystem = ({ embedder }) => ({
  name: 'egorag',
  about:
    'EgoRAG-style coarse to fine: day, hours, then sentences by cosine; extractive summaries in place of a model’s, the question in place of annotated keywords; “the last time” by time.',
  async index(stream) {
    const byEpisode = await sentencesByEpisode(stream, embedder);
    const all = [...byEpisode.values()].flat();
    const idf = idfOf(all);
    const within = (episodes: readonly EvalEpisode[]): Sentence[] =>
      episodes.flatMap((episode) => byEpisode.get(episode)!);
    const hourSummary = remembered<Summary>((_, episodes) => summarise(within(episodes), idf, HOUR_WORDS));
    const daySummary = remembered<Summary>((_, episodes) => summarise(within(episodes), idf, DAY_WORDS));
    return {
      async retrieve(question) {
        const query = await embedQuery(embedder, question.question);
        const near = (summary: Summary): number => (summary.vector ? dot(query, summary.vector) : -1);
        const visible = stream.episodes.filter(({ endMs }) => endMs <= question.nowMs);
        const bySentence = (episodes: readonly EvalEpisode[]) =>
          best(within([...episodes].reverse()), ({ vector }) => dot(query, vector));
        if (LAST.test(question.question)) {
          const earlier = visible.filter(({ endMs }) => endMs <= question.nowMs - MARGIN_MS);
          const nearest = bySentence(earlier).slice(0, NEAREST);
          const least = (nearest[0]?.score ?? 0) * RELEVANT;
          const relevant = nearest
            .filter(({ score }) => score >= least)
            .map(({ of }) => of)
            .sort((a, b) => b.episode.startMs - a.episode.startMs);
          const rest = bySentence(visible).map(({ of }) => of);
          return handOver(
            question,
            episodesOf([...relevant, ...rest]),
            nearest.map(({ of }) => of.text),
          );
        }
        const read: string[] = [];
        const found: Sentence[] = [];
        const days = windowsOf(visible, DAY_MS).map((day) => ({
          day,
          summary: daySummary(`day ${day.startMs}`, day.episodes),
        }));
        for (const { of: chosen } of best([...days].reverse(), ({ summary }) => near(summary))) {
          if (found.length === 0)
            read.push(...days.flatMap(({ summary }) => summary.sentences.map((s) => s.text)));
          const hours = windowsOf(chosen.day.episodes, HOUR_MS).map((hour) => ({
            hour,
            summary: hourSummary(`hour ${hour.startMs}`, hour.episodes),
          }));
          if (found.length === 0)
            read.push(...hours.flatMap(({ summary }) => summary.sentences.map((s) => s.text)));
          const ordered = best([...hours].reverse(), ({ summary }) => near(summary)).map(({ of }) => of.hour);
          for (let at = 0; at < ordered.length; at += HOURS) {
            const together = ordered.slice(at, at + HOURS).flatMap(({ episodes }) => episodes);
            found.push(...bySentence(together.sort((a, b) => a.startMs - b.startMs)).map(({ of }) => of));
          }
        }
        return handOver(question, episodesOf(found), read);
      },
      storedBytes: () =>
        bytesOf(
          all.map(({ text }) => text),
          all.length,
          embedder.dims,
        ),
    };
  },
});
