import type { SpeechRecogniser } from '../../models/speech/speech-recogniser.ts';
import { loadVoiceDetector, type VoiceDetector } from '../../models/voice-activity/voice-detector.ts';
import { createSpeechObserver, type RecogniseSpeech } from './speech.ts';
import type { SpeechModel } from './task.ts';

/** A recogniser takes hundreds of MB: it is let go when no chapter has needed it for this long. */
const IDLE_MS = 60_000;

async function load({ name, folder, dtype }: SpeechModel): Promise<SpeechRecogniser> {
  // Brings a library of its own, which a process that never hears speech does without.
  const { loadSpeechRecogniser } = await import('../../models/speech/speech-recogniser.ts');
  return loadSpeechRecogniser({ name, folder, ...(dtype ? { dtype } : {}) });
}

/** Keeps the speech models of a process: loaded when somebody first speaks, kept from chapter to chapter, let go when idle. */
export class SpeechShelf {
  #detector: Promise<VoiceDetector> | null = null;
  #recogniser: { folder: string; loaded: Promise<SpeechRecogniser> } | null = null;
  #idle: NodeJS.Timeout | null = null;

  /** What hears a chapter's speech with this model. Loads nothing yet. */
  hearing(model: SpeechModel): RecogniseSpeech {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    return createSpeechObserver({
      detector: () => this.#detect(),
      recogniser: () => this.#recognise(model),
    });
  }

  /** Tells that no chapter is being read. */
  rest(): void {
    if (!this.#recogniser || this.#idle) return;
    this.#idle = setTimeout(() => {
      this.#idle = null;
      void this.#letGo();
    }, IDLE_MS);
    this.#idle.unref();
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

  async #recognise(model: SpeechModel): Promise<SpeechRecogniser> {
    if (this.#recogniser?.folder !== model.folder) {
      await this.#letGo();
      this.#recogniser = { folder: model.folder, loaded: load(model) };
    }
    return this.#recogniser.loaded;
  }

  async #letGo(): Promise<void> {
    const kept = this.#recogniser;
    this.#recogniser = null;
    const recogniser = await kept?.loaded.catch(() => null);
    await recogniser?.dispose();
  }
}
