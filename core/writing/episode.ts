import type { Episode, EventRecord } from '../contract/index.ts';
import type { Observation } from '../perception/observation.ts';
import { type Labels, labelsOf } from './labels.ts';
import { measuredOf } from './measured.ts';
import { writeCaption, writeParagraph } from './paragraph.ts';
import { plainLine, plainRows, plainSpeaker } from './plain-text.ts';
import { scenesOf } from './scenes.ts';
import { confidenceOf, countOf, instantOf, placeOf, type Statement } from './statements.ts';

/** What a writer saw beyond what was measured. */
export interface Seen {
  /** Its text; labels and scenes come from it too. */
  text: string;
  /** Labels it gave by itself, put before those found by rule. */
  labels: Partial<Labels>;
  scenes: readonly string[];
  /** The episode all this is carried over from; null when somebody looked at this segment. */
  carriedFrom: string | null;
}

/** Verbs of a first-person text that only say that something was there. */
const ONLY_PERCEIVED = /^(?:can |could )?(?:see|saw|notice|noticed|hear|heard)\b/iu;

/** Labels in order, each once whatever its case. */
function joined(...lists: readonly (readonly string[])[]): string[] {
  const known = new Map<string, string>();
  for (const label of lists.flat()) {
    if (!known.has(label.toLowerCase())) known.set(label.toLowerCase(), label);
  }
  return [...known.values()];
}

/** Everything measured, in full: what does not fit into the paragraph stands here. */
function recordOf(
  observation: Observation,
  statements: readonly Statement[],
  seen: Seen | null,
): EventRecord {
  const transcript = observation.speech
    .map((line) => ({
      ...line,
      startMs: instantOf(line.startMs),
      endMs: instantOf(line.endMs),
      speaker: plainSpeaker(line.speaker),
      text: plainLine(line.text),
      confidence: confidenceOf(line.confidence),
    }))
    .filter((line) => line.text !== '');
  const visibleText = observation.visibleText
    .map((text) => ({
      text: plainRows(text.text).join('\n'),
      confidence: confidenceOf(text.confidence),
      firstMs: instantOf(text.firstMs),
      lastMs: instantOf(text.lastMs),
    }))
    .filter((text) => text.text !== '');
  const own = seen && labelsOf([{ text: seen.text, speaker: null }], []);
  // Where nothing moved nothing was done again.
  const acted = seen?.carriedFrom === null;
  const done = (acted && own?.actions.filter((action) => !ONLY_PERCEIVED.test(action))) || [];
  const named = labelsOf(transcript, visibleText);
  return {
    caption: writeCaption(statements),
    transcript,
    visibleText,
    actions: joined((acted && seen.labels.actions) || [], done, named.actions),
    objects: joined(seen?.labels.objects ?? [], own?.objects ?? [], named.objects),
    topics: joined(seen?.labels.topics ?? [], own?.topics ?? [], named.topics),
    entities: joined(seen?.labels.entities ?? [], own?.entities ?? [], named.entities),
    scenes: joined(seen?.scenes ?? [], scenesOf(observation)),
    claims: statements.map(({ claim }) => claim),
    people: countOf(observation.faces.most),
    place: placeOf(observation),
  };
}

/**
 * The episode of an observation.
 * @param statements all that is said, in the order in which it is told
 * @param seen null when nobody looked at the pictures
 */
export function episodeOf(
  observation: Observation,
  statements: readonly Statement[],
  seen: Seen | null,
  writer: Episode['writer'],
): Episode {
  return {
    id: observation.episodeId,
    recordingId: observation.recordingId,
    chapterId: observation.chapterId,
    index: observation.index,
    startMs: instantOf(observation.startMs),
    endMs: instantOf(observation.endMs),
    zone: observation.zone,
    text: writeParagraph(statements),
    record: recordOf(observation, statements, seen),
    keyframes: observation.keyframes.map(({ file, atMs, width, height }) => ({
      file,
      atMs: instantOf(atMs),
      width,
      height,
    })),
    clip: observation.clip?.file ?? null,
    writer,
    ...(seen?.carriedFrom ? { carriedFrom: seen.carriedFrom } : {}),
    measured: measuredOf(observation),
  };
}
