import type { EntityType } from './entities.ts';

/** EM²Mem's closed set of relations (released code, build_episodic_graph.py); what maps to none is no edge. */
export const RELATIONS = [
  'hand_to',
  'hold',
  'use',
  'inspect',
  'ask_about',
  'confirm',
  'say_about',
  'discuss',
  'organize',
  'move',
  'place_on',
  'take_from',
  'occurs_in',
  'explain',
  'invite',
  'write_on',
  'assemble',
  'fit_into',
  'offer',
] as const;
export type Relation = (typeof RELATIONS)[number];

const THING: readonly EntityType[] = ['object', 'place'];
const SUBJECT: readonly EntityType[] = ['topic', 'object', 'person', 'place'];

/** What a relation may lead to; every one but `occurs_in` starts at a person. */
const OBJECTS: Record<Relation, readonly EntityType[]> = {
  hand_to: ['person'],
  hold: THING,
  use: THING,
  inspect: THING,
  assemble: THING,
  fit_into: THING,
  write_on: THING,
  place_on: THING,
  take_from: THING,
  move: THING,
  organize: THING,
  ask_about: SUBJECT,
  confirm: SUBJECT,
  say_about: SUBJECT,
  discuss: SUBJECT,
  explain: SUBJECT,
  invite: ['person', 'topic', 'object', 'place'],
  offer: SUBJECT,
  occurs_in: ['place', 'scene'],
};

/** Whether an edge of this relation may end at such an entity. */
export function mayEndAt(relation: Relation, type: EntityType): boolean {
  return OBJECTS[relation].includes(type);
}

/** Dictionary forms of verbs (with their particle) by relation; the first that matches holds. */
const VERBS: readonly (readonly [Relation, RegExp])[] = [
  ['fit_into', /^(?:fit|insert|plug|slot|screw|inject|stuff|dip)\b/],
  ['assemble', /^(?:assemble|build|attach|connect|mount|install|repair|fix|sew|knit|tie|glue)\b/],
  ['write_on', /^(?:write|draw|sign|note|type|paint|mark|label|sketch|scribble)\b/],
  ['ask_about', /^(?:ask|inquire|wonder|question)\b/],
  ['confirm', /^(?:confirm|agree|verify|promise|decide|accept)\b/],
  ['invite', /^(?:invite|call|phone|visit|meet|join)\b/],
  ['offer', /^(?:offer|suggest|propose|recommend|order)\b/],
  ['explain', /^(?:explain|teach|demonstrate|describe|present|show)\b/],
  ['discuss', /^(?:discuss|talk|chat|speak|argue|debate|plan)\b/],
  ['say_about', /^(?:say|tell|mention|state|announce|read out|like|love|hate|prefer|enjoy|want|need)\b/],
  ['hand_to', /^(?:hand|give|pass|lend|feed)\b/],
  [
    'take_from',
    /^(?:take|grab|get|pick|fetch|remove|pull out|withdraw|collect|gather|scoop|unplug|detach|peel|buy|steal|catch)\b/,
  ],
  [
    'place_on',
    /^(?:put|place|set|lay|drop|leave|hang|throw|pour|add|spread|sprinkle|season|apply|dump|load|serve|rest|lean)\b/,
  ],
  [
    'inspect',
    /^(?:look|check|inspect|examine|read|watch|smell|taste|measure|weigh|search|test|count|browse)\b/,
  ],
  [
    'organize',
    /^(?:organi[sz]e|arrange|sort|tidy|clean|fold|stack|pack|unpack|store|empty|sweep|wipe|wash|rinse|dry|scrub|file|hoover|vacuum|mop)\b/,
  ],
  ['hold', /^(?:hold|carry|grip|wear|keep|bring|squeeze|hug)\b/],
  [
    'move',
    /^(?:move|push|pull|slide|shift|turn|flip|shake|stir|mix|rotate|roll|lift|raise|lower|adjust|toss|knead|swing|bend|stretch)\b/,
  ],
  [
    'use',
    /^(?:use|open|close|shut|cut|chop|slice|press|cook|boil|fry|bake|heat|eat|drink|drive|ride|play|switch|start|stop|light|charge|prepare|make|grate|crush|break|water|filter|fill|cover|wrap|unwrap|lock|unlock|operate|work|sharpen|season|spray|tap|click|scroll|film|photograph|brush|shave|iron)\b/,
  ],
];

/** Of being, having and perceiving nothing follows (released code drops them). */
const NO_RELATION =
  /^(?:be|have|do|see|notice|hear|seem|appear|become|get to|go|come|walk|run|stand|sit|stay|feel|think|know|try|begin|continue|finish|let)\b/;

/**
 * The relation of a verb's dictionary form, or null when it is in none.
 * @param verb lower case, with its particle: "pick up"
 */
export function relationOf(verb: string): Relation | null {
  if (NO_RELATION.test(verb)) return null;
  return VERBS.find(([, words]) => words.test(verb))?.[0] ?? null;
}
