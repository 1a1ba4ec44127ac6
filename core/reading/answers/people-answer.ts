/** Who was there: the voices that are named and the names that are spoken in a stretch of time. */
import { type Asker, cite, introduce, type Sentence, when } from '../compose.ts';
import { type Unit, unitsOf } from '../evidence.ts';
import type { Chosen } from '../gather.ts';
import type { Question } from '../question.ts';
import { fold } from '../words.ts';

const MOST_PEOPLE = 8;
/** "I am Eileen", "Hello, Chelsea", "my name is …", "this is …": how people name themselves and each other. */
const NAMED =
  /\b(?:I am|I'm|my name is|this is|meet|hello|hi|hey|thanks|thank you|good morning|bye),?\s+(\p{Lu}\p{Ll}+(?:\s\p{Lu}\p{Ll}+)?)/iu;
const WEARER = /^(?:i|me|you|wearer)$/i;

/** One sentence a person, first appearance first. */
export function peopleSentences(question: Question, chosen: Chosen, asker: Asker): Sentence[] {
  const people = new Map<string, Unit>();
  for (const episode of chosen.episodes) {
    for (const unit of unitsOf(episode)) {
      if (unit.kind !== 'speech') continue;
      const named = NAMED.exec(unit.text)?.[1];
      const spoken = named && /^\p{Lu}/u.test(named) ? named : null;
      for (const name of [unit.speaker, spoken]) {
        if (name && !WEARER.test(name) && !people.has(fold(name))) people.set(fold(name), unit);
      }
    }
  }
  let day: string | null = null;
  return [...new Set(people.values())].slice(0, MOST_PEOPLE).map((unit) => {
    const at = when(unit, asker, day);
    day = at.day;
    const cited = cite(unit, question);
    return { text: `${at.words} ${introduce(unit, cited.text)}`, cites: [cited] };
  });
}
