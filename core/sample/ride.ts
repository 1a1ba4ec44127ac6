import { type Drawing, rect, svgDocument } from './drawing.ts';
import type { Lettering } from './lettering.ts';

/**
 * The roadside of a bicycle ride: a strip that repeats, long enough to pass by for a while. Its last picture's width
 * shows the beginning again, so that the loop has no seam.
 */
export const ROAD = { period: 6400, view: 1280, height: 720 };
/** Houses, trees and a bridge stand twice along the road, the signs once. */
const STRETCH = ROAD.period / 2;

interface Weather {
  sky: string;
  grass: string;
  leaf: string;
  signs: { x: number; lines: string[] }[];
}

function tree(x: number, y: number, r: number, leaf: string): string {
  return `${rect(x - 14, y, 28, 150, '#5b3f28')}<circle cx="${x}" cy="${y - r * 0.4}" r="${r}" fill="${leaf}"/><circle cx="${x - r * 0.6}" cy="${y}" r="${r * 0.7}" fill="${leaf}"/><circle cx="${x + r * 0.6}" cy="${y}" r="${r * 0.7}" fill="${leaf}"/>`;
}

function house(x: number, w: number, color: string): string {
  const windows = [0.15, 0.45, 0.75]
    .map(
      (at) => rect(x + w * at, 270, w * 0.14, 60, '#cfe0ea') + rect(x + w * at, 370, w * 0.14, 60, '#cfe0ea'),
    )
    .join('');
  return `<path d="M${x - 16} 240 L${x + w / 2} 150 L${x + w + 16} 240 Z" fill="#6d4a3d"/>${rect(x, 240, w, 230, color)}${windows}`;
}

function bridgeRail(x: number, w: number): string {
  const posts = Array.from({ length: Math.floor(w / 50) + 1 }, (_, i) =>
    rect(x + i * 50, 380, 12, 100, '#7d8a92'),
  ).join('');
  return `${rect(x, 470, w, 14, '#5f6b72')}${rect(x, 376, w, 16, '#5f6b72')}${posts}`;
}

function signPost(x: number): string {
  return `${rect(x - 10, 300, 20, 190, '#6a6f73')}${rect(x - 250, 110, 500, 200, '#14539c', 14)}${rect(x - 240, 120, 480, 180, '#1a66bd', 10)}`;
}

/** What is drawn on half of the road. */
function stretch({ sky, grass, leaf }: Weather): string {
  const dashes = Array.from({ length: 16 }, (_, i) => rect(i * 200 + 20, 610, 110, 12, '#e8e6df')).join('');
  return `${rect(0, 0, STRETCH, 480, sky)}${rect(0, 440, STRETCH, 60, grass)}
    ${house(40, 260, '#c9a98a')}${house(1240, 320, '#b9b4a8')}${house(2560, 260, '#a98f86')}
    ${tree(420, 330, 86, leaf)}${tree(1120, 320, 96, leaf)}${tree(2420, 330, 84, leaf)}${tree(3010, 320, 92, leaf)}
    ${rect(1660, 440, 640, 60, '#5d93b8')}${bridgeRail(1640, 680)}
    ${rect(0, 490, STRETCH, 230, '#5b5f63')}${rect(0, 490, STRETCH, 12, '#8b8f92')}${dashes}`;
}

function road(weather: Weather): Drawing {
  const width = ROAD.period + ROAD.view;
  const once = stretch(weather);
  const ground = [0, 1, 2].map((n) => `<g transform="translate(${n * STRETCH} 0)">${once}</g>`).join('');
  // The road wraps around: what stands before the seam is seen again after it.
  const signs = weather.signs.flatMap((sign) => [sign, { ...sign, x: sign.x + ROAD.period }]);
  const letters: Lettering[] = signs
    .filter(({ x }) => x + 260 < width)
    .map(({ x, lines }) => ({ lines, face: 'bold', size: 60, color: '#ffffff', x, y: 208, spacing: 10 }));
  const body = `${ground}${signs.map(({ x }) => signPost(x)).join('')}`;
  return { width, height: ROAD.height, svg: svgDocument(body, width, ROAD.height), letters };
}

export const rideMorning = (): Drawing =>
  road({
    sky: 'url(#sky)',
    grass: '#7fae5a',
    leaf: '#4f8a3c',
    signs: [
      { x: 780, lines: ['CITY CENTRE', '2 km'] },
      { x: 1960, lines: ['MILL BRIDGE'] },
      { x: 5000, lines: ['HOPE STREET'] },
    ],
  });

export const rideEvening = (): Drawing =>
  road({
    sky: 'url(#dusk)',
    grass: '#8a8a4e',
    leaf: '#7a6a2e',
    signs: [
      { x: 780, lines: ['MEADOWS', '1 km'] },
      { x: 1960, lines: ['MILL BRIDGE'] },
      { x: 5000, lines: ['HOPE STREET'] },
    ],
  });

/** The handlebar with its bike computer, laid over the passing road; transparent elsewhere. */
export function handlebar(reading: string): Drawing {
  const body = `<path d="M150 720 C 260 600, 420 610, 520 640 L760 640 C 860 610, 1020 600, 1130 720" stroke="#1e2226" stroke-width="40" fill="none"/>
    ${rect(140, 660, 170, 60, '#111', 24)}${rect(970, 660, 170, 60, '#111', 24)}
    <rect x="470" y="540" width="340" height="150" rx="18" fill="#20262b"/>${rect(488, 556, 304, 118, '#c8d4c0', 8)}`;
  return {
    width: ROAD.view,
    height: ROAD.height,
    svg: svgDocument(body, ROAD.view, ROAD.height),
    letters: [
      { lines: ['BIKE RIDE', reading], face: 'bold', size: 42, color: '#172018', x: 640, y: 615, spacing: 4 },
    ],
  };
}
