import type { Episode, Recording } from '../contract/index.ts';
import type { Observation } from '../perception/observation.ts';

/** What a writer may know of the recording an observation is from. */
export type RecordingFacts = Pick<Recording, 'name' | 'camera' | 'family' | 'notes'>;

export interface WriteContext {
  signal?: AbortSignal;
}

/** Turns the observation of a segment into its episode. Name and version are stored with all it writes. */
export interface EpisodeWriter {
  readonly name: string;
  readonly version: string;
  /**
   * @returns an episode whose paragraph and event record say only what was observed
   * @throws the signal's reason when aborted; never for what an observation holds
   */
  write(observation: Observation, recording: RecordingFacts, context?: WriteContext): Promise<Episode>;
}
