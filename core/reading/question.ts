/** What kind of answer a question wants. Pure: words in, plan input out. */

import { hasContent, isDayName, required, type Term, termsOf } from './terms.ts';
import { type AskedWhen, readTimeWords, type TimeWords } from './time-words.ts';
import { fold } from './words.ts';

export type QuestionKind =
  | 'where'
  | 'when'
  | 'who'
  | 'said'
  | 'read'
  | 'count'
  | 'duration'
  | 'list'
  | 'after'
  | 'before'
  | 'ever'
  | 'what';

/** What the words that answer should hold. */
export type Want =
  | 'place'
  | 'sum'
  | 'clock'
  | 'duration'
  | 'frequency'
  | 'person'
  | 'price'
  | 'number'
  | 'name'
  | 'colour'
  | 'email'
  | 'visible'
  | 'bought';

export interface Question {
  text: string;
  kind: QuestionKind;
  wants: ReadonlySet<Want>;
  terms: Term[];
  /** For after/before: the event the answer is next to. */
  anchor: Term[];
  /** First or last of all that match; null when every one counts. */
  order: 'first' | 'last' | null;
  /** Asks about times a thing came into view ("the last three times you saw it", "the next time you saw it before now"). */
  occasions: boolean;
  /** How many occasions from that end; 1 unless the question says "the last three times". */
  howMany: number;
  /** Who is asked about in "what did … say", folded; null for anyone. "i" is the wearer. */
  speaker: string | null;
  /** True when the asker's own doing is asked about ("where did I put …"). */
  mine: boolean;
  /** "is", "does", "will", "must": asks what holds, not what was. */
  present: boolean;
  time: TimeWords;
  /** What to give search_memory. */
  search: string;
}

