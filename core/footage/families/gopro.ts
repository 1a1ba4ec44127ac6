import { endingOf, type NameInfo, stemOf, withoutCopyMark } from './naming.ts';

/**
 * GoPro names. HERO6 and later: GX (HEVC), GH (AVC), GL (low resolution), GS (360) + chapter + take, "GX020042". Looped
 * takes count chapters in letters, "GHAB0042". HERO1 to HERO5: "GOPR0123" is the first chapter, "GP010123" the second.
 * Fusion: "GPFR0123" front, "GPBK0123" back.
 */
const CHAPTERED = /^G([XHLSM])(\d\d|[A-Z]{2})(\d{4})$/i;
const FIRST_OF_OLD = /^GOPR(\d{4})$/i;
const LATER_OF_OLD = /^GP(\d\d)(\d{4})$/i;
const FUSION = /^G(?:PFR|PBK|F\d\d|B\d\d)(\d{4})$/i;
const FOOTAGE = new Set(['mp4', 'mov', '360', 'lrv', 'thm']);

export function readGoProName(name: string): NameInfo | null {
  const ending = endingOf(name);
  if (!FOOTAGE.has(ending)) return null;
  const stem = withoutCopyMark(stemOf(name));
  const numbered = numbersOf(stem);
  if (!numbered) return null;
  const { take, chapter, isProxy, isSpherical } = numbered;
  const key = `gopro/${take}/${chapter}`;
  const base = { family: 'gopro' as const, take, chapter };
  if (ending === 'thm') return { ...base, role: 'poster', masterKey: key };
  if (ending === 'lrv' || isProxy) return { ...base, role: 'proxy', masterKey: key };
  if (ending === '360' || isSpherical) return { ...base, role: 'spherical', masterKey: null };
  return { ...base, role: 'footage', masterKey: null };
}

function numbersOf(
  stem: string,
): { take: string; chapter: number; isProxy: boolean; isSpherical: boolean } | null {
  const modern = CHAPTERED.exec(stem);
  if (modern) {
    const [, kind, chapter, take] = modern as unknown as [string, string, string, string];
    const letter = kind.toUpperCase();
    return {
      take,
      chapter: /\d/.test(chapter) ? Math.max(1, Number(chapter)) : letterNumber(chapter),
      isProxy: letter === 'L',
      // A GS file that is an ordinary MP4 was stitched to a flat picture already; only its ending tells.
      isSpherical: false,
    };
  }
  const first = FIRST_OF_OLD.exec(stem);
  if (first) return { take: `old-${first[1]}`, chapter: 1, isProxy: false, isSpherical: false };
  const later = LATER_OF_OLD.exec(stem);
  if (later) {
    return { take: `old-${later[2]}`, chapter: Number(later[1]) + 1, isProxy: false, isSpherical: false };
  }
  const fusion = FUSION.exec(stem);
  if (fusion) return { take: `fusion-${fusion[1]}`, chapter: 1, isProxy: false, isSpherical: true };
  return null;
}

/** "AA" is 1, "AB" 2, "BA" 27. */
function letterNumber(letters: string): number {
  const [high, low] = [...letters.toUpperCase()].map((letter) => letter.charCodeAt(0) - 65);
  return (high ?? 0) * 26 + (low ?? 0) + 1;
}
