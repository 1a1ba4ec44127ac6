import { describe, expect, it } from 'vitest';
import { createStaticEmbedder } from '../../../models/embedding/static-embedder.ts';
import { chooseOptions, optionSupport, parseChoice } from './options.ts';

const choices = ['Because it rained', 'in my coat pocket', 'on the table', 'in the garage'];

describe('a reply’s choice', () => {
  it.each([
    ['B', [1]],
    ['(b)'.toUpperCase(), [1]],
    ['B.', [1]],
    ['ANSWER: C', [2]],
    ['The answer is D.', [3]],
    ['**B**', [1]],
    ['B. in my coat pocket', [1]],
    ['in my coat pocket.', [1]],
    ['Because it rained', [0]],
  ])('%j is %j', (reply, chosen) => {
    expect(parseChoice(reply, choices, false)).toEqual(chosen);
  });

  it.each([
    'Because I saw it',
    'Alice has it',
    'B-sides',
    'E',
    'A or B',
    'A, C',
    'B. on the table',
    '',
    'I think B',
  ])('%j names none', (reply) => {
    expect(parseChoice(reply, choices, false)).toBeNull();
  });

  it('may be several where several may be right', () => {
    expect(parseChoice('A, C', choices, true)).toEqual([0, 2]);
    expect(parseChoice('ANSWER: D and B', choices, true)).toEqual([1, 3]);
    expect(parseChoice('A, E', choices, true)).toBeNull();
  });
});

describe('the option scorer', () => {
  const question = { question: 'Where are the keys?', choices, multiple: false, nowMs: 0 };

  it('chooses what the evidence says', async () => {
    const embedder = await createStaticEmbedder();
    const evidence = ['I wash the pan.', 'I lock the door and put the keys in my coat pocket.'];
    const support = await optionSupport(question, evidence, embedder);
    expect(chooseOptions(support, false)).toEqual([1]);
  });

  it('says that a question cannot be answered when nothing supports another option', async () => {
    const embedder = await createStaticEmbedder();
    const refusal = 'This question can not be answered.';
    const asked = { ...question, choices: ['in the garage', refusal] };
    expect(chooseOptions(await optionSupport(asked, ['I boil rice.'], embedder), false)).toEqual([1]);
    expect(chooseOptions(await optionSupport(asked, [], embedder), false)).toEqual([1]);
    const proof = ['I leave them in the garage.'];
    expect(chooseOptions(await optionSupport(asked, proof, embedder), false)).toEqual([0]);
  });

  it('takes the first of equals, and all that are close where several may be right', () => {
    expect(chooseOptions([0.4, 0.6, 0.6], false)).toEqual([1]);
    expect(chooseOptions([0.1, 0.6, 0.58], true)).toEqual([1, 2]);
  });
});
