import { type FaceDetector, loadCenterFace, loadFaceDetector } from '../../models/faces/face-detector.ts';
import type { FaceModel } from './task.ts';

/** A detector for a chapter, and what a person should know about it. */
export interface FoundDetector {
  /** Null when there is none at all: then no picture is written. */
  detector: FaceDetector | null;
  note: string | null;
}

/** Keeps the face detectors of a process from chapter to chapter. */
export class FaceShelf {
  #builtIn: Promise<FaceDetector | null> | null = null;
  #fetched: { file: string; loaded: Promise<FaceDetector> } | null = null;

  /**
   * The detector asked for; the built-in one where none is, or it cannot be loaded: faces are looked for in any case.
   * @throws Error when the built-in one is there and cannot be loaded
   */
  async detector(model: FaceModel | null): Promise<FoundDetector> {
    if (model) {
      try {
        return { detector: await this.#fetch(model), note: null };
      } catch {
        this.#fetched = null;
        const note = `${model.name} could not be loaded: the built-in detector looked for faces. Run footnote models verify ${model.name}.`;
        return { detector: await this.#own(), note };
      }
    }
    return { detector: await this.#own(), note: null };
  }

  async #fetch({ file }: FaceModel): Promise<FaceDetector> {
    if (this.#fetched?.file !== file) {
      const before = this.#fetched;
      this.#fetched = null;
      await before?.loaded.then((detector) => detector.dispose()).catch(() => undefined);
      this.#fetched = { file, loaded: loadCenterFace(file) };
    }
    return this.#fetched.loaded;
  }

  #own(): Promise<FaceDetector | null> {
    this.#builtIn ??= loadFaceDetector().catch((error: unknown) => {
      this.#builtIn = null;
      throw error;
    });
    return this.#builtIn;
  }
}
