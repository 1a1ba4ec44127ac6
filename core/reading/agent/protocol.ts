/**
 * The lines an agent may write: `TOOL: {"name": …, "args": {…}}` or `ANSWER: …`, one a turn (MemLife, the reader's protocol).
 * Strict, because what a model writes decides what is looked up: anything else is a mistake that is told once.
 */
import { z } from 'zod';
import { SEARCH_MAX } from '../../contract/index.ts';

/** fetch_video: frames by default and at most (MemLife-V). */
export const FRAMES_DEFAULT = 30;
export const FRAMES_MAX = 50;

/** Seconds since the first recording, or a local date and time. */
const Instant = z.union([z.number(), z.string().regex(/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?$/)]);
export type Instant = z.infer<typeof Instant>;
const Anchor = z.tuple([Instant, Instant]);
export type Anchor = z.infer<typeof Anchor>;

const ToolCall = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('search_memory'),
    args: z.strictObject({
      query: z.string().trim().min(1).max(500),
      time_anchor: Anchor.nullish(),
      top_k: z.number().int().min(1).max(SEARCH_MAX).default(SEARCH_MAX),
    }),
  }),
  z.object({ name: z.literal('fetch_memory'), args: z.strictObject({ time_anchor: Anchor }) }),
  z.object({
    name: z.literal('fetch_video'),
    args: z.strictObject({
      time_anchor: Anchor,
      num_frames: z.number().int().min(1).max(FRAMES_MAX).default(FRAMES_DEFAULT),
    }),
  }),
]);
export type ToolCall = z.infer<typeof ToolCall>;

export type Turn =
  | { type: 'tool'; call: ToolCall }
  | { type: 'answer'; text: string }
  /** `why` is told to the model, once. */
  | { type: 'mistake'; why: string };

/** Models that think aloud put it in these before they speak. */
const THINKING = /<think>[\s\S]*?(?:<\/think>|$)/g;
const TOOL = /^TOOL:\s*(.+)$/;
const ANSWER = /^ANSWER:\s*(.*)$/;

/**
 * Reads one reply. The first TOOL or ANSWER line counts; an answer may go on over the lines after it, up to a TOOL line.
 * @param allowed tools on offer; a call to another is a mistake
 */
export function readTurn(reply: string, allowed: ReadonlySet<ToolCall['name']>): Turn {
  const lines = reply.replace(THINKING, '').split(/\r?\n/);
  for (const [n, raw] of lines.entries()) {
    const line = raw.trim();
    const tool = TOOL.exec(line);
    if (tool) return readCall(tool[1]!, allowed);
    const answer = ANSWER.exec(line);
    if (!answer) continue;
    const rest = lines.slice(n + 1);
    const end = rest.findIndex((one) => /^\s*(?:TOOL|ANSWER):/.test(one));
    const text = [answer[1]!, ...(end < 0 ? rest : rest.slice(0, end))].join('\n').trim();
    return text === '' ? { type: 'mistake', why: 'The ANSWER line was empty.' } : { type: 'answer', text };
  }
  return { type: 'mistake', why: 'There was neither a TOOL line nor an ANSWER line.' };
}

function readCall(json: string, allowed: ReadonlySet<ToolCall['name']>): Turn {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    return { type: 'mistake', why: 'What stood after TOOL: was not one JSON object on one line.' };
  }
  const parsed = ToolCall.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      type: 'mistake',
      why: `The tool call was not valid (${issue?.path.join('.') || 'name'}: ${issue?.message ?? 'unknown'}).`,
    };
  }
  if (!allowed.has(parsed.data.name))
    return { type: 'mistake', why: `${parsed.data.name} is not available here.` };
  return { type: 'tool', call: parsed.data };
}

/**
 * The option a reply chooses: a letter that stands by itself or is marked off ("B", "(B)", "B) the kitchen", "Option B"), or an
 * option's exact words. A word that begins with the letter is none ("Because" is not B).
 * @returns index of the option, or null when none or several are meant
 */
export function readChoice(text: string, choices: readonly string[]): number | null {
  const plain = text.trim().replace(/^(?:the\s+)?(?:answer|option)\s*(?:is|:)?\s*/i, '');
  const letter = /^[("'[*]*([A-Z])(?:[)\]"'*.:,]|\s*$)/.exec(plain)?.[1];
  if (letter) {
    const index = letter.charCodeAt(0) - 65;
    return index < choices.length ? index : null;
  }
  const same = (a: string) =>
    a
      .toLowerCase()
      .replace(/[\s.]+/g, ' ')
      .trim();
  const exact = choices.flatMap((choice, n) => (same(choice) === same(plain) ? [n] : []));
  return exact.length === 1 ? exact[0]! : null;
}
