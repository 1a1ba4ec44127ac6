import { join } from 'node:path';
import type { Library } from '../library/library.ts';
import type { VideoSource } from '../reading/agent/tools.ts';
import { clipFrames } from '../rewriting/kept-frames.ts';

/** The frames an agent may watch: those of the library's own clips, which were redacted before they were written. */
export function createVideoSource(library: Library): VideoSource {
  return {
    async frames(episodes, span, count, signal = new AbortController().signal) {
      const step = (span.endMs - span.startMs) / count;
      const wanted = Array.from({ length: count }, (_, n) => Math.round(span.startMs + (n + 0.5) * step));
      const shown: { atMs: number; jpeg: Uint8Array }[] = [];
      for (const episode of episodes) {
        const times = wanted.filter((atMs) => atMs >= episode.startMs && atMs < episode.endMs);
        if (episode.clip === null || times.length === 0) continue;
        const offsets = times.map((atMs) => atMs - episode.startMs);
        const path = join(library.clipsDir(episode.recordingId), episode.clip);
        for (const [n, jpeg] of await clipFrames(path, offsets, signal))
          shown.push({ atMs: times[n]!, jpeg });
      }
      return shown.sort((a, b) => a.atMs - b.atMs);
    },
  };
}
