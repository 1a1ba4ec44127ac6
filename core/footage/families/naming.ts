import type { CameraFamily } from '../../contract/index.ts';

/** What a file is to its camera. */
export type NameRole =
  /** A recording, or one chapter of it. */
  | 'footage'
  /** The camera's own low-resolution copy of a recording. */
  | 'proxy'
  /** A still for the camera's menu. */
  | 'poster'
  /** Both lenses of a 360 camera, which a flat picture cannot show. */
  | 'spherical'
  /** The rear lens of a 360 camera whose front lens has a file of its own. */
  | 'second-lens';

/** What a file's name alone tells. */
export interface NameInfo {
  family: CameraFamily;
  role: NameRole;
  /** Identity of the take among the camera's files: chapters of one take share it. Null when names tell no takes. */
  take: string | null;
  /** Chapter number from 1. */
  chapter: number;
  /** For a proxy, poster or second lens: the take and chapter of its master, as `masterKey` makes it of that name. */
  masterKey: string | null;
}

/** Key by which a camera's extra files find their master: equal for both, whatever their endings and prefixes. */
export function masterKey(info: NameInfo): string {
  return info.masterKey ?? `${info.family}/${info.take ?? ''}/${info.chapter}`;
}

/** File name without its ending. */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

/** Ending in lower case without the dot. */
export function endingOf(name: string): string {
  return /\.([^.]*)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

const COPY_MARKS = [
  /^copy of /i,
  / ?\(\d{1,3}\)$/,
  / ?- ?copy(?: ?\(?\d*\)?)?$/i,
  / copy(?: \d+)?$/i,
  /~\d$/,
  / \d$/,
];

/** Stem without the marks file managers add to a second copy ("GX010042 (1)", "GX010042 - Copy"). */
export function withoutCopyMark(stem: string): string {
  for (const mark of COPY_MARKS) {
    const plain = stem.replace(mark, '');
    if (plain !== stem && plain) return plain;
  }
  return stem;
}
