import type { Episode, RewritePlan, RewriteScope } from '../contract/index.ts';
import type { Memory } from '../memory/memory.ts';
import type { EpisodeWriter } from '../writing/episode-writer.ts';
import { MOSTLY_BLACK } from '../writing/vision-writer.ts';

const DAY_PAGE = 500;

/** Whether a writer would say more of an episode than stands there, could say as much, or cannot say anything. */
export type Verdict = 'rewrite' | 'already' | 'cannot';

/**
 * @param asked the person named this writer: then it also replaces one that looks by one that does not
 */
export function verdictOn(episode: Episode, writer: EpisodeWriter, asked: boolean): Verdict {
  const { name, version } = episode.writer;
  if (name === writer.name && version === writer.version) return 'already';
  // Without being asked nothing a model saw is given up for what was measured.
  if (!asked && !writer.looks && name !== writer.name) return 'already';
  if (!episode.measured) return 'cannot';
  if (!writer.looks) return 'rewrite';
  const pictures = episode.clip !== null || episode.keyframes.length > 0;
  return pictures && episode.measured.light.black < MOSTLY_BLACK ? 'rewrite' : 'cannot';
}

/** The episodes of a scope in the order they were filmed, a recording or a page of a day at a time. */
export async function* episodesOf(memory: Memory, scope: RewriteScope): AsyncGenerator<Episode[]> {
  if (scope.what === 'day') {
    let after: string | null = null;
    do {
      const page: { episodes: Episode[]; next: string | null } = await memory.episodesOfDay(
        scope.day,
        after,
        DAY_PAGE,
      );
      yield page.episodes;
      after = page.next;
    } while (after !== null);
    return;
  }
  const ids =
    scope.what === 'recording' ? [scope.recordingId] : (await memory.listRecordings()).map(({ id }) => id);
  for (const id of ids) yield await memory.episodesOfRecording(id);
}

/**
 * What a writer would do, and the ids of what it would write.
 * @param asked the person named this writer
 */
export async function chooseEpisodes(
  memory: Memory,
  scope: RewriteScope,
  writer: EpisodeWriter,
  asked: boolean,
): Promise<{ ids: string[]; plan: RewritePlan }> {
  const ids: string[] = [];
  const by = new Map<string, RewritePlan['by'][number]>();
  const counts = { already: 0, cannot: 0 };
  for await (const episodes of episodesOf(memory, scope)) {
    for (const episode of episodes) {
      const verdict = verdictOn(episode, writer, asked);
      if (verdict !== 'rewrite') {
        counts[verdict] += 1;
        continue;
      }
      ids.push(episode.id);
      const { name, version } = episode.writer;
      const known = by.get(`${name} ${version}`) ?? { name, version, episodes: 0 };
      by.set(`${name} ${version}`, { ...known, episodes: known.episodes + 1 });
    }
  }
  const { name, version } = writer;
  return { ids, plan: { writer: { name, version }, episodes: ids.length, by: [...by.values()], ...counts } };
}
