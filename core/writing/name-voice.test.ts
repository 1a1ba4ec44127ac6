import { describe, expect, it } from 'vitest';
import type { Episode, SpeechLine } from '../contract/index.ts';
import { createMeasuredWriter } from './measured-writer.ts';
import { nameVoice } from './name-voice.ts';
import { searchText } from './search-text.ts';
import { MORNING, observed } from './testing/observed.ts';

const RECORDING = { camera: null, name: 'GX010042', family: 'gopro' as const, notes: [] };
const writer = createMeasuredWriter();

function heard(voice: string | null, at: number, text: string, confidence = 0.9): SpeechLine {
  const startMs = MORNING + at * 1000;
  return {
    startMs,
    endMs: startMs + 2_000,
    speaker: voice,
    ...(voice === null ? {} : { voice }),
    text,
    source: 'speech-recognised',
    confidence,
  };
}

const write = (speech: SpeechLine[]): Promise<Episode> => writer.write(observed({ speech }), RECORDING);
const TALK = [
  heard('A', 1, 'Where is the ladder?'),
  heard('B', 4, 'Behind the shed.'),
  heard('B', 7, 'Voice A asked me that before.', 0.7),
  heard('A', 10, 'Thank you.'),
];

describe('an episode in which voices were told apart', () => {
  it('tells by letter what each said, and is searched without letters', async () => {
    const episode = await write(TALK);
    expect(episode.text).toContain('Voice A said: “Where is the ladder?” Voice B said: “Behind the shed.”');
    expect(searchText(episode)).not.toMatch(/\b[AB]:/);
  });
});

describe('naming a voice', () => {
  it('gives the same episode as if the name had been known', async () => {
    const named = nameVoice(nameVoice(await write(TALK), 'A', 'Anna'), 'B', 'Dr. Novak');
    const known = await write(
      TALK.map((line) => ({ ...line, speaker: line.voice === 'A' ? 'Anna' : 'Dr. Novak' })),
    );
    expect(named).toEqual(known);
    expect(named.text).toContain('Anna said: “Where is the ladder?”');
    expect(named.text).toContain('Dr. Novak said something like: “Voice A asked me that before.”');
  });
  it('makes the wearer speak in the first person', async () => {
    const named = nameVoice(await write(TALK), 'B', 'me');
    expect(named.text).toContain('Voice A said: “Where is the ladder?” I said: “Behind the shed.”');
    expect(named.record.transcript.map(({ speaker }) => speaker)).toEqual(['A', 'me', 'me', 'A']);
  });
  it('can be taken back, and told otherwise', async () => {
    const episode = await write(TALK);
    const anna = nameVoice(episode, 'A', 'Anna');
    expect(nameVoice(anna, 'A', null)).toEqual(episode);
    expect(nameVoice(anna, 'A', 'Eva')).toEqual(nameVoice(episode, 'A', 'Eva'));
    expect(nameVoice(nameVoice(episode, 'B', 'me'), 'B', null)).toEqual(episode);
  });
  it('takes two letters for one person, and parts them again', async () => {
    const both = nameVoice(nameVoice(await write(TALK), 'A', 'Anna'), 'B', 'Anna');
    // Written anew their words share a sentence, as they would not when named one by one.
    const written = { ...both, text: (await write(both.record.transcript)).text };
    expect(written.text).toContain('Anna said: “Where is the ladder?”, “Behind the shed.”');
    const parted = nameVoice(written, 'B', 'Bert');
    expect(parted.text).toContain('Anna said: “Where is the ladder?” Bert said: “Behind the shed.”');
  });
  it('follows a model that told of the voice in words of its own, and changes no quotation', async () => {
    const episode = {
      ...(await write(TALK)),
      text: 'Voice A looks for a ladder. I hear voice A say “voice A”.',
    };
    const named = nameVoice(episode, 'A', 'Anna');
    expect(named.text).toBe('Anna looks for a ladder. I hear Anna say “voice A”.');
    expect(nameVoice(named, 'A', null).text).toBe(
      'Voice A looks for a ladder. I hear Voice A say “voice A”.',
    );
  });
  it('leaves alone where the voice says nothing', async () => {
    const episode = await write([heard(null, 1, 'Who is there?'), heard('B', 4, 'Me.')]);
    expect(nameVoice(episode, 'A', 'Anna')).toBe(episode);
  });
  it('never takes a letter for a longer one', async () => {
    const episode = await write([heard('A', 1, 'One.'), heard('AA', 4, 'Two.')]);
    const named = nameVoice(episode, 'A', 'Anna');
    expect(named.text).toContain('Anna said: “One.” Voice AA said: “Two.”');
  });
});
