import { type Claim, type ClaimSource, speakerWords } from '../contract/index.ts';
import type { Observation } from '../perception/observation.ts';
import type { RecordingFacts } from './episode-writer.ts';
import { closed, plainLine, plainRows, plainSpeaker, quote } from './plain-text.ts';

/** Below this a reading is hedged, and below the other it is left out of the paragraph (the record keeps it). */
const SURE = 0.8;
const WORTH_SAYING = 0.5;

/** How much each kind of statement tells; the least telling is cut first when a paragraph gets too long. */
export const WEIGHT = {
  opening: 1000,
  speech: 60,
  seen: 58,
  text: 50,
  black: 45,
  movement: 42,
  people: 40,
  place: 35,
  light: 20,
  name: 15,
  motion: 10,
  sound: 8,
  cuts: 5,
} as const;
type Kind = keyof typeof WEIGHT;
/** Words that say something raise a quotation's weight, up to this many. */
const WEIGHTY_WORDS = 25;

/** Share of frames, and measured levels, at which a thing is said. */
const MOSTLY = 0.9;
const PARTLY = 0.3;
const DARK_LEVEL = 0.15;
const MOVING_LEVEL = 0.04;
const QUIET_DBFS = -45;
/** Below this speed, m/s, a GPS only wanders. */
const STANDING_SPEED = 0.4;
const KMH = 3.6;
const CUTS_NAMED = 3;
/** What lies beyond was not measured but is a fault of the telemetry: m/s, m, m above the sea. */
const MOST_SPEED = 400;
const MOST_DISTANCE = 1e7;
const ALTITUDES = { lowest: -500, highest: 20_000 } as const;
/** GPS and container places carry no confidence of their own. */
const TELEMETRY_CONFIDENCE = 0.9;

/** One thing that can be said, still apart from its neighbours. */
export interface Statement {
  kind: Kind;
  /** Statements with the same lead are told in one sentence: the lead, then their quotations. */
  lead: string;
  /** What is quoted after the lead; null when the lead is the whole sentence. */
  quoted: string | null;
  /** Quotations of one group (rows of one sign) belong closer together. */
  group: number;
  weight: number;
  claim: Claim;
}

