// Deterministic first-person-like scenes as SVG, and the sentence each one shows.
// No dependencies, no fonts, no gradients, no filters: any SVG rasteriser (sharp / librsvg)
// draws the same picture. See MODEL.md for the grammar and the coordinates.

export const VIEW_WIDTH = 320;
export const VIEW_HEIGHT = 180;

export const COLOURS = {
  red: '#d62828',
  blue: '#1d4ed8',
  green: '#15803d',
  yellow: '#facc15',
  orange: '#f97316',
  purple: '#7e22ce',
  white: '#f8fafc',
  black: '#1f2328',
};

export const OBJECTS = ['cup', 'book', 'phone', 'keys', 'laptop', 'sign', 'bicycle', 'plant', 'plate', 'bag'];

export const PLACES = {
  table: { object: 'on a wooden table', people: 'at a wooden table', empty: 'an empty wooden table' },
  shelf: { object: 'on a shelf', people: 'by a shelf', empty: 'an empty shelf' },
  kitchen: { object: 'on the kitchen counter', people: 'in the kitchen', empty: 'an empty kitchen' },
  street: { object: 'in the street', people: 'in the street', empty: 'an empty street' },
  park: { object: 'in the park', people: 'in the park', empty: 'an empty park' },
};

export const WORDS = ['STOP', 'EXIT', 'OPEN', 'CAFE', 'TAXI', 'BANK', 'GATE', 'PARK'];

const NUMBER_WORDS = ['no', 'one', 'two', 'three'];
const INK = '#1c1917';
const SKINS = ['#f1c7a3', '#d9a173', '#a66a3f', '#6b4226'];

/** Small, well-known 32-bit generator; the same seed gives the same numbers everywhere. */
export function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const r1 = (x) => Math.round(x * 10) / 10;
const between = (rng, lo, hi) => lo + (hi - lo) * rng();
const pick = (rng, list) => list[Math.floor(rng() * list.length) % list.length];

// ---------------------------------------------------------------- sentences

function withArticle(phrase) {
  return (/^[aeiou]/.test(phrase) ? 'an ' : 'a ') + phrase;
}

/** 'a red cup', 'two sets of blue keys', 'a plant in a white pot', 'a green sign that says EXIT' */
export function objectPhrase({ object, colour, count = 1, word }) {
  const many = count > 1;
  const number = NUMBER_WORDS[count];
  if (object === 'sign') return `${withArticle(`${colour} sign`)} that says ${word}`;
  if (object === 'keys') return many ? `${number} sets of ${colour} keys` : `a set of ${colour} keys`;
  if (object === 'plant') {
    return many ? `${number} plants in ${colour} pots` : `a plant in ${withArticle(`${colour} pot`)}`;
  }
  return many ? `${number} ${colour} ${object}s` : withArticle(`${colour} ${object}`);
}

function peoplePhrase(people) {
  return people === 1 ? 'one person is' : `${NUMBER_WORDS[people]} people are`;
}

/** The clause without its full stop; it starts in lower case unless it starts with 'I'. */
export function clause(scene) {
  if (!scene.place) return 'I see nothing';
  const place = PLACES[scene.place];
  const people = scene.people ?? 0;
  if (people && scene.object)
    return `${peoplePhrase(people)} ${place.people} and I see ${objectPhrase(scene)}`;
  if (people) return `${peoplePhrase(people)} ${place.people}`;
  if (scene.object) return `I see ${objectPhrase(scene)} ${place.object}`;
  return `I see ${place.empty}`;
}

/** The sentence the tiny model is trained to say for one scene, or for two shown one after the other. */
export function caption(scene, next) {
  const first = clause(scene);
  const text = `${first[0].toUpperCase()}${first.slice(1)}.`;
  return next ? `${text} Then ${clause(next)}.` : text;
}

// ---------------------------------------------------------------- shapes

const rect = (x, y, w, h, fill, extra = '') =>
  `<rect x="${r1(x)}" y="${r1(y)}" width="${r1(w)}" height="${r1(h)}" fill="${fill}"${extra && ` ${extra}`}/>`;
