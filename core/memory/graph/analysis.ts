import { type Episode, wearerOf } from '../../contract/index.ts';
import { criticalLines } from '../views/critical-speech.ts';
import { type Clause, readSentences, type Sentences } from './clauses.ts';
import { type Entity, entity, entityKey, headOf, normalLabel, singular, unique } from './entities.ts';
import { mayEndAt, type Relation, relationOf } from './relations.ts';

/** Somebody did something to something: one edge of the episodic graph, and the raw material of semantic facts. */
export interface Triple {
  subject: Entity;
  /** Dictionary form as said: "wash". */
  verb: string;
  /** Of the closed set; null when the verb maps to none: then it is no edge, but may still become a habit. */
  relation: Relation | null;
  object: Entity;
}

/** One line somebody is known to have said. */
export interface Said {
  speaker: string | null;
  text: string;
}

/** What one episode holds, in normalised labels: the structured half of an event memory cell. */
export interface Analysis {
  entities: Entity[];
  triples: Triple[];
  /** EM²Mem's z: "put plate", "plate", … each once. */
  actions: string[];
  objects: string[];
  topics: string[];
  scenes: string[];
  /** Names (lower case) of who speaks, with how many lines. */
  speakers: Map<string, number>;
  /** Lines that propose, promise, plan, place or identify something. */
  critical: string[];
}

/** More would make one talkative half-minute outweigh an hour. */
const MOST = { entities: 40, triples: 32, labels: 24 } as const;
const OWN = /^(?:i|me|myself|we|wearer|camera wearer|narrator)$/iu;
/** Names a recogniser gives to voices it cannot tell. */
const UNNAMED = /^(?:speaker|voice|person|unknown)[\s_-]*\d*$/iu;

/** Proposed by a language model instead of the rule: triples as [subject, verb, object] in plain words; "I" is the wearer. */
export type TripleExtractor = (episode: Episode) => Promise<readonly (readonly [string, string, string])[]>;

const wearerEntity = (episode: Episode): Entity => entity('person', wearerOf(episode)) ?? ME_ENTITY;
const ME_ENTITY: Entity = { key: entityKey('person', 'me'), type: 'person', label: 'me' };

/** The wearer as a node: "I" of every episode of theirs. */
export function wearerNode(wearer: string): Entity {
  return { key: entityKey('person', wearer), type: 'person', label: wearer };
}

/** What the episode tells in its own words: without what was quoted or measured, which the record holds apart. */
export function narrative(episode: Episode): string[] {
  const { claims, transcript } = episode.record;
  const seen = claims.filter(({ source }) => source === 'vision-model').map(({ text }) => text);
  if (seen.length > 0) return seen;
  if (claims.length > 0) return [];
  return transcript.length > 0 && transcript.some(({ text }) => episode.text.endsWith(text))
    ? []
    : [episode.text];
}

/** Lines of the transcript by who says them; a voice without a name, or the wearer's own, has null or "me". */
function saidIn(episode: Episode): Said[] {
  return episode.record.transcript.map(({ speaker, text }) => ({
    speaker:
      speaker === null || UNNAMED.test(speaker.trim()) ? null : OWN.test(speaker.trim()) ? 'I' : speaker,
    text,
  }));
}

/** Whether a phrase names one of the people known in this episode. */
class People {
  readonly #names = new Set<string>();
  readonly #wearer: Entity;

  constructor(wearer: Entity) {
    this.#wearer = wearer;
  }

  know(name: string): Entity | null {
    const known = entity('person', name);
    if (known) this.#names.add(known.label);
    return known;
  }

