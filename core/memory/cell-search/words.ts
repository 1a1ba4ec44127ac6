import lemmatizer from 'wink-lemmatizer';

/** Words that say nothing of what is asked (sixty in the released code). */
const STOP = new Set(
  `a an the and or but if of to in on at by for with from as is are was were be been being am do does did done have has had
  i me my mine we us our you your he him his she her it its they them their this that these those what which who whom
  when where why how can could will would shall should may might must not no so than then there here about into over
  just also any some all ever last first time times many much often before after during while s t ll re ve d m`.split(
    /\s+/,
  ),
);
const WORD_MAX = 40;
const stems = new Map<string, string>();
const STEMS_KEPT = 100_000;

function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const noun = lemmatizer.noun(word);
  const stem = noun === word ? lemmatizer.verb(word) : noun;
  const kept = stem.length >= 2 ? stem : word;
  if (stems.size >= STEMS_KEPT) stems.clear();
  stems.set(word, kept);
  return kept;
}

/** Words of a text that tell something, in dictionary form and without accents, as often as they occur. */
export function tellingWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => word.length > 1 && word.length <= WORD_MAX && !STOP.has(word))
    .map(stemOf);
}

/** ov(q, d) = |q ∩ d| / |q| (EM²Mem, MemoryCell.py); 0 for a question without telling words. */
export function overlap(question: ReadonlySet<string>, words: ReadonlySet<string>): number {
  if (question.size === 0) return 0;
  let shared = 0;
  for (const word of question) if (words.has(word)) shared += 1;
  return shared / question.size;
}
