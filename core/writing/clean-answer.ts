import { plainLine } from './plain-text.ts';

/** Sentences of one answer that are kept; a model that runs on repeats itself. */
const MOST_SENTENCES = 24;

/** What models put around an answer. */
const LEAD =
  /^(?:(?:assistant|entry|diary entry|answer|paragraph)\s*:|(?:sure|certainly|of course)[,.!:]|here(?:'s| is)[^.:]{0,60}:)\s*/iu;
/** Words that show that a sentence is a guess. */
const GUESS =
  /\b(?:probably|perhaps|maybe|presumably|possibly|likely|might be|may be|could be|must be|suggest(?:s|ing)?|impl(?:y|ies|ying)|appears? to|seems? to|seemingly|as if)\b/iu;
/** What speaks of the making of the text and not of what happened. */
const ABOUT_ITSELF =
  /\b(?:as an ai|language model|i (?:can(?:no|')t|am unable to) (?:see|view|help|assist|access|determine)|quoted (?:data|material)|\[\[|\]\])/iu;

const SHOWING = '(?:shows?|depicts?|captures?|displays?|features?)';
const PICTURE = '(?:image|picture|photo|photograph|video|frame|clip|scene|footage)s?';

/** The third person that a verb of the wearer is in, as the first. */
function firstPerson(verb: string): string {
  const fixed: Record<string, string> = { is: 'am', was: 'was', has: 'have', does: 'do', goes: 'go' };
  if (fixed[verb]) return fixed[verb];
  if (/(?:ch|sh|ss|x|zz)es$/u.test(verb)) return verb.slice(0, -2);
  if (/[^aeiou]ies$/u.test(verb)) return `${verb.slice(0, -3)}y`;
  return /[^s]s$/u.test(verb) ? verb.slice(0, -1) : verb;
}

function asMine(sentence: string): string {
  return (
    sentence
      .replace(
        new RegExp(`^(?:in )?the (?:first |second |third |last |next |final )?${PICTURE} ${SHOWING} `, 'iu'),
        'I see ',
      )
      .replace(new RegExp(`^in the (?:first |second |third |last |next |final )?${PICTURE},? `, 'iu'), '')
      .replace(/\bthe (?:camera )?wearer['’]s\b/giu, 'my')
      .replace(/\bthe (?:camera )?wearer (\p{Ll}+)\b/giu, (_, verb: string) => `I ${firstPerson(verb)}`)
      .replace(/\bthe (?:camera )?wearer\b/giu, 'me')
      // Double quotation marks stand around what was measured word for word, and nowhere else.
      .replace(/[“”„‟"«»]/gu, "'")
      .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  );
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * A model's answer as sentences of a first-person paragraph: without markup, headings, marks of its own, guesses, talk of
 * pictures, repetitions and a broken last sentence.
 * @param complete false when the answer was cut
 * @returns the sentences in order; empty when nothing usable was said
 */
export function cleanAnswer(answer: string, complete: boolean): string[] {
  const spoken = answer
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/giu, ' ')
    .replace(/<[^<>\n]{1,60}>/gu, ' ')
    .replace(/```[a-z]*\n?/giu, ' ')
    .replace(/^\s*(?:#{1,6}\s.*|[-*•]\s+|\d+[.)]\s+)/gmu, (found) => (found.includes('#') ? ' ' : ''))
    .replace(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/gu, '');
  let text = plainLine(spoken);
  // Asked for prose: a record of fields is none.
  if (/^[{[]/u.test(text)) return [];
  for (let lead = LEAD.exec(text); lead; lead = LEAD.exec(text)) text = text.slice(lead[0].length);
  const kept = new Map<string, string>();
  for (const { segment } of sentences.segment(text)) {
    const sentence = segment.trim();
    const ends = /[.!?…]["'”’)]*$/u.test(sentence);
    if (!/\p{L}{2}/u.test(sentence) || (!ends && !complete)) continue;
    if (GUESS.test(sentence) || ABOUT_ITSELF.test(sentence)) continue;
    const mine = asMine(ends ? sentence : `${sentence}.`);
    const key = mine.toLowerCase();
    if (!kept.has(key)) kept.set(key, mine);
    if (kept.size === MOST_SENTENCES) break;
  }
  return [...kept.values()];
}