function finite(value: number | null | undefined, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

/** A confidence as 0..1; what is no number counts as none. */
export function confidenceOf(value: number): number {
  return Math.min(1, Math.max(0, finite(value, 0)));
}

/** A count as a whole number from 0; more faces than this fit into no frame. */
const MOST_FACES = 10_000;
export function countOf(value: number): number {
  return Math.min(MOST_FACES, Math.max(0, Math.floor(finite(value, 0))));
}

/** The last instant a date can hold, epoch ms. */
const LAST_INSTANT = 8.64e15;

/** An instant as whole epoch ms. */
export function instantOf(value: number): number {
  return Math.round(Math.min(LAST_INSTANT, Math.max(-LAST_INSTANT, finite(value, 0))));
}

function sentence(
  kind: Kind,
  text: string,
  source: ClaimSource,
  confidence = 1,
  atMs: number | null = null,
): Statement {
  const at = atMs === null ? null : instantOf(atMs);
  const claim = { text, source, confidence: confidenceOf(confidence), atMs: at };
  return { kind, lead: text, quoted: null, group: 0, weight: WEIGHT[kind], claim };
}

function quotation(
  kind: Kind,
  lead: string,
  words: string,
  group: number,
  source: ClaimSource,
  confidence: number,
  atMs: number,
): Statement {
  const told = words.match(/\p{L}{4,}|\p{N}+/gu)?.length ?? 0;
  return {
    kind,
    lead,
    quoted: quote(words),
    group,
    weight: WEIGHT[kind] + Math.min(WEIGHTY_WORDS, told),
    claim: { text: closed(`${lead} ${quote(words)}`), source, confidence, atMs: instantOf(atMs) },
  };
}

/** Camera names for files: they tell nothing. */
const CAMERA_NAME =
  /^(?:g[xhpls]|gopr|dji|img|vid|mvi|dsc|pxl|mov|video|lrv|clip|rec|wp|wa|screen|file)?(?![\p{L}])/iu;

/**
 * The opening names no time: an episode's instant stands beside its words, so that correcting a camera's clock leaves
 * the words true.
 */
function opening(recording: RecordingFacts): Statement[] {
  const camera = plainLine(recording.camera ?? '');
  const withCamera = camera === '' ? '' : ` with a ${camera}`;
  const statements = [sentence('opening', `I was recording${withCamera}.`, 'container')];
  const name = plainLine(recording.name);
  if (/\p{L}{3}/u.test(name) && !CAMERA_NAME.test(name)) {
    statements.push(sentence('name', `The file is named ${quote(name)}.`, 'container'));
  }
  return statements;
}

/**
 * How a paragraph leads to what somebody said.
 * @param speaker a plain name, or "voice A"; null when not known
 */
export function speechLead(speaker: string | null, confidence: number): string {
  const mine = speaker !== null && /^(?:me|i|myself)$/iu.test(speaker);
  const subject = mine
    ? 'I said'
    : speaker === null
      ? 'I said or heard'
      : `${speaker.replace(/^voice /u, 'Voice ')} said`;
  return `${subject}${confidence < SURE ? ' something like' : ''}:`;
}

function speech({ speech: lines }: Observation): Statement[] {
  const seen = new Set<string>();
  return lines.flatMap((line) => {
    const words = plainLine(line.text);
    const speaker = plainSpeaker(speakerWords(line));
    const confidence = confidenceOf(line.confidence);
    const repeated = `${speaker} ${words}`;
    if (!/[\p{L}\p{N}]/u.test(words) || confidence < WORTH_SAYING || seen.has(repeated)) return [];
    seen.add(repeated);
    return [
      quotation('speech', speechLead(speaker, confidence), words, 0, line.source, confidence, line.startMs),
    ];
  });
}

function visibleText({ visibleText: texts }: Observation): Statement[] {
  return texts.flatMap((text, group) => {
    const confidence = confidenceOf(text.confidence);
    if (confidence < WORTH_SAYING) return [];
    const lead = confidence < SURE ? 'I could perhaps read:' : 'I could read:';
    return plainRows(text.text).map((row) =>
      quotation('text', lead, row, group, 'visible-text', confidence, text.firstMs),
    );
  });
}

const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function people({ faces }: Observation): Statement[] {
  const most = countOf(faces.most);
  const confidence = confidenceOf(faces.confidence);
  if (most === 0 || confidence < WORTH_SAYING) return [];
  const count = NUMBER_WORDS[most] ?? String(most);
  const briefly = finite(faces.share, 1) < PARTLY ? ' for a part of the time' : '';
  const whom =
    most === 1
      ? "one person's face was in view"
      : `the faces of at least ${count} people were in view at once`;
  const text =
    confidence < SURE
      ? `It seems that ${whom}${briefly}.`
      : `${whom[0]!.toUpperCase()}${whom.slice(1)}${briefly}.`;
  const start = faces.spans[0]?.startMs;
  return [sentence('people', text, 'faces', confidence, start ?? null)];
}

/** A place on Earth, or null. */
export function placeOf({ telemetry }: Observation): { lat: number; lon: number } | null {
  const place = telemetry?.place;
  return place && Math.abs(place.lat) <= 90 && Math.abs(place.lon) <= 180
    ? { lat: place.lat, lon: place.lon }
    : null;
}

function placeSentence(place: { lat: number; lon: number }, altitude: number): string {
  const lat = `${Math.abs(place.lat).toFixed(4)}° ${place.lat < 0 ? 'S' : 'N'}`;
  const lon = `${Math.abs(place.lon).toFixed(4)}° ${place.lon < 0 ? 'W' : 'E'}`;
  const known = altitude >= ALTITUDES.lowest && altitude <= ALTITUDES.highest;
  // Some cameras write the height above the ellipsoid: it is the receiver's figure, not the height above the sea.
  const high = known ? `, at a GPS height of about ${Math.round(altitude)} m` : '';
  return `I was at about ${lat}, ${lon}${high}.`;
}

function movementSentence(speed: number, metres: number): string {
  if (speed < STANDING_SPEED) return 'I stayed in one place.';
  const far = metres >= 1000 ? `${(metres / 1000).toFixed(1)} km` : `${Math.round(metres)} m`;
  const covered = metres >= 1 && metres <= MOST_DISTANCE ? ` and covered about ${far}` : '';
  return `I was moving at about ${Math.round(speed * KMH)} km/h${covered}.`;
}

function placeAndMovement(observation: Observation): Statement[] {
  const { telemetry } = observation;
  if (!telemetry) return [];
  const statements: Statement[] = [];
  const place = placeOf(observation);
  if (place) {
    const text = placeSentence(place, telemetry.altitude ?? Number.NaN);
    statements.push(sentence('place', text, 'telemetry', TELEMETRY_CONFIDENCE));
  }
  const speed = telemetry.speed ?? Number.NaN;
  if (speed >= 0 && speed <= MOST_SPEED) {
    const text = movementSentence(speed, telemetry.distance ?? Number.NaN);
    statements.push(sentence('movement', text, 'telemetry', TELEMETRY_CONFIDENCE));
  }
  return statements;
}

function picture({ light, motion, startMs }: Observation): Statement[] {
  const black = finite(light.black, 0);
  if (black >= MOSTLY) return [sentence('black', 'The picture was black.', 'light')];
  const statements: Statement[] = [];
  if (black >= PARTLY)
    statements.push(sentence('black', 'The picture was black for a part of the time.', 'light'));
  else if (finite(light.level, 1) < DARK_LEVEL) statements.push(sentence('light', 'It was dark.', 'light'));
  if (finite(motion.still, 0) >= MOSTLY)
    statements.push(sentence('motion', 'The camera kept still.', 'motion'));
  else if (finite(motion.level, 0) >= MOVING_LEVEL)
    statements.push(sentence('motion', 'The camera was moving.', 'motion'));
  const cuts = motion.cuts.filter(Number.isFinite);
  if (cuts.length > 0) {
    const named = cuts.slice(0, CUTS_NAMED).map((ms) => `${Math.round((ms - instantOf(startMs)) / 1000)} s`);
    const more = cuts.length > named.length ? ` and ${cuts.length - named.length} more times` : '';
    const text = `The view changed as a whole after ${named.join(', ')}${more}.`;
    statements.push(sentence('cuts', text, 'motion', 1, cuts[0]!));
  }
  return statements;
}

function sound({ sound: heard }: Observation): Statement[] {
  if (heard === null) return [sentence('sound', 'There was no sound track.', 'sound')];
  if (heard.silent) return [sentence('sound', 'It was silent.', 'sound')];
  if (finite(heard.level, 0) < QUIET_DBFS) return [sentence('sound', 'It was quiet.', 'sound')];
  return [];
}

/** Everything an observation lets one say, in the order in which it is told. */
export function statementsOf(observation: Observation, recording: RecordingFacts): Statement[] {
  return [
    ...opening(recording),
    ...placeAndMovement(observation),
    ...speech(observation),
    ...visibleText(observation),
    ...people(observation),
    ...picture(observation),
    ...sound(observation),
  ];
}
