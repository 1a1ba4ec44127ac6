import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Frame } from '../vision-writer.ts';
import {
  isHeldOut,
  objectPhrase,
  PLACES,
  randomScene,
  renderSceneSvg,
  type Scene,
} from './scene-renderer.mjs';

/** The project's own little vision-language model; MODEL.md beside it says what it can do. */
export const TINY_WRITER = fileURLToPath(new URL('./tiny-smolvlm', import.meta.url));

/** Frames of a drawn scene, the camera moving a little from one to the next. */
export async function drawFrames(
  scene: Scene,
  count: number,
  { width = 704, height = 396 } = {},
): Promise<Frame[]> {
  const frames: Frame[] = [];
  for (let n = 1; n <= count; n += 1) {
    const svg = renderSceneSvg(scene, { frame: n, width, height });
    const { data, info } = await sharp(Buffer.from(svg))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    frames.push({ rgb: new Uint8Array(data), width: info.width, height: info.height });
  }
  return frames;
}

/** The first scenes that show a thing (no sign) whose object, colour, place and count never stood together in training. */
export function heldOutScenes(count: number, from = 4_000_000): Scene[] {
  const scenes: Scene[] = [];
  for (let seed = from; scenes.length < count; seed += 1) {
    const scene = randomScene(seed);
    if (isHeldOut(scene) && scene.object && scene.object !== 'sign') scenes.push(scene);
  }
  return scenes;
}

/** Which of a scene's colour, object and place a text names. */
export function namedOf(scene: Scene, text: string): { colour: boolean; object: boolean; place: boolean } {
  const noun = objectPhrase(scene).split(' ').at(-1)!;
  return {
    colour: text.includes(scene.colour!),
    object: text.includes(noun),
    place: text.includes(PLACES[scene.place!].object),
  };
}
