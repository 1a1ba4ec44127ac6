/** What has memory to give back. */
export interface Disposable {
  dispose(): Promise<void>;
}

/** Holds one model of a kind at a time: asking for another frees the one before, and a load that failed is tried again when asked. */
export class OneAtATime<Options, Model extends Disposable> {
  readonly #load: (options: Options) => Promise<Model>;
  #held: { key: string; model: Model } | null = null;

  constructor(load: (options: Options) => Promise<Model>) {
    this.#load = load;
  }

  /**
   * Callers take turns: nobody may ask while another's answer is awaited.
   * @throws what loading throws
   */
  async get(options: Options): Promise<Model> {
    const key = JSON.stringify(options);
    if (this.#held?.key !== key) {
      const before = this.#held;
      this.#held = null;
      await before?.model.dispose();
      this.#held = { key, model: await this.#load(options) };
    }
    return this.#held.model;
  }
}
