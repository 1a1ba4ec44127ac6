import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Episode, ForgetResult, Recording, TimeSpan } from '../contract/index.ts';
import type { Library } from '../library/library.ts';
import type { Memory } from '../memory/memory.ts';

export type ForgetWhat =
  | { what: 'recording'; recordingId: string }
  | { what: 'episodes'; episodeIds: string[] }
  | { what: 'span'; span: TimeSpan }
  | { what: 'everything' };

/** Episodes a request covers; a span covers every episode it touches. */
export async function episodesToForget(memory: Memory, request: ForgetWhat): Promise<Episode[]> {
  if (request.what === 'recording') return memory.episodesOfRecording(request.recordingId);
  if (request.what === 'span') return memory.episodesInSpan(request.span);
  if (request.what === 'episodes') {
    const found = await Promise.all(request.episodeIds.map((id) => memory.getEpisode(id)));
    return found.filter((episode) => episode !== null);
  }
  const all = await Promise.all(
    (await memory.listRecordings()).map((recording) => memory.episodesOfRecording(recording.id)),
  );
  return all.flat();
}

async function removeFile(path: string, result: ForgetResult): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (!found) return;
  await rm(path, { force: true });
  result.files += 1;
  result.bytes += found.size;
}

/** Removes every clip and keyframe of these episodes, by name, also ones a kill left without a row. */
async function removeMedia(
  library: Library,
  episodes: readonly Episode[],
  result: ForgetResult,
): Promise<void> {
  for (const [recordingId, own] of groupByRecording(episodes)) {
    const ids = new Set(own.map((episode) => episode.id));
    for (const dir of [library.clipsDir(recordingId), library.keyframesDir(recordingId)]) {
      for (const name of await readdir(dir).catch(() => [])) {
        const id = name.replace(/(?:-\d{1,2})?\.(?:mp4|jpg)$/, '');
        if (ids.has(id) || ids.has(name.replace(/\.(?:mp4|jpg)$/, '')))
          await removeFile(join(dir, name), result);
      }
      await rmdir(dir).catch(() => {});
    }
  }
}

function groupByRecording(episodes: readonly Episode[]): Map<string, Episode[]> {
  const groups = new Map<string, Episode[]>();
  for (const episode of episodes) {
    const group = groups.get(episode.recordingId);
    if (group) group.push(episode);
    else groups.set(episode.recordingId, [episode]);
  }
  return groups;
}

/**
 * Forgets episodes: rows, vectors and old versions of the store, then keyframes and clips. Recordings left without an
 * episode go too. The originals are never touched.
 * @returns what went, and which recordings are gone
 */
export async function forget(
  memory: Memory,
  library: Library,
  request: ForgetWhat,
): Promise<ForgetResult & { recordingIds: string[] }> {
  const episodes = await episodesToForget(memory, request);
  const result: ForgetResult = { episodes: episodes.length, recordings: 0, files: 0, bytes: 0 };
  // Rows first: what is listed always has its files, whatever moment a kill chooses.
  await memory.deleteEpisodes(episodes.map((episode) => episode.id));
  await removeMedia(library, episodes, result);
  const candidates: Recording[] =
    request.what === 'everything'
      ? await memory.listRecordings()
      : (await memory.listRecordings()).filter(
          (recording) =>
            (request.what === 'recording' && recording.id === request.recordingId) ||
            episodes.some((episode) => episode.recordingId === recording.id),
        );
  const gone: string[] = [];
  for (const recording of candidates) {
    if ((await memory.episodesOfRecording(recording.id)).length === 0) gone.push(recording.id);
  }
  await memory.deleteRecordings(gone);
  for (const id of gone) {
    await rm(library.clipsDir(id), { recursive: true, force: true });
    await rm(library.keyframesDir(id), { recursive: true, force: true });
  }
  // The made-up day is nobody's, but "everything" leaves nothing behind.
  if (request.what === 'everything') await rm(library.sampleDir, { recursive: true, force: true });
  result.recordings = gone.length;
  return { ...result, recordingIds: gone };
}
