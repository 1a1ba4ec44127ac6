/** The agent's loop: look, read, look again, answer; at most ten rounds (MemLife, the reader). */
import { randomUUID } from 'node:crypto';
import { FootnoteError } from '../../contract/index.ts';
import { ROUNDS_MAX } from '../look.ts';
import { type ChatBackend, type ChatMessage, tokensOf } from './chat.ts';
import { type AgentQuestion, evidencePrompt, questionPrompt, repairPrompt, systemPrompt } from './prompt.ts';
import { readTurn, type ToolCall } from './protocol.ts';
import { runTool, type ToolWorld } from './tools.ts';

/** Longest reply, tokens: a tool line or a few sentences. */
const REPLY_TOKENS = 512;
/** Share of the context that one result may take: a later look must still fit. */
const RESULT_SHARE = 0.45;
/** A picture costs about this many tokens. */
const FRAME_TOKENS = 80;
/** Stands in for a result that had to make room. */
const LEFT_OUT = '(an earlier result was left out to make room)';

export interface AgentRun {
  /** Text of the ANSWER line; null when the rounds ran out or the model did not keep to the protocol. */
  answer: string | null;
  /** Why there is none. */
  failure: 'protocol' | 'rounds' | null;
  rounds: number;
  promptTokens: number;
  replyTokens: number;
}

interface Message extends ChatMessage {
  /** A tool's result, which may be left out once the conversation grows too long. */
  result?: boolean;
}

/**
 * Runs one question to its end. One mistake in the protocol is told to the model and forgiven, the next ends the run.
 * @throws FootnoteError CANCELLED when aborted; MODEL_MISSING and MODEL_FAILED as the backend throws them
 */
export async function runAgent(
  backend: ChatBackend,
  asked: Omit<AgentQuestion, 'rounds' | 'video'>,
  world: ToolWorld,
  onThinking?: (round: number) => void,
): Promise<AgentRun> {
  const video = world.video !== null && backend.looks;
  const question: AgentQuestion = { ...asked, rounds: ROUNDS_MAX, video };
  const allowed = new Set<ToolCall['name']>(['search_memory', 'fetch_memory']);
  if (video) allowed.add('fetch_video');
  // Drawn anew for each question, so that nothing recorded can have guessed it.
  const mark = randomUUID().slice(0, 8);
  const messages: Message[] = [
    { role: 'system', text: systemPrompt(question) },
    { role: 'user', text: questionPrompt(question) },
  ];
  const run: AgentRun = { answer: null, failure: null, rounds: 0, promptTokens: 0, replyTokens: 0 };
  let forgiven = false;
  while (run.rounds < ROUNDS_MAX) {
    if (world.signal?.aborted) throw new FootnoteError('CANCELLED', 'The question was cancelled.');
    run.rounds += 1;
    onThinking?.(run.rounds);
    makeRoom(messages, backend.contextTokens - REPLY_TOKENS);
    const reply = await backend.chat(messages, {
      maxTokens: REPLY_TOKENS,
      ...(world.signal && { signal: world.signal }),
    });
    run.promptTokens += reply.promptTokens;
    run.replyTokens += reply.replyTokens;
    const turn = readTurn(reply.text, allowed);
    if (turn.type === 'answer') return { ...run, answer: turn.text };
    if (turn.type === 'mistake') {
      if (forgiven) return { ...run, failure: 'protocol' };
      forgiven = true;
      messages.push({ role: 'assistant', text: reply.text.slice(0, 400) });
      messages.push({ role: 'user', text: repairPrompt(turn.why) });
      continue;
    }
    const room = Math.floor(
      (backend.contextTokens - REPLY_TOKENS - sizeOf(messages.slice(0, 2))) * RESULT_SHARE,
    );
    const result = await runTool(turn.call, world, Math.max(200, room));
    messages.push({ role: 'assistant', text: `TOOL: ${JSON.stringify(turn.call)}` });
    messages.push({
      role: 'user',
      text: evidencePrompt(result.text, mark, ROUNDS_MAX - run.rounds),
      ...(result.frames.length > 0 && { frames: result.frames }),
      result: true,
    });
  }
  return { ...run, failure: 'rounds' };
}

const sizeOf = (messages: readonly ChatMessage[]): number =>
  messages.reduce(
    (sum, { text, frames }) => sum + tokensOf(text) + 8 + (frames?.length ?? 0) * FRAME_TOKENS,
    0,
  );

/** Empties the oldest results until the conversation fits; instructions, question and the newest result stay. */
function makeRoom(messages: Message[], tokens: number): void {
  const results = messages.filter(({ result }) => result).slice(0, -1);
  for (const message of results) {
    if (sizeOf(messages) <= tokens) return;
    message.text = LEFT_OUT;
    delete message.frames;
  }
}
