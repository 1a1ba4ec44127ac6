import lemmatizer from 'wink-lemmatizer';

/** Types of the episodic graph's entities (EM²Mem 3.4: people, objects, locations, scenes, topics). */
export const ENTITY_TYPES = ['person', 'object', 'place', 'scene', 'topic'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** A node of the episodic graph; nodes with one key are one node, in whatever episode they occur. */
export interface Entity {
  /** `type::label`. */
  key: string;
  type: EntityType;
  /** Normalised label, lower case. */
  label: string;
}

const LABEL_MAX = 60;
const WORDS_MAX = 5;

/** Words that tell one thing from its like but not what it is (released code: colour and size adjectives are stripped). */
const ADJECTIVES = new Set(
  `red blue green yellow white black brown grey gray orange pink purple silver golden dark light bright colourful colorful
  big small large little tiny huge long short tall wide narrow round square thin thick new old same other another own
  first second third last next several many few some more much whole half`.split(/\s+/),
);
const DETERMINERS = new Set(
  `a an the my your his her its our their this that these those each every any no all both one of`.split(
    /\s+/,
  ),
);
/** Labels that hold for everything, and the measured scenes that name no place. */
const EMPTY = new Set(
  `thing things something anything nothing everything it this that stuff item items object objects way time times day days
  lot bit part side end top bottom front back center centre middle left right kind sort type number place area
  people person someone somebody everyone everybody man woman camera picture video view frame clip segment recording
  moment minute minutes hour hours second seconds morning afternoon evening night today yesterday tomorrow
  fun idea course case point one ones thanks thank good great awesome hey hi hello wow yeah yes ok okay`.split(
    /\s+/,
  ),
);

/** The singular of a noun, at least three letters; names and other words stay. */
export function singular(word: string): string {
  if (word.length < 4 || /ss$/.test(word)) return word;
  const found = lemmatizer.noun(word);
  return found.length >= 3 ? found : word;
}

/** Words of a label: lower case, parted by single spaces, without quotes, marks and possessives. */
function plainWords(text: string): string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’]s\b/gu, '')
    .replace(/[_/]+/gu, ' ')
    .replace(/[^\p{L}\p{M}\p{N}\s'’.-]+/gu, ' ')
    .split(/\s+/u)
    .map((word) => word.replace(/^['’.-]+|['’.-]+$/gu, ''))
    .filter((word) => word !== '');
}

/**
 * Label of a thing, place or topic, by EM²Mem's string rules: no articles, no colours or sizes, the last word in the singular.
 * @returns null when nothing is left that names something, or when it is a sentence rather than a name
 */
export function normalLabel(text: string): string | null {
  let words = plainWords(text).filter((word) => !DETERMINERS.has(word));
  if (words.length === 0 || words.length > WORDS_MAX + 2) return null;
  const telling = words.filter((word) => !ADJECTIVES.has(word));
  words = telling.slice(-WORDS_MAX);
  const last = words.at(-1);
  if (last === undefined) return null;
  words[words.length - 1] = singular(last);
  const label = words.join(' ');
  if (label.length < 2 || label.length > LABEL_MAX || !/\p{L}/u.test(label) || EMPTY.has(label)) return null;
  return label;
}

/** The noun a label is about: "pizza slice" and "slice" are about slices. */
export function headOf(label: string): string {
  return label.split(' ').at(-1) ?? label;
}

/** A person's name as a label; null for pronouns, groups and what holds no letter. */
export function personLabel(name: string): string | null {
  const label = plainWords(name).join(' ');
  if (!/\p{L}{2}/u.test(label) || label.length > LABEL_MAX) return null;
  return /^(?:i|me|myself|we|us|you|he|she|they|him|her|them|everyone|everybody|all|group|people|unknown)$/u.test(
    label,
  )
    ? null
    : label;
}

/** An entity, or null when its text names nothing. */
export function entity(type: EntityType, text: string): Entity | null {
  const label = type === 'person' ? personLabel(text) : normalLabel(text);
  return label === null ? null : { key: entityKey(type, label), type, label };
}

/** @param label normalised already */
export function entityKey(type: EntityType, label: string): string {
  return `${type}::${label}`;
}

/** Type and label of a key; null for what is none. */
export function entityOfKey(key: string): Entity | null {
  const match = /^(person|object|place|scene|topic)::(.+)$/u.exec(key);
  return match ? { key, type: match[1] as EntityType, label: match[2]! } : null;
}

/** Entities in order, each once. */
export function unique(entities: readonly (Entity | null)[]): Entity[] {
  const found = new Map<string, Entity>();
  for (const one of entities) if (one && !found.has(one.key)) found.set(one.key, one);
  return [...found.values()];
}
