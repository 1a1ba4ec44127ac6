import type { Episode, Recording } from '../contract/index.ts';
import type { Observation } from '../perception/observation.ts';

/** What a writer may know of the recording an observation is from. */
export type RecordingFacts = Pick<Recording, 'name' | 'camera' | 'family' | 'notes'>;

export interface WriteContext {
  signal?: AbortSignal;
  /** Once aborted nobody waits any longer: what takes time is given up, and the episode is written without it. */
  hurry?: AbortSignal;
  /** JPEGs of the segment, redacted, in time order; for writers that look at them. */
  frames?: readonly Uint8Array[];
}

/** Turns the observation of a segment into its episode. Name and version are stored with all it writes. */
export interface EpisodeWriter {
  readonly name: string;
  readonly version: string;
  /** Whether it looks at frames. */
  readonly looks: boolean;
  /**
   * @returns an episode whose paragraph and event record say only what was observed
   * @throws the signal's reason when aborted; never for what an observation holds
   */
  write(observation: Observation, recording: RecordingFacts, context?: WriteContext): Promise<Episode>;
}
