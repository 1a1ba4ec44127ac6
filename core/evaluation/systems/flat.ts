/** Rankings by one dense vector an episode. */
import type { AskedQuestion, EvalEpisode, EvalStream } from '../set.ts';
import { bytesOf, type CreateSystem, handOver, type Indexed, type SystemContext } from './system.ts';
import { best, dot, embedQuery } from './vectors.ts';
import { contentWords } from './words.ts';

/** An index of one text an episode, by cosine; later episodes first among equals. */
export async function denseIndex(
  { embedder }: SystemContext,
  stream: EvalStream,
  textOf: (episode: EvalEpisode) => string,
): Promise<Indexed> {
  const newestFirst = [...stream.episodes].reverse();
  const texts = newestFirst.map(textOf);
  const vectors = await embedder.embed(texts, 'passage');
  const vectorOf = new Map(newestFirst.map((episode, n) => [episode, vectors[n]!]));
  return {
    async retrieve(question) {
      const query = await embedQuery(embedder, question.question);
      const visible = newestFirst.filter(({ endMs }) => endMs <= question.nowMs);
      const ranked = best(visible, (episode) => dot(query, vectorOf.get(episode)!));
      return handOver(
        question,
        ranked.map(({ of }) => of),
      );
    },
    storedBytes: () => bytesOf(texts, texts.length, embedder.dims),
  };
}

/** The four texts of an episode: caption, transcript, what was seen, labels. A set without labels gets its content words. */
export function channelsOf(
  episode: EvalEpisode,
): Record<'caption' | 'transcript' | 'visual' | 'structured', string> {
  const labels = contentWords([episode.caption, ...episode.transcript.map(({ text }) => text)].join(' '));
  return {
    caption: episode.caption,
    transcript: episode.transcript
      .map(({ speaker, text }) => (speaker ? `${speaker}: ${text}` : text))
      .join('\n'),
    visual: episode.visual.join('\n'),
    structured: [...episode.structured, labels.join(', ')].filter((line) => line !== '').join('\n'),
  };
}

export const flat: CreateSystem = (context) => ({
  name: 'flat',
  about: 'Flat RAG: one vector of the episode’s text, cosine.',
  index: (stream) => denseIndex(context, stream, ({ text }) => text),
});

export const aligned: CreateSystem = (context) => ({
  name: 'aligned-30s',
  about:
    'Aligned-30s (EM²Mem C.4): caption, transcript, visual and structured text in one document, one vector, cosine.',
  index: (stream) =>
    denseIndex(context, stream, (episode) =>
      Object.values(channelsOf(episode))
        .filter((text) => text !== '')
        .join('\n'),
    ),
});

/** Constant of reciprocal rank fusion (Cormack et al. 2009); EM²Mem does not state its own. */
const RRF_K = 60;

/** Episodes by summed 1/(60 + rank); `rankings` are ids best first. Ties keep the order in which ids first occur. */
export function fuseRanks(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    ranking.forEach((id, n) => {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (RRF_K + n + 1));
    });
  return [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
}

export const fourChannels: CreateSystem = (context) => ({
  name: 'rrf-4',
  about:
    'Four-channel RRF (EM²Mem C.4): caption, transcript, visual and structured text indexed apart, fused by 1/(60 + rank); an episode without a channel is not in its ranking.',
  async index(stream) {
    const byId = new Map(stream.episodes.map((episode) => [episode.id, episode]));
    const channels = new Map(stream.episodes.map((episode) => [episode, channelsOf(episode)]));
    const indexes: Indexed[] = [];
    for (const name of ['caption', 'transcript', 'visual', 'structured'] as const) {
      const episodes = stream.episodes.filter((episode) => channels.get(episode)![name] !== '');
      if (episodes.length > 0)
        indexes.push(
          await denseIndex(context, { id: stream.id, episodes }, (episode) => channels.get(episode)![name]),
        );
    }
    return {
      async retrieve(question: AskedQuestion) {
        const rankings: string[][] = [];
        for (const index of indexes)
          rankings.push((await index.retrieve(question)).ranked.map(({ episodeId }) => episodeId));
        return handOver(
          question,
          fuseRanks(rankings).map((id) => byId.get(id)!),
        );
      },
      async storedBytes() {
        let sum = 0;
        for (const index of indexes) sum += await index.storedBytes();
        return sum;
      },
    };
  },
});
