import type { Lettering } from './lettering.ts';

/**
 * Drawn things of the sample day, as SVG without letters (letters are laid over the drawing, because SVG text needs
 * installed fonts). Coordinates are px on a still.
 */

/** A still is larger than the picture, so that the camera can sway over it. */
export const STILL = { width: 1600, height: 900 };

export interface Drawing {
  width: number;
  height: number;
  svg: string;
  letters: Lettering[];
}

/** A whole SVG document around a body. */
export function svgDocument(body: string, width = STILL.width, height = STILL.height): string {
  const defs = `<defs>
    <filter id="soft" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="14"/></filter>
    <filter id="haze" x="-30%" y="-30%" width="160%" height="160%"><feGaussianBlur stdDeviation="5"/></filter>
    <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#efe6d8"/><stop offset="1" stop-color="#d5c6b0"/></linearGradient>
    <linearGradient id="wood" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c8975f"/><stop offset="1" stop-color="#8a5a30"/></linearGradient>
    <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#7fb6e8"/><stop offset="1" stop-color="#dcecf7"/></linearGradient>
    <linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#5a6fa8"/><stop offset="0.6" stop-color="#e9a878"/><stop offset="1" stop-color="#f6d6a8"/></linearGradient>
    <radialGradient id="glaze" cx="0.35" cy="0.25" r="0.9"><stop offset="0" stop-color="#7fb0ff"/><stop offset="0.5" stop-color="#2a63c8"/><stop offset="1" stop-color="#123a80"/></radialGradient>
    <radialGradient id="clay" cx="0.35" cy="0.25" r="0.9"><stop offset="0" stop-color="#f08068"/><stop offset="1" stop-color="#9c2d1c"/></radialGradient>
    <radialGradient id="steel" cx="0.4" cy="0.3" r="0.9"><stop offset="0" stop-color="#f2f4f5"/><stop offset="1" stop-color="#7c868c"/></radialGradient>
  </defs>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${defs}${body}</svg>`;
}

export function rect(x: number, y: number, w: number, h: number, fill: string, radius = 0): string {
  return `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${radius}" fill="${fill}"/>`;
}

/** A soft shadow under a thing. */
export function shadow(cx: number, cy: number, rx: number, ry: number): string {
  return `<ellipse cx="${cx}" cy="${cy}" rx="${rx}" ry="${ry}" fill="#000" opacity="0.35" filter="url(#soft)"/>`;
}

/** Wooden table top from `y` to the bottom edge. */
export function table(y: number): string {
  const planks = Array.from({ length: 5 }, (_, i) => {
    const at = y + ((STILL.height - y) * (i + 1)) / 6;
    return `<path d="M0 ${at} C 400 ${at + 8}, 1100 ${at - 8}, ${STILL.width} ${at + 4}" stroke="#6f4522" stroke-width="3" fill="none" opacity="0.6"/>`;
  }).join('');
  return `${rect(0, y, STILL.width, STILL.height - y, 'url(#wood)')}${planks}`;
}

export function mug(x: number, y: number, color: string): string {
  return `${shadow(x + 10, y + 76, 80, 18)}<path d="M${x + 50} ${y - 30} C ${x + 120} ${y - 40}, ${x + 120} ${y + 50}, ${x + 48} ${y + 36}" fill="none" stroke="${color}" stroke-width="16"/>
    <path d="M${x - 56} ${y - 66} L${x + 56} ${y - 66} L${x + 48} ${y + 76} Q${x} ${y + 90} ${x - 48} ${y + 76} Z" fill="${color}"/>
    <ellipse cx="${x}" cy="${y - 66}" rx="56" ry="14" fill="#f4ede4"/><ellipse cx="${x}" cy="${y - 63}" rx="48" ry="10" fill="#4a2a16"/>`;
}

/** A key lying flat: angular head, so that two of them side by side are no pair of eyes to a face detector. */
function key(x: number, y: number, turn: number, metal: string): string {
  return `<g transform="translate(${x} ${y}) rotate(${turn})"><path d="M-26 -40 L26 -40 L32 4 L10 22 L-10 22 L-32 4 Z" fill="${metal}"/>
    ${rect(-8, -32, 16, 12, '#0d2f6b', 4)}${rect(-8, 16, 16, 104, metal)}${rect(8, 82, 18, 12, metal)}${rect(8, 102, 26, 12, metal)}</g>`;
}

