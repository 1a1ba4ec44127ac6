import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

/**
 * Lettering for the sample day's signs. The fonts come from an npm package and are handed to the text renderer by
 * file, because a fresh machine may have no fonts installed at all.
 */
const fontFolder = join(
  dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
  'ttf',
);

const FACES = {
  sans: { name: 'DejaVu Sans', file: 'DejaVuSans.ttf' },
  bold: { name: 'DejaVu Sans Bold', file: 'DejaVuSans-Bold.ttf' },
  mono: { name: 'DejaVu Sans Mono', file: 'DejaVuSansMono.ttf' },
  monoBold: { name: 'DejaVu Sans Mono Bold', file: 'DejaVuSansMono-Bold.ttf' },
} as const;

export interface Lettering {
  lines: string[];
  face: keyof typeof FACES;
  /** Letter size in px. */
  size: number;
  /** CSS colour, "#rrggbb". */
  color: string;
  /** Centre of the block, px on the still. */
  x: number;
  y: number;
  align?: 'left' | 'center';
  /** Extra px between lines. */
  spacing?: number;
  /** Degrees clockwise. */
  tilt?: number;
}

export interface Placed {
  input: Buffer;
  left: number;
  top: number;
}

/** At 72 dots an inch one point is one pixel. */
const DPI = 72;

function escapeMarkup(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Renders one block of letters as a transparent picture, placed by its centre. */
export async function renderLettering(lettering: Lettering): Promise<Placed> {
  const { name, file } = FACES[lettering.face];
  const letters = sharp({
    text: {
      text: `<span foreground="${lettering.color}">${escapeMarkup(lettering.lines.join('\n'))}</span>`,
      font: `${name} ${lettering.size}`,
      fontfile: join(fontFolder, file),
      align: lettering.align ?? 'center',
      spacing: lettering.spacing ?? 6,
      rgba: true,
      dpi: DPI,
    },
  }).png();
  const straight = await letters.toBuffer();
  const turned = lettering.tilt
    ? await sharp(straight)
        .rotate(lettering.tilt, { background: { r: 0, g: 0, b: 0, alpha: 0 } })
        .png()
        .toBuffer()
    : straight;
  const { width, height } = await sharp(turned).metadata();
  return {
    input: turned,
    left: Math.round(lettering.x - width / 2),
    top: Math.round(lettering.y - height / 2),
  };
}
