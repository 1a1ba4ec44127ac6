import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomic } from '../../models/durable-file.ts';
import type { SpeechLine } from '../contract/index.ts';
import type { HeardVoice } from './voices.ts';

/** Ending of the files; they lie in the import's work folder and are gone when the recording has been imported. */
export const KEPT_SPEECH = '.speech.json';

/** What was heard in one segment. */
export interface HeardSegment {
  recordingId: string;
  /** Epoch ms of the segment's sound. */
  startMs: number;
  lines: SpeechLine[];
  /** Empty where no voices were told apart. */
  voices: HeardVoice[];
}

/**
 * What an import has heard so far, a file a segment: recognising speech is the dearest part of an import, so a segment that was
 * heard is never heard again, whatever ended the process after it. The voices in it let an import that goes on find the same letters.
 */
export class KeptSpeech {
  readonly #dir: string;
  readonly #recordingId: string;

  constructor(dir: string, recordingId: string) {
    this.#dir = dir;
    this.#recordingId = recordingId;
  }

  /** Null when this segment was not heard yet. */
  async read(episodeId: string): Promise<HeardSegment | null> {
    const text = await readFile(join(this.#dir, episodeId + KEPT_SPEECH), 'utf8').catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      },
    );
    // Written atomically: what is there is whole.
    return text === null ? null : (JSON.parse(text) as HeardSegment);
  }

  async keep(episodeId: string, heard: Omit<HeardSegment, 'recordingId'>): Promise<void> {
    const whole: HeardSegment = { recordingId: this.#recordingId, ...heard };
    await writeAtomic(join(this.#dir, episodeId + KEPT_SPEECH), JSON.stringify(whole));
  }

  /** Everything heard of the recording so far, in time order. */
  async all(): Promise<HeardSegment[]> {
    return (await this.#files()).map(({ heard }) => heard).sort((a, b) => a.startMs - b.startMs);
  }

  /** Removes everything heard of the recording: its voices are nobody's business any longer. */
  async drop(): Promise<void> {
    for (const { name } of await this.#files()) await rm(join(this.#dir, name), { force: true });
  }

  async #files(): Promise<{ name: string; heard: HeardSegment }[]> {
    const found: { name: string; heard: HeardSegment }[] = [];
    const names = await readdir(this.#dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    for (const name of names.sort()) {
      if (!name.endsWith(KEPT_SPEECH)) continue;
      const heard = (await this.read(name.slice(0, -KEPT_SPEECH.length)))!;
      if (heard.recordingId === this.#recordingId) found.push({ name, heard });
    }
    return found;
  }
}
