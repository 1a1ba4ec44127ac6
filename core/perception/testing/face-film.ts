import { rm, writeFile } from 'node:fs/promises';
import { drawnFace } from '../../../models/faces/testing/drawn-face.ts';
import { runTool } from '../../footage/ffmpeg.ts';

/** Size of the film, px, and of the drawing that moves in it. */
export const FILM = { width: 480, height: 270, fps: 15, face: 160 };

/**
 * Writes a film with sound in which a drawn face moves to and fro over a plain ground, never still.
 * @param seconds length
 * @param indexFirst put the index before the pictures, so that a cut file still opens
 */
export async function makeFaceFilm(path: string, seconds: number, indexFirst = false): Promise<void> {
  const drawing = `${path}.face.png`;
  await writeFile(drawing, await drawnFace(FILM.face));
  const { width, height, fps } = FILM;
  const result = await runTool('ffmpeg', [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-y'],
    ...['-f', 'lavfi', '-i', `color=c=0x8fa3a0:s=${width}x${height}:r=${fps}`],
    ...['-loop', '1', '-framerate', String(fps), '-i', drawing],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=16000'],
    ...['-filter_complex', "[0:v][1:v]overlay=x='150+130*sin(t*1.3)':y='60+40*sin(t*0.9)',format=yuv420p[v]"],
    ...['-map', '[v]', '-map', '2:a', '-t', String(seconds), '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...[
      '-g',
      String(fps),
      '-c:a',
      'aac',
      '-b:a',
      '32k',
      ...(indexFirst ? ['-movflags', '+faststart'] : []),
      path,
    ],
  ]);
  await rm(drawing);
  if (result.code !== 0) throw new Error(result.stderr);
}
