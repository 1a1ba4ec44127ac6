import { rename, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { FootnoteError } from '../contract/errors.ts';
import { runTool } from '../footage/ffmpeg.ts';
import { gpsPayloads } from './gpmf.ts';
import { handlebar, ROAD } from './ride.ts';
import { SCENES } from './scenes.ts';
import { drawStill } from './still.ts';
import type { Scene, Take } from './story.ts';
import { addTelemetryTrack } from './telemetry-track.ts';

/** Picture size and frame rate of every take. */
export const PICTURE = { width: 1280, height: 720, fps: 25 };
/** How fast the road passes by, px/s: a sign stays in the picture for some eight seconds. */
const ROAD_SPEED = 200;
const ENCODE_TIMEOUT_MS = 600_000;
/** The same bytes from the same ffmpeg: no version strings, and a thread count that is not the machine's. */
const EXACT = ['-threads', '1', '-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];

export function takeSeconds(take: Take): number {
  return take.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
}

/** @throws FootnoteError INTERNAL with ffmpeg's last words */
async function ffmpeg(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  const result = await runTool('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], {
    timeoutMs: ENCODE_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  });
  if (result.code !== 0) {
    throw new FootnoteError(
      'INTERNAL',
      `The sample day could not be filmed: ${result.stderr.trim().slice(-500)}`,
    );
  }
}

/** A still held for the length of its scene; `[n:v]` in, no label out. */
function held(input: number, seconds: number): string {
  const { fps } = PICTURE;
  return `[${input}:v]format=yuv420p,loop=loop=-1:size=1:start=0,setpts=N/(${fps}*TB),trim=duration=${seconds}`;
}

/** The camera sways over a larger still, as one worn on the chest does. */
function sway(): string {
  const { width, height } = PICTURE;
  return `crop=${width}:${height}:x='(iw-ow)/2*(1+0.5*sin(2*PI*t/7.3))':y='(ih-oh)/2*(1+0.5*sin(2*PI*t/5.1))'`;
}

interface Pictures {
  inputs: string[];
  graph: string;
}

/** Draws a take's scenes and says how they become one picture stream, labelled [v]. */
async function drawScenes(take: Take, workDir: string): Promise<Pictures> {
  const files: string[] = [];
  const chains: string[] = [];
  const input = async (name: string, draw: (path: string) => Promise<void>) => {
    const path = join(workDir, `${name}.png`);
    await draw(path);
    return files.push(path) - 1;
  };
  for (const [i, scene] of take.scenes.entries()) {
    const drawing = SCENES[scene.art]();
    const n = await input(`${i}-${scene.id}`, async (path) => {
      await (await drawStill(drawing)).toFile(path);
    });
    if (drawing.width > ROAD.period) {
      const bar = await input(`${i}-bar`, async (path) => {
        await (await drawStill(handlebar(speedReading(scene)), true)).toFile(path);
      });
      chains.push(
        `${held(n, scene.seconds)},crop=${PICTURE.width}:${PICTURE.height}:x='mod(t*${ROAD_SPEED},${ROAD.period})':y=0[road${i}]`,
        `[road${i}][${bar}:v]overlay=x='6*sin(5*t)':y='5+5*sin(9*t)',format=yuv420p,setsar=1[s${i}]`,
      );
    } else chains.push(`${held(n, scene.seconds)},${sway()},setsar=1[s${i}]`);
  }
  const labels = take.scenes.map((_, i) => `[s${i}]`).join('');
  chains.push(`${labels}concat=n=${take.scenes.length}:v=1:a=0[v]`);
  return {
    inputs: files.flatMap((path) => ['-framerate', String(PICTURE.fps), '-i', path]),
    graph: chains.join(';'),
  };
}

function speedReading(scene: Scene): string {
  return scene.art === 'rideMorning' ? '18.6 km/h' : '17.2 km/h';
}

/** What each maker writes about itself, as far as files are told apart by it. */
function makerTags(take: Take): string[] {
  const when = ['-metadata', `creation_time=${take.creationTime}`];
  const streams = ['v', 'a'].flatMap((s) => [`-metadata:s:${s}`, `creation_time=${take.creationTime}`]);
  const handlers = {
    gopro: ['GoPro AVC', 'GoPro AAC'],
    dji: ['DJI.AVC', 'DJI.AAC'],
    phone: ['VideoHandle', 'SoundHandle'],
  };
  const [video, audio] = handlers[take.maker];
  const sign = (n: number) => (n < 0 ? '' : '+');
  const place = take.place;
  return [
    ...when,
    ...streams,
    ...['-metadata:s:v', `handler_name=${video}`, '-metadata:s:a', `handler_name=${audio}`],
    ...(place
      ? [
          '-metadata',
          `location=${sign(place.lat)}${place.lat.toFixed(4)}${sign(place.lon)}${place.lon.toFixed(4)}/`,
        ]
      : []),
    ...(take.timecode ? ['-timecode', take.timecode] : []),
  ];
}

/**
 * Films one take: draws, encodes, adds telemetry, and puts the finished file in place with the date of its last moment.
 * @param sound WAV file of the take
 */
export async function film(
  take: Take,
  paths: { target: string; sound: string; workDir: string },
  signal?: AbortSignal,
): Promise<void> {
  const { inputs, graph } = await drawScenes(take, paths.workDir);
  const soundInput = inputs.length / 4;
  const part = `${paths.target}.part`;
  await ffmpeg(
    [
      ...inputs,
      ...['-i', paths.sound, '-filter_complex', graph, '-map', '[v]', '-map', `${soundInput}:a`],
      ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '25', '-pix_fmt', 'yuv420p', '-g', '50'],
      ...['-c:a', 'aac', '-b:a', '96k', '-ar', '48000', '-ac', '2'],
      ...['-t', String(takeSeconds(take)), ...EXACT, ...makerTags(take), '-f', 'mp4', part],
    ],
    signal,
  );
  const startMs = Date.parse(take.recordedAt);
  if (take.gps) await addTelemetryTrack(part, gpsPayloads(take.gps, startMs, takeSeconds(take)));
  await finish(part, paths.target, startMs + takeSeconds(take) * 1000);
}

