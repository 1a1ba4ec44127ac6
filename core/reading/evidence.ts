/**
 * Evidence units: the pieces of an episode that can be quoted, each with the instant it belongs to. Speech, text in the
 * picture, claims and sentences of the paragraph; whatever the paragraph merely repeats is left to its source.
 */
import { type ClaimSource, type Episode, type SpeechLine, speakerName } from '../contract/index.ts';
import { fold, formSet } from './words.ts';

export type UnitKind = 'speech' | 'visible' | 'claim' | 'sentence';

export interface Unit {
  episode: Episode;
  kind: UnitKind;
  /** The words themselves; for text in the picture its lines, in order. */
  lines: string[];
  text: string;
  /** Name of whoever speaks; null for other evidence and for voices without a name. */
  speaker: string | null;
  /** Letter of the voice, where voices were told apart. */
  voice?: string;
  startMs: number;
  endMs: number;
  forms: Set<string>;
  /** Where a claim was measured; null for other kinds. */
  source: ClaimSource | null;
  /** 0..1 as measured; sentences of the paragraph have the writer's word only. */
  confidence: number;
}

/**
 * Lines seen at the same time are one surface (a sign, a receipt) when the shared time is this much of the longer span: a
 * heading read in fewer frames still belongs, a receipt held up before a sign that stays does not.
 */
const SAME_SURFACE_SHARE = 0.5;
const PARAGRAPH_CONFIDENCE = 0.5;

const WEARER = /^(?:i|me|myself|wearer|camera wearer|you|self)$/i;
/** True for the words that stand for whoever wore the camera. */
export const isWearer = (speaker: string): boolean => WEARER.test(speaker);

