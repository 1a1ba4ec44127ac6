import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Answer } from '../contract/index.ts';
import { readComparison } from './comparison.ts';
import { createExtractiveReader } from './extractive-reader.ts';
import { readRoutine } from './routine.ts';
import { episode, HOUR, MINUTE, NOW, ZONE } from './testing/told-days.ts';
import { openEmptyMemory } from './testing/told-memory.ts';

describe('a comparison', () => {
  it.each([
    [
      'Did I drink more tea or coffee?',
      'often',
      'How often did I drink tea?',
      'How often did I drink coffee?',
    ],
    [
      'Did I cycle more in May or in June?',
      'often',
      'How often did I cycle in May?',
      'How often did I cycle in June?',
    ],
    [
      'Was I longer in the kitchen or in the garden?',
      'long',
      'How long was I in the kitchen?',
      'How long was I in the garden?',
    ],
    [
      'Who did I talk to more often, Anna or Ben?',
      'often',
      'How often did I talk to Anna?',
      'How often did I talk to Ben?',
    ],
    [
      'What did I do first, water the plants or feed the cat?',
      'early',
      'When did I water the plants?',
      'When did I feed the cat?',
    ],
    [
      'Did I drink tea more often than coffee?',
      'often',
      'How often did I drink tea?',
      'How often did I drink coffee?',
    ],
  ])('%s', (text, measure, one, other) => {
    expect(readComparison(text)).toMatchObject({
      measure,
      sides: [{ question: one }, { question: other }],
    });
  });
  it.each(['Where are my keys?', 'Did I drink more tea?', 'Is it tea or coffee?', 'What more did she say?'])(
    '%s is none',
    (text) => {
      expect(readComparison(text)).toBeNull();
    },
  );
});

describe('a habit', () => {
  it.each([
    ['When do I usually have breakfast?', 'clock', 'When did I have breakfast?'],
    ['How often do I normally water the plants?', 'rate', 'How often did I water the plants?'],
    ['What do I usually do in the morning?', 'acts', 'What did I do in the morning?'],
    ['What is my morning routine?', 'acts', 'What did I do in the morning?'],
  ])('%s', (text, kind, question) => {
    expect(readRoutine(text)).toEqual({ kind, question });
  });
  it.each(['When did I have breakfast?', 'Where do I usually live?'])('%s is none', (text) => {
    expect(readRoutine(text)).toBeNull();
  });
});

describe('a week with habits', () => {
  let ask: (question: string, nowMs?: number) => Promise<Answer>;
  let close: () => Promise<void>;
  const WEEK_NOW = NOW + 5 * 24 * HOUR;

  beforeAll(async () => {
    const opened = await openEmptyMemory();
    close = opened.close;
    const day = (n: number, at: number, text: string, action: string) => {
      const told = episode({ at: n * 24 * 60 + at, claims: [[2, text]] });
      return { ...told, record: { ...told.record, actions: [action] } };
    };
    await opened.memory.putEpisodes(
      [0, 1, 2, 3].flatMap((n) => [
        day(n, 60 + n * 5, 'I drink tea in the kitchen.', 'drink tea'),
        day(n, 120, 'I read the newspaper.', 'read newspaper'),
        ...(n % 2 === 0 ? [day(n, 300, 'I drink coffee in the office.', 'drink coffee')] : []),
      ]),
    );
    const reader = createExtractiveReader(opened.memory);
    ask = async (question, nowMs = WEEK_NOW) =>
      Answer.parse(await reader.ask(question, { nowMs, zone: ZONE }));
  });
  afterAll(() => close());

  it('tells which was more often, with the occasions of both', async () => {
    const answer = await ask('Did I drink more tea or coffee?');
    expect(answer.answer).toMatch(/^More often: tea 4 times, against coffee twice\. /);
    expect(answer.footnotes.length).toBeGreaterThanOrEqual(4);
    const less = await ask('Did I drink tea less often than coffee?');
    expect(less.answer).toMatch(/^Less often: coffee twice, against tea 4 times\. /);
  });

  it('says so when one side is not there, and when neither is', async () => {
    const answer = await ask('Did I drink more tea or cocoa?');
    expect(answer.answer).toContain('Only this was found: tea 4 times. Nothing was found for cocoa.');
    expect((await ask('Did I ride more camels or elephants?')).found).toBe(false);
  });

  it('tells what was first', async () => {
    const answer = await ask('What did I do first, drink coffee or read the newspaper?');
    expect(answer.answer).toMatch(/^Earlier: read the newspaper on Friday 14 March at 09:00, against /);
  });

  it('gives the usual time and on how many days', async () => {
    expect((await ask('When do I usually drink tea?')).answer).toMatch(
      /^Usually around 08:05: on 4 of 4 recorded days, between 08:00 and 08:15\. /,
    );
    expect((await ask('How often do I usually drink coffee?')).answer).toMatch(
      /^On 2 of 4 recorded days, 2 times in all\. /,
    );
  });

  it('tells what most days share', async () => {
    const answer = await ask('What do I usually do in the morning?');
    expect(answer.answer).toContain('On 4 of 4 of those days: drink tea.');
    expect(answer.answer).toContain('On 4 of 4 of those days: read newspaper.');
    expect(answer.answer).not.toContain('coffee');
  });

  it('knows nothing of the days after the question’s instant', async () => {
    const early = await ask('How often do I usually drink coffee?', NOW - 24 * HOUR - 25 * MINUTE);
    expect(early.answer).toMatch(/^On 1 of 1 recorded days, 1 time in all\. /);
  });
});
