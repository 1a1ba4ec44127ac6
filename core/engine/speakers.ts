import { FootnoteError } from '../contract/errors.ts';
import type { Episode, NameSpeaker, Speaker } from '../contract/index.ts';
import { speakerName } from '../contract/index.ts';
import type { Memory } from '../memory/memory.ts';
import { nameVoice } from '../writing/name-voice.ts';
import { plainSpeaker } from '../writing/plain-text.ts';

async function episodesOf(memory: Memory, id: string): Promise<Episode[]> {
  if (!(await memory.getRecording(id))) {
    throw new FootnoteError('NOT_FOUND', 'There is no such recording.', { id });
  }
  return memory.episodesOfRecording(id);
}

function speakersIn(episodes: readonly Episode[]): Speaker[] {
  const speakers = new Map<string, Speaker>();
  for (const line of episodes.flatMap(({ record }) => record.transcript)) {
    const { voice, text, startMs, endMs } = line;
    if (voice === undefined) continue;
    const seconds = (endMs - startMs) / 1000;
    const known = speakers.get(voice);
    if (!known) {
      speakers.set(voice, {
        voice,
        name: speakerName(line),
        lines: 1,
        seconds,
        firstMs: startMs,
        example: text,
      });
      continue;
    }
    known.lines += 1;
    known.seconds += seconds;
    known.firstMs = Math.min(known.firstMs, startMs);
    if (text.length > known.example.length) known.example = text;
  }
  const inOrder = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);
  return [...speakers.values()].sort((a, b) => inOrder(a.voice, b.voice));
}

/**
 * The voices of a recording that were told apart, by letter.
 * @throws FootnoteError NOT_FOUND
 */
export async function listSpeakers(memory: Memory, id: string): Promise<Speaker[]> {
  return speakersIn(await episodesOf(memory, id));
}

/**
 * Names a voice of a recording, in every episode it speaks in: lines, paragraph and what is searched.
 * @returns all voices of the recording
 * @throws FootnoteError NOT_FOUND; BAD_REQUEST for what is no name, or is another voice's letter
 */
export async function nameSpeaker(memory: Memory, { id, voice, name }: NameSpeaker): Promise<Speaker[]> {
  const episodes = await episodesOf(memory, id);
  const letters = speakersIn(episodes).map((speaker) => speaker.voice);
  if (!letters.includes(voice)) {
    const there =
      letters.length > 0 ? `Its voices are ${letters.join(', ')}.` : 'No voices were told apart in it.';
    throw new FootnoteError('NOT_FOUND', `There is no voice ${voice} in this recording. ${there}`, {
      id,
      voice,
    });
  }
  const plain = plainSpeaker(name);
  if (name !== null && plain === null) {
    throw new FootnoteError('BAD_REQUEST', `"${name}" is not a name. Write for example Anna.`);
  }
  if (plain !== null && plain !== voice && letters.includes(plain)) {
    throw new FootnoteError('BAD_REQUEST', `"${plain}" is another voice of this recording. Choose a name.`);
  }
  const renamed = episodes.map((episode) => nameVoice(episode, voice, plain === voice ? null : plain));
  await memory.putEpisodes(renamed.filter((episode, i) => episode !== episodes[i]));
  return speakersIn(renamed);
}
