/** Words and sentences as the rule-made parts of baselines use them. */
import { isStopWord, wordsOf } from '../../reading/words.ts';

/** Dictionary forms of a text's content words, each once, in order. */
export function contentWords(text: string): string[] {
  const forms = new Set<string>();
  // The last form is the dictionary's where there is one.
  for (const word of wordsOf(text)) if (!isStopWord(word)) forms.add(word.forms.at(-1) ?? word.folded);
  return [...forms];
}

/** Sentences of a text; a line is one at least. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}
