import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { FootnoteError } from '../contract/index.ts';
import { readTimeWords } from './time-words.ts';

const WARSAW = 'Europe/Warsaw';
/** A Wednesday. */
const NOW = '2025-03-19T10:00:00';
const DAYS = ['2025-03-10', '2025-03-14', '2025-03-18'];

function read(question: string, now = NOW, zone = WARSAW, recordedDays = DAYS) {
  return readTimeWords(question, { nowMs: DateTime.fromISO(now, { zone }).toMillis(), zone, recordedDays });
}

function spans(question: string, now = NOW, zone = WARSAW, recordedDays = DAYS): string[] {
  const say = (ms: number): string => DateTime.fromMillis(ms, { zone }).toFormat('yyyy-MM-dd HH:mm');
  return read(question, now, zone, recordedDays).readings.map(
    ({ span }) => `${say(span.startMs)} > ${say(span.endMs)}`,
  );
}

describe('times in questions', () => {
  it.each([
    ['What did I do yesterday?', '2025-03-18 00:00 > 2025-03-19 00:00'],
    ['What did I do yesterday after lunch?', '2025-03-18 13:00 > 2025-03-18 18:00'],
    ['Where was I on Tuesday?', '2025-03-18 00:00 > 2025-03-19 00:00'],
    ['What did I eat this morning?', '2025-03-19 05:00 > 2025-03-19 10:00'],
    ['What happened last week?', '2025-03-10 00:00 > 2025-03-17 00:00'],
    ['What did I do this weekend?', '2025-03-15 00:00 > 2025-03-17 00:00'],
    ['What did I see in May?', '2024-05-01 00:00 > 2024-06-01 00:00'],
    ['Where did I go two days ago?', '2025-03-17 00:00 > 2025-03-18 00:00'],
    ['What did I say on 14 March?', '2025-03-14 00:00 > 2025-03-15 00:00'],
    ['What did I say on March 14th in the morning?', '2025-03-14 05:00 > 2025-03-14 12:00'],
    ['Where were my keys on the morning of 14 March?', '2025-03-14 05:00 > 2025-03-14 12:00'],
    ['What happened on 2025-03-14?', '2025-03-14 00:00 > 2025-03-15 00:00'],
    ['What did I do on the 14th?', '2025-03-14 00:00 > 2025-03-15 00:00'],
    ['What did I do last night?', '2025-03-18 18:00 > 2025-03-19 05:00'],
    ['Who called since Monday?', '2025-03-17 00:00 > 2025-03-19 10:00'],
    ['What did I buy between Monday and Wednesday?', '2025-03-17 00:00 > 2025-03-19 10:00'],
    ['What did I buy between 3 and 5 March?', '2025-03-03 00:00 > 2025-03-06 00:00'],
    ['What did I do on Friday night?', '2025-03-14 18:00 > 2025-03-15 05:00'],
    ['What did I do an hour ago?', '2025-03-19 08:45 > 2025-03-19 09:15'],
    ['Who spoke in the last 20 minutes?', '2025-03-19 09:40 > 2025-03-19 10:00'],
    ['What was said after 3pm on Tuesday?', '2025-03-18 15:00 > 2025-03-19 00:00'],
    ['What did I do in 2024?', '2024-01-01 00:00 > 2025-01-01 00:00'],
  ])('understands "%s"', (question, expected) => {
    expect(spans(question)).toEqual([expected]);
  });

  it('gives both halves of the day for a bare hour, the waking one first, on every recorded day', () => {
    expect(spans('Who called between 3 and 4?').slice(0, 3)).toEqual([
      '2025-03-19 03:00 > 2025-03-19 04:00',
      '2025-03-18 15:00 > 2025-03-18 16:00',
      '2025-03-18 03:00 > 2025-03-18 04:00',
    ]);
    expect(spans('Who called between 3 and 4?')).toContain('2025-03-14 15:00 > 2025-03-14 16:00');
  });

  it('lets the words around settle the half of the day', () => {
    expect(spans('Where was I at 8 in the evening yesterday?')).toEqual([
      '2025-03-18 19:45 > 2025-03-18 20:15',
    ]);
    expect(spans('Where was I from 3 to 4pm yesterday?')).toEqual(['2025-03-18 15:00 > 2025-03-18 16:00']);
    expect(spans('Where was I at 08:15 yesterday?')).toEqual(['2025-03-18 08:10 > 2025-03-18 08:20']);
  });

  it('points at the instant of a clock time', () => {
    const [reading] = read('What was I doing at 08:17 UTC on 14 March?').readings;
    expect(reading?.pointMs).toBe(Date.UTC(2025, 2, 14, 8, 17));
  });

  it('takes midnight as the end of a day as well as its start', () => {
    expect(spans('Where was I at around midnight on Friday?')).toEqual([
      '2025-03-13 23:30 > 2025-03-14 00:30',
      '2025-03-14 23:30 > 2025-03-15 00:30',
    ]);
  });

  it('tries today and a week ago when a weekday is today', () => {
    expect(spans('What did I do on Wednesday?')).toEqual([
      '2025-03-19 00:00 > 2025-03-19 10:00',
      '2025-03-12 00:00 > 2025-03-13 00:00',
    ]);
    expect(spans('What did I do last Wednesday?')).toEqual(['2025-03-12 00:00 > 2025-03-13 00:00']);
  });

  it('reads 03/04/2025 both ways and keeps what has begun', () => {
    expect(spans('What did I do on 03/04/2025?')).toEqual(['2025-03-04 00:00 > 2025-03-05 00:00']);
    expect(spans('What did I do on 03/04/2025?', '2025-06-01T10:00:00')).toHaveLength(2);
  });

  it('never reaches past the question', () => {
    for (const question of [
      'today',
      'this week',
      'this afternoon',
      'since Monday',
      'after 9 today',
      'tonight',
    ]) {
      for (const { span } of read(question).readings) {
        expect(span.endMs).toBeLessThanOrEqual(DateTime.fromISO(NOW, { zone: WARSAW }).toMillis());
        expect(span.startMs).toBeLessThan(span.endMs);
      }
    }
  });

  it('says when a time is still to come', () => {
    for (const question of ['tomorrow', 'next Tuesday', 'this evening', 'on 20 March 2025']) {
      expect(read(`What happens ${question}?`)).toMatchObject({ future: true, readings: [] });
    }
  });

  it('says when a date does not exist', () => {
    for (const question of ['on 31 February', 'on 45 March', 'on 2025-02-30', 'on February 30', 'at 25:00']) {
      expect(read(`Where was I ${question}?`).impossible).not.toBeNull();
    }
    expect(read('Where was I on 29 February?').impossible).toBeNull();
    expect(spans('Where was I on 29 February?')).toEqual(['2024-02-29 00:00 > 2024-03-01 00:00']);
  });

  it('leaves alone what only looks like a time', () => {
    for (const question of [
      'May I ask who said good morning?',
      'Which platform did the 18:42 train leave from?',
      'Who paid invoice 7731 in room B12?',
      'What did April say about the sun screen?',
      'How many people stood at about 3 tables?',
      'What happened between the meeting and the call?',
      'What was on the lunch menu?',
      'Who said “see you tomorrow at 3”?',
    ]) {
      const words = read(question);
      expect(words.words, question).toBeNull();
      expect(words.rest).toBe(question);
    }
  });

  it('takes the time words out of the question', () => {
    expect(read('Where did I put my keys yesterday after lunch?').rest).toBe('Where did I put my keys?');
    expect(read('On 14 March, what did Anna say?').rest).toBe('what did Anna say?');
    expect(read('What did I eat for lunch on 14 March?').rest).toBe('What did I eat?');
  });
});

