import type { VoiceEmbedder } from '../../models/speakers/voice-embedder.ts';
import { loadVoiceEmbedder } from '../../models/speakers/voice-embedder.ts';
import type { SpeechRecogniser } from '../../models/speech/speech-recogniser.ts';
import { loadVoiceDetector, type VoiceDetector } from '../../models/voice-activity/voice-detector.ts';
import { KeptSpeech } from './kept-speech.ts';
import { createSpeechObserver, type RecogniseSpeech } from './speech.ts';
import type { PerceiveTask, SpeechModel, VoiceModel } from './task.ts';
import { createVoiceTeller, type VoiceTeller } from './voice-teller.ts';
import { VoiceTable } from './voices.ts';

/** A recogniser takes hundreds of MB: it is let go when no chapter has needed it for this long. */
const IDLE_MS = 60_000;

async function load({ name, version, folder, dtype }: SpeechModel): Promise<SpeechRecogniser> {
  // Brings a library of its own, which a process that never hears speech does without.
  const { loadSpeechRecogniser } = await import('../../models/speech/load-recogniser.ts');
  return loadSpeechRecogniser({ name, version, folder, ...(dtype ? { dtype } : {}) });
}

/** A model that is kept while its files stay the same. */
class Kept<Model extends { dispose(): Promise<void> }> {
  #held: { key: string; loaded: Promise<Model>; failed: boolean } | null = null;

  async get(key: string, load: () => Promise<Model>): Promise<Model> {
    if (this.#held?.key !== key) {
      await this.letGo();
      const held = { key, loaded: load(), failed: false };
      held.loaded.catch(() => {
        held.failed = true;
      });
      this.#held = held;
    }
    return this.#held.loaded;
  }

  /** Lets go what could not be loaded, so that it is tried again: it may have been mended since. */
  async letGoFailed(): Promise<void> {
    if (this.#held?.failed) await this.letGo();
  }

  async letGo(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    const model = await held?.loaded.catch(() => null);
    await model?.dispose();
  }
}

/** What hears one chapter. */
export interface ChapterHearing {
  recogniseSpeech: RecogniseSpeech;
  speechNotes(): string[];
  /** Names of models that could not be loaded. */
  unloaded(): string[];
}

/** Keeps the speech models of a process: loaded when somebody first speaks, kept from chapter to chapter, let go when idle. */
export class SpeechShelf {
  #detector: Promise<VoiceDetector> | null = null;
  readonly #recogniser = new Kept<SpeechRecogniser>();
  readonly #embedder = new Kept<VoiceEmbedder>();
  #idle: NodeJS.Timeout | null = null;

  /** What hears a chapter's speech; null when nothing is to. Loads no model yet. */
  async hearing(
    task: Pick<PerceiveTask, 'speech' | 'voices' | 'workDir' | 'recordingId'>,
  ): Promise<ChapterHearing | null> {
    const model = task.speech;
    if (!model) return null;
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    await this.#recogniser.letGoFailed();
    let unloaded = false;
    const kept = new KeptSpeech(task.workDir, task.recordingId);
    const voices = task.voices ? await this.#teller(task.voices, kept) : null;
    const recogniseSpeech = createSpeechObserver(
      {
        detector: () => this.#detect(),
        recogniser: () =>
          this.#recogniser
            .get(model.folder, () => load(model))
            .catch((error: unknown) => {
              unloaded = true;
              throw error;
            }),
      },
      { kept, ...(voices ? { voices } : {}) },
    );
    return {
      recogniseSpeech,
      speechNotes: () => voices?.notes() ?? [],
      unloaded: () => (unloaded ? [model.name] : []),
    };
  }

  /** Tells that no chapter is being read. */
  rest(): void {
    if (this.#idle) return;
    this.#idle = setTimeout(() => {
      this.#idle = null;
      void this.#recogniser.letGo();
      void this.#embedder.letGo();
    }, IDLE_MS);
    this.#idle.unref();
  }

  async #teller(voices: { model: VoiceModel; used: string[] }, kept: KeptSpeech): Promise<VoiceTeller> {
    const { model, used } = voices;
    const table = new VoiceTable(model.sameVoice, used);
    for (const { voices: known } of await kept.all()) table.recall(known);
    return createVoiceTeller(() => this.#embedder.get(model.file, () => loadVoiceEmbedder(model)), table);
  }

  #detect(): Promise<VoiceDetector> {
    this.#detector ??= (async () => {
      let missing = '';
      const detector = await loadVoiceDetector({
        onMissing: (reason) => {
          missing = reason;
        },
      });
      if (!detector) throw new Error(missing);
      return detector;
    })();
    return this.#detector;
  }
}
