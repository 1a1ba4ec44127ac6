/**
 * Two faults of exported networks, mended in the bytes of their files without changing a length. ONNX is a protocol buffer:
 * a message is a list of numbered fields, and a number that nobody knows is passed over.
 */

/** Wire types of protocol buffers. */
const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** Field numbers of onnx.proto, from a model down to a dimension. */
const GRAPH = 7;
const INPUT = 11;
const OUTPUT = 12;
const VALUE_INFO = 13;
const NAME = 1;
const TYPE = 2;
const TENSOR_TYPE = 1;
const SHAPE = 2;
const DIMENSION = 1;
const DIM_VALUE = 1;
/** A note beside a dimension, which nothing reads: it takes the number's place, so that no length changes. */
const DENOTATION = 3;

interface Field {
  number: number;
  wire: number;
  /** Start of its key, start of its content, and end of it. */
  at: number;
  from: number;
  to: number;
}

/** The fields of one message. @throws RangeError for bytes that are no message */
function* fieldsOf(bytes: Uint8Array, from: number, to: number): Generator<Field> {
  let at = from;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 64; shift += 7) {
      if (at >= to) throw new RangeError('The file ends within a number.');
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('A number does not end.');
  };
  while (at < to) {
    const start = at;
    const key = varint();
    const wire = key % 8;
    let content = at;
    if (wire === VARINT) varint();
    else if (wire === FIXED_64) at += 8;
    else if (wire === FIXED_32) at += 4;
    else if (wire === BYTES) {
      const length = varint();
      content = at;
      at += length;
    } else throw new RangeError('There is no such kind of field.');
    if (at > to) throw new RangeError('A field reaches beyond its message.');
    yield { number: Math.floor(key / 8), wire, at: start, from: content, to: at };
  }
}

function inner(bytes: Uint8Array, { from, to }: Pick<Field, 'from' | 'to'>, number: number): Field[] {
  return [...fieldsOf(bytes, from, to)].filter((field) => field.number === number && field.wire === BYTES);
}

function nameOf(bytes: Uint8Array, value: Field): string {
  const [name] = inner(bytes, value, NAME);
  return name ? new TextDecoder().decode(bytes.subarray(name.from, name.to)) : '';
}

/**
 * Frees the sizes of a graph's inputs and outputs of these names. A network made of convolutions takes pictures of any size, but some
 * files name the one they were exported with, and the runtime then refuses others.
 * @param model bytes of an ONNX file; changed
 * @returns how many numbers were taken out
 * @throws RangeError for bytes that are no ONNX file
 */
export function freeSizes(model: Uint8Array, names: readonly string[]): number {
  let freed = 0;
  for (const graph of inner(model, { from: 0, to: model.length }, GRAPH)) {
    for (const value of [...inner(model, graph, INPUT), ...inner(model, graph, OUTPUT)]) {
      if (!names.includes(nameOf(model, value))) continue;
      const dimensions = inner(model, value, TYPE)
        .flatMap((type) => inner(model, type, TENSOR_TYPE))
        .flatMap((tensor) => inner(model, tensor, SHAPE))
        .flatMap((shape) => inner(model, shape, DIMENSION));
      for (const dimension of dimensions) {
        for (const { number, wire, at, to } of fieldsOf(model, dimension.from, dimension.to)) {
          if (number !== DIM_VALUE || wire !== VARINT) continue;
          model[at] = DENOTATION * 8 + BYTES;
          model[at + 1] = to - at - 2;
          model.fill(0x20, at + 2, to);
          freed += 1;
        }
      }
    }
  }
  return freed;
}

/**
 * Makes weights constant that old exporters listed among the inputs, where a caller could replace them: the runtime then joins no layers.
 * Measured on CenterFace at 640 x 384 px: 63 ms a run instead of 163, the same faces.
 * @param model bytes of an ONNX file; changed
 * @param inputs names of the inputs that are really given
 * @returns how many were made constant
 * @throws RangeError for bytes that are no ONNX file
 */
export function fixWeights(model: Uint8Array, inputs: readonly string[]): number {
  let fixed = 0;
  for (const graph of inner(model, { from: 0, to: model.length }, GRAPH)) {
    for (const value of inner(model, graph, INPUT)) {
      if (inputs.includes(nameOf(model, value))) continue;
      // Both keys are one byte long.
      model[value.at] = VALUE_INFO * 8 + BYTES;
      fixed += 1;
    }
  }
  return fixed;
}
