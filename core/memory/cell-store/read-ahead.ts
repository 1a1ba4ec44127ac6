import type { Episode } from '../../contract/index.ts';
import type { ViewSource } from '../views/update.ts';
import type { ContextView } from '../views/view.ts';

const HOUR_MS = 3_600_000;
/** What is read at once, by level: some dozens of rows of a day that is filmed throughout. */
const PIECE_MS = { '3min': HOUR_MS, '10min': 4 * HOUR_MS, '1h': 24 * HOUR_MS, day: 24 * HOUR_MS } as const;

/**
 * A source that reads an hour at once and answers the windows beside from that: windows are rebuilt in runs, and each read costs
 * milliseconds however little it returns. Holds for one rebuild, during which nothing else writes.
 */
export function readAhead(source: ViewSource): ViewSource {
  const episodes = new Map<string, Promise<Episode[]>>();
  const views = new Map<string, Promise<ContextView[]>>();
  return {
    episodes: (wearer, fromMs, toMs) =>
      pieced(episodes, wearer, fromMs, toMs, HOUR_MS, (from, to) => source.episodes(wearer, from, to)),
    views: (wearer, level, fromMs, toMs) =>
      pieced(views, `${level} ${wearer}`, fromMs, toMs, PIECE_MS[level], (from, to) =>
        source.views(wearer, level, from, to),
      ),
  };
}

async function pieced<T extends { startMs: number }>(
  known: Map<string, Promise<T[]>>,
  of: string,
  fromMs: number,
  toMs: number,
  pieceMs: number,
  read: (fromMs: number, toMs: number) => Promise<T[]>,
): Promise<T[]> {
  const pieces: Promise<T[]>[] = [];
  for (let at = Math.floor(fromMs / pieceMs) * pieceMs; at < toMs; at += pieceMs) {
    const key = `${of} ${at}`;
    const piece = known.get(key) ?? read(at, at + pieceMs);
    known.set(key, piece);
    pieces.push(piece);
  }
  const found = (await Promise.all(pieces)).flat();
  return found.filter(({ startMs }) => startMs >= fromMs && startMs < toMs);
}
