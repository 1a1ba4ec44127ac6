import type { PictureEmbedder } from '../../../models/embedding/image-text/picture-embedder.ts';

/** Vectors of one episode's keyframes. */
export interface EpisodePictures {
  episodeId: string;
  /** One for each keyframe, in order; null for one that could not be read. Empty for an episode without keyframes. */
  vectors: readonly (Float32Array | null)[];
}

/** How far the pictures of a library can be searched. */
export interface PictureCount {
  /** Name of the model that the stored vectors are of. */
  model: string;
  /** Episodes whose keyframes have been looked at. */
  episodes: number;
  /** Keyframes that can be found. */
  pictures: number;
  /** Whether it was measured what nearness means in this library; until then no picture is a find. */
  searchable: boolean;
}

/** The half of the memory that holds pictures. Without an image model there is none of it, and search goes by text. */
export interface PictureMemory {
  /**
   * Which image model there is now; null for none. Vectors of another model are dropped, and the keyframes wait to be looked at again.
   * @throws FootnoteError DISK_FULL, LIBRARY_UNREADABLE
   */
  setPictureModel(embedder: PictureEmbedder | null): Promise<void>;
  /** Ids of episodes whose keyframes the present model has not looked at, the latest first; none without a model. */
  episodesWithoutPictures(): Promise<string[]>;
  /**
   * Stores what the present model made of keyframes: one write for all. Episodes that are gone meanwhile, or have other keyframes, are
   * left out, and so is everything when `model` is no longer the present one.
   * @param model name of the embedder that the vectors are of
   * @throws FootnoteError MODEL_FAILED for a vector that cannot be stored: of the wrong length, not finite, not of unit length
   */
  putPictures(model: string, pictures: readonly EpisodePictures[]): Promise<void>;
  /** Brings indexes up to date, and measures what nearness means in this library when it has grown. Cheap when there is nothing to do. */
  tendPictures(): Promise<void>;
  /** Null when no picture was ever looked at. */
  countPictures(): Promise<PictureCount | null>;
}
