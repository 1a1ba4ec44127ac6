import { z } from 'zod';
import { EpochMs, Id } from '../../contract/index.ts';
import { type Entity, entity, entityKey, entityOfKey } from './entities.ts';

const Key = z.string().regex(/^(?:person|object|place|scene|topic)::.{1,60}$/u);
const Scope = { episodeIds: z.array(Id).default([]), recordingId: Id.nullable().default(null) };

/**
 * What a person said about the memory's names. Operations are kept in the order in which they were said and applied when the graph is
 * read: nothing derived from footage is changed by them, so they outlive a new import and can be taken back one by one.
 */
export const Correction = z.discriminatedUnion('what', [
  /** "speaker 1" is Anna, everywhere; another type may be meant too ("mercury" is a place). */
  z.object({ what: z.literal('rename'), key: Key, to: Key }),
  /** These are one. */
  z.object({ what: z.literal('merge'), keys: z.array(Key).min(1), into: Key }),
  /** In these episodes, or this recording, it is another one. */
  z.object({ what: z.literal('split'), key: Key, to: Key, ...Scope }),
  /** "This is Anna": somebody in these episodes, or this recording, who had no name. */
  z.object({ what: z.literal('identify'), person: Key, ...Scope }),
]);
export type Correction = z.infer<typeof Correction>;

export const SaidCorrection = z.object({ id: Id, saidAtMs: EpochMs, correction: Correction });
export type SaidCorrection = z.infer<typeof SaidCorrection>;

/** Where an entity was met. */
export interface Place {
  episodeId: string;
  recordingId: string;
}

const inScope = (
  scope: { episodeIds: readonly string[]; recordingId: string | null },
  { episodeId, recordingId }: Place,
): boolean => scope.episodeIds.includes(episodeId) || scope.recordingId === recordingId;

/** The person's corrections, applied in order. */
export class Corrections {
  readonly #list: readonly Correction[];

  constructor(list: readonly Correction[] = []) {
    this.#list = list;
  }

  get empty(): boolean {
    return this.#list.length === 0;
  }

  /** The key an entity met in an episode goes by. */
  keyOf(key: string, place: Place): string {
    let now = key;
    for (const one of this.#list) {
      if (one.what === 'rename' && one.key === now) now = one.to;
      else if (one.what === 'merge' && one.keys.includes(now)) now = one.into;
      else if (one.what === 'split' && one.key === now && inScope(one, place)) now = one.to;
    }
    return now;
  }

  /** People the person named in an episode. */
  namedIn(place: Place): Entity[] {
    return this.#list.flatMap((one) => {
      if (one.what !== 'identify' || !inScope(one, place)) return [];
      // A later correction may rename who was identified.
      return entityOfKey(this.keyOf(one.person, place)) ?? [];
    });
  }

  entity(of: Entity, place: Place): Entity {
    const key = this.keyOf(of.key, place);
    return key === of.key ? of : (entityOfKey(key) ?? of);
  }

  /** Every key, as met in footage, that may go by this one: the inverse of `keyOf`, wider where a correction holds for some episodes only. */
  sourcesOf(key: string): string[] {
    const found = new Set([key]);
    for (const one of [...this.#list].reverse()) {
      if (one.what === 'rename' && found.has(one.to)) found.add(one.key);
      else if (one.what === 'merge' && found.has(one.into)) for (const from of one.keys) found.add(from);
      else if (one.what === 'split' && found.has(one.to)) found.add(one.key);
    }
    return [...found];
  }

  /** Episodes and recordings in which a person was named by hand. */
  scopesNaming(key: string): { episodeIds: string[]; recordingIds: string[] } {
    const sources = new Set(this.sourcesOf(key));
    const named = this.#list.filter((one) => one.what === 'identify' && sources.has(one.person));
    return {
      episodeIds: named.flatMap((one) => (one.what === 'identify' ? one.episodeIds : [])),
      recordingIds: named.flatMap((one) =>
        one.what === 'identify' && one.recordingId ? [one.recordingId] : [],
      ),
    };
  }
}

/** The key of a person by name; null for what is no name. */
export function personKey(name: string): string | null {
  const person = entity('person', name);
  return person ? entityKey('person', person.label) : null;
}
