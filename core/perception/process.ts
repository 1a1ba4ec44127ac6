import { giveWay } from '../../models/give-way.ts';
import { loadTextReader } from '../../models/ocr/text-reader.ts';
import { connectParent } from '../../models/parent-port.ts';
import { FootnoteError, toFootnoteError } from '../contract/errors.ts';
import { readSpeech } from '../footage/subtitles.ts';
import { readTelemetry } from '../footage/telemetry.ts';
import { FaceShelf } from './face-models.ts';
import type { FromPerception, ToPerception } from './messages.ts';
import { type PerceiveDeps, perceiveChapter } from './perceive-chapter.ts';
import { SpeechShelf } from './speech-models.ts';
import { createTextObserver } from './text.ts';

/**
 * Entry of the perception process: ffmpeg, faces and text reading live here, away from the engine. Models load with the
 * first task and stay; ending the process is what frees them.
 */
giveWay();
const parent = connectParent();
const send = (message: FromPerception) => parent.post(message);

let deps: Promise<Omit<PerceiveDeps, 'faceDetector'>> | null = null;
function loadDeps(): Promise<Omit<PerceiveDeps, 'faceDetector'>> {
  deps ??= (async () => ({
    readText: createTextObserver(await loadTextReader()),
    readSpeech,
    readTelemetry,
  }))();
  return deps;
}

const speech = new SpeechShelf();
const faces = new FaceShelf();

/** What controls the task in work; replaced by the next one. */
interface Running {
  id: number;
  abort: AbortController;
  paused: PromiseWithResolversLike | null;
  kept: Map<string, () => void>;
}
interface PromiseWithResolversLike {
  promise: Promise<void>;
  resolve: () => void;
}
let running: Running | null = null;
let last: Promise<void> = Promise.resolve();

function pausing(): PromiseWithResolversLike {
  let resolve = () => {};
  const promise = new Promise<void>((r) => {
    resolve = r;
  });
  return { promise, resolve };
}

async function perceive(
  id: number,
  task: Extract<ToPerception, { type: 'perceive' }>['task'],
): Promise<void> {
  const state: Running = { id, abort: new AbortController(), paused: null, kept: new Map() };
  running = state;
  try {
    const hearing = await speech.hearing(task);
    const { detector, note } = await faces.detector(task.faces);
    const result = await perceiveChapter(
      task,
      {
        onSegment: (observation, frames) =>
          new Promise<void>((resolve, reject) => {
            state.kept.set(observation.episodeId, resolve);
            state.abort.signal.addEventListener(
              'abort',
              () => reject(new FootnoteError('CANCELLED', 'Cancelled.')),
              {
                once: true,
              },
            );
            send({ type: 'segment', id, observation, frames });
          }),
        onProgress: (doneMs) => send({ type: 'progress', id, doneMs }),
      },
      { signal: state.abort.signal, untilResumed: () => state.paused?.promise ?? Promise.resolve() },
      {
        ...(await loadDeps()),
        faceDetector: detector,
        ...hearing,
      },
    );
    send({
      type: 'done',
      id,
      decodedMs: result.decodedMs,
      notes: note ? [...result.notes, note] : result.notes,
      unloaded: hearing?.unloaded() ?? [],
    });
  } catch (error) {
    const known = toFootnoteError(error, 'PERCEPTION_FAILED');
    send({ type: 'failed', id, code: known.code, message: known.message });
  } finally {
    speech.rest();
    if (running === state) running = null;
  }
}

parent.onMessage((raw) => {
  const message = raw as ToPerception;
  if (message.type === 'perceive') {
    // A pass that is being cancelled ends before the next begins.
    last = last.then(() => perceive(message.id, message.task));
    return;
  }
  if (!running || running.id !== message.id) return;
  if (message.type === 'kept') running.kept.get(message.episodeId)?.();
  else if (message.type === 'pause') running.paused ??= pausing();
  else if (message.type === 'resume') {
    running.paused?.resolve();
    running.paused = null;
  } else if (message.type === 'cancel') {
    running.abort.abort();
    running.paused?.resolve();
  }
});
