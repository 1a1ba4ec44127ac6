import { type Episode, type SpeechLine, speakerWords } from '../contract/index.ts';
import { closed, plainLine, plainSpeaker, quote } from './plain-text.ts';
import { speechLead } from './statements.ts';

const QUOTATIONS = '“[^“”]*”(?:[,;] “[^“”]*”)*';
const WEARER = /^(?:me|i|myself)$/iu;

const leadOf = (line: SpeechLine) => speechLead(plainSpeaker(speakerWords(line)), line.confidence);
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');

/** What stands outside quotation marks, changed; what is quoted stays word for word. */
function outsideQuotes(text: string, change: (part: string) => string): string {
  return text
    .split(/(“[^“”]*”)/u)
    .map((part) => (part.startsWith('“') ? part : change(part)))
    .join('');
}

/** Changes how words of one voice are led to. */
function withLeads(text: string, before: readonly SpeechLine[], after: readonly SpeechLine[]): string {
  const newLeads = new Map(before.map((line, i) => [quote(plainLine(line.text)), leadOf(after[i]!)]));
  let changed = text;
  for (const lead of new Set(before.map(leadOf))) {
    const sentence = new RegExp(`${escaped(lead)} (${QUOTATIONS})(\\.?)`, 'gu');
    changed = changed.replace(sentence, (whole, list: string, stop: string) => {
      // One lead may stand before words of two voices that bore the same name.
      const told = (list.match(/“[^“”]*”/gu) ?? []).map((words) => ({
        words,
        lead: newLeads.get(words) ?? lead,
      }));
      if (told.every((one) => one.lead === told[0]!.lead))
        return `${told[0]!.lead}${whole.slice(lead.length)}`;
      const runs: { lead: string; words: string[] }[] = [];
      for (const one of told) {
        const open = runs.at(-1);
        if (open?.lead === one.lead) open.words.push(one.words);
        else runs.push({ lead: one.lead, words: [one.words] });
      }
      const sentences = runs.map((run) => `${run.lead} ${run.words.join(', ')}`);
      return `${sentences.slice(0, -1).map(closed).join(' ')} ${sentences.at(-1)}${stop}`;
    });
  }
  return changed;
}

/** A person's name or "voice A" as a whole word, in either case of its first letter. */
function mention(words: string): RegExp {
  const [first = '', ...rest] = [...words];
  const either = `[${escaped(first.toLowerCase())}${escaped(first.toUpperCase())}]`;
  return new RegExp(`(?<![\\p{L}\\p{N}])${either}${escaped(rest.join(''))}(?![\\p{L}\\p{N}])`, 'gu');
}

/**
 * The episode with a voice named: its lines, and the sentences that tell what it said, in paragraph, caption and claims.
 * @param name a plain name ("me" for whoever wore the camera); null gives the voice its letter back
 * @returns the same object where the voice says nothing in it
 */
export function nameVoice(episode: Episode, voice: string, name: string | null): Episode {
  const { record } = episode;
  const own = record.transcript.filter((line) => line.voice === voice);
  if (own.length === 0) return episode;
  const named = (line: SpeechLine): SpeechLine => ({ ...line, speaker: name ?? voice });
  const oldWords = speakerWords(own[0]!)!;
  const newWords = speakerWords(named(own[0]!))!;
  // A model may have told of the voice in words of its own. Nobody else must bear the name, and "me" is no word to put in a sentence.
  const free =
    !WEARER.test(oldWords) &&
    !WEARER.test(newWords) &&
    !record.transcript.some((line) => line.voice !== voice && speakerWords(line) === oldWords);
  const rewritten = (text: string) => {
    const led = withLeads(text, own, own.map(named));
    if (!free) return led;
    return outsideQuotes(led, (part) =>
      part.replace(mention(oldWords), (found) =>
        newWords.startsWith('voice ') && /^\p{Lu}/u.test(found) ? `V${newWords.slice(1)}` : newWords,
      ),
    );
  };
  return {
    ...episode,
    text: rewritten(episode.text),
    record: {
      ...record,
      caption: rewritten(record.caption),
      transcript: record.transcript.map((line) => (line.voice === voice ? named(line) : line)),
      claims: record.claims.map((claim) => ({ ...claim, text: rewritten(claim.text) })),
    },
  };
}
