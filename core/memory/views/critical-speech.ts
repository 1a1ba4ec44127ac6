/** Lines of speech that decide something, by what they say (EM²Mem, generate_temporal_context_views.py: about twenty patterns). */
const CRITICAL: readonly RegExp[] = [
  // Proposals.
  /\b(?:let['’]?s|shall we|we could|we can|how about|what about|why don['’]?t|should we|i suggest|i propose)\b/iu,
  // Plans and intentions.
  /\b(?:i['’]?ll|we['’]?ll|i['’]?m going to|we['’]?re going to|gonna|plan(?:s|ned|ning)? to|intend|want(?:s|ed)? to|would like to)\b/iu,
  /\b(?:tomorrow|tonight|next (?:week|month|year|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|later (?:today|on))\b/iu,
  // Commitments and obligations.
  /\b(?:promise|i will|we will|have to|need to|must|don['’]?t forget|remember to|remind)\b/iu,
  // Where things come from and go.
  /\b(?:bought|ordered|borrowed|got (?:it|this|that|them) from|came from|belongs? to|lent)\b/iu,
  /\b(?:put (?:it|this|that|them)|left (?:it|this|that|them|my|the)|over there|is (?:in|on|under|behind|next to)|inside the)\b/iu,
  // Keeping and throwing away.
  /\b(?:keep|throw (?:it|this|that|them)? ?away|discard|get rid of|recycle|save (?:it|this|that|some))\b/iu,
  // What for.
  /\b(?:(?:it|this|that)['’]?s for|used? (?:it|this|that)? ?(?:to|for)|because|so that|in order to)\b/iu,
  // Naming.
  /\b(?:[Tt]his|[Tt]hat|[Hh]e|[Ss]he) is (?:my|our|your|the|\p{Lu})|\b(?:[Mm]y name is|(?:is|am|are|['’]m|['’]s) called)\b/u,
  // Numbers that are looked for later.
  /\b(?:password|code|room|gate|platform|number|address|price|costs?)\b.*\d/iu,
];
const LINE_MAX = 160;

/** Lines kept of one segment, of a 3-minute view and of coarser ones (released code). */
export const CRITICAL_MOST = { episode: 6, '3min': 10, coarser: 8 } as const;

/** Sentences of speech that match, with who said them when that is known; the first CRITICAL_MOST.episode. */
export function criticalLines(said: readonly { speaker: string | null; text: string }[]): string[] {
  const lines: string[] = [];
  for (const { speaker, text } of said) {
    for (const sentence of text.match(/[^.!?]+[.!?]*/gu) ?? []) {
      const line = sentence.trim();
      if (lines.length >= CRITICAL_MOST.episode) return lines;
      if (line.length < 8 || !CRITICAL.some((pattern) => pattern.test(line))) continue;
      const who = speaker === null ? '' : `${speaker}: `;
      lines.push(`${who}${line}`.slice(0, LINE_MAX));
    }
  }
  return lines;
}
