import type { Recording } from '../contract/index.ts';
import { findBeside } from './beside.ts';
import { examine, type Footage, mapLimited } from './examine.ts';
import { readName } from './families/identify.ts';
import { stemOf } from './families/naming.ts';
import { kindOf } from './file-kind.ts';
import { findCounterpart, findJoin } from './late-chapters.ts';
import type { FileVerdict, ImportPlan, PlannedChapter, PlannedRecording } from './plan.ts';
import { looksLikeFootage } from './probe.ts';
import { type FoundFile, scan } from './scan.ts';
import {
  judgeProxy,
  judgeSecondLens,
  type Master,
  Masters,
  preferOriginal,
  tellOther,
  tellPoster,
  tellProblem,
  tellSubtitle,
} from './sidecars.ts';
import { cameraOffsets, placeChapters, readTakeGps, type TakeGps, takeClock } from './take-times.ts';
import { groupTakes, type Take } from './takes.ts';
import { requireZone } from './zone.ts';

/** Probing waits for the disk more than for the processor; more at once only makes a card reader seek. */
const AT_ONCE = 2;

/** The note of a take that lacks a chapter in the middle. */
export const MISSING_CHAPTER = 'A chapter of this take is missing; the gap is shown.';

export interface PlanOptions {
  /** Zone of the camera by the person's word; null finds it out. */
  zone: string | null;
  /** Added to every start time, ms. */
  shiftMs: number;
  computerZone: string;
  /** Chapters whose every episode is stored, by fingerprint. */
  knownChapters: ReadonlyMap<string, { recordingId: string; path: string }>;
  knownRecordings: readonly Recording[];
  signal?: AbortSignal;
  /** Called as files are looked at: how many of how many. */
  onScanned?: (done: number, total: number) => void;
  /** Epoch ms; now when left out. */
  nowMs?: number;
}

/**
 * Looks at everything that was dropped and decides what each file is: footage (grouped into recordings, on one clock),
 * something beside it, a duplicate, or unreadable with the reason. Reads originals only, writes nothing. Nothing a file
 * contains stops the rest.
 * @throws FootnoteError CANCELLED, FFMPEG_MISSING, BAD_REQUEST for an unknown zone
 */
export async function planImport(paths: readonly string[], options: PlanOptions): Promise<ImportPlan> {
  if (options.zone !== null) requireZone(options.zone);
  const dropped = await scan(paths, signalOf(options));
  const draft = new Draft(dropped, await findBeside(dropped, paths), options);
  await draft.sortFiles();
  draft.settleExtras();
  draft.settleDuplicates();
  await draft.settleSubtitles();
  return { recordings: await draft.recordings(), files: draft.verdicts() };
}

function signalOf(options: PlanOptions): { signal?: AbortSignal } {
  return options.signal ? { signal: options.signal } : {};
}

type Told = Pick<FileVerdict, 'outcome' | 'reason' | 'code' | 'notes'>;

/** A plan in the making: what is known of each file so far. */
class Draft {
  readonly #files: FoundFile[];
  /** Not dropped, but beside what was: used without being told about, where there is nothing to tell. */
  readonly #beside: ReadonlySet<string>;
  readonly #options: PlanOptions;
  readonly #told = new Map<string, Told>();
  readonly #subtitles: FoundFile[] = [];
  readonly #posters: FoundFile[] = [];
  readonly #extras: Footage[] = [];
  /** Files with footage of their own, that will become chapters. */
  #footage: Footage[] = [];
  readonly #masters: Master[] = [];
  #index = new Masters([]);
  /** By path of the original: the copy its picture is read from. */
  readonly #pictures = new Map<string, Footage>();
  /** Files beside what was dropped that a person should know about. */
  readonly #mustTell = new Set<string>();
  readonly #speech = new Map<string, string[]>();
  readonly #notes = new Map<string, string[]>();
  /** Path of a duplicate to the path of what is read for it. */
  readonly #readAs = new Map<string, string>();

  constructor(dropped: readonly FoundFile[], beside: readonly FoundFile[], options: PlanOptions) {
    this.#files = [...dropped, ...beside].sort((a, b) => (a.path < b.path ? -1 : 1));
    this.#beside = new Set(beside.map((file) => file.path));
    this.#options = options;
  }

