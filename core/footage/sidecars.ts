import type { FootnoteError } from '../contract/errors.ts';
import { type Footage, roughTime } from './examine.ts';
import { readName } from './families/identify.ts';
import type { FileVerdict } from './plan.ts';
import { keysBeside, reasonAgainstProxy } from './proxies.ts';
import type { FoundFile } from './scan.ts';
import { isSubtitleOf, type SubtitleKind, subtitleKind } from './subtitles.ts';

/** A recording among the dropped files, readable or not: what files beside it can belong to. */
export interface Master {
  file: FoundFile;
  named: Footage['named'];
  /** Null when it cannot be read. */
  footage: Footage | null;
}

type Told = Pick<FileVerdict, 'outcome' | 'reason' | 'code' | 'notes'>;

/** Where each recording is found by the files beside it. */
export class Masters {
  readonly #byKey = new Map<string, Master>();
  readonly #byFolder = new Map<string, Master[]>();

  constructor(masters: readonly Master[]) {
    for (const master of masters) {
      for (const key of keysBeside(master.file, master)) {
        if (!this.#byKey.has(key)) this.#byKey.set(key, master);
      }
      const { folder } = master.file;
      this.#byFolder.set(folder, [...(this.#byFolder.get(folder) ?? []), master]);
    }
  }

  /** The recording a proxy, poster or second lens belongs to; null when it is not beside it. */
  find(file: FoundFile, named: Footage['named']): Master | null {
    for (const key of keysBeside(file, { named }).reverse()) {
      const master = this.#byKey.get(key);
      if (master && master.file.path !== file.path) return master;
    }
    return null;
  }

  /** The recording a subtitle file belongs to: of all whose name it begins with, the longest. */
  ofSubtitle(file: FoundFile): Master | null {
    const candidates = (this.#byFolder.get(file.folder) ?? []).filter((master) =>
      isSubtitleOf(file.name, master.file.name),
    );
    candidates.sort((a, b) => b.file.name.length - a.file.name.length);
    return candidates[0] ?? null;
  }
}

/** What a still of the camera's menu is told as. */
export function tellPoster(file: FoundFile, masters: Masters): Told {
  const master = masters.find(file, readName(file.name));
  const of = master ? `the small still of ${master.file.name}` : 'a small still made by the camera';
  return { outcome: 'sidecar', reason: `This is ${of}.`, code: null, notes: [] };
}

/**
 * What a subtitle file is told as, and the speech it gives its recording.
 * @returns the recording it gives speech to, or null
 */
export async function tellSubtitle(
  file: FoundFile,
  masters: Masters,
): Promise<{ told: Told; speechOf: Master | null }> {
  const master = masters.ofSubtitle(file);
  const kind = await subtitleKind(file.path);
  if (!master) {
    const reason =
      kind === 'telemetry' ? 'A flight log without its video.' : 'Subtitles without their video.';
    return { told: { outcome: 'skipped', reason, code: null, notes: [] }, speechOf: null };
  }
  const { name } = master.file;
  const reasons: Record<SubtitleKind, string> = {
    speech: `Subtitles of ${name}.`,
    telemetry: `The flight log of ${name}; it holds no speech.`,
    'too-large': `Beside ${name}, but far too large for subtitles; not read.`,
    unreadable: `Beside ${name}, but it cannot be read.`,
  };
  const told: Told = { outcome: 'sidecar', reason: reasons[kind], code: null, notes: [] };
  return { told, speechOf: kind === 'speech' ? master : null };
}

/** What a camera's extra footage becomes. */
export interface ExtraFootage {
  told: Told | null;
  /** True when it is imported itself, because what it copies is not there to be read. */
  standsIn: boolean;
  /** The recording whose picture is read from it. */
  pictureOf: Master | null;
  note: string | null;
}

/** Decides about a low-resolution copy. */
export function judgeProxy(proxy: Footage, masters: Masters): ExtraFootage {
  const master = masters.find(proxy.file, proxy.named);
  if (master?.named.role === 'spherical') {
    const reason = `The camera's low-resolution copy of the 360 recording ${master.file.name}.`;
    return settled(reason, null);
  }
  if (!master) {
    return standIn(
      "Only the camera's low-resolution copy was found, so it was read; the original shows more.",
    );
  }
  const { name } = master.file;
  if (!master.footage) {
    return standIn(`${name} cannot be read, so the camera's low-resolution copy was read instead.`);
  }
  const against = reasonAgainstProxy(master.footage, proxy);
  if (against === null) {
    return settled(`The camera's low-resolution copy of ${name}, whose picture is read from it.`, master);
  }
  return settled(`The camera's low-resolution copy of ${name}; not used: ${against}.`, null);
}

/** Decides about the rear lens of a 360 camera: part of the front lens' recording when that is there. */
export function judgeSecondLens(lens: Footage, masters: Masters): ExtraFootage {
  const master = masters.find(lens.file, lens.named);
  if (master) return settled(`The rear lens of ${master.file.name}, of which the front lens is read.`, null);
  return standIn('360 camera: only the rear lens was found, read as a flat view.');
}

function settled(reason: string, pictureOf: Master | null): ExtraFootage {
  return {
    told: { outcome: 'sidecar', reason, code: null, notes: [] },
    standsIn: false,
    pictureOf,
    note: null,
  };
}

function standIn(note: string): ExtraFootage {
  return { told: null, standsIn: true, pictureOf: null, note };
}

/** Of files with the same content, the one that is read: a camera's own name before a copy's, then the older path. */
export function preferOriginal(a: Footage, b: Footage): number {
  const rank = (one: Footage) =>
    (/(\(\d+\)|copy|~\d)\.[^.]+$|^copy of /i.test(one.file.name) ? 2 : 0) +
    (one.named.family === 'other' ? 1 : 0);
  return rank(a) - rank(b) || roughTime(a) - roughTime(b) || (a.file.path < b.file.path ? -1 : 1);
}

/** What a problem found while asking a file is told as. */
export function tellProblem(problem: FootnoteError, promisedFootage: boolean): Told {
  const isOther =
    problem.code === 'FILE_NO_PICTURE' || (problem.code === 'FILE_NOT_FOOTAGE' && !promisedFootage);
  return {
    outcome: isOther ? 'skipped' : 'unreadable',
    reason: problem.message,
    code: problem.code,
    notes: [],
  };
}

/** What a file that cannot hold footage is told as. */
export function tellOther(what: string): Told {
  return { outcome: 'skipped', reason: what, code: 'FILE_NOT_FOOTAGE', notes: [] };
}