  /** @param teller who says it: "I" in it is theirs; null when nobody knows whose voice it is */
  find(phrase: string | null, teller: Entity | null): Entity | null {
    if (phrase === null || OWN.test(phrase)) return teller;
    const label = phrase.toLowerCase();
    if (this.#names.has(label)) return label === this.#wearer.label ? this.#wearer : entity('person', phrase);
    return null;
  }
}

function tripleOf(
  clause: Clause,
  people: People,
  teller: Entity | null,
  places: ReadonlySet<string>,
): Triple[] {
  const subject = people.find(clause.subject, teller);
  if (!subject) return [];
  const relation = relationOf(clause.verb);
  const whom = clause.target === null ? null : people.find(clause.target, null);
  const place = (text: string) => (places.has(text) ? entity('place', text) : entity('object', text));
  const object = people.find(clause.object, null) ?? place(clause.object);
  const out: Triple[] = [];
  const add = (verb: string, to: Entity | null, by: Relation | null) => {
    if (!to || to.key === subject.key) return;
    out.push({ subject, verb, object: to, relation: by !== null && mayEndAt(by, to.type) ? by : null });
  };
  add(clause.verb, object, relation === 'hand_to' && object?.type !== 'person' ? 'hold' : relation);
  // "put the keys onto the shelf" puts them there; "give flowers to Tasha" hands them to her.
  if (whom && relation === 'hand_to') add(`${clause.verb} to`, whom, 'hand_to');
  else if (clause.target !== null && (relation === 'place_on' || relation === 'take_from')) {
    add(`${clause.verb} ${clause.preposition}`, place(clause.target), relation);
  }
  return out;
}

/** Labels as they stand in a record's list, normalised, each once. */
function labels(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const label = normalLabel(text);
    if (label !== null) found.add(label);
  }
  return [...found].slice(0, MOST.labels);
}

/** "washed the blue bowl" as "wash bowl". */
function actionLabels(recorded: readonly string[], triples: readonly Triple[], wearer: Entity): string[] {
  const found = new Set<string>();
  for (const text of recorded) {
    const clause = readSentences(`I ${text}.`).clauses[0];
    const object = clause ? normalLabel(clause.object) : null;
    const label = clause && object ? `${clause.verb} ${object}` : normalLabel(text);
    if (label !== null) found.add(label);
  }
  for (const { subject, verb, object } of triples) {
    if (subject.key === wearer.key && object.type !== 'person') found.add(`${verb} ${object.label}`);
  }
  return [...found].slice(0, MOST.labels);
}

const cache = new WeakMap<Episode, Analysis>();

/**
 * Reads an episode for the graphs and the views: entities by type, triples by rule ("I" is the wearer, a named speaker's "I" is
 * that speaker), labels and critical lines. Deterministic; kept while the episode object lives.
 * @param proposed triples of a language model, in place of those found by rule
 */