const circle = (x, y, r, fill, extra = '') =>
  `<circle cx="${r1(x)}" cy="${r1(y)}" r="${r1(r)}" fill="${fill}"${extra && ` ${extra}`}/>`;
const ellipse = (x, y, rx, ry, fill, extra = '') =>
  `<ellipse cx="${r1(x)}" cy="${r1(y)}" rx="${r1(rx)}" ry="${r1(ry)}" fill="${fill}"${extra && ` ${extra}`}/>`;
const poly = (points, fill, extra = '') =>
  `<polygon points="${points.map(([x, y]) => `${r1(x)},${r1(y)}`).join(' ')}" fill="${fill}"${extra && ` ${extra}`}/>`;
const line = (x1, y1, x2, y2, stroke, width) =>
  `<line x1="${r1(x1)}" y1="${r1(y1)}" x2="${r1(x2)}" y2="${r1(y2)}" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`;
const OUTLINE = `stroke="${INK}" stroke-width="3"`;

// 5x7 block letters, one string of 7 rows of 5 for each letter.
const LETTERS = {
  A: '01110 10001 10001 11111 10001 10001 10001',
  B: '11110 10001 10001 11110 10001 10001 11110',
  C: '01111 10000 10000 10000 10000 10000 01111',
  E: '11111 10000 10000 11110 10000 10000 11111',
  F: '11111 10000 10000 11110 10000 10000 10000',
  G: '01111 10000 10000 10011 10001 10001 01111',
  I: '11111 00100 00100 00100 00100 00100 11111',
  K: '10001 10010 10100 11000 10100 10010 10001',
  N: '10001 11001 10101 10101 10011 10001 10001',
  O: '01110 10001 10001 10001 10001 10001 01110',
  P: '11110 10001 10001 11110 10000 10000 10000',
  R: '11110 10001 10001 11110 10100 10010 10001',
  S: '01111 10000 10000 01110 00001 00001 11110',
  T: '11111 00100 00100 00100 00100 00100 00100',
  X: '10001 10001 01010 00100 01010 10001 10001',
};

function blockText(word, x, y, width, height, fill) {
  const cell = width / (word.length * 6 - 1);
  const row = height / 7;
  let out = '';
  [...word].forEach((letter, i) => {
    (LETTERS[letter] ?? '').split(' ').forEach((bits, j) => {
      // one rectangle for each run of set bits, so that no seams show
      for (let k = 0; k < 5; k++) {
        if (bits[k] !== '1') continue;
        let end = k;
        while (bits[end + 1] === '1') end++;
        out += rect(x + (i * 6 + k) * cell, y + j * row, (end - k + 1) * cell, row * 1.04, fill);
        k = end;
      }
    });
  });
  return out;
}

