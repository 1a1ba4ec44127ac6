import { endingOf, type NameInfo, stemOf, withoutCopyMark } from './naming.ts';

/** DJI names: "DJI_0001", or with the local start time "DJI_20240518093012_0001_D". Every file is a take of its own. */
const PLAIN = /^DJI_(\d{4})(?:_[A-Z]{1,3})?$/i;
const DATED = /^DJI_(\d{14})_(\d{4})(?:_[A-Z]{1,3})?(?:_\w+)?$/i;

export function readDjiName(name: string): NameInfo | null {
  const ending = endingOf(name);
  if (!['mp4', 'mov', 'lrf', 'osv', 'thm', 'scr'].includes(ending)) return null;
  const stem = withoutCopyMark(stemOf(name)).toUpperCase();
  if (!PLAIN.test(stem) && !DATED.test(stem)) return null;
  const base = { family: 'dji' as const, take: stem, chapter: 1 };
  const key = `dji/${stem}/1`;
  if (ending === 'lrf') return { ...base, role: 'proxy', masterKey: key };
  if (ending === 'thm' || ending === 'scr') return { ...base, role: 'poster', masterKey: key };
  if (ending === 'osv') return { ...base, role: 'spherical', masterKey: null };
  return { ...base, role: 'footage', masterKey: null };
}
