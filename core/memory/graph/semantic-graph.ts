import type { Entity } from './entities.ts';
import { entityOfKey, headOf } from './entities.ts';

/** Triplets nearer than this are looked at as one (EM²Mem B.2, WorldMM: similarity above 0.6). */
export const CONSOLIDATE_COSINE = 0.6;
/** Without a model a repetition is a habit from here on: on so many days, or in so many episodes. */
export const HABIT_DAYS = 2;
export const HABIT_EPISODES = 3;
/** confidence = min(.95, .45 + .04·min(support, 8)) (released code). */
const CONFIDENCE = { base: 0.45, each: 0.04, upTo: 8, most: 0.95 } as const;

/** Something that was observed in one episode. */
export interface Evidence {
  episodeId: string;
  recordingId: string;
  startMs: number;
  endMs: number;
  /** Local day, YYYY-MM-DD. */
  day: string;
}

/** One triplet with all that is known to support it. */
export interface Observed {
  subject: string;
  verb: string;
  object: string;
  evidence: readonly Evidence[];
}

/** A regularity: a habit, a preference, a stable relation (EM²Mem G_S). */
export interface SemanticFact {
  id: string;
  subject: Entity;
  verb: string;
  object: Entity;
  text: string;
  kind: 'habit' | 'preference' | 'relation';
  /** Episodes that support it, and local days, as of the instant asked for. */
  support: number;
  days: number;
  firstMs: number;
  lastMs: number;
  confidence: number;
  /** In time order. */
  evidence: Evidence[];
}

/** Verbs that say what somebody likes rather than does. */
const PREFERENCE = /^(?:like|love|prefer|enjoy|hate|want|need|dislike|adore)\b/;

/** Says for a triplet and those like it which of these it belongs with; a language model may decide, else `sameHead` does. */
export type Consolidate = (of: Observed, like: readonly Observed[]) => readonly Observed[];

/** A triplet in words: what is embedded and shown. */
export function factText(subject: Entity, verb: string, object: Entity): string {
  const who = subject.type === 'person' && subject.label === 'me' ? 'I' : subject.label;
  return `${who} ${verb} ${object.label}`;
}

/** Without a model, triplets are one only when the same is done by the same to things of one kind: "pizza slice" and "slice". */
const sameHead: Consolidate = (of, like) =>
  like.filter(
    (other) =>
      other.subject === of.subject &&
      other.verb === of.verb &&
      headOf(other.object.slice(other.object.indexOf('::') + 2)) ===
        headOf(of.object.slice(of.object.indexOf('::') + 2)) &&
      other.object.split('::')[0] === of.object.split('::')[0],
  );

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (!a || !b || a.length !== b.length) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

export interface FactOptions {
  /** Only evidence that had ended by then counts: counts, days and names of facts are those of that instant. */
  nowMs: number;
  /** Vectors of the triplets' texts, of unit length, by `factText`; without them nothing is consolidated. */
  vectors?: ReadonlyMap<string, Float32Array>;
  consolidate?: Consolidate;
}

/**
 * Facts that hold at an instant: triplets with their evidence by then, those alike consolidated, and of these the repeated ones.
 * The result does not depend on what was observed later, nor on the order of `observed`.
 */
export function factsAt(
  observed: readonly Observed[],
  { nowMs, vectors, consolidate = sameHead }: FactOptions,
): SemanticFact[] {
  const known = observed
    .map((one) => ({ ...one, evidence: one.evidence.filter(({ endMs }) => endMs <= nowMs) }))
    .filter(({ evidence }) => evidence.length > 0)
    // The best supported names the fact; of equals the plainest.
    .sort(
      (a, b) =>
        b.evidence.length - a.evidence.length ||
        keyOf(a).length - keyOf(b).length ||
        (keyOf(a) < keyOf(b) ? -1 : 1),
    );
  const texts = new Map(known.map((one) => [one, textOf(one)]));
  const taken = new Set<Observed>();
  const facts: SemanticFact[] = [];
  for (const one of known) {
    if (taken.has(one)) continue;
    const mine = vectors?.get(texts.get(one)!);
    const alike = mine
      ? known.filter(
          (other) =>
            other !== one &&
            !taken.has(other) &&
            other.subject === one.subject &&
            dot(mine, vectors?.get(texts.get(other)!)) > CONSOLIDATE_COSINE,
        )
      : [];
    const members = [one, ...consolidate(one, alike)];
    for (const member of members) taken.add(member);
    const fact = factOf(members);
    if (fact) facts.push(fact);
  }
  return facts;
}

const keyOf = ({ subject, verb, object }: Observed): string => `${subject}|${verb}|${object}`;

function textOf({ subject, verb, object }: Observed): string {
  const [who, what] = [entityOfKey(subject), entityOfKey(object)];
  return who && what ? factText(who, verb, what) : '';
}

function factOf(members: readonly Observed[]): SemanticFact | null {
  const first = members[0]!;
  const [subject, object] = [entityOfKey(first.subject), entityOfKey(first.object)];
  if (!subject || !object) return null;
  const evidence = [
    ...new Map(members.flatMap((member) => member.evidence).map((one) => [one.episodeId, one])).values(),
  ].sort((a, b) => a.startMs - b.startMs || (a.episodeId < b.episodeId ? -1 : 1));
  const days = new Set(evidence.map(({ day }) => day)).size;
  const support = evidence.length;
  const kind = PREFERENCE.test(first.verb) ? 'preference' : object.type === 'person' ? 'relation' : 'habit';
  // A preference is said once; what is done becomes a habit by being done again.
  if (kind !== 'preference' && days < HABIT_DAYS && support < HABIT_EPISODES) return null;
  return {
    id: keyOf(first),
    subject,
    verb: first.verb,
    object,
    text: factText(subject, first.verb, object),
    kind,
    support,
    days,
    firstMs: evidence[0]!.startMs,
    lastMs: Math.max(...evidence.map(({ endMs }) => endMs)),
    confidence: Math.min(
      CONFIDENCE.most,
      CONFIDENCE.base + CONFIDENCE.each * Math.min(support, CONFIDENCE.upTo),
    ),
    evidence,
  };
}
