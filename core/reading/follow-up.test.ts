import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ThreadTurn } from '../contract/index.ts';
import { inThread } from './follow-up.ts';
import { FRIDAY, HOUR, MINUTE, NOW, ZONE } from './testing/told-days.ts';
import { openToldMemory, type ToldMemory } from './testing/told-memory.ts';

const ASKED = { nowMs: NOW, zone: ZONE };
const turn = (question: string, atMs: number | null = FRIDAY + 2 * HOUR): ThreadTurn => ({
  question,
  answer: '',
  evidence: atMs === null ? null : { startMs: atMs, endMs: atMs + 30_000, zone: ZONE },
});

describe('a follow-up', () => {
  it.each([
    ['Where did I leave my keys?', 'And my wallet?', 'Where did I leave my wallet?'],
    [
      'Where did I leave my keys yesterday?',
      'What about the red umbrella?',
      'Where did I leave the red umbrella yesterday?',
    ],
    ['What did Anna say about the dose?', 'And Nora?', 'What did Nora say about the dose?'],
    ['What did I eat on Monday?', 'And on Tuesday?', 'What did I eat on Tuesday?'],
    ['What did I do yesterday?', 'and today?', 'What did I do today?'],
    ['Where did I leave my keys?', 'When was that?', 'When did I leave my keys?'],
    ['When did I water the plants?', 'How often?', 'How often did I water the plants?'],
    ['Where is the spare key?', 'When did I last use it?', 'When did I last use the spare key?'],
    ['What did Anna say about the dose?', 'When did she call?', 'When did Anna call?'],
    ['What did I do?', 'And the day before?', 'What did I do on 13 March 2025?'],
    ['What did I do?', 'and the next morning?', 'What did I do on 15 March 2025 in the morning?'],
    ['What did I buy?', 'What did I do after that?', 'What did I do after 09:00 on 14 March 2025?'],
    ['What did I buy?', 'Whom did I meet that day?', 'Whom did I meet on 14 March 2025?'],
  ])('%s — %s', (before, text, whole) => {
    expect(inThread(text, [turn(before)], ASKED)).toBe(whole);
  });

  it.each([
    'Where did I park the car?',
    'Who was at dinner?',
    'What did it say on the sign at the bakery?',
    'keys',
  ])('%s stands alone', (text) => {
    expect(inThread(text, [turn('Where did I leave my wallet?')], ASKED)).toBeNull();
  });

  it('stands as it is where nothing went before, and where the answer before had no evidence', () => {
    expect(inThread('And my wallet?', [], ASKED)).toBeNull();
    expect(inThread('And the day before?', [turn('What did I do?', null)], ASKED)).toBeNull();
  });

  it('goes on over several turns', () => {
    const thread = [turn('Where did I leave my keys?'), turn('And my wallet?')];
    expect(inThread('And yesterday?', thread, ASKED)).toBe('Where did I leave my wallet yesterday?');
  });
});

describe('an answer to a follow-up', () => {
  let told: ToldMemory;
  beforeAll(async () => {
    told = await openToldMemory();
  });
  afterAll(() => told.close());

  it('says how it was read, and rests on the same kind of evidence', async () => {
    const answer = await told.reader.ask('When was that?', {
      ...ASKED,
      thread: [turn('Where did I hang the spare key?', FRIDAY + 60 * MINUTE)],
    });
    expect(answer.question).toBe('When was that?');
    expect(answer.readAs).toBe('When did I hang the spare key?');
    expect(answer.answer).toContain('08:00');
    expect((await told.reader.ask('Where is the spare key?', ASKED)).readAs).toBeUndefined();
  });
});
