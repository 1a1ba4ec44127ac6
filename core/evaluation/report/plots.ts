/** The report's plots as SVG text (Observable Plot on a document without a browser). */
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

export interface CurvePoint {
  system: string;
  x: number;
  /** 0 to 1. */
  y: number;
}

export interface IntervalRow {
  label: string;
  difference: number;
  ci95: [number, number];
}

const WIDTH = 720;
/** Wong's colours, told apart with colour blindness too, and two greys. */
const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#cc79a7',
  '#e69f00',
  '#56b4e9',
  '#000000',
  '#8c6d31',
  '#7f7f7f',
  '#b8b8b8',
];

function svg(options: Plot.PlotOptions): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const plot = Plot.plot({ document: document as never, width: WIDTH, ...options });
  return (plot as unknown as { outerHTML: string }).outerHTML;
}

const percent = (share: number): number => share * 100;

/** Which colour is whose, as HTML to stand above curves. @param names in the order of their curves; already safe in HTML */
export function legend(names: readonly string[]): string {
  const entries = names.map(
    (name, n) => `<span><i style="background:${COLOURS[n % COLOURS.length]}"></i>${name}</span>`,
  );
  return `<p class="legend">${entries.join('')}</p>`;
}

/** One line a system. @param label what x is */
export function curves(points: readonly CurvePoint[], label: string): string {
  const systems = [...new Set(points.map(({ system }) => system))];
  return svg({
    height: 360,
    x: { label, grid: true },
    y: { label: '%', grid: true, zero: true },
    color: { domain: systems, range: systems.map((_, n) => COLOURS[n % COLOURS.length]!) },
    marks: [
      Plot.lineY(points, {
        x: 'x',
        y: (point: CurvePoint) => percent(point.y),
        stroke: 'system',
        strokeWidth: 2,
      }),
    ],
  });
}

/** Differences in points with their intervals; the line at 0 is no difference. */
export function intervals(rows: readonly IntervalRow[]): string {
  return svg({
    height: 40 + rows.length * 26,
    marginLeft: 220,
    x: { label: 'difference, points', grid: true },
    y: { label: null, domain: rows.map(({ label }) => label) },
    marks: [
      Plot.ruleX([0]),
      Plot.ruleY(rows, {
        y: 'label',
        x1: (row: IntervalRow) => percent(row.ci95[0]),
        x2: (row: IntervalRow) => percent(row.ci95[1]),
        strokeWidth: 2,
        stroke: COLOURS[0]!,
      }),
      Plot.dot(rows, {
        y: 'label',
        x: (row: IntervalRow) => percent(row.difference),
        fill: COLOURS[1]!,
        r: 4,
      }),
    ],
  });
}
