/** Does a piece of evidence hold the kind of answer that is wanted: a price, a time, a place, a name …? */
import { isWearer, type Unit } from './evidence.ts';
import type { Want } from './question.ts';

const NUMBER_WORD =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand';
const SPOKEN_PRICE = new RegExp(
  `\\b(?:${NUMBER_WORD})\\s+(?:euros?|dollars?|pounds?|cents?|pence|quid|zloty|francs?|crowns?|bucks)\\b`,
  'i',
);
const PRICE =
  /(?:[€$£¥]\s*\d|\d\s*(?:€|\$|£|zł|eur\b|usd\b|gbp\b|pln\b|chf\b|euros?\b|dollars?\b|pounds?\b|cents?\b|zloty)|(?<![\d.:])\d{1,6}[.,]\d{2}(?![\d.:]|\s*(?:am|pm|mg|kg|ml|g|l|km|m|%)\b))/i;
/** "in three weeks", "two days from now": a time told by how far off it is. */
const HENCE = `\\b(?:in|within)\\s+(?:an?|\\d+|${NUMBER_WORD})\\s+(?:minute|hour|day|week|month|year)s?\\b`;
const CLOCK = new RegExp(
  `${HENCE}|\\b\\d{1,2}:\\d{2}\\b|\\b\\d{1,2}\\s*(?:am|pm|o'clock)\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b|\\b(?:january|february|march|april|june|july|august|september|october|november|december)\\b|\\b\\d{1,2}(?:st|nd|rd|th)?\\s+(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\b|\\bmay\\s+\\d|\\d\\s+may\\b|\\b(?:noon|midnight|tomorrow|tonight|weekend)\\b|\\b(?:at|half\\s+past|quarter\\s+(?:to|past)|twenty\\s+(?:to|past)|ten\\s+(?:to|past))\\s+(?:${NUMBER_WORD})\\b|\\bnext\\s+(?:week|month|year)\\b|\\buntil\\b|\\b\\d{1,4}[-/.]\\d{1,2}[-/.]\\d{2,4}\\b|\\b\\d{1,2}/\\d{4}\\b`,
  'i',
);
const COLOUR =
  /\b(?:red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|silver|gold(?:en)?|beige|turquoise|cyan|magenta|maroon|navy|cream|transparent)\b/i;
const PLACE =
  /\b(?:in|into|inside|on|onto|at|under|below|above|beside|behind|near|by|between|outside|opposite|over|from|next\s+to|in\s+front\s+of|(?:left|right)\s+of)\s+(?:the|my|our|your|his|her|an?|this|that|level|row|room)\b|\b(?:street|road|avenue|square|level|floor|row|room|platform|gate|parking|station)\b/i;
/** "in Lyon", "on Elm Road", but no day: that is a time. */
const NAMED_PLACE =
  /\b(?:[Ii]n|[Oo]n|[Aa]t|[Nn]ear|[Ff]rom|[Oo]pposite|[Bb]ehind)\s+(?!(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May|June|July|August|September|October|November|December)\p{Lu}/u;
const DURATION = new RegExp(
  `\\b(?:\\d+|an?|half|${NUMBER_WORD})\\s+(?:and\\s+a\\s+half\\s+)?(?:sec(?:ond)?|min(?:ute)?|hour|h|day|week|month|year)s?\\b`,
  'i',
);
const FREQUENCY = new RegExp(
  `\\b(?:every|each|per|daily|weekly|hourly|once|twice)\\b|\\b(?:\\d+|${NUMBER_WORD})\\s+times\\b|\\ba\\s+(?:day|week|month)\\b`,
  'i',
);
const EMAIL = /\S+@\S+\.\S+/;
const NUMBER = new RegExp(`\\d|\\b(?:${NUMBER_WORD})\\b`, 'i');
/** A capital inside a sentence that is not the pronoun, a weekday or a month. */
const NAME =
  /(?<=[\p{Ll},;)’']\s)(?!(?:I|I'm|I've|I'll|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)\b)\p{Lu}\p{Ll}+/u;

/** "1. Login bug - Anna", "Driver: Tom": a name at the end of a line in view. */
const LISTED_NAME = /[-–:]\s*\p{Lu}\p{Ll}+(?:\s\p{Lu}\p{Ll}+)?\s*$/u;

/** The line of a bill that says what was paid. */
export const TOTAL_LINE = /\b(?:total|sum|amount|balance)\b/i;
/** Lines of a bill that sum up rather than name what was bought. */
export const SUM_LINE =
  /\b(?:total|sub-?total|sum|amount|due|balance|tax|vat|change|cash|card|paid|visa|mastercard)\b/i;

/** Wants that a piece of evidence either meets or does not; the others are only likely. */
export const FIRM_WANTS: ReadonlySet<Want> = new Set([
  'price',
  'sum',
  'clock',
  'duration',
  'frequency',
  'email',
  'colour',
  'bought',
]);

export function holdsPrice(text: string): boolean {
  return PRICE.test(text) || SPOKEN_PRICE.test(text);
}

/** True when the text of one line or unit holds what is wanted. */
export function lineHolds(line: string, want: Want): boolean {
  switch (want) {
    case 'price':
      return holdsPrice(line);
    case 'sum':
      return TOTAL_LINE.test(line) && holdsPrice(line);
    case 'clock':
      return CLOCK.test(line);
    case 'colour':
      return COLOUR.test(line);
    case 'place':
      return PLACE.test(line) || NAMED_PLACE.test(line);
    case 'duration':
      return DURATION.test(line);
    case 'frequency':
      return FREQUENCY.test(line);
    case 'email':
      return EMAIL.test(line);
    case 'number':
      return NUMBER.test(line);
    case 'name':
    case 'person':
      return NAME.test(line);
    case 'bought':
      return PRICE.test(line) && !SUM_LINE.test(line);
    case 'visible':
      return false;
  }
}

/** True when a unit holds what is wanted, in one of its lines or by what it is. */
export function unitHolds(unit: Unit, want: Want): boolean {
  if (want === 'visible') return unit.kind === 'visible';
  if (want === 'person' && unit.speaker)
    return !isWearer(unit.speaker) || unit.lines.some((line) => NAME.test(line));
  if (unit.kind === 'visible' && want === 'name') return true;
  if (unit.kind === 'visible' && want === 'person') return unit.lines.some((line) => LISTED_NAME.test(line));
  return unit.lines.some((line) => lineHolds(line, want));
}
