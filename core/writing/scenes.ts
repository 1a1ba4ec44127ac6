import type { Observation } from '../perception/observation.ts';

/** Words that only stand on the thing itself: the board, the shop sign, the till's receipt. */
const PRINTED: readonly { scene: string; words: RegExp }[] = [
  {
    scene: 'station or airport',
    words: /\b(?:departures|arrivals|boarding gate|check-in desk|platform \d+)\b/iu,
  },
  { scene: 'pharmacy', words: /\b(?:pharmacy|apotheke|pharmacie|farmacia|apteka)\b/iu },
  { scene: 'car park', words: /\b(?:parking p?\d+|car park|parkhaus)\b/iu },
  { scene: 'café', words: /\b(?:cafe|café|coffee ?shop|coffee ?house)(?![\p{L}])/iu },
  { scene: 'restaurant', words: /\b(?:restaurant|ristorante|trattoria|bistro)\b/iu },
  { scene: 'shop', words: /\b(?:supermarket|bakery|bookshop|bookstore|grocery|self[- ]checkout)\b/iu },
  { scene: 'hospital', words: /\b(?:hospital|emergency room|outpatients?)\b/iu },
  { scene: 'museum', words: /\b(?:museum|gallery)\b/iu },
  { scene: 'library', words: /\b(?:public|city|university) library\b/iu },
  { scene: 'hotel', words: /\b(?:hotel|hostel)\b/iu },
  { scene: 'receipt', words: /\btotal\b[^\p{L}]*\d+[.,]\d{2}/iu },
  { scene: 'e-mail on a screen', words: /^(?:from|subject):\s/imu },
];
/** Print must be read this surely to name a scene. */
const SURE = 0.8;
/** Metres a second: a walk, a run or a ride, and what only a vehicle does. */
const WALKING = { from: 0.7, below: 2.2 } as const;
const VEHICLE = { from: 8, below: 400 } as const;
/** Shares and levels of light, as for the paragraph. */
const MOSTLY_BLACK = 0.9;
const DARK_LEVEL = 0.15;

/** Scenes that light, movement or print give away; empty when they give away nothing. */
export function scenesOf({ light, telemetry, visibleText }: Observation): string[] {
  const scenes: string[] = [];
  if (light.black >= MOSTLY_BLACK) scenes.push('black picture');
  else if (light.level < DARK_LEVEL) scenes.push('dark');
  const speed = telemetry?.speed ?? Number.NaN;
  if (speed >= WALKING.from && speed < WALKING.below) scenes.push('at walking pace');
  else if (speed >= VEHICLE.from && speed < VEHICLE.below) scenes.push('in a vehicle');
  else if (speed >= WALKING.below && speed < VEHICLE.from) scenes.push('moving quickly');
  const print = visibleText.filter(({ confidence }) => confidence >= SURE);
  for (const { scene, words } of PRINTED) if (print.some(({ text }) => words.test(text))) scenes.push(scene);
  return scenes;
}

/** EM²Mem's coarse scenes, by words that name them. */
const SEEN: readonly { scene: string; words: RegExp }[] = [
  { scene: 'kitchen', words: /\bkitchen\b/iu },
  { scene: 'dining area', words: /\bdining (?:area|room|table)\b/iu },
  { scene: 'living room', words: /\b(?:living room|couch|sofa)\b/iu },
  { scene: 'bedroom', words: /\bbedroom\b/iu },
  { scene: 'bathroom', words: /\b(?:bathroom|restroom)\b/iu },
  { scene: 'hallway', words: /\b(?:hallway|corridor|staircase|stairwell)\b/iu },
  { scene: 'office or workspace', words: /\b(?:office|workshop|workbench|meeting room)\b/iu },
  {
    scene: 'outdoors',
    words: /\b(?:outdoors?|outside|streets?|road|park|garden|pavement|sidewalk|forest|beach|trail|field)\b/iu,
  },
  { scene: 'shop', words: /\b(?:shop|store|supermarket|bakery|market)\b/iu },
  { scene: 'restaurant or café', words: /\b(?:restaurant|cafe|café|bar|canteen)(?![\p{L}])/iu },
  {
    scene: 'in a vehicle',
    words: /\b(?:inside (?:a|the|my) (?:car|bus|train|tram|taxi)|dashboard|steering wheel)\b/iu,
  },
];

/** Scenes that a writer's text names, in the order of the table; "car park" is no park. */
export function scenesNamed(text: string): string[] {
  const plain = text.replace(/\bcar park\b/giu, 'parking lot');
  return SEEN.filter(({ words }) => words.test(plain)).map(({ scene }) => scene);
}
