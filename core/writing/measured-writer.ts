import { episodeOf } from './episode.ts';
import type { EpisodeWriter } from './episode-writer.ts';
import { statementsOf } from './statements.ts';

const NAME = 'footnote-measured';
/** Raised whenever the same observation would give another text, so that old episodes can be told and rewritten. */
const VERSION = '1';

/**
 * The writer that needs no model: it says what perception measured and nothing else. Speech and print are quoted word
 * for word; whatever is not sure is hedged or left to the event record.
 */
export function createMeasuredWriter(): EpisodeWriter {
  const identity = { name: NAME, version: VERSION };
  return {
    ...identity,
    looks: false,
    async write(observation, recording, context = {}) {
      context.signal?.throwIfAborted();
      return episodeOf(observation, statementsOf(observation, recording), null, identity);
    },
  };
}