/** A glazed bowl with keys over its rim. */
export function bowlWithKeys(x: number, y: number): string {
  return `${shadow(x, y + 150, 220, 34)}<ellipse cx="${x}" cy="${y}" rx="210" ry="46" fill="#0d2f6b"/>
    ${key(x - 96, y - 48, 62, '#c9a233')}${key(x + 20, y - 66, 18, '#e0bd55')}
    <path d="M${x - 210} ${y} A210 46 0 0 0 ${x + 210} ${y} C ${x + 200} ${y + 110}, ${x + 90} ${y + 160}, ${x} ${y + 160} C ${x - 90} ${y + 160}, ${x - 200} ${y + 110}, ${x - 210} ${y} Z" fill="url(#glaze)"/>`;
}

/** A sheet of paper, slightly turned, with a shadow. */
export function paper(x: number, y: number, w: number, h: number, fill: string, tilt = 0): string {
  return `<g transform="rotate(${tilt} ${x + w / 2} ${y + h / 2})"><rect x="${x + 10}" y="${y + 12}" width="${w}" height="${h}" fill="#000" opacity="0.3" filter="url(#haze)"/>${rect(x, y, w, h, fill, 4)}</g>`;
}

export function flowerPot(x: number, y: number): string {
  const petal = (fx: number, fy: number, turn: number) =>
    `<ellipse cx="${fx}" cy="${fy - 20}" rx="12" ry="20" fill="#f5c542" transform="rotate(${turn} ${fx} ${fy})"/>`;
  const petals = (fx: number, fy: number) => {
    const around = [0, 72, 144, 216, 288].map((turn) => petal(fx, fy, turn)).join('');
    return `${around}<circle cx="${fx}" cy="${fy}" r="11" fill="#8a4b12"/>`;
  };
  return `${shadow(x, y + 130, 110, 22)}<path d="M${x} ${y} C ${x - 30} ${y - 80}, ${x - 60} ${y - 100}, ${x - 62} ${y - 150} M${x} ${y} C ${x + 20} ${y - 90}, ${x + 50} ${y - 120}, ${x + 56} ${y - 170}" stroke="#3d7a35" stroke-width="10" fill="none"/>
    ${petals(x - 62, y - 160)}${petals(x + 56, y - 182)}
    <path d="M${x - 92} ${y} L${x + 92} ${y} L${x + 66} ${y + 130} L${x - 66} ${y + 130} Z" fill="url(#clay)"/>${rect(x - 104, y - 22, 208, 40, '#b83a26', 6)}`;
}

export interface Look {
  skin: string;
  shade: string;
  hair: string;
  coat: string;
  beard?: boolean;
  longHair?: boolean;
}

