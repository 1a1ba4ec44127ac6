import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { createModelClient, type ModelClient } from '../../../models/client.ts';
import { drawFrames, heldOutScenes, TINY_WRITER } from '../../../models/writer/testing/scenes.ts';
import { FootnoteError } from '../../contract/errors.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import type { Observation } from '../../perception/observation.ts';
import type { EpisodeWriter, RecordingFacts } from '../../writing/episode-writer.ts';
import { createMeasuredWriter } from '../../writing/measured-writer.ts';
import { readRecord, recordPrompt } from '../../writing/seen-record.ts';
import { observed, said } from '../../writing/testing/observed.ts';
import { createVisionWriter } from '../../writing/vision-writer.ts';
import type { PromptStyle } from '../../writing/writer-prompt.ts';
import type { Bench, Figures } from './bench.ts';
import { modelProcessUse } from './memory-use.ts';

const DEFAULT_SEGMENTS = 200;
/** Memory is told at each quarter of the way. */
const MARKS = 4;
const CLIPS = 12;
const RECORDS = 5;
const DEADLINE_MS = 120_000;
const MB = 1e6;
const RECORDING: RecordingFacts = { name: 'GX010042', camera: null, family: 'gopro', notes: [] };
const LANGUAGE_MODEL = 'HuggingFaceTB/SmolLM2-135M-Instruct';
const PARAGRAPH =
  'I pour coffee into a white mug while Anna opens the window and talks about the train to Vienna. I put the keys on the shelf.';

const round = (value: number, digits = 3) => Number(value.toFixed(digits));

/** Segments of scenes that take turns, so that each is looked at. */
async function makeSegments(): Promise<{ observation: Observation; frames: Uint8Array[] }[]> {
  return Promise.all(
    heldOutScenes(CLIPS).map(async (scene, n) => {
      const frames = await Promise.all(
        (await drawFrames(scene, 8)).map(({ rgb, width, height }) =>
          sharp(rgb, { raw: { width, height, channels: 3 } })
            .jpeg({ quality: 80 })
            .toBuffer(),
        ),
      );
      return { observation: observed({ index: n, speech: [said('Where did I leave the keys?')] }), frames };
    }),
  );
}

interface Timed {
  /** Wall and processor seconds a segment; processor time of the model process alone, null where it cannot be read. */
  wallSeconds: number;
  modelCpuSeconds: number | null;
  /** Resident memory of the model process, at the start and at each quarter, MB. */
  memoryMB: string | null;
}

async function timed(writer: EpisodeWriter, count: number): Promise<Timed> {
  const segments = await makeSegments();
  const write = async (n: number) => {
    const { observation, frames } = segments[n % segments.length]!;
    const episode = await writer.write(observation, RECORDING, { frames });
    if (episode.writer.name !== writer.name)
      throw new FootnoteError('MODEL_FAILED', `${writer.name} could not write a segment.`);
  };
  // Loading is no part of a segment.
  for (let n = 0; n < CLIPS; n += 1) await write(n);
  const start = modelProcessUse();
  const memory = [start?.rssBytes ?? 0];
  const started = performance.now();
  for (let n = 1; n <= count; n += 1) {
    await write(n);
    if (n % Math.ceil(count / MARKS) === 0 || n === count) memory.push(modelProcessUse()?.rssBytes ?? 0);
  }
  const end = modelProcessUse();
  return {
    wallSeconds: round((performance.now() - started) / 1000 / count, 4),
    modelCpuSeconds: start && end ? round((end.cpuSeconds - start.cpuSeconds) / count) : null,
    memoryMB: start ? memory.map((bytes) => Math.round(bytes / MB)).join(' ') : null,
  };
}

async function vision(style: PromptStyle, count: number): Promise<Timed> {
  const client = createModelClient(spawnNodeProcess);
  const model = { folder: TINY_WRITER, dtype: 'q8', threads: 1 };
  try {
    const writer = createVisionWriter({
      model: 'tiny-smolvlm',
      style,
      fallback: createMeasuredWriter(),
      // The rules of the long request are more than this model can take in; what is timed is the record beside the text.
      describe: (request, signal) =>
        client.describe({ ...request, system: null, model, frames: [...request.frames] }, signal),
    });
    return await timed(writer, count);
  } finally {
    client.close();
  }
}

/** A small language model as maker of records, written freely: how long it takes, and how many can be used. */
async function records(client: ModelClient, folder: string) {
  const model = { folder, dtype: 'q4', threads: 1 };
  const ask = () =>
    client.generate({
      model,
      messages: [{ role: 'user', text: recordPrompt(PARAGRAPH) }],
      maxNewTokens: 256,
      deadlineMs: DEADLINE_MS,
    });
  await ask();
  const start = modelProcessUse();
  const started = performance.now();
  let usable = 0;
  for (let n = 0; n < RECORDS; n += 1) usable += Number(readRecord((await ask()).text, PARAGRAPH) !== null);
  const end = modelProcessUse();
  return {
    languageRecordWallSeconds: round((performance.now() - started) / 1000 / RECORDS),
    languageRecordCpuSeconds: start && end ? round((end.cpuSeconds - start.cpuSeconds) / RECORDS) : null,
    languageRecordsUsable: `${usable} of ${RECORDS}`,
  };
}

export const writersBench: Bench = {
  name: 'writers',
  summary: 'seconds of compute a segment for each writer here, and memory of the model process on the way',
  usage: `writers [SEGMENTS] (default ${DEFAULT_SEGMENTS}; FOOTNOTE_MODELS may name a folder with ${LANGUAGE_MODEL})`,
  async run(args) {
    const count = Number(args[0] ?? DEFAULT_SEGMENTS);
    if (!Number.isInteger(count) || count < 1)
      throw new FootnoteError('BAD_REQUEST', 'Give a whole number of segments.');
    const measured = await timed(createMeasuredWriter(), count);
    const brief = await vision('brief', count);
    const full = await vision('full', Math.ceil(count / MARKS));
    const folder = process.env.FOOTNOTE_MODELS ? join(process.env.FOOTNOTE_MODELS, LANGUAGE_MODEL) : null;
    const here = folder !== null && (await stat(folder).catch(() => null)) !== null;
    const client = createModelClient(spawnNodeProcess);
    try {
      return {
        segments: count,
        measuredWallSeconds: measured.wallSeconds,
        tinyVisionWallSeconds: brief.wallSeconds,
        tinyVisionCpuSeconds: brief.modelCpuSeconds,
        tinyVisionMemoryMB: brief.memoryMB,
        withRecordWallSeconds: full.wallSeconds,
        withRecordCpuSeconds: full.modelCpuSeconds,
        withRecordMemoryMB: full.memoryMB,
        ...(here ? await records(client, folder) : { languageRecordCpuSeconds: null }),
      } satisfies Figures;
    } finally {
      client.close();
    }
  },
};
