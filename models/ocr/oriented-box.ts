/** A rectangle that may be tilted. Units are pixels of whatever grid it was found in. */
export interface OrientedBox {
  centreX: number;
  centreY: number;
  /** Length along the reading axis, and across it. */
  width: number;
  height: number;
  /** Radians from the x axis to the reading axis, in (−π/4, π/4]. */
  angle: number;
}

interface Point {
  x: number;
  y: number;
}

function cross(o: Point, a: Point, b: Point): number {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/** Convex hull by Andrew's monotone chain; the points come back in order around it. */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  const half = (input: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of input) {
      while (chain.length >= 2 && cross(chain[chain.length - 2]!, chain[chain.length - 1]!, point) <= 0)
        chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The tilt of a right angle does not matter to a rectangle: it is brought to the one that reads most level. */
function levelled(angle: number, width: number, height: number): { angle: number; swap: boolean } {
  const quarter = Math.PI / 2;
  const turns = Math.round(angle / quarter);
  return { angle: angle - turns * quarter, swap: Math.abs(turns) % 2 === 1 && width !== height };
}

/**
 * The smallest rectangle, at any tilt, around some points.
 * @param points at least one; a single point gives a rectangle of no size
 */
export function smallestBox(points: readonly Point[]): OrientedBox {
  const hull = convexHull(points);
  let best: (OrientedBox & { area: number }) | null = null;
  for (let i = 0; i < hull.length; i++) {
    const a = hull[i]!;
    const b = hull[(i + 1) % hull.length]!;
    const angle = Math.atan2(b.y - a.y, b.x - a.x);
    const cos = Math.cos(angle);
    const sin = Math.sin(angle);
    let minU = Infinity;
    let maxU = -Infinity;
    let minV = Infinity;
    let maxV = -Infinity;
    for (const point of hull) {
      const u = point.x * cos + point.y * sin;
      const v = -point.x * sin + point.y * cos;
      minU = Math.min(minU, u);
      maxU = Math.max(maxU, u);
      minV = Math.min(minV, v);
      maxV = Math.max(maxV, v);
    }
    const width = maxU - minU;
    const height = maxV - minV;
    if (best && width * height >= best.area) continue;
    const u = (minU + maxU) / 2;
    const v = (minV + maxV) / 2;
    const level = levelled(angle, width, height);
    best = {
      centreX: u * cos - v * sin,
      centreY: u * sin + v * cos,
      width: level.swap ? height : width,
      height: level.swap ? width : height,
      angle: level.angle,
      area: width * height,
    };
  }
  const { area: _, ...box } = best!;
  return box;
}

/** The four corners: top left, top right, bottom right, bottom left as one reads. */
export function corners(box: OrientedBox): [Point, Point, Point, Point] {
  const cos = Math.cos(box.angle);
  const sin = Math.sin(box.angle);
  const at = (u: number, v: number): Point => ({
    x: box.centreX + u * cos - v * sin,
    y: box.centreY + u * sin + v * cos,
  });
  const u = box.width / 2;
  const v = box.height / 2;
  return [at(-u, -v), at(u, -v), at(u, v), at(-u, v)];
}
