/**
 * Times of day in a question: clock times ("at 8:15", "half past three", "noon") and parts of the day ("this morning",
 * "after lunch"). Everything is in minutes from local midnight; a value past 1440 lies in the next day, one below 0 in the
 * day before. What may be morning or afternoon ("at 3") comes as several candidates: the memory decides.
 */
export type Relation = 'at' | 'around' | 'before' | 'after' | 'since' | 'until';

/** Where words stand in the question. */
export interface Place {
  index: number;
  length: number;
}

export interface ClockWords extends Place {
  /** Candidates in order of likelihood, minutes from midnight. */
  minutes: number[];
  relation: Relation;
  /** How far around the time to look, minutes. */
  before: number;
  after: number;
  utc: boolean;
}

export interface DayPartWords extends Place {
  name: string;
  from: number;
  to: number;
  relation: 'at' | 'before' | 'after';
  /** "this morning" and "tonight" name today, "last night" the night that has just been. */
  anchor: 'today' | 'last-night' | null;
}

const HOUR = 60;
export const DAY_MINUTES = 24 * HOUR;
const NUMBER_WORDS = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const MINUTE_WORDS: Record<string, number> = {
  five: 5,
  ten: 10,
  quarter: 15,
  'a quarter': 15,
  twenty: 20,
  'twenty-five': 25,
  'twenty five': 25,
  half: 30,
};
const HOUR_WORD = `\\d{1,2}|${NUMBER_WORDS.join('|')}`;
const MERIDIEM = '(?:[ap]\\.?m\\b\\.?)';
const RELATION_WORDS =
  '(?:right\\s+|just\\s+|shortly\\s+)?(at|around|about|near|before|after|since|until|till|by|between|from|past)';

/** Hours people mean when they say a bare number: 7 to 11 as morning, 12 to 6 as afternoon. */
const FIRST_MORNING_HOUR = 7;
/** Half windows in minutes: a time to the minute, a full hour, noon and midnight; "around" makes the first two wider. */
const MINUTE_WINDOW = 5;
const HOUR_WINDOW = 15;
const AROUND_MINUTE = 15;
const AROUND_HOUR = 30;

/** Parts of the day: first and last minute. Meals count as 12-14 for lunch; before and after it split in its middle. */
const DAY_PARTS: { words: string; name: string; from: number; to: number }[] = [
  { words: 'early\\s+(?:in\\s+the\\s+)?morning', name: 'early morning', from: 5 * HOUR, to: 8 * HOUR },
  { words: 'late\\s+(?:in\\s+the\\s+)?morning', name: 'late morning', from: 10 * HOUR, to: 12 * HOUR },
  { words: 'morning', name: 'morning', from: 5 * HOUR, to: 12 * HOUR },
  { words: 'early\\s+(?:in\\s+the\\s+)?afternoon', name: 'early afternoon', from: 12 * HOUR, to: 15 * HOUR },
  { words: 'late\\s+(?:in\\s+the\\s+)?afternoon', name: 'late afternoon', from: 15 * HOUR, to: 18 * HOUR },
  { words: 'afternoon', name: 'afternoon', from: 12 * HOUR, to: 18 * HOUR },
  { words: 'evening', name: 'evening', from: 18 * HOUR, to: 22 * HOUR },
  { words: 'night', name: 'night', from: 22 * HOUR, to: 29 * HOUR },
  { words: 'breakfast(?:\\s*time)?', name: 'breakfast', from: 6 * HOUR, to: 10 * HOUR },
  { words: 'lunch(?:\\s*(?:time|break))?|noontime', name: 'lunch', from: 12 * HOUR, to: 14 * HOUR },
  { words: 'dinner(?:\\s*time)?|supper(?:\\s*time)?', name: 'dinner', from: 18 * HOUR, to: 21 * HOUR },
];
/** "Tuesday night" and "last night" begin with the evening. */
const NIGHT_AFTER_A_DAY = { from: 18 * HOUR, to: 29 * HOUR };
const NAMED_DAY_BEFORE =
  /(?:\b\w*day|\d(?:st|nd|rd|th)?|january|february|march|april|may|june|july|august|september|october|november|december),?\s*$/;
/** "after lunch" ends with the afternoon, "after breakfast" at noon, "after dinner" with the night. */
const AFTER_MEAL_END: Record<string, number> = { breakfast: 12 * HOUR, lunch: 18 * HOUR, dinner: 26 * HOUR };
const BEFORE_MEAL_START: Record<string, number> = { breakfast: 4 * HOUR, lunch: 5 * HOUR, dinner: 14 * HOUR };

