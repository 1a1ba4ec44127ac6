import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChoice, readTurn } from './protocol.ts';

const BOTH = new Set(['search_memory', 'fetch_memory'] as const);

describe('a turn of the agent', () => {
  it('is a tool call with its defaults', () => {
    expect(readTurn('TOOL: {"name": "search_memory", "args": {"query": "keys"}}', BOTH)).toEqual({
      type: 'tool',
      call: { name: 'search_memory', args: { query: 'keys', top_k: 32 } },
    });
  });

  it('may follow thinking aloud and other lines', () => {
    const reply =
      '<think>\nTOOL: {"name":"fetch_memory"}\n</think>\nLet me look.\nTOOL: {"name": "fetch_memory", "args": {"time_anchor": [0, 60]}}';
    expect(readTurn(reply, BOTH)).toMatchObject({ type: 'tool', call: { name: 'fetch_memory' } });
  });

  it('is an answer over several lines, up to what would be another turn', () => {
    expect(readTurn('ANSWER: On the hook. [E1]\nThen in the drawer. [E2]\nTOOL: {"name":"x"}', BOTH)).toEqual(
      {
        type: 'answer',
        text: 'On the hook. [E1]\nThen in the drawer. [E2]',
      },
    );
  });

  it.each([
    ['the keys are on the hook', 'neither'],
    ['TOOL: search_memory("keys")', 'JSON'],
    ['TOOL: {"name": "delete_memory", "args": {}}', 'not valid'],
    ['TOOL: {"name": "search_memory", "args": {"query": ""}}', 'not valid'],
    ['TOOL: {"name": "search_memory", "args": {"query": "a", "top_k": 900}}', 'not valid'],
    ['TOOL: {"name": "search_memory", "args": {"query": "a", "path": "/etc"}}', 'not valid'],
    ['TOOL: {"name": "fetch_memory", "args": {"time_anchor": ["soon", "later"]}}', 'not valid'],
    ['TOOL: {"name": "fetch_video", "args": {"time_anchor": [0, 9]}}', 'not available'],
    ['ANSWER:', 'empty'],
    ['', 'neither'],
  ])('%s is a mistake', (reply, why) => {
    const turn = readTurn(reply, BOTH);
    expect(turn.type).toBe('mistake');
    expect((turn as { why: string }).why).toContain(why);
  });

  it('never throws, whatever a model writes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.constantFrom('', 'TOOL: ', 'ANSWER: '), (text, lead) => {
        readTurn(lead + text, BOTH);
      }),
    );
  });
});

describe('a choice', () => {
  const CHOICES = ['Because of the rain', 'the kitchen', 'Alice', 'nobody'];
  it.each([
    ['B', 1],
    ['(B)', 1],
    ['B) the kitchen', 1],
    ['The answer is C.', 2],
    ['Option D', 3],
    ['the kitchen', 1],
    ['Alice', 2],
  ])('%s', (text, index) => {
    expect(readChoice(text, CHOICES)).toBe(index);
  });
  it.each(['Bob was there', 'Because', 'Z', 'A kitchen, I think', '', 'E)'])('%s is none', (text) => {
    expect(readChoice(text, CHOICES)).toBeNull();
  });
});
