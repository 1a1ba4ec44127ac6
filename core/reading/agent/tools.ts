/** Runs the agent's tool calls through the reader's own tools, so that causality, budgets and steps are the same for both readers. */
import { DateTime } from 'luxon';
import { type Episode, FETCH_MAX, FootnoteError, speakerWords, type TimeSpan } from '../../contract/index.ts';
import type { Look } from '../look.ts';
import { type EvidenceList, harmless, listEpisodes } from './evidence-list.ts';
import type { Anchor, Instant, ToolCall } from './protocol.ts';

/** Redacted frames of kept clips; the tool that needs it is absent where no pixels are kept. */
export interface VideoSource {
  /**
   * @param count at most this many, spread evenly over the span
   * @returns JPEGs in time order, from redacted clips only
   */
  frames(
    episodes: readonly Episode[],
    span: TimeSpan,
    count: number,
    signal?: AbortSignal,
  ): Promise<{ atMs: number; jpeg: Uint8Array }[]>;
}

export interface ToolWorld {
  look: Look;
  video: VideoSource | null;
  list: EvidenceList;
  /** First instant remembered, epoch ms: 0 on the numeric axis. */
  originMs: number;
  nowMs: number;
  zone: string;
  signal?: AbortSignal;
}

export interface ToolResult {
  text: string;
  frames: Uint8Array[];
}

function instant(value: Instant, world: ToolWorld): number {
  if (typeof value === 'number') return world.originMs + value * 1000;
  const at = DateTime.fromISO(value.replace(' ', 'T'), { zone: world.zone });
  return at.isValid ? at.toMillis() : Number.NaN;
}

/** The span of an anchor, clipped to the question's instant; null when it is empty or not a time. */
export function spanOf(anchor: Anchor, world: ToolWorld): TimeSpan | null {
  const startMs = instant(anchor[0], world);
  let endMs = instant(anchor[1], world);
  // A date as the end means the whole of that day.
  if (typeof anchor[1] === 'string' && anchor[1].length === 10)
    endMs = DateTime.fromMillis(endMs, { zone: world.zone }).plus({ days: 1 }).toMillis();
  endMs = Math.min(endMs, world.nowMs);
  return Number.isFinite(startMs) && Number.isFinite(endMs) && startMs < endMs ? { startMs, endMs } : null;
}

/**
 * Runs one call.
 * @param tokens room for its result
 * @throws FootnoteError CANCELLED when aborted; whatever the memory throws
 */
export async function runTool(call: ToolCall, world: ToolWorld, tokens: number): Promise<ToolResult> {
  const asked = call.args.time_anchor ?? null;
  const span = asked ? spanOf(asked, world) : null;
  if (asked && !span) return words('That span is empty, or lies after the question was asked.');
  const options = { originMs: world.originMs, tokens };
  if (call.name === 'search_memory') {
    const found = await world.look.search(call.args.query, span, null, call.args.top_k);
    if (found.length === 0) return words('Nothing was found.');
    return words(
      listEpisodes(
        found.map(({ episode }) => episode),
        world.list,
        options,
      ),
    );
  }
  const { episodes, more } = await world.look.fetch(span!, FETCH_MAX, null, call.name);
  if (episodes.length === 0) return words('Nothing was recorded in that span.');
  const left = more > 0 ? `\n(the earliest ${FETCH_MAX}; ${more} more follow)` : '';
  if (call.name === 'fetch_memory') return words(`${listEpisodes(episodes, world.list, options)}${left}`);
  return watch(call.args.num_frames, episodes, span!, world, tokens);
}

const words = (text: string): ToolResult => ({ text, frames: [] });

async function watch(
  count: number,
  episodes: readonly Episode[],
  span: TimeSpan,
  world: ToolWorld,
  tokens: number,
): Promise<ToolResult> {
  if (!world.video) throw new FootnoteError('INTERNAL', 'fetch_video was called where it is not on offer.');
  const frames = await world.video.frames(episodes, span, count, world.signal);
  const said = episodes.flatMap((episode) =>
    episode.record.transcript
      .filter((line) => line.startMs < span.endMs && line.endMs > span.startMs)
      .map((line) => `${harmless(speakerWords(line) ?? 'someone')}: ${harmless(line.text)}`),
  );
  const times = frames.map(({ atMs }) => Math.round((atMs - world.originMs) / 1000));
  const shown = frames.length === 0 ? 'No pictures are kept of that span.' : `Frames at ${times.join(', ')}.`;
  const listed = listEpisodes(episodes, world.list, { originMs: world.originMs, tokens: tokens / 2 });
  return {
    text: [
      shown,
      said.length > 0 ? `Said: ${said.join(' | ')}`.slice(0, tokens) : 'Nothing was said.',
      listed,
    ].join('\n'),
    frames: frames.map(({ jpeg }) => jpeg),
  };
}