// Each object is drawn in a box of 100 x 100 that stands on y = 100.
const DRAW = {
  cup: (c) =>
    `<path d="M70 45 h14 a12 14 0 0 1 0 34 h-16" fill="none" stroke="${INK}" stroke-width="12"/>` +
    `<path d="M70 45 h14 a12 14 0 0 1 0 34 h-16" fill="none" stroke="${c}" stroke-width="6"/>` +
    poly(
      [
        [14, 28],
        [74, 28],
        [66, 100],
        [22, 100],
      ],
      c,
      OUTLINE,
    ) +
    ellipse(44, 28, 30, 9, '#e7e5e4', OUTLINE),
  book: (c) =>
    rect(18, 8, 64, 92, c, OUTLINE) +
    rect(76, 12, 8, 86, '#fafaf9', OUTLINE) +
    rect(18, 8, 10, 92, INK, 'opacity="0.35"') +
    rect(36, 24, 32, 8, '#a8a29e') +
    rect(36, 40, 32, 5, '#a8a29e'),
  phone: (c) =>
    rect(28, 4, 46, 96, c, `rx="9" ${OUTLINE}`) +
    rect(36, 16, 30, 66, '#94a3b8') +
    circle(51, 91, 4, '#94a3b8') +
    rect(40, 22, 8, 8, '#e2e8f0') +
    rect(53, 22, 8, 8, '#e2e8f0') +
    rect(40, 36, 8, 8, '#e2e8f0') +
    rect(53, 36, 8, 8, '#e2e8f0'),
  keys: (c) =>
    circle(50, 26, 20, 'none', 'stroke="#57534e" stroke-width="6"') +
    `<g transform="rotate(24 50 44)">${rect(45, 66, 10, 36, '#a8a29e', OUTLINE)}${rect(55, 84, 9, 6, '#a8a29e', OUTLINE)}${ellipse(50, 54, 16, 17, c, OUTLINE)}</g>` +
    `<g transform="rotate(-24 50 44)">${rect(45, 66, 10, 36, '#a8a29e', OUTLINE)}${rect(36, 84, 9, 6, '#a8a29e', OUTLINE)}${ellipse(50, 54, 16, 17, c, OUTLINE)}</g>`,
  laptop: (c) =>
    rect(4, 14, 92, 62, c, `rx="5" ${OUTLINE}`) +
    rect(14, 23, 72, 44, '#bae6fd') +
    rect(20, 30, 36, 5, '#0c4a6e') +
    rect(20, 41, 50, 5, '#0c4a6e') +
    poly(
      [
        [2, 78],
        [98, 78],
        [112, 100],
        [-12, 100],
      ],
      c,
      OUTLINE,
    ) +
    rect(6, 85, 88, 4, '#78716c'),
  sign: (c, word) =>
    rect(45, 50, 10, 50, '#78716c', OUTLINE) +
    rect(-22, 0, 144, 62, c, `rx="5" ${OUTLINE}`) +
    blockText(
      word ?? '',
      -13,
      11,
      126,
      40,
      c === COLOURS.white || c === COLOURS.yellow ? '#111111' : '#ffffff',
    ),
  bicycle: (c) =>
    circle(12, 72, 25, 'none', `stroke="${INK}" stroke-width="6"`) +
    circle(88, 72, 25, 'none', `stroke="${INK}" stroke-width="6"`) +
    line(12, 72, 34, 34, c, 9) +
    line(34, 34, 72, 34, c, 9) +
    line(72, 34, 48, 74, c, 9) +
    line(48, 74, 34, 34, c, 9) +
    line(12, 72, 48, 74, c, 9) +
    line(72, 34, 88, 72, c, 9) +
    line(72, 34, 70, 20, INK, 5) +
    line(60, 18, 80, 18, INK, 6) +
    line(34, 34, 31, 24, INK, 5) +
    line(22, 23, 40, 23, INK, 7),
  plant: (c) =>
    ellipse(50, 26, 11, 28, '#4d7c0f', OUTLINE) +
    `<g transform="rotate(42 50 56)">${ellipse(50, 28, 10, 28, '#65a30d', OUTLINE)}</g>` +
    `<g transform="rotate(-42 50 56)">${ellipse(50, 28, 10, 28, '#65a30d', OUTLINE)}</g>` +
    poly(
      [
        [22, 56],
        [78, 56],
        [68, 100],
        [32, 100],
      ],
      c,
      OUTLINE,
    ) +
    rect(18, 50, 64, 13, c, OUTLINE),
  plate: (c) =>
    ellipse(50, 80, 56, 20, c, OUTLINE) + ellipse(50, 79, 34, 11, c, 'stroke="#57534e" stroke-width="3"'),
  bag: (c) =>
    `<path d="M32 44 v-14 a18 20 0 0 1 36 0 v14" fill="none" stroke="${INK}" stroke-width="9"/>` +
    poly(
      [
        [12, 42],
        [88, 42],
        [96, 100],
        [4, 100],
      ],
      c,
      OUTLINE,
    ) +
    rect(40, 58, 20, 14, '#d6d3d1', OUTLINE),
};

