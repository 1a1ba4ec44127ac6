import { expect, it } from 'vitest';
import { withZonesOfRecordings } from './other-zones.ts';
import { readQuestion } from './question.ts';

const asked = { nowMs: Date.UTC(2019, 10, 25, 12), zone: 'Europe/Warsaw' };
const read = (text: string, zones: string[]) =>
  withZonesOfRecordings(readQuestion(text, asked), asked, zones).time.readings;

it("adds the reading by the clock of the place recorded in, after the asker's own", () => {
  const readings = read('Where was I at 15:45 on 18 November 2019?', [
    'Europe/Warsaw',
    'America/Los_Angeles',
  ]);
  const holds = (ms: number) => readings.findIndex(({ span }) => span.startMs <= ms && ms < span.endMs);
  expect(holds(Date.UTC(2019, 10, 18, 14, 45))).toBe(0);
  expect(holds(Date.UTC(2019, 10, 18, 23, 45))).toBeGreaterThan(0);
});

it('changes nothing for a question without a time, nor where all was recorded at home', () => {
  expect(read('Where are my keys?', ['America/Los_Angeles'])).toEqual([]);
  const own = readQuestion('Where was I at 15:45 on 18 November 2019?', asked).time.readings;
  expect(read('Where was I at 15:45 on 18 November 2019?', ['Europe/Warsaw'])).toEqual(own);
});
