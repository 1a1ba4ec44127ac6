/** EgoLife's clock: "DAY1", "11094208" is 11:09:42 and frame 8 of 20 a second. Dates are nominal: DAY1 is 1 January 2024, UTC. */
import { malformed } from './read.ts';

/** Frames a second of EgoLife's time codes. Some annotations carry 20 and more: the rest runs on into the next second. */
const FRAMES = 20;
const DAY_MS = 86_400_000;
const DAY_ONE_MS = Date.UTC(2024, 0, 1);

/** Start of a day such as "DAY3", epoch ms. @throws FootnoteError BAD_REQUEST */
export function dayMs(day: string, where: string): number {
  const n = /^\s*DAY\s*(\d{1,4})\s*$/i.exec(day)?.[1];
  if (n === undefined || Number(n) < 1) throw malformed(where, `"${day.slice(0, 20)}" is not a day`);
  return DAY_ONE_MS + (Number(n) - 1) * DAY_MS;
}

/** Time of day of HHMMSSFF (or HHMMSS), ms. @throws FootnoteError BAD_REQUEST */
export function timeOfDayMs(code: string, where: string): number {
  const m = /^(\d{2})(\d{2})(\d{2})(\d{2})?$/.exec(code.trim().padStart(8, '0'));
  const [h, min, s, f] = [1, 2, 3, 4].map((n) => Number(m?.[n] ?? 0)) as [number, number, number, number];
  if (!m || h > 23 || min > 59 || s > 59)
    throw malformed(where, `"${code.slice(0, 20)}" is not a time of the form HHMMSSFF`);
  return ((h * 60 + min) * 60 + s) * 1000 + (f * 1000) / FRAMES;
}

/** "DAY5_A3_TASHA_12143000": day, wearer, time. @throws FootnoteError BAD_REQUEST */
export function clipStart(id: string, where: string): { wearer: string; startMs: number } {
  const m = /^(DAY\d+)_(A\d+_[A-Z]+)_(\d{8})$/i.exec(id);
  if (!m) throw malformed(where, `"${id.slice(0, 40)}" is not the name of a clip`);
  return { wearer: m[2]!, startMs: dayMs(m[1]!, where) + timeOfDayMs(m[3]!, where) };
}

/** Later of "a-b", or the one given: a query's time. */
export function laterOf(code: string): string {
  return code.split('-').at(-1)!.trim();
}

export interface TargetTime {
  date: string | readonly string[];
  time?: string | readonly string[] | null | undefined;
  time_list?: string | readonly string[] | null | undefined;
}

interface Span {
  startMs: number;
  endMs: number;
}

/** One code, "a-b", or the joined "HHMMSSFFDAYn_HHMMSSFF". */
function spansOf(code: string, day: string, joined: 'range' | 'instants', where: string): Span[] {
  const at = (date: string, time: string): number => dayMs(date, where) + timeOfDayMs(time, where);
  const join = /^(\d{6,8})\s*(DAY\s*\d+)\s*_\s*(\d{6,8})$/i.exec(code.trim());
  const range = /^(\d{6,8})\s*-\s*(\d{6,8})$/.exec(code.trim());
  if (!join && !range) {
    const ms = at(day, code);
    return [{ startMs: ms, endMs: ms }];
  }
  const startMs = at(day, (join?.[1] ?? range?.[1])!);
  const endMs = join ? at(join[2]!, join[3]!) : at(day, range![2]!);
  if (endMs < startMs) throw malformed(where, 'the target ends before it starts');
  if (join && joined === 'instants')
    return [
      { startMs, endMs: startMs },
      { startMs: endMs, endMs },
    ];
  return [{ startMs, endMs }];
}

/**
 * Gold times of an EgoLifeQA row. A single `time` is an instant; the joined form HHMMSSFFDAYn_HHMMSSFF is one range (EM²Mem's
 * code) or two instants (others' reading); each of a `time_list` counts.
 * @throws FootnoteError BAD_REQUEST
 */
export function targetSpans(target: TargetTime, joined: 'range' | 'instants', where: string): Span[] {
  const list = target.time_list ?? target.time ?? [];
  const codes = Array.isArray(list) ? (list as readonly string[]) : [list as string];
  const dates = Array.isArray(target.date) ? (target.date as readonly string[]) : [target.date as string];
  return codes
    .filter((code) => code.trim() !== '')
    .flatMap((code, n) => {
      const own = /^\s*(DAY\s*\d+)[\s_]+(.*)$/i.exec(code);
      return own
        ? spansOf(own[2]!, own[1]!, joined, where)
        : spansOf(code, dates[n] ?? dates[0]!, joined, where);
    });
}
