import { describe, expect, it } from 'vitest';
import { readQuestion, withDateAsWords } from './question.ts';

const ASKED = { nowMs: Date.UTC(2025, 2, 19, 10), zone: 'UTC' };
const read = (text: string) => readQuestion(text, ASKED);
const words = (text: string): string[] => read(text).terms.map((term) => term.text);

describe('kinds of questions', () => {
  it.each([
    ['Where did I leave my keys?', 'where'],
    ['In which places have my keys been, in order?', 'where'],
    ['When did I park the car?', 'when'],
    ['At what time did I park the car?', 'when'],
    ['When does the pharmacy close?', 'what'],
    ['Who is going to fix the login bug?', 'who'],
    ['What did Anna say about the demo?', 'said'],
    ['What did the sign at the pharmacy say?', 'read'],
    ['What did the doctor say?', 'said'],
    ['What did I read on the whiteboard?', 'read'],
    ['How many times did I take scissors?', 'count'],
    ['How often did I drink coffee last week?', 'count'],
    ['How long did I wait for the bus?', 'duration'],
    ['What did I do yesterday?', 'list'],
    ['List my day', 'list'],
    ['What was I doing at 8:15?', 'list'],
    ['What did I do right after I closed the shop?', 'after'],
    ['After turning off the stove, what did I open?', 'after'],
    ['What did I do just before I left the office?', 'before'],
    ['Did I lock the door?', 'ever'],
    ['How much did I pay at the pharmacy?', 'what'],
    ['What is the name of my dog?', 'what'],
  ] as const)('"%s" is %s', (text, kind) => {
    expect(read(text).kind).toBe(kind);
  });

  it('hears what kind of words answer', () => {
    expect([...read('How much did I pay?').wants]).toContain('price');
    expect([...read('By when must I pay invoice 7731?').wants]).toContain('clock');
    expect([...read('What is the book called, and who wrote it?').wants]).toContain('name');
    expect([...read('What did I take, and what strength was it?').wants]).toContain('number');
    expect([...read('What colour was the car?').wants]).toContain('colour');
    expect([...read('When and where is the demo?').wants].sort()).toEqual(['clock', 'place']);
  });

  it('hears first and last, and takes "now" as last', () => {
    expect(read('When was the first time I saw the cat?').order).toBe('first');
    expect(read('When did I last see the cat?').order).toBe('last');
    expect(read('Where are my keys?').order).toBe('last');
    expect(read('Where did I leave my keys?').order).toBeNull();
    expect(read('Where was it the last three times I saw the umbrella?')).toMatchObject({
      order: 'last',
      howMany: 3,
    });
  });

  it('keeps the words the question is about, with names and numbers as such', () => {
    expect(words('Where did I put the red bicycle yesterday?')).toEqual(['put', 'red', 'bicycle']);
    expect(words('What is the first time I saw it?')).toEqual(['saw']);
    const kinds = read('Did Anna pay invoice 7731?').terms.map(({ text, kind }) => [text, kind]);
    expect(kinds).toEqual([
      ['Anna', 'name'],
      ['pay', 'verb'],
      ['invoice', 'thing'],
      ['7731', 'number'],
    ]);
  });

  it('finds the event of before and after, and no event in a time', () => {
    expect(read('What did I do right after I closed the shop?').anchor.map(({ text }) => text)).toEqual([
      'closed',
      'shop',
    ]);
    expect(read('What did I do after lunch?').kind).toBe('list');
  });

  it('can take a date as what is asked about', () => {
    const question = read('What is due on 28 March?');
    expect(question.present).toBe(true);
    expect(withDateAsWords(question).terms.map(({ text }) => text)).toEqual(['due', '28', 'March']);
  });

  it('survives anything typed', () => {
    for (const text of [
      '?',
      '   ?',
      '…',
      'ąęłż',
      '“',
      'what',
      '😀 where 😀',
      'a'.repeat(2000),
      'İstanbul’da ne oldu?',
      '\\u0000 []()*',
      'after before after',
    ]) {
      expect(() => read(text), text).not.toThrow();
    }
  });
});