  /** First look: by name and first bytes, then by asking what may be footage. */
  async sortFiles(): Promise<void> {
    const candidates: FoundFile[] = [];
    for (const file of this.#files) if (await this.#mayBeFootage(file)) candidates.push(file);
    let done = this.#files.length - candidates.length;
    this.#options.onScanned?.(done, this.#files.length);
    await mapLimited(candidates, AT_ONCE, async (file) => {
      await this.#ask(file);
      done += 1;
      this.#options.onScanned?.(done, this.#files.length);
    });
    // Answers came in any order; what depends on order must not.
    for (const list of [this.#footage, this.#extras, this.#masters]) {
      list.sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
    }
    this.#index = new Masters(this.#masters);
  }

  async #mayBeFootage(file: FoundFile): Promise<boolean> {
    if (file.problem) this.#told.set(file.path, tellProblem(file.problem, false));
    else if (file.isSystem)
      this.#told.set(file.path, tellOther('A file of the operating system, not of the camera.'));
    else {
      const kind = await kindOf(file.path, file.name);
      if (kind === 'subtitle') this.#subtitles.push(file);
      else if (kind === 'poster') this.#posters.push(file);
      else if (kind === 'photo') this.#told.set(file.path, tellOther('A photo, not footage.'));
      else if (kind === 'sound') this.#told.set(file.path, tellOther('A sound file, not footage.'));
      else if (kind === 'other') this.#told.set(file.path, tellOther('Not footage.'));
      else if (readName(file.name).role === 'spherical') this.#skipSpherical(file);
      else return true;
    }
    return false;
  }

  #skipSpherical(file: FoundFile): void {
    this.#masters.push({ file, named: readName(file.name), footage: null });
    this.#told.set(file.path, {
      outcome: 'skipped',
      reason:
        "A 360 recording: both lenses in one picture, which cannot be looked at as it is. Export it as a flat video with the camera maker's app and import that.",
      code: null,
      notes: [],
    });
  }

  async #ask(file: FoundFile): Promise<void> {
    const examined = await examine(file, signalOf(this.#options));
    const named = readName(file.name);
    if ('problem' in examined) {
      this.#told.set(file.path, tellProblem(examined.problem, looksLikeFootage(file.name)));
      if (named.role === 'footage') this.#masters.push({ file, named, footage: null });
      return;
    }
    const { footage } = examined;
    if (named.role === 'footage') {
      this.#footage.push(footage);
      this.#masters.push({ file, named, footage });
      this.#noteContent(footage);
    } else this.#extras.push(footage);
  }

  #noteContent(footage: Footage): void {
    if (footage.isCut) this.#note(footage, 'The file is cut short: only a first part of it can be read.');
    if (/\.insv$/i.test(footage.file.name))
      this.#note(footage, '360 camera: the front lens is read, as a flat view.');
    if (!footage.media.audio) this.#note(footage, 'No sound.');
  }

  #note(footage: Footage, note: string): void {
    this.#notes.set(footage.file.path, [...(this.#notes.get(footage.file.path) ?? []), note]);
  }

  /** Posters, low-resolution copies and second lenses find what they belong to. */
  settleExtras(): void {
    for (const file of this.#posters) this.#told.set(file.path, tellPoster(file, this.#index));
    for (const extra of this.#extras) {
      const counterpart = findCounterpart(extra, this.#options.knownRecordings);
      const judged =
        extra.named.role === 'second-lens'
          ? judgeSecondLens(extra, this.#index)
          : judgeProxy(extra, this.#index);
      if (judged.standsIn && counterpart && extra.named.role === 'proxy') {
        const reason = `The camera's low-resolution copy of a recording in the library, ${counterpart.recording.name}.`;
        this.#told.set(extra.file.path, { outcome: 'sidecar', reason, code: null, notes: [] });
      } else if (judged.standsIn) {
        this.#footage.push(extra);
        this.#noteContent(extra);
        if (judged.note) this.#note(extra, judged.note);
      } else if (judged.told) this.#told.set(extra.file.path, judged.told);
      if (judged.pictureOf && !this.#pictures.has(judged.pictureOf.file.path)) {
        this.#pictures.set(judged.pictureOf.file.path, extra);
      }
    }
  }

  /** Of files with the same content one is read; what the library already has whole is not read again. */
  settleDuplicates(): void {
    const kept = new Map<string, Footage>();
    for (const one of [...this.#footage].sort(preferOriginal)) {
      const first = kept.get(one.id);
      if (first) {
        this.#readAs.set(one.file.path, first.file.path);
        this.#tellDuplicate(
          one,
          `The same recording as ${first.file.name}, under another name or in another folder.`,
        );
        continue;
      }
      kept.set(one.id, one);
      const known = this.#options.knownChapters.get(one.id);
      const copy = known ? null : findCounterpart(one, this.#options.knownRecordings);
      if (known) this.#tellDuplicate(one, `Already in the library: every moment of it was imported before.`);
      else if (copy && one.named.role === 'footage') {
        kept.delete(one.id);
        this.#tellDuplicate(
          one,
          `Already in the library from the camera's low-resolution copy. Forget ${copy.recording.name} first to read this one.`,
        );
      }
    }
    this.#footage = [...kept.values()];
  }

  #tellDuplicate(footage: Footage, reason: string): void {
    this.#told.set(footage.file.path, { outcome: 'duplicate', reason, code: null, notes: [] });
  }

  /** Subtitle files give their speech to the recording they lie beside, or to the one read in its stead. */
  async settleSubtitles(): Promise<void> {
    for (const file of this.#subtitles) {
      const { told, speechOf } = await tellSubtitle(file, this.#index);
      this.#told.set(file.path, told);
      if (!speechOf) continue;
      if (speechOf.footage && this.#options.knownChapters.has(speechOf.footage.id)) {
        const reason = `Subtitles of ${speechOf.file.name}, which is in the library already. If it was imported without them, forget that recording and import it again to hear them.`;
        this.#told.set(file.path, { ...told, reason });
        this.#mustTell.add(file.path);
        continue;
      }
      const path = this.#readAs.get(speechOf.file.path) ?? speechOf.file.path;
      this.#speech.set(path, [...(this.#speech.get(path) ?? []), file.path]);
    }
  }

  async recordings(): Promise<PlannedRecording[]> {
    const takes: { take: Take; gps: TakeGps }[] = [];
    for (const take of groupTakes(this.#footage)) {
      const isNew = take.chapters.some((chapter) => !this.#options.knownChapters.has(chapter.id));
      if (isNew) takes.push({ take, gps: await readTakeGps(take, signalOf(this.#options)) });
    }
    const offsets = cameraOffsets(takes);
    const planned = takes.map(({ take, gps }) => this.#plan(take, gps, offsets));
    return planned.sort((a, b) => a.clock.startMs - b.clock.startMs || (a.name < b.name ? -1 : 1));
  }

  #plan(take: Take, gps: TakeGps, offsets: ReturnType<typeof cameraOffsets>): PlannedRecording {
    const { zone, shiftMs, computerZone, knownRecordings, knownChapters } = this.#options;
    const nowMs = this.#options.nowMs ?? Date.now();
    const own = takeClock(take, gps, offsets, { zone, shiftMs, computerZone, nowMs });
    const joins = findJoin(take, own.startMs, knownRecordings, knownChapters);
    const times = placeChapters(take, own, gps, shiftMs, joins);
    const chapters: PlannedChapter[] = [];
    for (const { id, number, startMs, gapBeforeMs } of times) {
      const footage = take.chapters.find((one) => one.id === id);
      if (footage && !knownChapters.has(id))
        chapters.push(this.#chapter(footage, number, startMs, gapBeforeMs));
    }
    const first = chapters[0]!;
    const beginsBefore = joins === null || first.number < joins.chapters[0]!.number;
    const lead = take.chapters[0]!;
    return {
      joins: joins?.id ?? null,
      takeKey: take.key,
      name: stemOf(lead.file.name),
      family: lead.family,
      camera: lead.camera ?? gps.device,
      clock: beginsBefore ? { ...own, startMs: first.startMs } : joins.clock,
      chapters,
      hasSound: take.chapters.some((one) => one.media.audio !== null),
      notes: this.#notesOf(take, joins, beginsBefore ? own.uncertain : false),
    };
  }

  #chapter(footage: Footage, number: number, startMs: number, gapBeforeMs: number): PlannedChapter {
    const { path, bytes } = footage.file;
    const proxy = this.#pictures.get(path);
    const durationMs = Math.round(footage.media.durationMs);
    if (proxy) this.#note(footage, "Its picture is read from the camera's low-resolution copy.");
    return {
      id: footage.id,
      number,
      path,
      proxyPath: proxy?.file.path ?? null,
      bytes,
      startMs: Math.round(startMs),
      durationMs,
      gapBeforeMs: Math.round(gapBeforeMs),
      media: footage.media,
      picture: proxy?.media ?? footage.media,
      subtitlePaths: this.#speech.get(path) ?? [],
    };
  }

  #notesOf(take: Take, joins: Recording | null, isUncertain: boolean): string[] {
    const notes = new Set<string>();
    const numbers = [
      ...new Set([
        ...(joins?.chapters ?? []).map((c) => c.number),
        ...take.chapters.map((c) => c.named.chapter),
      ]),
    ].sort((a, b) => a - b);
    if (numbers.some((number, i) => i > 0 && number !== numbers[i - 1]! + 1)) notes.add(MISSING_CHAPTER);
    if (take.chapters[0]!.named.family === 'gopro' && numbers[0]! > 1) {
      notes.add(`The beginning of this take is missing: its first file here is chapter ${numbers[0]}.`);
    }
    if (isUncertain) notes.add('When this was recorded is uncertain.');
    for (const chapter of take.chapters) {
      for (const note of this.#notes.get(chapter.file.path) ?? []) notes.add(note);
    }
    return [...notes];
  }

  /** One verdict for every file that was dropped or is read in another's place, in path order. */
  verdicts(): FileVerdict[] {
    const files = this.#files.filter(
      ({ path }) => !this.#beside.has(path) || !this.#told.has(path) || this.#mustTell.has(path),
    );
    return files.map((file) => {
      const told = this.#told.get(file.path);
      const notes = this.#notes.get(file.path) ?? [];
      const base = { path: file.path, name: file.name, bytes: file.bytes };
      if (told) return { ...base, ...told, notes: [...told.notes] };
      return { ...base, outcome: 'pending', reason: null, code: null, notes: [...notes] };
    });
  }
}