const collapse = (text: string): string => text.replace(/\s+/g, ' ').trim();
const bare = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Subtitles break a sentence where the line is full: what goes on this soon is still the same one. */
const SAME_SENTENCE_MS = 1_000;
const SENTENCE_MAX = 240;
const ENDS_SENTENCE = /[.!?…]["”’)]?$/;

/** Lines of speech with the sentences put together again that run over several. */
function spokenSentences(episode: Episode): SpeechLine[] {
  const sentences: SpeechLine[] = [];
  for (const line of episode.record.transcript) {
    if (!/[\p{L}\p{N}]/u.test(line.text)) continue;
    const text = collapse(line.text);
    const open = sentences.at(-1);
    const goesOn =
      open !== undefined &&
      !ENDS_SENTENCE.test(open.text) &&
      line.startMs - open.endMs <= SAME_SENTENCE_MS &&
      (line.speaker === null || line.speaker === open.speaker) &&
      open.text.length + text.length < SENTENCE_MAX;
    if (goesOn) {
      open.text = `${open.text} ${text}`;
      open.endMs = line.endMs;
      open.confidence = Math.min(open.confidence, line.confidence);
    } else sentences.push({ ...line, text });
  }
  return sentences;
}

function speechUnits(episode: Episode): Unit[] {
  return spokenSentences(episode).map((line) => ({
    episode,
    kind: 'speech',
    lines: [line.text],
    text: line.text,
    speaker: speakerName(line),
    ...(line.voice === undefined ? {} : { voice: line.voice }),
    startMs: line.startMs,
    endMs: line.endMs,
    forms: formSet(line.text),
    source: null,
    confidence: line.confidence,
  }));
}

/**
 * Joins lines of one surface; a title broken over lines reads as one, columns and figures are kept apart.
 * @param chosen which lines to take; what lies between lines that are not neighbours is marked
 */
export function joinLines(
  lines: readonly string[],
  chosen: readonly boolean[] = lines.map(() => true),
): string {
  let joined = '';
  const words = (text: string): boolean => /^[\p{L}\s'’.&-]+$/u.test(text);
  for (const [n, line] of lines.entries()) {
    if (!chosen[n]) continue;
    if (joined !== '') joined += chosen[n - 1] ? (words(line) && words(lines[n - 1]!) ? ' ' : ' · ') : ' … ';
    joined += collapse(line);
  }
  return joined;
}

function visibleUnits(episode: Episode): Unit[] {
  const surfaces: { lines: string[]; startMs: number; endMs: number; confidence: number }[] = [];
  for (const seen of episode.record.visibleText) {
    // A writer may keep the rows of one surface as lines of one text.
    const rows = seen.text
      .split('\n')
      .map(collapse)
      .filter((row) => /[\p{L}\p{N}]/u.test(row));
    if (rows.length === 0) continue;
    const length = Math.max(1, seen.lastMs - seen.firstMs);
    const same = surfaces.find((surface) => {
      const overlap = Math.min(seen.lastMs, surface.endMs) - Math.max(seen.firstMs, surface.startMs);
      const longer = Math.max(length, surface.endMs - surface.startMs);
      return overlap >= 0 && Math.max(1, overlap) / longer >= SAME_SURFACE_SHARE;
    });
    if (same) {
      same.lines.push(...rows);
      same.startMs = Math.min(same.startMs, seen.firstMs);
      same.endMs = Math.max(same.endMs, seen.lastMs);
      same.confidence = Math.max(same.confidence, seen.confidence);
    } else {
      surfaces.push({
        lines: rows,
        startMs: seen.firstMs,
        endMs: seen.lastMs,
        confidence: seen.confidence,
      });
    }
  }
  return surfaces.map((surface) => ({
    episode,
    kind: 'visible',
    ...surface,
    text: joinLines(surface.lines),
    speaker: null,
    forms: formSet(surface.lines.join('\n')),
    source: null,
  }));
}

/** Sources whose claims only repeat the transcript and the visible text. */
const REPEATED = new Set(['speech-sidecar', 'speech-embedded', 'speech-recognised', 'visible-text']);

function claimUnits(episode: Episode): Unit[] {
  const units: Unit[] = [];
  const { record } = episode;
  for (const [n, claim] of record.claims.entries()) {
    if (REPEATED.has(claim.source) && record.transcript.length + record.visibleText.length > 0) continue;
    // A claim lasts until the next one that has an instant.
    const next = record.claims
      .slice(n + 1)
      .find((other) => other.atMs !== null && other.atMs > (claim.atMs ?? Number.POSITIVE_INFINITY));
    units.push({
      episode,
      kind: 'claim',
      lines: [collapse(claim.text)],
      text: collapse(claim.text),
      speaker: null,
      startMs: claim.atMs ?? episode.startMs,
      endMs: claim.atMs === null ? episode.endMs : (next?.atMs ?? episode.endMs),
      forms: formSet(claim.text),
      source: claim.source,
      confidence: claim.confidence,
    });
  }
  return units;
}

/** Sentences of a paragraph; a full stop inside a number, a time or an abbreviation does not end one. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…]["”’)]?)\s+(?=["“(]?[\p{Lu}\p{N}])/u)
    .map(collapse)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function sentenceUnits(episode: Episode, others: readonly Unit[]): Unit[] {
  // A writer without eyes has nothing to say beyond its claims.
  if (
    episode.record.claims.length > 0 &&
    !episode.record.claims.some(({ source }) => source === 'vision-model')
  )
    return [];
  const claims = episode.record.claims.map((claim) => bare(claim.text));
  const quoted = others.flatMap((unit) => [...unit.lines, `${unit.speaker ?? ''} ${unit.text}`].map(bare));
  const said = [...quoted, ...claims].filter((line) => line.length > 2);
  const units: Unit[] = [];
  for (const sentence of sentencesOf(episode.text)) {
    const folded = ` ${bare(sentence)} `;
    if (said.some((line) => folded.includes(` ${line} `) || line.includes(folded.trim()))) continue;
    units.push({
      episode,
      kind: 'sentence',
      lines: [sentence],
      text: sentence,
      speaker: null,
      startMs: episode.startMs,
      endMs: episode.endMs,
      forms: formSet(sentence),
      source: null,
      confidence: PARAGRAPH_CONFIDENCE,
    });
  }
  return units;
}

/** Everything of an episode that can be quoted, by instant. */
export function unitsOf(episode: Episode): Unit[] {
  const measured = [...speechUnits(episode), ...visibleUnits(episode), ...claimUnits(episode)];
  const all = [...measured, ...sentenceUnits(episode, measured)];
  // Date, file name and the like are quoted only where there is nothing else.
  const telling = all.filter((unit) => unit.source !== 'container');
  return (telling.length > 0 ? telling : all).sort((a, b) => a.startMs - b.startMs);
}

/** All words of an episode, its record's labels included: what surrounds a unit. */
export function episodeForms(episode: Episode, units: readonly Unit[]): Set<string> {
  const { record } = episode;
  const forms = formSet(
    [
      record.caption,
      ...record.actions,
      ...record.objects,
      ...record.topics,
      ...record.scenes,
      ...record.entities,
    ].join('\n'),
  );
  for (const unit of units) {
    for (const form of unit.forms) forms.add(form);
    if (unit.speaker) for (const form of formSet(unit.speaker)) forms.add(form);
  }
  for (const form of formSet(episode.text)) forms.add(form);
  return forms;
}
