import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTelemetryText, parseCues } from './cues.ts';
import type { PlannedChapter } from './plan.ts';
import { probe } from './probe.ts';
import { isSubtitleOf, readSpeech, subtitleKind } from './subtitles.ts';
import { makeClip, makeTestFolder } from './testing/make-clip.ts';
import { decodeText } from './text-encoding.ts';

const footage = resolve('../shared/data/footage');
let folder = '';

beforeAll(async () => {
  folder = await makeTestFolder('subtitles');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cues = (text: string) =>
  parseCues(text, 'speech-sidecar').map(({ startMs, endMs, speaker, text: words }) => [
    startMs,
    endMs,
    speaker,
    words,
  ]);

describe('reading subtitles', () => {
  it('tells who speaks, by name before the words or by voice tag', () => {
    expect(cues('1\n00:00:01,000 --> 00:00:02,000\nAnna: Hello there\n')).toEqual([
      [1000, 2000, 'Anna', 'Hello there'],
    ]);
    expect(cues('1\n00:00:01,000 --> 00:00:02,000\n>> DR. NOWAK: Hello\n')).toEqual([
      [1000, 2000, 'DR. NOWAK', 'Hello'],
    ]);
    expect(cues('WEBVTT\n\n00:01.000 --> 00:02.500\n<v Anna>Hello <b>you</b></v>\n')).toEqual([
      [1000, 2500, 'Anna', 'Hello you'],
    ]);
  });

  it('gives each speaker of a shared cue a line, and joins the lines of one', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\nAnna: one\nBob: two\nand more\n';
    expect(cues(text)).toEqual([
      [1000, 2000, 'Anna', 'one'],
      [1000, 2000, 'Bob', 'two and more'],
    ]);
  });

  it('does not take a time or a sentence for a speaker', () => {
    expect(cues('1\n00:00:01,000 --> 00:00:02,000\nthe train leaves at 10:30: hurry\n')[0]?.[2]).toBeNull();
    expect(cues('1\n00:00:01,000 --> 00:00:02,000\nThis is what I said to her: go\n')[0]?.[2]).toBeNull();
  });

  it('takes markup out and keeps what only looks like it', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}<font color="red"><i>a &lt; b &amp; c</i></font>\n';
    expect(cues(text)[0]?.[3]).toBe('a < b & c');
  });

  it('reads counters from 0, missing counters, short times, run-together blocks and any line ends', () => {
    const text =
      '0\r\n00:00:0,000 --> 00:00:1,000\r\nfirst\r\n1\r\n00:00:02,000 --> 00:00:03,000\r\nsecond\r\n\r\n00:04 --> 00:05\r\nthird';
    expect(cues(text).map((cue) => cue[3])).toEqual(['first', 'second', 'third']);
    expect(cues(text.replaceAll('\r\n', '\r')).map((cue) => cue[3])).toEqual(['first', 'second', 'third']);
  });

  it('orders overlapping cues by time and holds a cue whose end is wrong', () => {
    const text = '1\n00:00:05,000 --> 00:00:04,000\nlater\n\n2\n00:00:01,000 --> 00:00:09,000\nearlier\n';
    expect(cues(text)).toEqual([
      [1000, 9000, null, 'earlier'],
      [5000, 6000, null, 'later'],
    ]);
  });

  it('survives any text', () => {
    const piece = fc.constantFrom(
      '1\n',
      '00:00:01,000 --> 00:00:02,000\n',
      '-->',
      '\n\n',
      'Anna: hi',
      '<v ',
      '<',
      'WEBVTT',
      '\u0000',
      '99:99:99,9 --> ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (parts) => {
        for (const cue of parseCues(parts.join(''), 'speech-sidecar')) {
          expect(cue.endMs).toBeGreaterThan(cue.startMs);
          expect(cue.text).not.toBe('');
        }
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('reads a huge file quickly', () => {
    const block = (i: number) =>
      `${i}\n00:${String(Math.floor(i / 60) % 60).padStart(2, '0')}:${String(i % 60).padStart(2, '0')},000 --> 00:59:59,000\nline ${i}\n\n`;
    const text = Array.from({ length: 60_000 }, (_, i) => block(i)).join('');
    const before = performance.now();
    expect(parseCues(text, 'speech-sidecar')).toHaveLength(50_000);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('reads UTF-8 with a mark, UTF-16 with and without, and Latin-1', () => {
    const words = 'Zoë: dzień';
    expect(decodeText(Buffer.from(`\uFEFF${words}`)).trim()).toBe(words);
    expect(decodeText(Buffer.from(`\uFEFF${words}`, 'utf16le'))).toBe(words);
    expect(decodeText(Buffer.from('plain English words', 'utf16le'))).toBe('plain English words');
    expect(decodeText(Buffer.from(`\uFEFF${words}`, 'utf16le').swap16())).toBe(words);
    expect(decodeText(Buffer.from('caf\xe9', 'latin1'))).toBe('café');
  });
});

describe('subtitles no one can have said', () => {
  const longest = (cues: { text: string }[]) => Math.max(...cues.map((cue) => cue.text.length));
  const block = (at: number, text: string) =>
    `00:${String(Math.floor(at / 60) % 60).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}.000 --> 00:59:59.000\n${text}\n\n`;

  it('are cut: one endless word, one endless sentence, many voices in one cue', () => {
    const word = parseCues(block(0, 'x'.repeat(5_000_000)), 'speech-sidecar');
    expect([word.length, longest(word)]).toEqual([1, 2000]);
    const sentence = parseCues(block(0, 'word '.repeat(100_000)), 'speech-sidecar');
    expect(sentence[0]!.text).toMatch(/ word$/);
    expect(longest(sentence)).toBeLessThanOrEqual(2000);
    const voices = parseCues(block(0, '<v Anna>hi\n'.repeat(100_000)), 'speech-sidecar');
    expect(voices.length).toBeLessThan(1000);
    const faces = parseCues(block(0, `x${'😀'.repeat(5000)}`), 'speech-sidecar');
    expect(faces[0]!.text).toBe(`x${'😀'.repeat(999)}`);
  });

  it('end after what a day can hold', () => {
    const text = Array.from({ length: 2000 }, (_, i) => block(i, 'word '.repeat(380))).join('');
    const cues = parseCues(text, 'speech-sidecar');
    const chars = cues.reduce((sum, cue) => sum + cue.text.length, 0);
    expect(chars).toBeGreaterThan(1_900_000);
    expect(chars).toBeLessThan(2_010_000);
  });

  it('take no more than moments, whatever is in them', () => {
    expect(parseCues(block(0, 'I <3 {this'), 'speech-sidecar')[0]!.text).toBe('I <3 {this');
    // The processor's time, which a busy machine does not stretch as it does the clock's; matching back and forth takes minutes.
    const before = process.cpuUsage();
    for (const sign of ['<', '{', '<a ']) {
      parseCues(block(0, sign.repeat(6000)).repeat(500), 'speech-sidecar');
    }
    for (const text of ['<'.repeat(1_000_000), '<v '.repeat(300_000), `A${' '.repeat(1_000_000)}\nx`]) {
      parseCues(`${block(0, text)}${text}`, 'speech-sidecar');
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(10_000);
  });
});

describe("a drone's flight log", () => {
  it('is never speech, in either of its forms', () => {
    const line = (text: string) =>
      `1\n00:00:00,000 --> 00:00:00,033\n${text}\n\n2\n00:00:00,033 --> 00:00:00,066\n${text}\n`;
    const logs = [
      line(
        '<font size="36">SrtCnt : 1, DiffTime : 33ms\n[iso : 100] [shutter : 1/80.0] [latitude: 41.4]</font>',
      ),
      line('F/2.8, SS 30.15, ISO 260, EV -1.7, GPS (-121.7458, 48.0771, 17), D 221.21m, H 200.70m'),
    ];
    for (const log of logs) {
      expect(isTelemetryText(log)).toBe(true);
      expect(cues(log)).toEqual([]);
    }
    expect(isTelemetryText(line('The latitude of Paris is 48 degrees.'))).toBe(false);
  });
});

describe('which subtitles belong to which video', () => {
  it.each([
    ['GX010042.srt', true],
    ['gx010042.SRT', true],
    ['GX010042.en.srt', true],
    ['GX010042_pl-PL.vtt', true],
    ['GX010042.MP4.srt', true],
    ['GX010042.en.forced.srt', true],
    ['GX0100421.srt', false],
    ['GX010042 part two.srt', false],
    ['GX010043.srt', false],
  ])('%s beside GX010042.MP4: %s', (name, belongs) => {
    expect(isSubtitleOf(name, 'GX010042.MP4')).toBe(belongs);
  });
});

describe('speech of a chapter', () => {
  const chapterOf = async (path: string, subtitlePaths: string[] = []) => {
    const media = await probe(path);
    return { media, durationMs: media.durationMs, subtitlePaths } as unknown as PlannedChapter;
  };

  it.each(['mp4', 'mkv'])('comes from a text track in %s', async (ending) => {
    const subtitles = '1\n00:00:00,500 --> 00:00:01,500\nAnna: Dzień dobry\n';
    const path = await makeClip({ path: join(folder, `track.${ending}`), subtitles });
    const [cue] = await readSpeech(await chapterOf(path));
    expect(cue).toMatchObject({ speaker: 'Anna', text: 'Dzień dobry', source: 'speech-embedded' });
    // Matroska begins all tracks a few frames of sound later.
    expect(Math.abs(cue!.startMs - 500)).toBeLessThan(100);
    expect(cue!.endMs - cue!.startMs).toBe(1000);
  });

  it('comes from the file beside it first, once, and ends with the footage', async () => {
    const subtitles = '1\n00:00:00,500 --> 00:00:01,500\ntrack\n';
    const path = await makeClip({ path: join(folder, 'both.mp4'), subtitles });
    const beside = join(folder, 'both.srt');
    const german = join(folder, 'both.de.srt');
    await writeFile(
      beside,
      '1\n00:00:01,000 --> 00:00:09,000\nbeside\n\n2\n00:01:00,000 --> 00:01:01,000\nbeyond\n',
    );
    await writeFile(german, '1\n00:00:01,000 --> 00:00:09,000\ndaneben\n');
    const chapter = await chapterOf(path, [german, beside]);
    const speech = await readSpeech(chapter);
    expect(speech.map((cue) => [cue.text, cue.source])).toEqual([['beside', 'speech-sidecar']]);
    expect(speech[0]?.endMs).toBe(chapter.durationMs);
  });

  it('is nothing when a subtitle is broken or gone, or there is none', async () => {
    const path = await makeClip({ path: join(folder, 'none.mp4') });
    const broken = join(folder, 'none.srt');
    await writeFile(broken, Buffer.alloc(500, 0xfe));
    expect(await readSpeech(await chapterOf(path, [broken, join(folder, 'gone.srt')]))).toEqual([]);
  });
});

describe.skipIf(!existsSync(footage))('real subtitles (needs the real footage)', () => {
  it('tells logs from speech', async () => {
    const kind = (name: string) => subtitleKind(join(footage, 'srt', name));
    expect(await kind('dji-air2s-telemetry.srt')).toBe('telemetry');
    expect(await kind('dji-mavic-mini-telemetry.SRT')).toBe('telemetry');
    expect(await kind('subtitles.srt')).toBe('speech');
    const accents = await readFile(join(footage, 'srt/subtitles-unicode.srt'));
    expect(cues(decodeText(accents))[0]?.[3]).toBe('ÁÉíöÙ');
  });

  it("hears the narrator of the telescope film in the file's own text track", async () => {
    const path = join(footage, 'nasa-webb-speech.mp4');
    const media = await probe(path);
    const chapter = { media, durationMs: media.durationMs, subtitlePaths: [] } as unknown as PlannedChapter;
    const speech = await readSpeech(chapter);
    expect(speech).toHaveLength(4);
    expect(speech.map((cue) => cue.text).join(' ')).toContain('Goddard Space Flight Center in Greenbelt');
  });
});
