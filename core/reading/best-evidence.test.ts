import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExtractiveReader } from './extractive-reader.ts';
import { NOW } from './testing/told-days.ts';
import { openEmptyMemory, openToldMemory, type ToldMemory } from './testing/told-memory.ts';

let told: ToldMemory;
beforeAll(async () => {
  told = await openToldMemory();
});
afterAll(() => told.close());
const ask: ToldMemory['ask'] = (...asked) => told.ask(...asked);

describe('an answer and not a mention', () => {
  it('takes the line that answers a question over the one that asks it', async () => {
    const price = await ask('How much are the tickets?');
    expect(price.answer).toContain('“They are nine euros each.”');
    expect(price.footnotes).toHaveLength(1);
    expect((await ask('When does the concert begin?')).answer).toContain('Doors 19:30');
  });

  it('gives the reply with a question that was asked aloud', async () => {
    const answer = await ask('What did I say about the tickets?');
    expect(answer.answer).toContain(
      'you said: “How much are the tickets?”, and then Nora said: “They are nine euros each.”',
    );
  });

  it('keeps to the first of several', async () => {
    const answer = await ask('Where was the spare key first?');
    expect(answer.answer).toContain('hook');
    expect(answer.answer).not.toContain('drawer');
  });

  it('reads a sentence that runs over several subtitles as one', async () => {
    expect((await ask('Where is the violin?')).answer).toContain(
      'The violin is in the repair shop on Harbour Street.',
    );
  });

  it('tells a sign from the receipt held up before it', async () => {
    const answer = await ask('Until when is the museum shop open on Sunday?');
    expect(answer.answer).toContain('Sunday 10:00 - 16:00');
    expect(answer.answer).not.toContain('Postcard');
    expect((await ask('What did I pay at the museum shop?')).answer).toContain('TOTAL 3.40');
  });

  it('takes a day as words when that is what is asked, and as a time when it is not', async () => {
    expect((await ask('Is the museum shop open on Monday?')).answer).toContain('Monday closed');
    expect((await ask('What did I do on Monday?')).answer).toMatch(
      /^Nothing was recorded on Monday 10 March\./,
    );
  });

  it('knows the doctor by title and the narrator by abbreviation', async () => {
    expect((await ask('What did the doctor tell me?')).answer).toContain('Dr. Vela said');
    expect((await ask('What did the narrator say about the whales?')).answer).toContain('NAR said');
  });

  it('answers a duty with its words and not with a count', async () => {
    const answer = await ask('How often do I have to take the drops?');
    expect(answer.answer).toContain('three times a day');
    expect(answer.answer).not.toMatch(/^(?:Once|Twice)/);
  });

  it('tells what there is of a time when the question has nothing else to go by', async () => {
    const where = await ask('Where was I on Saturday at 12:00?');
    expect(where.answer).toContain('MUSEUM SHOP');
    expect((await ask('What did we talk about on Saturday evening?')).answer).toContain('nine euros');
    expect((await ask('How did I get home on Saturday?')).found).toBe(false);
  });

  it('is ready for the first question, and closing while it gets ready harms nothing', async () => {
    await told.reader.warm();
    const other = await openEmptyMemory();
    const warming = createExtractiveReader(other.memory).warm();
    await other.close();
    await expect(warming).resolves.toBeUndefined();
  });

  it("says once, in words, that the clock is another one than the asker's", async () => {
    const answer = await ask('What did I do yesterday?', NOW, 'America/New_York');
    expect(answer.answer.match(/local time there/g)).toHaveLength(1);
    expect(answer.answer).not.toContain('UTC');
  });
});
