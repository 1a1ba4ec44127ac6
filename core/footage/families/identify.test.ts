import { describe, expect, it } from 'vitest';
import type { MediaInfo } from '../plan.ts';
import { cameraOf, familyOf, hasGoProMarks, readName } from './identify.ts';
import { masterKey } from './naming.ts';

const media = (tags: Record<string, string>, gpmdIndex: number | null = null): MediaInfo => ({
  path: '/x.mp4',
  durationMs: 1000,
  container: 'mov',
  video: null,
  audio: null,
  subtitles: [],
  gpmdIndex,
  tags,
});

describe('camera names', () => {
  it.each([
    ['GX010042.MP4', 'gopro', 'footage', '0042', 1],
    ['GH020042.MP4', 'gopro', 'footage', '0042', 2],
    ['gx120042.mp4', 'gopro', 'footage', '0042', 12],
    ['GX010042 (1).MP4', 'gopro', 'footage', '0042', 1],
    ['GX010042 - Copy.MP4', 'gopro', 'footage', '0042', 1],
    ['GHAB0042.MP4', 'gopro', 'footage', '0042', 2],
    ['GOPR0123.MP4', 'gopro', 'footage', 'old-0123', 1],
    ['GP010123.MP4', 'gopro', 'footage', 'old-0123', 2],
    ['GP020123.MP4', 'gopro', 'footage', 'old-0123', 3],
    ['GL010042.LRV', 'gopro', 'proxy', '0042', 1],
    ['GOPR0123.LRV', 'gopro', 'proxy', 'old-0123', 1],
    ['GX010042.THM', 'gopro', 'poster', '0042', 1],
    ['GS010128.360', 'gopro', 'spherical', '0128', 1],
    ['GS010128.LRV', 'gopro', 'proxy', '0128', 1],
    ['GPFR0007.MP4', 'gopro', 'spherical', 'fusion-0007', 1],
    ['DJI_0001.MP4', 'dji', 'footage', 'DJI_0001', 1],
    ['DJI_20240518093012_0001_D.MP4', 'dji', 'footage', 'DJI_20240518093012_0001_D', 1],
    ['DJI_20240518093012_0001_D.LRF', 'dji', 'proxy', 'DJI_20240518093012_0001_D', 1],
    ['VID_20240518_093012_00_001.insv', 'insta360', 'footage', '20240518_093012', 1],
    ['VID_20240518_093012_10_001.insv', 'insta360', 'second-lens', '20240518_093012', 1],
    ['LRV_20240518_093012_01_001.lrv', 'insta360', 'proxy', '20240518_093012', 1],
    ['VID_20240518_093012.mp4', 'phone', 'footage', null, 1],
    ['PXL_20240518_073012123.mp4', 'phone', 'footage', null, 1],
    ['20250315_073000.mp4', 'phone', 'footage', null, 1],
    ['IMG_0001.MOV', 'phone', 'footage', null, 1],
    ['video-12_singular_display.mov', 'ray-ban-meta', 'footage', null, 1],
    ['holiday.mkv', 'other', 'footage', null, 1],
    ['GX01004.MP4', 'other', 'footage', null, 1],
    ['XGX010042.MP4', 'other', 'footage', null, 1],
  ])('%s is %s %s, take %s, chapter %i', (name, family, role, take, chapter) => {
    expect(readName(name)).toMatchObject({ family, role, take, chapter });
  });

  it('lets proxies, posters and second lenses find their master', () => {
    const key = (name: string) => masterKey(readName(name));
    expect(key('GL010042.LRV')).toBe(key('GX010042.MP4'));
    expect(key('GX010042.THM')).toBe(key('GH010042.MP4'));
    expect(key('GOPR0123.LRV')).toBe(key('GOPR0123.MP4'));
    expect(key('GL020042.LRV')).not.toBe(key('GX010042.MP4'));
    expect(key('DJI_0001.LRF')).toBe(key('DJI_0001.MP4'));
    expect(key('LRV_20240518_093012_01_001.lrv')).toBe(key('VID_20240518_093012_00_001.insv'));
    expect(key('VID_20240518_093012_10_001.insv')).toBe(key('VID_20240518_093012_00_001.insv'));
  });
});

describe('cameras by content', () => {
  it('knows GoPro by track, handler or firmware, not by name', () => {
    expect(hasGoProMarks(media({}, 3))).toBe(true);
    expect(hasGoProMarks(media({ handler_name: 'GoPro AVC' }))).toBe(true);
    expect(hasGoProMarks(media({ firmware: 'HD9.01.01.60.00' }))).toBe(true);
    expect(hasGoProMarks(media({ encoder: 'Lavf59.27.100' }))).toBe(false);
  });

  it('names the camera and family from what the file says', () => {
    expect(cameraOf(media({ firmware: 'H19.03.01.30.00' }))).toBe('GoPro Max');
    const phone = media({ 'com.apple.quicktime.make': 'Apple', 'com.apple.quicktime.model': 'iPhone 6' });
    expect(cameraOf(phone)).toBe('Apple iPhone 6');
    expect(familyOf(readName('clip.mov'), phone)).toBe('phone');
    const glasses = media({ 'com.apple.quicktime.model': 'Ray-Ban Meta Smart Glasses' });
    expect(familyOf(readName('clip.mov'), glasses)).toBe('ray-ban-meta');
    expect(familyOf(readName('clip.mp4'), media({}, 3))).toBe('gopro');
    expect(familyOf(readName('clip.mp4'), media({}))).toBe('other');
    expect(familyOf(readName('GX010001.MP4'), media({}))).toBe('gopro');
    expect(cameraOf(media({}))).toBeNull();
  });
});
