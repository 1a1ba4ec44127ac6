import type { Episode, EventRecord } from '../contract/index.ts';
import type { Observation } from '../perception/observation.ts';
import type { EpisodeWriter } from './episode-writer.ts';
import { labelsOf } from './labels.ts';
import { writeCaption, writeParagraph } from './paragraph.ts';
import { plainLine, plainRows, plainSpeaker } from './plain-text.ts';
import { scenesOf } from './scenes.ts';
import { confidenceOf, countOf, instantOf, placeOf, type Statement, statementsOf } from './statements.ts';

const NAME = 'footnote-measured';
/** Raised whenever the same observation would give another text, so that old episodes can be told and rewritten. */
const VERSION = '1';

/** Everything measured, in full: what does not fit into the paragraph stands here. */
function recordOf(observation: Observation, statements: readonly Statement[]): EventRecord {
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
  return {
    caption: writeCaption(statements),
    transcript,
    visibleText,
    ...labelsOf(transcript, visibleText),
    scenes: scenesOf(observation),
    claims: statements.map(({ claim }) => claim),
    people: countOf(observation.faces.most),
    place: placeOf(observation),
  };
}

/**
 * The writer that needs no model: it says what perception measured and nothing else. Speech and print are quoted word
 * for word; whatever is not sure is hedged or left to the event record.
 */
export function createMeasuredWriter(): EpisodeWriter {
  return {
    name: NAME,
    version: VERSION,
    async write(observation, recording, context = {}): Promise<Episode> {
      context.signal?.throwIfAborted();
      const statements = statementsOf(observation, recording);
      return {
        id: observation.episodeId,
        recordingId: observation.recordingId,
        chapterId: observation.chapterId,
        index: observation.index,
        startMs: instantOf(observation.startMs),
        endMs: instantOf(observation.endMs),
        zone: observation.zone,
        text: writeParagraph(statements),
        record: recordOf(observation, statements),
        keyframes: observation.keyframes.map(({ file, atMs, width, height }) => ({
          file,
          atMs: instantOf(atMs),
          width,
          height,
        })),
        clip: observation.clip?.file ?? null,
        writer: { name: NAME, version: VERSION },
      };
    },
  };
}
