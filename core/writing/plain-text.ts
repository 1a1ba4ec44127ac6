/**
 * Speech, text in the picture and file names are other people's words. They are kept as they are, but as plain text:
 * nothing in them can end a quotation, hide or reorder text, or become markup.
 */

/** Characters of a name; nothing longer is one. */
const SPEAKER_LENGTH = 40;

/** One line of harmless text: no control, format or bidirectional characters, no angle brackets, single spaces. */
export function plainLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu, ' ')
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The rows of a text, each plain; empty ones are left out. */
export function plainRows(text: string): string[] {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/u)
    .map(plainLine)
    .filter((row) => row !== '');
}

/** Quotation marks around a plain line; those inside become single ones, so that the quotation ends where it ends. */
export function quote(line: string): string {
  return `“${line.replace(/[“”„‟"]/gu, "'")}”`;
}

/** Ends a sentence that ends in a quotation: one that brings its own full stop needs no second. */
export function closed(sentence: string): string {
  return /[.!?…]['’]?”$/u.test(sentence) ? sentence : `${sentence}.`;
}

/** A speaker's name as a subject: letters, digits and the marks names have; null when nothing is left. */
export function plainSpeaker(speaker: string | null): string | null {
  const name = plainLine(speaker ?? '')
    .replace(/[^\p{L}\p{M}\p{N} .'’-]/gu, '')
    .trim();
  return name === '' ? null : [...name].slice(0, SPEAKER_LENGTH).join('').trim();
}
