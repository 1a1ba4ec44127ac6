/**
 * Text that goes into a prompt, with nothing in it that the tokenizer would take for one of the model's own marks: a
 * picture's place, the end of a turn. Such marks are written in angle brackets, which become ‹ ›; those that are not
 * are broken by a space.
 * @param marks the tokenizer's special tokens
 */
export function plainForPrompt(text: string, marks: readonly string[]): string {
  let plain = text.replace(/[<＜﹤]/gu, '‹').replace(/[>＞﹥]/gu, '›');
  for (const mark of marks) {
    const [first] = mark;
    if (first === undefined || mark.length < 2) continue;
    plain = plain.replaceAll(mark, `${first} ${mark.slice(first.length)}`);
  }
  return plain;
}