/** A drawn person from the chest up; `x`, `y` is the middle of the face and `s` half its width, px. */
export function person(x: number, y: number, s: number, look: Look): string {
  const at = (dx: number, dy: number) => `${x + dx * s} ${y + dy * s}`;
  const eye = (
    side: number,
  ) => `<ellipse cx="${x + side * 0.4 * s}" cy="${y - 0.12 * s}" rx="${0.17 * s}" ry="${0.09 * s}" fill="#fbfaf7"/>
    <circle cx="${x + side * 0.4 * s}" cy="${y - 0.12 * s}" r="${0.085 * s}" fill="#3b2a1c"/><circle cx="${x + side * 0.4 * s}" cy="${y - 0.12 * s}" r="${0.04 * s}" fill="#000"/>
    <path d="M${at(side * 0.4 - 0.2, -0.14)} Q ${at(side * 0.4, -0.28)} ${at(side * 0.4 + 0.2, -0.14)}" stroke="${look.shade}" stroke-width="${0.04 * s}" fill="none"/>
    <path d="M${at(side * 0.4 - 0.24, -0.36)} Q ${at(side * 0.4, -0.48)} ${at(side * 0.4 + 0.24, -0.36)}" stroke="${look.hair}" stroke-width="${0.08 * s}" fill="none" stroke-linecap="round"/>`;
  const skin = `skin${Math.round(x)}`;
  return `<defs><radialGradient id="${skin}" cx="0.42" cy="0.4" r="0.75"><stop offset="0" stop-color="${look.skin}"/><stop offset="0.7" stop-color="${look.skin}"/><stop offset="1" stop-color="${look.shade}"/></radialGradient></defs>
    ${look.longHair ? `<path d="M${at(-1.2, -0.4)} C ${at(-1.5, 1)} ${at(-1.4, 1.9)} ${at(-0.9, 2)} L${at(0.9, 2)} C ${at(1.4, 1.9)} ${at(1.5, 1)} ${at(1.2, -0.4)} Z" fill="${look.hair}"/>` : ''}
    <path d="M${at(-2.3, 4)} C ${at(-2.2, 2)} ${at(-1, 1.9)} ${at(-0.5, 1.7)} L${at(0.5, 1.7)} C ${at(1, 1.9)} ${at(2.2, 2)} ${at(2.3, 4)} Z" fill="${look.coat}"/>
    <path d="M${at(-0.5, 0.9)} L${at(-0.5, 1.75)} Q ${at(0, 2.1)} ${at(0.5, 1.75)} L${at(0.5, 0.9)} Z" fill="${look.shade}"/>
    <ellipse cx="${x - 1.02 * s}" cy="${y + 0.05 * s}" rx="${0.14 * s}" ry="${0.26 * s}" fill="${look.shade}"/><ellipse cx="${x + 1.02 * s}" cy="${y + 0.05 * s}" rx="${0.14 * s}" ry="${0.26 * s}" fill="${look.shade}"/>
    <path d="M${at(-1, -0.3)} C ${at(-1, -1.6)} ${at(1, -1.6)} ${at(1, -0.3)} C ${at(1, 0.5)} ${at(0.6, 1.25)} ${at(0, 1.3)} C ${at(-0.6, 1.25)} ${at(-1, 0.5)} ${at(-1, -0.3)} Z" fill="url(#${skin})"/>
    ${look.beard ? `<path d="M${at(-0.96, 0.2)} C ${at(-0.9, 0.9)} ${at(-0.6, 1.45)} ${at(0, 1.48)} C ${at(0.6, 1.45)} ${at(0.9, 0.9)} ${at(0.96, 0.2)} C ${at(0.7, 0.55)} ${at(0.4, 0.52)} ${at(0, 0.5)} C ${at(-0.4, 0.52)} ${at(-0.7, 0.55)} ${at(-0.96, 0.2)} Z" fill="${look.hair}" opacity="0.85"/>` : ''}
    <path d="M${at(-1.1, -0.2)} C ${at(-1.2, -1.8)} ${at(1.2, -1.8)} ${at(1.1, -0.2)} C ${at(0.95, -0.7)} ${at(0.5, -0.95)} ${at(0, -0.85)} C ${at(-0.5, -0.95)} ${at(-0.95, -0.7)} ${at(-1.1, -0.2)} Z" fill="${look.hair}"/>
    ${eye(-1)}${eye(1)}
    <path d="M${at(-0.04, -0.1)} C ${at(-0.08, 0.2)} ${at(-0.2, 0.32)} ${at(-0.14, 0.38)} Q ${at(0, 0.46)} ${at(0.14, 0.38)} " stroke="${look.shade}" stroke-width="${0.06 * s}" fill="none" stroke-linecap="round"/>
    <path d="M${at(-0.34, 0.7)} Q ${at(0, 0.62)} ${at(0.34, 0.7)} Q ${at(0, 0.95)} ${at(-0.34, 0.7)} Z" fill="#a8433f"/><path d="M${at(-0.34, 0.7)} Q ${at(0, 0.76)} ${at(0.34, 0.7)}" stroke="#5c1f1f" stroke-width="${0.03 * s}" fill="none"/>
    <ellipse cx="${x - 0.6 * s}" cy="${y + 0.35 * s}" rx="${0.2 * s}" ry="${0.14 * s}" fill="#d9705e" opacity="0.25"/><ellipse cx="${x + 0.6 * s}" cy="${y + 0.35 * s}" rx="${0.2 * s}" ry="${0.14 * s}" fill="#d9705e" opacity="0.25"/>`;
}
