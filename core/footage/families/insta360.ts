import { endingOf, type NameInfo, stemOf, withoutCopyMark } from './naming.ts';

/**
 * Insta360 names: kind, local start time, lens, number: "VID_20240518_093012_00_001.insv". Lens 00 is the front, 10 the
 * rear; "LRV_…_01_…" and "LRV_…_11_…" are low-resolution copies. A long take goes on in files of the same start time.
 */
const NAME = /^(VID|LRV|PRO_VID|PRO_LRV)_(\d{8}_\d{6})_(\d\d)_(\d{3})$/i;

export function readInsta360Name(name: string): NameInfo | null {
  const ending = endingOf(name);
  if (!['insv', 'mp4', 'lrv'].includes(ending)) return null;
  const match = NAME.exec(withoutCopyMark(stemOf(name)));
  if (!match) return null;
  const [, kind, start, lens, number] = match as unknown as [string, string, string, string, string];
  const isProxy = kind.toUpperCase().endsWith('LRV') || ending === 'lrv';
  const base = { family: 'insta360' as const, take: start, chapter: Number(number) };
  const key = `insta360/${start}/${Number(number)}`;
  if (isProxy) return { ...base, role: 'proxy', masterKey: key };
  if (lens === '10') return { ...base, role: 'second-lens', masterKey: key };
  return { ...base, role: 'footage', masterKey: null };
}
