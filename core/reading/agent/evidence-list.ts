/** Episodes as a model reads them: numbered, timed, marked as quoted material that can neither instruct nor forge. */
import { DateTime } from 'luxon';
import { type Episode, speakerWords } from '../../contract/index.ts';
import { tokensOf } from './chat.ts';

/** Least words kept of an episode when a list must be shortened, characters. */
const LEAST_CHARS = 160;

/** Numbers episodes in the order they are first shown; the numbers are what an answer may cite. */
export class EvidenceList {
  readonly #episodes: Episode[] = [];
  readonly #numbers = new Map<string, number>();

  /** The number of an episode, given at its first mention. */
  number(episode: Episode): number {
    const known = this.#numbers.get(episode.id);
    if (known !== undefined) return known;
    this.#episodes.push(episode);
    this.#numbers.set(episode.id, this.#episodes.length);
    return this.#episodes.length;
  }

  /** The episode of a number, or null when none was shown under it. */
  episode(number: number): Episode | null {
    return this.#episodes[number - 1] ?? null;
  }

  get shown(): readonly Episode[] {
    return this.#episodes;
  }

  /** True when the episode was listed before, so that its words need not be sent again. */
  has(episode: Episode): boolean {
    return this.#numbers.has(episode.id);
  }
}

/**
 * Text that was seen or heard, made harmless: no line of it can pass for a turn of the conversation, a footnote number or a
 * model's control token. Its words stay readable.
 */
export function harmless(text: string): string {
  return text
    .replace(/<\|?[^<>]{0,40}\|?>/g, ' ')
    .replace(/\[\s*(?:E\s*)?\d+\s*\]/gi, (mark) => `(${mark.slice(1, -1).trim()})`)
    .replace(/\b(TOOL|ANSWER|EVIDENCE)\s*:/gi, '$1 -')
    .replace(/\s+/g, ' ')
    .trim();
}

export interface ListOptions {
  /** Instant that counts as 0 on the numeric time axis, epoch ms. */
  originMs: number;
  /** Most tokens for the whole list. */
  tokens: number;
}

/**
 * Writes episodes in time order, each `[E3] 2026-05-02 Saturday 14:05:00-14:05:30 (86400-86430): words`. When they do not fit,
 * every one is cut at the same length; those that still do not fit are left out from the end and counted.
 */
export function listEpisodes(
  episodes: readonly Episode[],
  list: EvidenceList,
  { originMs, tokens }: ListOptions,
): string {
  const sorted = [...episodes].sort((a, b) => a.startMs - b.startMs || a.id.localeCompare(b.id));
  const lines = sorted.map((episode) => {
    const again = list.has(episode);
    const start = DateTime.fromMillis(episode.startMs, { zone: episode.zone });
    const end = DateTime.fromMillis(episode.endMs, { zone: episode.zone });
    const seconds = (ms: number) => Math.round((ms - originMs) / 1000);
    const head = `[E${list.number(episode)}] ${start.toFormat('yyyy-MM-dd cccc HH:mm:ss')}-${end.toFormat('HH:mm:ss')} (${seconds(episode.startMs)}-${seconds(episode.endMs)}):`;
    return { head, body: again ? '(shown above)' : harmless(wordsFor(episode)) };
  });
  const heads = lines.reduce((sum, { head }) => sum + tokensOf(head) + 2, 0);
  const room = Math.max(0, tokens - heads);
  const longest =
    lines.length === 0
      ? 0
      : evenLength(
          lines.map(({ body }) => body.length),
          room * 3,
        );
  const kept: string[] = [];
  let used = 0;
  for (const { head, body } of lines) {
    const text = `${head} ${cutAt(body, Math.max(LEAST_CHARS, longest))}`;
    used += tokensOf(text) + 1;
    if (used > tokens && kept.length > 0) break;
    kept.push(text);
  }
  const left = lines.length - kept.length;
  return left > 0 ? `${kept.join('\n')}\n(${left} more did not fit; narrow the time)` : kept.join('\n');
}

/** The paragraph; what was said and read word for word where the paragraph does not hold it. */
function wordsFor(episode: Episode): string {
  const { transcript, visibleText } = episode.record;
  const more = [
    ...transcript.map((line) => `${speakerWords(line) ?? 'someone'} said: "${line.text}"`),
    ...visibleText.map(({ text }) => `visible text: "${text}"`),
  ].filter((_, n) => {
    const words = n < transcript.length ? transcript[n]!.text : visibleText[n - transcript.length]!.text;
    return !episode.text.includes(words);
  });
  return [episode.text, ...more].join(' ');
}

/** The longest length at which texts of these lengths, each cut there, need no more than `room` characters. */
function evenLength(lengths: readonly number[], room: number): number {
  const sorted = [...lengths].sort((a, b) => a - b);
  let left = room;
  for (const [n, length] of sorted.entries()) {
    const share = left / (sorted.length - n);
    if (length > share) return Math.floor(share);
    left -= length;
  }
  return sorted.at(-1) ?? 0;
}

function cutAt(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length - 1);
  return `${text.slice(0, space > 0 ? space : length)} …`;
}
