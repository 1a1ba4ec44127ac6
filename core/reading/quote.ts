/** What of a unit is quoted: the whole line of speech, but of a sign or a receipt only the lines that answer. */
import { joinLines, type Unit } from './evidence.ts';
import type { Question } from './question.ts';
import { holdsPrice, lineHolds, SUM_LINE, TOTAL_LINE } from './wants.ts';
import { formSet } from './words.ts';

const QUOTE_MAX = 260;
/** A surface with no more lines than this is quoted whole. */
const WHOLE_LINES = 3;
const MOST_LINES = 8;

function matching(question: Question, lines: readonly string[]): boolean[] {
  return lines.map((line) => {
    const forms = formSet(line);
    return question.terms.some((term) => [...term.matches].some((form) => forms.has(form)));
  });
}

function visibleLines(unit: Unit, question: Question): string[] {
  const { lines } = unit;
  const { wants } = question;
  const matches = matching(question, lines);
  if (wants.has('bought')) {
    const bought = lines.filter((line) => lineHolds(line, 'bought'));
    if (bought.length > 0) return bought;
  }
  if (wants.has('price')) {
    // "How much were the plasters?" has its own line; "how much did I pay?" is the sum; else every price.
    const priced = lines.filter((line) => holdsPrice(line));
    const own = lines.filter((line, n) => matches[n] && holdsPrice(line) && !SUM_LINE.test(line));
    const sums = priced.filter((line) => TOTAL_LINE.test(line));
    const best = own.length > 0 ? own : sums.length > 0 ? sums : priced;
    if (best.length > 0) return best;
  }
  if (lines.length <= WHOLE_LINES || wants.has('visible') || wants.has('name'))
    return lines.slice(0, MOST_LINES);
  const chosen = lines.filter((line, n) => matches[n] || [...wants].some((want) => lineHolds(line, want)));
  return (chosen.length > 0 ? chosen : lines).slice(0, MOST_LINES);
}

function shorten(text: string, question: Question): string {
  if (text.length <= QUOTE_MAX) return text;
  const words = text.split(' ');
  const hit = matching(question, words).indexOf(true);
  // Keep the part around the first matching word.
  let from = Math.max(0, hit - 12);
  let out = '';
  for (let n = from; n < words.length && out.length + words[n]!.length < QUOTE_MAX - 2; n++)
    out += `${n > from ? ' ' : ''}${words[n]}`;
  if (out === '') out = text.slice(0, QUOTE_MAX - 2);
  else if (from > 0) out = `… ${out}`;
  from += out.split(' ').length;
  return from < words.length || out.length < text.length ? `${out} …` : out;
}

/** The words to quote, at most QUOTE_MAX characters, from the unit and nothing else. */
export function quoteOf(unit: Unit, question: Question): string {
  const chosen = unit.kind === 'visible' ? new Set(visibleLines(unit, question)) : null;
  const text = chosen
    ? joinLines(
        unit.lines,
        unit.lines.map((line) => chosen.has(line)),
      )
    : unit.text;
  return shorten(text, question);
}