// Side of the box at count 1, in view units.
const SIZE = {
  cup: 66,
  book: 76,
  phone: 78,
  keys: 74,
  laptop: 74,
  sign: 92,
  bicycle: 84,
  plant: 84,
  plate: 78,
  bag: 72,
};

function drawObjects(scene, rng) {
  const { object, colour, word, place } = scene;
  const count = object === 'sign' ? 1 : (scene.count ?? 1);
  const fill = COLOURS[colour];
  const size = SIZE[object] * [1, 1, 0.8, 0.66][count] * between(rng, 0.92, 1.1);
  const ground = { table: 146, shelf: 138, kitchen: 132, street: 150, park: 152 }[place];
  const gap = size * (object === 'bicycle' ? 1.42 : object === 'laptop' || object === 'plate' ? 1.3 : 1.12);
  const centre = 160 + between(rng, -1, 1) * (scene.people ? 12 : count === 1 ? 55 : count === 2 ? 30 : 12);
  let out = '';
  for (let i = 0; i < count; i++) {
    const x = centre + (i - (count - 1) / 2) * gap;
    const y = ground + between(rng, -3, 6);
    out += ellipse(x, y, size * 0.55, 5, '#000000', 'opacity="0.25"');
    out += `<g transform="translate(${r1(x - size / 2)} ${r1(y - size)}) scale(${Math.round(size * 10) / 1000})">${DRAW[object](fill, word)}</g>`;
  }
  return out;
}

function drawPerson(x, foot, height, skin, shirt, trousers, hair) {
  const u = height / 100;
  const p = (dx) => x + dx * u;
  const q = (dy) => foot - height + dy * u;
  return (
    rect(p(-13), q(60), 11 * u, 40 * u, trousers, OUTLINE) +
    rect(p(2), q(60), 11 * u, 40 * u, trousers, OUTLINE) +
    rect(p(-24), q(29), 9 * u, 32 * u, skin, OUTLINE) +
    rect(p(15), q(29), 9 * u, 32 * u, skin, OUTLINE) +
    rect(p(-17), q(27), 34 * u, 37 * u, shirt, `rx="${r1(6 * u)}" ${OUTLINE}`) +
    circle(x, q(13), 13 * u, skin, OUTLINE) +
    `<path d="M${r1(p(-13))} ${r1(q(11))} a${r1(13 * u)} ${r1(13 * u)} 0 0 1 ${r1(26 * u)} 0 z" fill="${hair}"/>`
  );
}

function drawPeople(scene, rng) {
  const n = scene.people ?? 0;
  // one on the left, one on the right, the third beside one of them: the middle stays free for the object
  const left = rng() < 0.5;
  const slots = left ? [40, 282, 88] : [282, 40, 234];
  const outside = scene.place === 'street' || scene.place === 'park';
  let out = '';
  for (let i = n - 1; i >= 0; i--) {
    const height = between(rng, 96, 116) * (i === 2 ? 0.88 : 1);
    const foot = (outside ? 146 : 142) + between(rng, -4, 4) - (i === 2 ? 6 : 0);
    out += drawPerson(
      slots[i] + between(rng, -8, 8),
      foot,
      height,
      pick(rng, SKINS),
      pick(rng, ['#64748b', '#0e7490', '#9f1239', '#a16207', '#4d7c0f', '#6d28d9', '#e2e8f0']),
      pick(rng, ['#334155', '#44403c', '#1e3a8a']),
      pick(rng, ['#292524', '#713f12', '#a8a29e']),
    );
  }
  return out;
}

const jitterShade = (rng, shades) => pick(rng, shades);

