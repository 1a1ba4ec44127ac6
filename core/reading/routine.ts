/** "When do I usually have breakfast?", "what do I normally do in the morning?": habits, read off what happened. Pure. */

const USUALLY =
  /\b(?:usually|normally|typically|generally|mostly|habitually|as\s+a\s+rule|on\s+(?:an?\s+)?(?:normal|typical|usual)\s+(?:day|morning|evening|week))\b[\s,]*/i;
const EVERY_PART = /\bmy\s+(morning|evening|daily|afternoon|usual)\s+routine\b/i;

export interface Routine {
  /** `clock`: at what time; `rate`: on how many days; `acts`: what is done again and again. */
  kind: 'clock' | 'rate' | 'acts';
  /** The question of what happened: without the habit, in the past. */
  question: string;
}

/** @returns null when no habit is asked about */
export function readRoutine(text: string): Routine | null {
  const part = EVERY_PART.exec(text)?.[1]?.toLowerCase();
  if (part) {
    const when = part === 'daily' || part === 'usual' ? '' : ` in the ${part}`;
    return { kind: 'acts', question: `What did I do${when}?` };
  }
  if (!USUALLY.test(text)) return null;
  const past = text
    .replace(USUALLY, '')
    .replace(/\b(do|does)\s+(i|we)\b/i, 'did $2')
    .replace(/\bam\s+i\b/i, 'was I')
    .replace(/\s+/g, ' ')
    .trim();
  if (/^(?:at\s+)?(?:when|what\s+time)\b/i.test(past)) return { kind: 'clock', question: past };
  if (/^how\s+(?:often|many\s+times)\b/i.test(past)) return { kind: 'rate', question: past };
  if (/^what\s+did\s+(?:i|we)\s+do\b/i.test(past)) return { kind: 'acts', question: past };
  return null;
}
