/** Reading files of a set: whatever is wrong is said with the file and the line. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DateTime } from 'luxon';
import type { z } from 'zod';
import { FootnoteError } from '../../contract/index.ts';

/** A record of a set and where it stands, for errors ("questions.jsonl, line 12"). */
export interface Row {
  value: unknown;
  where: string;
}

/** @throws FootnoteError FILE_MISSING, FILE_UNREADABLE */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new FootnoteError(
      missing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      missing
        ? `There is no file ${path.basename(file)} where it was looked for.`
        : `${path.basename(file)} cannot be read.`,
      { file },
      { cause: error },
    );
  }
}

export const malformed = (where: string, what: string): FootnoteError =>
  new FootnoteError('BAD_REQUEST', `${where}: ${what}.`, { where });

/** Rows of a file with one JSON object a line; empty lines are passed over. @throws FootnoteError BAD_REQUEST with the line */
export function readJsonLines(file: string): Row[] {
  const rows: Row[] = [];
  for (const [n, line] of readText(file).split('\n').entries()) {
    if (line.trim() === '') continue;
    const where = `${path.basename(file)}, line ${n + 1}`;
    try {
      rows.push({ value: JSON.parse(line), where });
    } catch {
      throw malformed(where, 'this is not JSON');
    }
  }
  return rows;
}

/** A file that is one JSON value. @throws FootnoteError BAD_REQUEST */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file));
  } catch (error) {
    if (error instanceof FootnoteError) throw error;
    throw malformed(path.basename(file), 'this is not JSON');
  }
}

/** Records of a JSON array, of JSON lines, whichever the file is. */
export function readRecords(file: string): Row[] {
  if (/\.(jsonl|ndjson)$/i.test(file)) return readJsonLines(file);
  const value = readJson(file);
  if (!Array.isArray(value)) throw malformed(path.basename(file), 'a list of records was expected');
  return value.map((one, n) => ({ value: one as unknown, where: `${path.basename(file)}, record ${n + 1}` }));
}

/** The row as a schema has it. @throws FootnoteError BAD_REQUEST that names the field */
export function shaped<T>(schema: z.ZodType<T>, row: Row): T {
  const parsed = schema.safeParse(row.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join('.');
  throw malformed(row.where, `${field ? `"${field}": ` : ''}${issue?.message ?? 'not understood'}`);
}

/** An instant in ISO 8601 as epoch ms; without a zone it is UTC. @throws FootnoteError BAD_REQUEST */
export function instant(text: string, where: string): number {
  const at = DateTime.fromISO(text, { zone: 'UTC' });
  if (!at.isValid) throw malformed(where, `"${text.slice(0, 40)}" is not a time`);
  return at.toMillis();
}

/** An option as a place in the list: its letter, its number from 0, or its text. -1 when it is none. */
export function optionIndex(value: string | number, choices: readonly string[]): number {
  if (typeof value === 'number') return value;
  const exact = choices.indexOf(value);
  if (exact >= 0) return exact;
  const letter = /^\s*\(?([A-Za-z])\)?\.?\s*$/.exec(value)?.[1];
  return letter ? letter.toUpperCase().charCodeAt(0) - 65 : -1;
}

/** Right options from whatever a set writes: a number, a letter, "A, C", a list. @throws FootnoteError BAD_REQUEST */
export function correctOptions(
  value: string | number | readonly (string | number)[],
  choices: readonly string[],
  where: string,
): number[] {
  const whole = typeof value === 'string' ? optionIndex(value, choices) : -1;
  const parts =
    typeof value === 'number'
      ? [value]
      : typeof value !== 'string'
        ? value
        : whole >= 0
          ? [whole]
          : /^[A-Z]+$/.test(value.trim())
            ? [...value.trim()]
            : value.split(/[,;]\s*/);
  const found = [...new Set(parts.map((part) => optionIndex(part, choices)))].sort((a, b) => a - b);
  if (found.length === 0 || found.some((n) => !Number.isInteger(n) || n < 0 || n >= choices.length))
    throw malformed(where, 'the right answer is none of the options');
  return found;
}
