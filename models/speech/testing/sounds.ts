/** Samples a second of all test sounds. */
const RATE = 16_000;

/** Even noise in −1..1 from a fixed seed: the same sound every time. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    // Linear congruential generator, constants of Numerical Recipes.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

function sound(seconds: number, at: (t: number) => number): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, i) => Math.max(-1, Math.min(1, at(i / RATE))));
}

/** Wind in a microphone: deep noise in slow, uneven gusts, loud enough to clip. */
export function wind(seconds: number, seed = 7): Float32Array {
  const random = noise(seed);
  let deep = 0;
  return sound(seconds, (t) => {
    deep = deep * 0.985 + random() * 0.12;
    return (
      deep * (0.4 + 0.9 * Math.sin(2 * Math.PI * 0.31 * t) ** 2 + 0.6 * Math.sin(2 * Math.PI * 0.17 * t))
    );
  });
}

/** White noise, as of a stream or an extractor fan. */
export function hiss(seconds: number, seed = 11): Float32Array {
  const random = noise(seed);
  return sound(seconds, () => random() * 0.2);
}

export function tone(seconds: number, hertz = 440): Float32Array {
  return sound(seconds, (t) => 0.5 * Math.sin(2 * Math.PI * hertz * t));
}

/** Two plucked voices over chords, and a beat. */
export function music(seconds: number, seed = 3): Float32Array {
  const random = noise(seed);
  const scale = [0, 2, 4, 7, 9, 12, 9, 7];
  return sound(seconds, (t) => {
    const beat = t % 0.4;
    const note = 220 * 2 ** (scale[Math.floor(t / 0.4) % scale.length]! / 12);
    const root = 110 * 2 ** ([0, 5, 7, 0][Math.floor(t / 1.6) % 4]! / 12);
    const plucked = [1, 2, 3, 4].reduce((sum, n) => sum + Math.sin(2 * Math.PI * note * n * t) / n ** 1.5, 0);
    const chord = [1, 1.26, 1.5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * root * n * t), 0);
    const drum = beat < 0.04 ? random() * (1 - beat / 0.04) : 0;
    return 0.2 * plucked * Math.exp(-5 * beat) + 0.08 * chord + 0.2 * drum;
  });
}

export function silence(seconds: number): Float32Array {
  return new Float32Array(seconds * RATE);
}

/** Every kind of sound in which nobody speaks. */
export const NOBODY: Readonly<Record<string, (seconds: number) => Float32Array>> = {
  silence,
  'a tone': tone,
  'wind in the microphone': wind,
  'the hiss of a fan': hiss,
  music,
};
