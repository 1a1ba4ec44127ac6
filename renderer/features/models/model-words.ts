import type { Model } from '../../../core/contract/models.ts';
import { bytes } from '../../format/amount.ts';
import { strings } from '../../strings.ts';

const MB = 1e6;
/** More than this share of a computer's memory leaves too little for the rest of it. */
const TIGHT = 0.5;

/** "734.6 MB", "about 490 MB". */
export function sizeWords({ bytes: size, exact }: Pick<Model, 'bytes' | 'exact'>, locale: string): string {
  return size === 0 ? strings.models.sizeUnknown : strings.models.size(bytes(size, locale), exact);
}

/** An amount of memory given in MB. */
export function memoryWords(megabytes: number, locale: string): string {
  return bytes(megabytes * MB, locale);
}

/** Why a model may be too much for this computer; null when it is not. */
export function tightMemory(memoryMb: number, computerMemoryMb: number, locale: string): string | null {
  if (memoryMb <= computerMemoryMb * TIGHT) return null;
  return strings.models.tight(memoryWords(memoryMb, locale), memoryWords(computerMemoryMb, locale));
}

/** "English", "many languages"; null where language does not matter. */
export function languageWords(codes: readonly string[], locale: string): string | null {
  if (codes.length === 0) return null;
  if (codes.includes('mul')) return strings.models.manyLanguages;
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(
    codes.map((code) => names.of(code) ?? code),
  );
}
