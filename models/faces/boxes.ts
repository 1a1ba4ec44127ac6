import type { Box, Face } from './face.ts';

/** Faces that overlap more than this (intersection over union) are one face: MediaPipe's value for this model. */
const SAME_FACE_IOU = 0.3;

function intersection(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Intersection over union of two boxes, 0..1. */
export function overlap(a: Box, b: Box): number {
  const shared = intersection(a, b);
  return shared === 0 ? 0 : shared / (a.width * a.height + b.width * b.height - shared);
}

/** Share of the smaller box that lies in the other, 0..1. */
export function containment(a: Box, b: Box): number {
  const smaller = Math.min(a.width * a.height, b.width * b.height);
  return smaller > 0 ? intersection(a, b) / smaller : 0;
}

/**
 * Weighted non-maximum suppression (BlazeFace, Bazarevsky et al. 2019, section 4): overlapping boxes become one whose
 * edges are their mean weighted by confidence, which jitters less from frame to frame than keeping the best one.
 * @returns merged faces, best first
 */
export function blendFaces(faces: readonly Face[]): Face[] {
  const rest = [...faces].sort((a, b) => b.confidence - a.confidence);
  const kept: Face[] = [];
  while (rest.length > 0) {
    const best = rest[0]!;
    const group = rest.filter((face) => face === best || overlap(best, face) > SAME_FACE_IOU);
    for (const face of group) rest.splice(rest.indexOf(face), 1);
    const weight = group.reduce((sum, face) => sum + face.confidence, 0);
    const mean = (value: (face: Face) => number) =>
      group.reduce((sum, face) => sum + value(face) * face.confidence, 0) / weight;
    kept.push({
      x: mean((face) => face.x),
      y: mean((face) => face.y),
      width: mean((face) => face.width),
      height: mean((face) => face.height),
      confidence: best.confidence,
    });
  }
  return kept;
}