const BACK = {
  table(rng) {
    let out = rect(-60, -60, 440, 172, jitterShade(rng, ['#e7e1d4', '#dfe5e8', '#ead9cf']));
    const frame = between(rng, 20, 240);
    out += rect(frame, 8, 62, 44, '#f5f5f4', OUTLINE) + rect(frame + 6, 14, 50, 32, '#9fb7c9');
    out += poly(
      [
        [-60, 112],
        [380, 112],
        [380, 260],
        [-60, 260],
      ],
      jitterShade(rng, ['#a9713f', '#94602f', '#b67f4a']),
    );
    for (let i = 0; i < 5; i++) out += line(-60, 122 + i * 15, 380, 122 + i * 15, '#6f4722', 1.5);
    return out + rect(-60, 109, 440, 5, '#6f4722');
  },
  shelf(rng) {
    let out = rect(-60, -60, 440, 320, jitterShade(rng, ['#d5dbd0', '#dcd6cc', '#cfd6dd']));
    const wood = jitterShade(rng, ['#5c4632', '#4a3a2c', '#6b523c']);
    out += rect(-8, -60, 12, 320, wood) + rect(316, -60, 12, 320, wood);
    for (const y of [34, 140, 246]) out += rect(-60, y, 440, 10, wood, `stroke="${INK}" stroke-width="2"`);
    for (let i = 0; i < 9; i++)
      out += rect(14 + i * 34 + between(rng, 0, 8), 8 + between(rng, 0, 8), 16, 30, '#b8b0a4');
    return out + rect(-60, 34, 440, 10, wood);
  },
  kitchen(rng) {
    let out = rect(-60, -60, 440, 190, jitterShade(rng, ['#eef2f3', '#f3efe6', '#e6eef0']));
    for (let x = -60; x <= 380; x += 20) out += line(x, -60, x, 118, '#c3ccd0', 1.5);
    for (let y = -60; y <= 118; y += 20) out += line(-60, y, 380, y, '#c3ccd0', 1.5);
    const hood = between(rng, 30, 220);
    out += poly(
      [
        [hood + 14, -60],
        [hood + 50, -60],
        [hood + 66, 24],
        [hood - 2, 24],
      ],
      '#8b959c',
      OUTLINE,
    );
    out +=
      rect(-60, 116, 440, 24, jitterShade(rng, ['#5f6b73', '#6b6560', '#545d64'])) +
      rect(-60, 136, 440, 6, '#3f474d');
    out += rect(-60, 142, 440, 120, '#d9cdb8');
    for (let i = 0; i < 5; i++)
      out += rect(-30 + i * 78, 148, 70, 60, '#cbbda4', `stroke="#8f8268" stroke-width="2"`);
    return out;
  },
  street(rng) {
    let out = rect(-60, -60, 440, 220, jitterShade(rng, ['#c9d6df', '#d8dbe0', '#bfcdd8']));
    let x = -60;
    while (x < 380) {
      const w = between(rng, 52, 84);
      const top = between(rng, -8, 34);
      out += rect(
        x,
        top,
        w,
        118 - top,
        pick(rng, ['#8d8580', '#a89f94', '#7c8794', '#9a8076']),
        `stroke="${INK}" stroke-width="2"`,
      );
      for (let wy = top + 10; wy < 96; wy += 22) {
        for (let wx = x + 8; wx < x + w - 12; wx += 20) out += rect(wx, wy, 10, 13, '#e8edf0');
      }
      x += w + 2;
    }
    out +=
      rect(-60, 116, 440, 12, '#b9b4ab') +
      rect(-60, 126, 440, 140, jitterShade(rng, ['#4b4f54', '#565a5e', '#43474b']));
    for (let i = -2; i < 7; i++) out += rect(i * 60 + 6, 166, 34, 5, '#f5f5f4');
    return out;
  },
  park(rng) {
    let out = rect(-60, -60, 440, 190, jitterShade(rng, ['#9fd3f2', '#b5dcf5', '#8ec9ee']));
    out += circle(between(rng, 30, 290), 16, 13, '#fff3b0');
    for (let i = 0; i < 4; i++) {
      const x = 8 + i * 94 + between(rng, -22, 22);
      const h = between(rng, 0, 12);
      out +=
        rect(x - 6, 74 - h, 12, 46 + h, '#6b4a2b') +
        circle(x, 52 - h, 27, pick(rng, ['#3f8f4a', '#357f41', '#4c9c55']));
    }
    out += rect(-60, 112, 440, 160, jitterShade(rng, ['#7bbf5a', '#6fb350', '#88c866']));
    const bend = between(rng, 60, 220);
    return (
      out +
      poly(
        [
          [bend, 112],
          [bend + 26, 112],
          [bend + 120, 260],
          [bend - 60, 260],
        ],
        '#d9c7a0',
      )
    );
  },
};

