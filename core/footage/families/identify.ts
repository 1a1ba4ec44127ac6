import type { CameraFamily } from '../../contract/index.ts';
import type { MediaInfo } from '../plan.ts';
import { readDjiName } from './dji.ts';
import { readGoProName } from './gopro.ts';
import { readInsta360Name } from './insta360.ts';
import type { NameInfo } from './naming.ts';

/** What a file's name tells of camera, take and chapter; a name nobody knows is footage of its own. */
export function readName(name: string): NameInfo {
  return readGoProName(name) ?? readDjiName(name) ?? readInsta360Name(name) ?? readOtherName(name);
}

/** Names phones and the glasses' app give: IMG_0001, VID_20250315_073000, PXL_…, 20250315_073000, video-12_singular_display. */
const PHONE_NAME = /^(?:IMG_[E]?\d{4}|(?:VID|PXL|MVIMG|WP|IMG)_?\d{8}[_-]?\d{6}|\d{8}_\d{6})/i;
const GLASSES_NAME = /_singular_display|^(?:ray-?ban|oakley)?[-_ ]?meta[-_ ]/i;

function readOtherName(name: string): NameInfo {
  const base = { role: 'footage' as const, take: null, chapter: 1, masterKey: null };
  if (/\.lr[vf]$/i.test(name)) return { ...base, role: 'proxy', family: 'other' };
  if (GLASSES_NAME.test(name)) return { ...base, family: 'ray-ban-meta' };
  return { ...base, family: PHONE_NAME.test(name) ? 'phone' : 'other' };
}

/** Whether GoPro's own firmware wrote the file: a mark in the content, not only a name a person could have kept. */
export function hasGoProMarks(media: MediaInfo): boolean {
  const { tags } = media;
  return (
    media.gpmdIndex !== null ||
    /gopro/i.test(`${tags.handler_name ?? ''} ${tags.encoder ?? ''}`) ||
    GOPRO_FIRMWARE.test(tags.firmware ?? '')
  );
}

const GOPRO_FIRMWARE = /^(HD\d|H\d\d)\.\d\d\.\d\d/;
/** First part of a GoPro firmware version, by camera. */
const GOPRO_MODELS: Record<string, string> = {
  HD5: 'GoPro HERO5',
  HD6: 'GoPro HERO6',
  HD7: 'GoPro HERO7',
  HD8: 'GoPro HERO8',
  HD9: 'GoPro HERO9',
  H19: 'GoPro Max',
  H21: 'GoPro HERO10',
  H22: 'GoPro HERO11',
  H23: 'GoPro HERO12',
  H24: 'GoPro HERO13',
};

/** The camera's family: what the content says goes before what the name says. */
export function familyOf(named: NameInfo, media: MediaInfo): CameraFamily {
  if (hasGoProMarks(media)) return 'gopro';
  const { tags } = media;
  const maker = [
    tags['com.apple.quicktime.make'],
    tags['com.apple.quicktime.model'],
    tags['com.android.manufacturer'],
    tags['com.android.model'],
    tags.make,
    tags.model,
    tags.handler_name,
    tags.encoder,
    tags.comment,
  ].join(' ');
  if (/ray-?ban|meta view|meta ai|oakley meta|smart glasses/i.test(maker)) return 'ray-ban-meta';
  if (/\bdji\b|dji\.|osmo|mavic/i.test(maker)) return 'dji';
  if (/insta360|arashi vision/i.test(maker)) return 'insta360';
  if (named.family !== 'other') return named.family;
  const isPhone =
    tags['com.apple.quicktime.make'] !== undefined ||
    tags['com.android.version'] !== undefined ||
    tags['com.android.manufacturer'] !== undefined ||
    /^core media video/i.test(tags.handler_name ?? '');
  return isPhone ? 'phone' : 'other';
}

/** Camera model as the file tells it, or null. */
export function cameraOf(media: MediaInfo): string | null {
  const { tags } = media;
  const firmware = GOPRO_FIRMWARE.exec(tags.firmware ?? '');
  if (firmware) return GOPRO_MODELS[firmware[1]!] ?? 'GoPro';
  const make = tags['com.apple.quicktime.make'] ?? tags['com.android.manufacturer'] ?? tags.make;
  const model = tags['com.apple.quicktime.model'] ?? tags['com.android.model'] ?? tags.model;
  if (!make && !model) return null;
  if (!make || model?.toLowerCase().startsWith(make.toLowerCase())) return model ?? null;
  return [make, model].filter(Boolean).join(' ');
}