function hourOf(word: string): number {
  const named = NUMBER_WORDS.indexOf(word);
  return named >= 0 ? named + 1 : Number(word);
}

/** Both readings of an hour on a twelve-hour clock, the waking one first; one reading when the text settles it. */
function readings(hour: number, minute: number, meridiem: string | undefined, twentyFour: boolean): number[] {
  const at = (h: number): number => h * HOUR + minute;
  if (meridiem?.startsWith('p')) return [at((hour % 12) + 12)];
  if (meridiem?.startsWith('a')) return [at(hour % 12)];
  if (twentyFour || hour > 12 || hour === 0) return [at(hour)];
  if (hour === 12) return [at(12), at(0)];
  return hour >= FIRST_MORNING_HOUR ? [at(hour), at(hour + 12)] : [at(hour + 12), at(hour)];
}

interface RawClock extends Place {
  minutes: number[];
  exact: boolean;
  wide: boolean;
  utc: boolean;
  relation: string | undefined;
}

const CLOCK_PATTERNS: { pattern: RegExp; read: (m: RegExpExecArray) => Partial<RawClock> | null }[] = [
  {
    // "at 08:17 UTC", "around 8.15 pm"
    pattern: new RegExp(
      `(?:\\b${RELATION_WORDS}\\s+)?(\\bthe\\s+)?\\b(\\d{1,2})([:.])(\\d{2})(?::\\d{2})?(?:\\s*(${MERIDIEM}))?(?:\\s*(utc|gmt|z)\\b)?(?![\\d.:]*\\d)`,
      'g',
    ),
    read: (m) => {
      const [, relation, article, hour, mark, minute, meridiem, utc] = m;
      // "the 18:42 train" names a thing, and "2.40" is as likely a price: a dot needs a preposition or am/pm.
      if (article && !meridiem && !utc) return null;
      if (mark === '.' && !meridiem && !['at', 'around'].includes(relation ?? '')) return null;
      if (Number(hour) > 23 || Number(minute) > 59) return null;
      return {
        minutes: readings(Number(hour), Number(minute), meridiem, hour!.startsWith('0')),
        exact: true,
        utc: utc !== undefined,
        relation,
      };
    },
  },
  {
    // "half past three", "a quarter to nine", "twenty to seven"
    pattern: new RegExp(
      `(?:\\b${RELATION_WORDS}\\s+)?\\b(half|a quarter|quarter|five|ten|twenty[- ]five|twenty|\\d{1,2})(?:\\s+minutes)?\\s+(past|to)\\s+(${HOUR_WORD})\\b(?:\\s*(${MERIDIEM}))?`,
      'g',
    ),
    read: (m) => {
      const [, relation, part, side, hourWord, meridiem] = m;
      const hour = hourOf(hourWord!);
      const minutes = MINUTE_WORDS[part!] ?? Number(part);
      if (!(hour <= 23) || !(minutes < 60) || (/^\d/.test(part!) && /^\d/.test(hourWord!))) return null;
      const shift = side === 'past' ? minutes : -minutes;
      return {
        minutes: readings(hour, 0, meridiem, false).map((minute) => minute + shift),
        exact: true,
        relation,
      };
    },
  },
  {
    // "at 3 pm", "eight o'clock"
    pattern: new RegExp(
      `(?:\\b${RELATION_WORDS}\\s+)?\\b(${HOUR_WORD})\\s*(${MERIDIEM}|o'clock\\b)(?:\\s*(${MERIDIEM}))?`,
      'g',
    ),
    read: (m) => {
      const [, relation, hourWord, mark, later] = m;
      const hour = hourOf(hourWord!);
      if (hour > 23) return null;
      const meridiem = mark!.startsWith('o') ? later : mark;
      return { minutes: readings(hour, 0, meridiem, false), exact: false, relation };
    },
  },
  {
    pattern: new RegExp(`(?:\\b${RELATION_WORDS}\\s+)?\\b(noon|midday|midnight)\\b`, 'g'),
    read: (m) => ({
      // Midnight is the start of a day or its end: "at midnight on Friday" is both.
      minutes: m[2] === 'midnight' ? [0, DAY_MINUTES] : [12 * HOUR],
      exact: false,
      wide: true,
      relation: m[1],
    }),
  },
  {
    // "at 3", "around eight": only after a preposition and with nothing countable behind
    pattern: new RegExp(
      `\\b${RELATION_WORDS}\\s+(${HOUR_WORD})(?=\\s*(?:$|[?,!;]|\\.\\s|\\.$|(?:on|in\\s+the|yesterday|today|this|last|and|to|until|till|at\\s+night|tomorrow|every)\\b))`,
      'g',
    ),
    read: (m) => {
      const hour = hourOf(m[2]!);
      return hour > 23
        ? null
        : { minutes: readings(hour, 0, undefined, false), exact: false, relation: m[1] };
    },
  },
];