function drawHands(rng) {
  const skin = pick(rng, SKINS);
  const sleeve = pick(rng, ['#334155', '#57534e', '#0f766e', '#7f1d1d']);
  const hand = (x, tilt) =>
    `<g transform="rotate(${r1(tilt)} ${r1(x)} 184)">${rect(x - 16, 176, 32, 60, sleeve)}${ellipse(x, 172, 14, 16, skin, OUTLINE)}</g>`;
  return (
    hand(between(rng, 30, 80), between(rng, 8, 26)) + hand(between(rng, 240, 290), between(rng, -26, -8))
  );
}

/**
 * Draw one frame. Same scene and options, same string.
 * scene: { place, object?, colour?, count?, word?, people?, hands?, seed? }, or {} for a dark frame.
 * options.frame moves the camera a little, as a head would; frame 0 is not moved.
 * The picture is stretched to width x height, as the image processor stretches it to a square anyway.
 */
export function renderSceneSvg(scene, { frame = 0, width = VIEW_WIDTH, height = VIEW_HEIGHT } = {}) {
  const seed = scene.seed ?? 0;
  const rng = mulberry32(Math.imul(seed, 2654435761) ^ 0x51ed270b);
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${VIEW_WIDTH} ${VIEW_HEIGHT}" preserveAspectRatio="none">`;
  if (!scene.place) {
    const shade = Math.floor(rng() * 24);
    return `${open}${rect(0, 0, VIEW_WIDTH, VIEW_HEIGHT, `rgb(${shade},${shade},${shade})`)}</svg>`;
  }
  let camera = '';
  if (frame) {
    const move = mulberry32(Math.imul(seed, 40503) ^ Math.imul(frame, 2246822519));
    const dx = between(move, -9, 9);
    const dy = between(move, -6, 6);
    const zoom = between(move, 0.97, 1.1);
    const tilt = between(move, -2.5, 2.5);
    camera = ` transform="translate(${r1(160 + dx)} ${r1(90 + dy)}) scale(${Math.round(zoom * 1000) / 1000}) rotate(${r1(tilt)}) translate(-160 -90)"`;
  }
  // a fixed order of draws: the place, then people, then the object, then hands
  const back = BACK[scene.place](rng);
  const people = drawPeople(scene, rng);
  const objects = scene.object ? drawObjects(scene, rng) : '';
  const hands = scene.hands ? drawHands(rng) : '';
  return `${open}<g${camera}>${back}${people}${objects}${hands}</g></svg>`;
}

/** FNV-1a over the combination; one in seven is kept out of training, whatever the seed of the layout. */
export function isHeldOut({ place, object, colour, count = 1 }) {
  const key = `${object}|${colour}|${place}|${count}`;
  let h = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193) >>> 0;
  return Boolean(object) && h % 7 === 0;
}

/** A scene drawn from the whole grammar, decided by its seed alone. */
export function randomScene(seed) {
  const rng = mulberry32(Math.imul(seed, 0x9e3779b1) ^ 0x2545f491);
  const kind = rng();
  if (kind < 0.02) return { seed };
  const place = pick(rng, Object.keys(PLACES));
  const people = rng() < 0.35 ? 1 + Math.floor(rng() * 3) : 0;
  const hands = rng() < 0.3;
  if (kind < 0.08) return { seed, place, people, hands };
  const object = pick(rng, OBJECTS);
  const colour = pick(rng, Object.keys(COLOURS));
  const count = object === 'sign' ? 1 : pick(rng, [1, 1, 1, 2, 2, 3]);
  const word = object === 'sign' ? pick(rng, WORDS) : undefined;
  return { seed, place, object, colour, count, ...(word ? { word } : {}), people, hands };
}