/** The low-resolution copy and the thumbnail that the camera would have made beside its file. */
export async function filmProxies(
  take: Take,
  paths: { original: string; lrv: string; thm: string },
  signal?: AbortSignal,
): Promise<void> {
  const endMs = Date.parse(take.recordedAt) + takeSeconds(take) * 1000;
  await ffmpeg(
    [
      ...[
        '-i',
        paths.original,
        '-map',
        '0:v:0',
        '-map',
        '0:a:0',
        '-map_metadata',
        '0',
        '-vf',
        'scale=768:432',
      ],
      ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '31', '-pix_fmt', 'yuv420p', '-c:a', 'copy'],
      ...[...EXACT, ...makerTags(take), '-f', 'mp4', `${paths.lrv}.part`],
    ],
    signal,
  );
  await finish(`${paths.lrv}.part`, paths.lrv, endMs);
  await ffmpeg(
    [
      ...['-ss', '2', '-i', paths.original, '-frames:v', '1', '-vf', 'scale=160:90', '-pix_fmt', 'yuvj420p'],
      ...[...EXACT, '-f', 'mjpeg', `${paths.thm}.part`],
    ],
    signal,
  );
  await finish(`${paths.thm}.part`, paths.thm, endMs);
}

async function finish(part: string, target: string, atMs: number): Promise<void> {
  if ((await stat(part)).size === 0) throw new FootnoteError('INTERNAL', 'ffmpeg wrote an empty file.');
  await rename(part, target);
  await utimes(target, atMs / 1000, atMs / 1000);
}