describe('clock changes and zones', () => {
  it('gives a day of 23 and of 25 hours their length', () => {
    const hours = (question: string, now: string): number => {
      const { span } = read(question, now).readings[0]!;
      return (span.endMs - span.startMs) / 3_600_000;
    };
    expect(hours('yesterday', '2025-03-31T10:00:00')).toBe(23);
    expect(hours('yesterday', '2025-10-27T10:00:00')).toBe(25);
  });

  it('covers both times when an hour happens twice', () => {
    const { span } = read('Where was I at 02:30 yesterday?', '2025-10-27T10:00:00').readings[0]!;
    expect(span).toEqual({ startMs: Date.UTC(2025, 9, 26, 0, 25), endMs: Date.UTC(2025, 9, 26, 1, 35) });
  });

  it('counts hours back in real time over a clock change', () => {
    const words = read('What did I do two hours ago?', '2025-03-30T03:30:00');
    expect(words.readings[0]?.pointMs).toBe(Date.UTC(2025, 2, 29, 23, 30));
  });

  it('takes the night before for "this morning" and "last night" in the small hours', () => {
    expect(spans('this morning', '2025-03-19T01:00:00')).toEqual(['2025-03-18 05:00 > 2025-03-18 12:00']);
    expect(spans('last night', '2025-03-19T01:00:00')).toEqual(['2025-03-18 18:00 > 2025-03-19 01:00']);
  });

  it('counts days in the asker’s zone, fixed offsets and odd ones included', () => {
    const nowMs = Date.UTC(2025, 2, 19, 20);
    const start = (zone: string): number => readTimeWords('today', { nowMs, zone }).readings[0]!.span.startMs;
    expect(start('Asia/Kathmandu')).toBe(Date.UTC(2025, 2, 19, 18, 15));
    expect(start('UTC-5:30')).toBe(Date.UTC(2025, 2, 19, 5, 30));
    expect(start('Pacific/Auckland')).toBe(Date.UTC(2025, 2, 19, 11));
  });

  it('refuses an invalid zone or instant', () => {
    expect(() => readTimeWords('today', { nowMs: 0, zone: 'Nowhere/Land' })).toThrow(FootnoteError);
    expect(() => readTimeWords('today', { nowMs: Number.NaN, zone: 'UTC' })).toThrow(FootnoteError);
  });
});