const LAST =
  /\b(?:the\s+)?(?:very\s+)?last\s+time\b|\b(?:did|have|has|was|were|had)\s+(?:i|we|you|he|she|they|it|[\w']+)\s+last\b|\bmost\s+recent(?:ly)?\b|\blatest\b|\bwas\s+last\b|\blast\s+(?=(?:see|saw|seen|use|used|put|leave|left|have|had|meet|met|wear|wore|visit|visited|eat|ate|buy|bought|talk|talked|speak|spoke|call|called)\b)/;
const FIRST =
  /\b(?:the\s+)?(?:very\s+)?first\s+time\b|\b(?:did|have|has|was|were|had)\s+(?:i|we|you|he|she|they|it|[\w']+)\s+first\b|\bearliest\b|\bwas\s+(?:\w+\s+){0,3}first\b/;
const FIRST_THING = /\b(?:the\s+)?(?:very\s+)?first\s+thing\b/;
const LAST_THING = /\b(?:the\s+)?(?:very\s+)?last\s+thing\b/;
const NOW = /\b(?:right\s+now|now|currently|at\s+the\s+moment|these\s+days)\b/;
/** The first auxiliary settles the tense: "where is", "by when must" against "when did", "where have … been". */
const FIRST_AUXILIARY =
  /\b(?:(did|was|were|had|has|have|been)|(is|are|am|does|do|will|shall|must|should|may|can|what's|where's|who's|when's))\b/;
/** How many occasions back: "the last three times", "the time before that". */
const LAST_TIMES = /\b(?:last|past)\s+(two|three|four|five|\d)\s+times\b/;
const TIME_BEFORE =
  /\bthe\s+time\s+before\s+(?:that|last)\b|\b(?:previous|second\s+last|second-last)\s+time\b/;
/** Talk about occasions, none of it content: "thinking about the last three times you saw the …, … the second time". */
const OCCASION_TALK =
  /\b(?:thinking\s+(?:about|of)|between|of|from\s+the\s+earliest\s+to\s+the\s+latest\s+of|before|earlier,?)\s+(?=the\s+last\b|(?:i|you|we)\s)|\bthe\s+(?:(?:last|past)\s+(?:\w+\s+)?times?|(?:first|second|third|next)\s+time|time\s+before\s+(?:that|last))\b|\bbefore\s+now\b/g;
const NEXT_TIME = /\bnext\s+time\b.*\bbefore\s+now\b/;
const MINE = /\b(?:did|do|have|had|was|were|am|must|should|shall|can|will)\s+i\b/;
const LIST =
  /^(?:what|how)\s+(?:happened|was\s+(?:going\s+on|happening)|was\s+my\s+day|have\s+i\s+(?:been\s+)?(?:done|doing|do|up\s+to)|did\s+(?:i|we)\s+(?:do|get\s+up\s+to)|was\s+i\s+(?:doing|up\s+to)|were\s+we\s+doing)\b|\b(?:list|summari[sz]e|recap|go\s+through|walk\s+me\s+through|run\s+through|describe|give\s+me\s+a\s+summary\s+of)\b|\bmy\s+(?:whole\s+)?day\b/;
const COUNT = /\bhow\s+(?:many\s+(?:\w+\s+)?times|often|frequently)\b|\bnumber\s+of\s+times\b/;
/** "How often do I have to …" asks for a rule; "how often did I …" for what happened. */
const DUTY = /\b(?:have\s+to|has\s+to|need\s+to|needs\s+to|must|should|shall|supposed\s+to|told\s+to)\b/;
const DURATION = /\b(?:for\s+)?how\s+long\b|\bhow\s+much\s+time\b|\bhow\s+many\s+(?:minutes|hours|seconds)\b/;
const WHEN =
  /^(?:at\s+|on\s+|in\s+|by\s+|until\s+|since\s+)?(?:when|what\s+time|which\s+day|what\s+day|what\s+date|which\s+date|what\s+time\s+of\s+day)\b/;
const WHERE =
  /^(?:and\s+)?(?:from\s+|to\s+)?where\b|^in\s+(?:which|what)\s+(?:places?|rooms?)\b|^(?:which|what)\s+places?\b/;
const WHO = /^(?:with\s+|to\s+|from\s+|by\s+)?who(?:m|se)?\b|^(?:which|what)\s+(?:person|people)\b/;
const SAID =
  /^what\s+(?:did|does|has|have)\s+(.+?)\s+(?:say|said|tell|told|mention|ask|suggest|promise|talk|answer|reply|explain|announce|recommend)\b|^what\s+(?:was|were)\s+(?:said|discussed|mentioned|talked)\b|^what\s+(?:were\s+we|was\s+i|did\s+we)\s+(?:talk|talking|discuss|discussing|speak|speaking)\b/;
const SURFACE =
  '(?:sign|board|label|screen|note|poster|whiteboard|blackboard|book|page|receipt|letter|display|menu|ticket|mail|message|card|plate|banner|newspaper|text)s?';
const READ = new RegExp(
  `\\bwhat\\s+(?:did|does|do|was|is|were)\\s+(?:.*\\s)?${SURFACE}\\b.*\\b(?:say|read|show)\\b|\\bwhat\\s+(?:did|have|had)\\s+i\\s+read\\b|\\bwhat\\s+(?:was|is|were)\\s+(?:written|printed)\\b|\\bwhat\\s+(?:was|is|were)\\s+on\\s+the\\s+(?:\\w+\\s+)?${SURFACE}\\b|\\b(?:which|what)\\s+(?:text|words|sign)\\b`,
);
const YES_NO = /^(?:did|have|has|had|was|were|is|are|do|does|am|will|can)\b/;
const NEXT_TO =
  /^(.*?)[\s,]*\b(?:right\s+|just\s+|immediately\s+|shortly\s+|straight\s+)?(after|before)\s+(?:doing\s+)?(?:this:|this\b)?(.+)$/;
const NEXT_TO_FIRST =
  /^(?:right\s+|just\s+|immediately\s+)?(after|before)\s+(.+?),\s*((?:what|who|where|when|which)\b.+)$/;
const WANTS: [Want, RegExp][] = [
  [
    'price',
    /\bhow\s+much\b(?!\s+(?:time|longer|later|further)\b)|\b(?:price|costs?|total|bill|spend|spent|fee|rent)\b/,
  ],
  ['sum', /\b(?:pay|paid|spend|spent|total|bill)\b|\bcost\s+(?:me|us)\b|\bdid\b.*\bcost\b/],
  [
    'clock',
    /\b(?:when|what\s+time)\b.*\b(?:is|are|does|do|must|will|shall|should|may|can)\b|\b(?:by|until|till|since)\s+when\b|\b(?:which|what)\s+(?:day|date)\b|\bhow\s+(?:late|early)\b|\b(?:opening|business)\s+hours\b|\bdeadline\b/,
  ],
  [
    'name',
    /\b(?:called|named|title)\b|\bname\s+of\b|'s\s+name\b|\bwho\s+(?:wrote|made|painted|directed|published)\b|\bauthor\b|\b(?:which|what)\s+(?:cafe|shop|store|restaurant|book|film|movie|song|company|brand|hotel|bar|pub)\b/,
  ],
  [
    'number',
    /\bhow\s+many\b|\b(?:number|strength|size|dose|code|pin|version|score)\b|\b(?:which|what)\s+(?:platform|room|gate|level|floor|row|space|bus|tram|track|seat|page)\b/,
  ],
  ['duration', /\bhow\s+(?:long|late)\b|\bhow\s+many\s+(?:minutes|hours|days|weeks|months)\b/],
  ['frequency', /\bhow\s+(?:often|frequently|many\s+times)\b/],
  ['colour', /\bcolou?r\b/],
  ['email', /\be-?mail(?:\s+address)?\b/],
  [
    'place',
    /\bwhere\b|\b(?:which|what)\s+(?:places?|street|road|room|city|town|country|building)\b|\baddress\b/,
  ],
  ['person', /\bwho(?:m|se)?\b/],
  ['bought', /\b(?:buy|bought|purchase|purchased)\b/],
];

function speakerOf(match: RegExpExecArray | null): string | null {
  const subject = match?.[1]?.trim();
  if (subject === undefined || subject === '') return null;
  const bare = fold(subject).replace(/^(?:the|my|our)\s+/, '');
  return /^(?:we|they|people|anyone|anybody|someone|somebody|everyone)$/.test(bare) ? null : bare;
}

function kindOf(lower: string, terms: Term[], present: boolean, hasTime: boolean): QuestionKind {
  const rule = asksRule(lower, present);
  if (COUNT.test(lower)) return rule ? 'what' : 'count';
  if (DURATION.test(lower)) return present ? 'what' : 'duration';
  if (FIRST_THING.test(lower) || LAST_THING.test(lower)) return 'list';
  if (LIST.test(lower) && !(hasContent(terms) && !hasTime)) return 'list';
  if (READ.test(lower)) return 'read';
  if (SAID.test(lower)) return 'said';
  if (WHEN.test(lower)) return present ? 'what' : 'when';
  if (WHERE.test(lower)) return 'where';
  if (WHO.test(lower)) return 'who';
  if (YES_NO.test(lower)) return 'ever';
  return 'what';
}

/** True when a habit or duty is asked about, which words tell, and not how often something was. */
const asksRule = (lower: string, present: boolean): boolean => present && DUTY.test(lower);

/** The last or first one is meant when it is said, or when the question asks where something is now. */
function orderOf(lower: string, kind: QuestionKind, present: boolean): Question['order'] {
  if (FIRST.test(lower) || FIRST_THING.test(lower)) return 'first';
  if (LAST_TIMES.test(lower) || TIME_BEFORE.test(lower) || NEXT_TIME.test(lower)) return 'last';
  if (LAST.test(lower) || LAST_THING.test(lower)) return 'last';
  return kind === 'where' && (present || NOW.test(lower)) ? 'last' : null;
}

function howManyOf(lower: string): number {
  const times = LAST_TIMES.exec(lower)?.[1];
  if (times)
    return ['', '', 'two', 'three', 'four', 'five'].indexOf(times) > 0
      ? ['', '', 'two', 'three', 'four', 'five'].indexOf(times)
      : Number(times);
  return TIME_BEFORE.test(lower) ? 2 : 1;
}

/**
 * Reads a question as asked at an instant in a zone.
 * @throws FootnoteError BAD_REQUEST when the instant or the zone is not valid
 */
export function readQuestion(text: string, asked: AskedWhen): Question {
  const time = readTimeWords(text, asked);
  return understand(text, time.rest, time);
}

/** The same question with its date among the words to look for: "what is due on 28 March?" */
export function withDateAsWords(question: Question): Question {
  const whole = understand(question.text, question.text, { ...question.time, readings: [] });
  // Without its day the answer would be about another one.
  const terms = whole.terms.map((term): Term => (isDayName(term.text) ? required(term) : term));
  return { ...whole, terms };
}

function understand(text: string, rest: string, time: TimeWords): Question {
  const lower = fold(rest).replace(
    /^(?:please|tell me|can you tell me|do you know|remind me|so|and|hey)[\s,]+/,
    '',
  );
  const occasions = LAST_TIMES.test(lower) || TIME_BEFORE.test(lower) || NEXT_TIME.test(lower);
  const present = FIRST_AUXILIARY.exec(lower)?.[2] !== undefined;
  const act =
    (COUNT.test(lower) && !asksRule(lower, present)) ||
    ((DURATION.test(lower) || WHEN.test(lower)) && !present) ||
    YES_NO.test(lower);
  const firstClause = occasions ? null : NEXT_TO_FIRST.exec(lower);
  const lastClause = firstClause || occasions ? null : NEXT_TO.exec(lower);
  const side = (firstClause?.[1] ?? lastClause?.[2]) as 'after' | 'before' | undefined;
  const [head, anchorText] = firstClause
    ? [pick(rest, firstClause[3]!), pick(rest, firstClause[2]!)]
    : lastClause
      ? [pick(rest, lastClause[1]!), pick(rest, lastClause[3]!)]
      : [rest, ''];
  const anchor = side ? termsOf(anchorText, true) : [];
  const nextTo = side !== undefined && hasContent(anchor);
  const main = (nextTo ? head : rest).replace(
    new RegExp(`${LAST.source}|${FIRST.source}|${NOW.source}`, 'gi'),
    (m) =>
      m.replace(
        /\b(?:last|first|time|the|most|recently|recent|right|now|currently|latest|earliest)\b/gi,
        ' ',
      ),
  );
  const terms = termsOf(occasions ? main.replace(new RegExp(OCCASION_TALK.source, 'gi'), ' ') : main, act);
  const said = SAID.exec(lower);
  const kind = nextTo ? side : kindOf(lower, terms, present, time.words !== null);
  const speaker = kind === 'said' ? speakerOf(said) : null;
  const about = speaker ? terms.filter((term) => !speaker.split(/\s+/).includes(term.forms[0] ?? '')) : terms;
  // In "what did the sign at the lift say", only the lift tells which one.
  const telling = about.filter((term) => term.kind !== 'light' && term.kind !== 'type');
  const topic = (kind === 'said' || kind === 'read') && hasContent(telling) ? telling : about;
  const wants = new Set(WANTS.filter(([, pattern]) => pattern.test(lower)).map(([want]) => want));
  if (kind === 'when') wants.delete('clock');
  if (kind === 'count') wants.delete('frequency');
  if (kind === 'duration') wants.delete('duration');
  if (kind === 'read') wants.add('visible');
  const words = [...topic, ...anchor].filter((term) => term.kind !== 'particle').map((term) => term.text);
  return {
    text,
    kind,
    wants,
    terms: topic,
    anchor: nextTo ? anchor : [],
    order: orderOf(lower, kind, present),
    occasions,
    howMany: howManyOf(lower),
    speaker,
    mine: MINE.test(lower),
    present,
    time,
    search: words.length > 0 ? words.join(' ') : rest || text,
  };
}

/** The piece of the original (with its capitals) that a folded piece came from. */
function pick(original: string, folded: string): string {
  const at = fold(original).indexOf(folded);
  return at >= 0 && fold(original).length === original.length
    ? original.slice(at, at + folded.length)
    : folded;
}