export function analyse(
  episode: Episode,
  proposed?: readonly (readonly [string, string, string])[],
): Analysis {
  const known = proposed ? undefined : cache.get(episode);
  if (known) return known;
  const { record } = episode;
  const wearer = wearerEntity(episode);
  const people = new People(wearer);
  const told: { sentences: Sentences; teller: Entity | null; speech: boolean }[] = narrative(episode).map(
    (text) => ({ sentences: readSentences(text), teller: wearer, speech: false }),
  );
  const speakers = new Map<string, number>();
  const lines = saidIn(episode);
  for (const { speaker, text } of lines) {
    const teller = speaker === null ? null : speaker === 'I' ? wearer : people.know(speaker);
    if (teller) speakers.set(teller.label, (speakers.get(teller.label) ?? 0) + 1);
    told.push({ sentences: readSentences(text), teller, speech: true });
  }
  const names = [
    ...told.flatMap(({ sentences }) => sentences.people),
    ...record.entities.filter((text) => readSentences(text).people.length > 0),
  ];
  const persons = names.map((name) => people.know(name));
  const places = new Set(told.flatMap(({ sentences }) => sentences.places));
  const triples: Triple[] = [];
  for (const { sentences, teller, speech } of told) {
    for (const clause of sentences.clauses) {
      // An instruction that is spoken is asked of somebody, not done by the speaker.
      if (speech && clause.subject === null) continue;
      triples.push(...tripleOf(clause, people, teller, places));
    }
    if (speech && teller) {
      for (const thing of sentences.things.slice(0, 2)) {
        const topic = entity('topic', thing);
        if (topic) triples.push({ subject: teller, verb: 'say', relation: 'say_about', object: topic });
      }
    }
  }
  const chosen = proposed ? proposed.flatMap((one) => proposedTriple(one, people, wearer)) : triples;
  const objects = labels([...record.objects, ...told.flatMap(({ sentences }) => sentences.things)]);
  const topics = labels([
    ...record.topics,
    ...told.filter(({ speech }) => speech).flatMap(({ sentences }) => sentences.things.slice(0, 2)),
  ]);
  const scenes = labels(record.scenes);
  const isPerson = new Set(persons.map((person) => person?.label));
  const analysis: Analysis = {
    entities: unique([
      ...[...speakers.keys()].map((name) => entity('person', name)),
      ...persons,
      ...[...places].map((name) => entity('place', name)),
      ...scenes.map((name) => entity('scene', name)),
      ...chosen.flatMap(({ subject, object }) => [subject, object]),
      ...objects.filter((name) => !isPerson.has(name)).map((name) => entity('object', name)),
      ...topics.filter((name) => !isPerson.has(name)).map((name) => entity('topic', name)),
    ])
      .filter(({ key }) => key !== wearer.key)
      .slice(0, MOST.entities),
    triples: distinct(chosen).slice(0, MOST.triples),
    actions: actionLabels(record.actions, chosen, wearer),
    objects: objects.filter((name) => !isPerson.has(name)),
    topics: topics.filter((name) => !isPerson.has(name)),
    scenes,
    speakers,
    critical: criticalLines(lines),
  };
  if (!proposed) cache.set(episode, analysis);
  return analysis;
}

function proposedTriple(
  [subject, verb, object]: readonly [string, string, string],
  people: People,
  wearer: Entity,
): Triple[] {
  const by = OWN.test(subject) ? wearer : people.know(subject);
  const label = verb.toLowerCase().trim();
  const to = people.find(object, wearer) ?? entity('object', object);
  if (!by || !to || label === '' || by.key === to.key) return [];
  const relation = relationOf(label);
  return [
    {
      subject: by,
      verb: label,
      object: to,
      relation: relation && mayEndAt(relation, to.type) ? relation : null,
    },
  ];
}

/** Key of what a triple says; two with one key say the same. */
export function tripleKey({ subject, verb, object }: Pick<Triple, 'subject' | 'verb' | 'object'>): string {
  return `${subject.key}|${verb}|${object.key}`;
}

function distinct(triples: readonly Triple[]): Triple[] {
  return [...new Map(triples.map((triple) => [tripleKey(triple), triple])).values()];
}

/** Keys under which the entities that a question's words may mean are found: whole phrases, their last nouns, names. */
export function questionKeys(question: string): string[] {
  const { things, people, places, clauses } = readSentences(question);
  const words = question.match(/\p{L}[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
  const found = new Set<string>();
  const add = (text: string) => {
    const label = normalLabel(text);
    if (label === null) return;
    for (const form of new Set([label, headOf(label)])) {
      for (const type of ['object', 'place', 'scene', 'topic'] as const) found.add(entityKey(type, form));
    }
  };
  for (const phrase of [...things, ...places, ...clauses.flatMap((c) => [c.object, c.target ?? ''])])
    add(phrase);
  for (const name of [...people, ...words.filter((word) => /^\p{Lu}/u.test(word))]) {
    const person = entity('person', name);
    if (person) found.add(person.key);
    if (name.includes(' '))
      for (const part of name.split(' ')) found.add(entityKey('person', part.toLowerCase()));
  }
  for (const word of words) {
    if (word.length < 3) continue;
    for (const type of ['object', 'place', 'scene'] as const)
      found.add(entityKey(type, singular(word.toLowerCase())));
  }
  return [...found];
}
