import { AutoTokenizer, env, type PreTrainedTokenizer } from '@huggingface/transformers';
import { beforeAll, describe, expect, it } from 'vitest';
import { TINY_WRITER } from '../writer/testing/scenes.ts';
import { AnswerStream, StopStringRule } from './answer-stream.ts';

let tokenizer: PreTrainedTokenizer;
beforeAll(async () => {
  env.allowRemoteModels = false;
  tokenizer = await AutoTokenizer.from_pretrained(TINY_WRITER, { local_files_only: true });
});

/** The pieces of a text that comes token by token, as the library's `generate` gives them. */
function stream(text: string, stops: string[] = []): { pieces: string[]; answer: AnswerStream } {
  const pieces: string[] = [];
  const answer = new AnswerStream(tokenizer, stops, (piece) => pieces.push(piece));
  const rule = new StopStringRule(answer);
  answer.put([[1n, 2n, 3n]]);
  for (const id of tokenizer.encode(text, { add_special_tokens: false })) {
    answer.put([[BigInt(id)]]);
    if (rule._call([[0]])[0]) break;
  }
  answer.end();
  return { pieces, answer };
}

describe('the stream of an answer', () => {
  it('tells everything once, in pieces, without white space at the ends', () => {
    const text = 'I see a red cup on a wooden table. '.repeat(12);
    const { pieces, answer } = stream(`\n ${text}\n`);
    expect(pieces.join('')).toBe(text.trim());
    expect(pieces.length).toBeGreaterThan(50);
    expect(answer.tokens).toBe(tokenizer.encode(`\n ${text}\n`, { add_special_tokens: false }).length);
  });

  it('never cuts a letter in two', () => {
    const text = 'Grüße, 日本 🙂 día';
    expect(tokenizer.encode('🙂', { add_special_tokens: false }).length).toBeGreaterThan(1);
    const { pieces } = stream(text.repeat(6));
    expect(pieces.join('')).toBe(text.repeat(6));
    expect(pieces.some((piece) => piece.includes('\uFFFD'))).toBe(false);
  });

  it('ends before a stop string, and tells nothing of it however it is cut into tokens', () => {
    const { pieces, answer } = stream('TOOL: look at a red cup\nANSWER: a table', ['\nANSWER', 'never']);
    expect(pieces.join('')).toBe('TOOL: look at a red cup');
    expect(answer.stopped).toBe(true);
  });

  it('tells in the end what only began like a stop string', () => {
    const { pieces, answer } = stream('a red cup ANS', ['ANSWER', '']);
    expect(pieces.join('')).toBe('a red cup ANS');
    expect(answer.stopped).toBe(false);
  });

  it('tells nothing of an answer that is only marks or white space', () => {
    expect(stream(' \n ').pieces).toEqual([]);
    expect(stream('<end_of_utterance>').pieces).toEqual([]);
  });
});
