import type {
  DaySummary,
  Episode,
  FetchQuery,
  FoundEpisode,
  Recording,
  SearchQuery,
  TimeSpan,
} from '../contract/index.ts';

/** What a reader may ask of the memory. Everything returned is in time order and causal: it ended by `nowMs`. */
export interface MemoryReader {
  /** MemLife's search_memory: vector and full text fused, pre-filtered by time. */
  search(query: SearchQuery): Promise<FoundEpisode[]>;
  /** MemLife's fetch_memory: the earliest `limit` episodes inside the span; `more` counts those left out. */
  fetch(query: FetchQuery): Promise<{ episodes: Episode[]; more: number }>;
  getEpisode(id: string): Promise<Episode | null>;
  listRecordings(): Promise<Recording[]>;
  /**
   * Days that hold episodes, by the recordings' own zones, oldest first.
   * @param asOfMs counts only episodes that had ended by then; left out: all of them
   */
  days(asOfMs?: number): Promise<DaySummary[]>;
  /** First and last instant remembered (by `asOfMs`), or null when nothing is. */
  extent(asOfMs?: number): Promise<TimeSpan | null>;
}

export interface Memory extends MemoryReader {
  /** Embeds and stores; an id that exists is replaced. One write for the whole batch. */
  putEpisodes(episodes: readonly Episode[]): Promise<void>;
  /** Which of these ids are stored. */
  existing(ids: readonly string[]): Promise<Set<string>>;
  episodesOfRecording(recordingId: string): Promise<Episode[]>;
  episodesOfDay(
    day: string,
    after: string | null,
    limit: number,
  ): Promise<{ episodes: Episode[]; next: string | null }>;
  episodesInSpan(span: TimeSpan): Promise<Episode[]>;
  putRecording(recording: Recording): Promise<void>;
  getRecording(id: string): Promise<Recording | null>;
  deleteRecordings(ids: readonly string[]): Promise<void>;
  /** Deletes rows and cleans old versions so that the text is gone from disk. */
  deleteEpisodes(ids: readonly string[]): Promise<void>;
  count(): Promise<{ episodes: number; recordings: number }>;
  /** Compacts small fragments and brings indexes up to date; cheap when there is nothing to do. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}