function relationOf(word: string | undefined): Relation {
  if (word === 'around' || word === 'about' || word === 'near') return 'around';
  if (word === 'before' || word === 'after' || word === 'since') return word;
  if (word === 'past' || word === 'from') return word === 'past' ? 'after' : 'since';
  if (word === 'until' || word === 'till' || word === 'by') return 'until';
  return 'at';
}

/** The first clock time in `text` (lower case), with the preposition before it; null when there is none. */
export function findClock(text: string): ClockWords | null {
  for (const { pattern, read } of CLOCK_PATTERNS) {
    pattern.lastIndex = 0;
    for (let m = pattern.exec(text); m; m = pattern.exec(text)) {
      const raw = read(m);
      if (!raw?.minutes) continue;
      const relation = relationOf(raw.relation);
      const around = relation === 'around' || raw.wide;
      const half = around
        ? raw.exact
          ? AROUND_MINUTE
          : AROUND_HOUR
        : raw.exact
          ? MINUTE_WINDOW
          : HOUR_WINDOW;
      return {
        index: m.index,
        length: m[0].length,
        minutes: raw.minutes,
        relation,
        before: half,
        after: half,
        utc: raw.utc ?? false,
      };
    }
  }
  return null;
}

/** The first part of the day in `text` (lower case); null when there is none. "for lunch" counts as lunch time. */
export function findDayPart(text: string): DayPartWords | null {
  const night = /\b(?:late\s+)?(last\s+night|tonight)\b/.exec(text);
  if (night) {
    const anchor = night[1] === 'tonight' ? 'today' : 'last-night';
    return {
      index: night.index,
      length: night[0].length,
      name: 'night',
      ...NIGHT_AFTER_A_DAY,
      relation: 'at',
      anchor,
    };
  }
  let best: DayPartWords | null = null;
  for (const part of DAY_PARTS) {
    const pattern = new RegExp(
      `\\b(?:(right\\s+before|just\\s+before|before|right\\s+after|just\\s+after|after|during|over|at|for|in|on|through|throughout)\\s+)?(?:(this|the|that|my)\\s+)?(?:${part.words})\\b(?:\\s+of\\b)?`,
    );
    const m = pattern.exec(text);
    if (!m || (best && best.index <= m.index)) continue;
    const meal = part.name in AFTER_MEAL_END;
    // "the lunch menu": a meal without a preposition is a thing, not a time.
    if (meal && (m[1] === undefined || /^(?:in|on)$/.test(m[1]) || m[2] === 'the')) continue;
    // "who said good morning": a bare part of the day needs a day before it.
    if (m[1] === undefined && m[2] === undefined && !NAMED_DAY_BEFORE.test(text.slice(0, m.index))) continue;
    const relation = m[1]?.includes('before') ? 'before' : m[1]?.includes('after') ? 'after' : 'at';
    const middle = (part.from + part.to) / 2;
    const named = { index: m.index, length: m[0].length, name: part.name, relation } as const;
    const anchor = m[2] === 'this' ? 'today' : null;
    if (meal && relation === 'after')
      best = { ...named, from: middle, to: AFTER_MEAL_END[part.name]!, anchor };
    else if (meal && relation === 'before')
      best = { ...named, from: BEFORE_MEAL_START[part.name]!, to: middle, anchor };
    else if (relation === 'after') best = { ...named, from: part.to, to: DAY_MINUTES, anchor };
    else if (relation === 'before') best = { ...named, from: 0, to: part.from, anchor };
    else best = { ...named, from: part.from, to: part.to, anchor };
  }
  return best;
}

/** "Tuesday night" reaches from the evening on; a bare "at night" only the late hours. */
export function onNamedDay(part: DayPartWords): { from: number; to: number } {
  return part.name === 'night' && part.relation === 'at' ? NIGHT_AFTER_A_DAY : part;
}

/** Keeps the readings of a clock time that a part of the day allows ("at 8 in the evening"). */
export function within(minutes: number[], part: { from: number; to: number } | null): number[] {
  if (!part) return minutes;
  const inside = minutes.filter(
    (m) =>
      (m >= part.from - HOUR && m <= part.to + HOUR) ||
      (m + DAY_MINUTES >= part.from && m + DAY_MINUTES <= part.to),
  );
  return inside.length > 0 ? inside : minutes;
}
