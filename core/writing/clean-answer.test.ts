import { describe, expect, it } from 'vitest';
import { cleanAnswer } from './clean-answer.ts';

const clean = (answer: string, complete = true) => cleanAnswer(answer, complete).join(' ');

describe('a model’s answer', () => {
  it('stays as it is when it is a paragraph', () => {
    const text = 'I pour coffee into a white mug. Anna opens the window.';
    expect(clean(text)).toBe(text);
  });

  it('loses markup, headings, lists and what stands around it', () => {
    expect(
      clean(
        '<think>hm</think>Sure! Here is the entry:\n\n## Morning\n\n- I hold a **red** cup.\n- I _drink_ it.',
      ),
    ).toBe('I hold a red cup. I drink it.');
    expect(clean('Assistant: I sit.<end_of_utterance><|im_end|>')).toBe('I sit.');
    expect(clean('```\nI sit.\n```')).toBe('I sit.');
  });

  it('is told in the first person and not as of pictures', () => {
    expect(clean('The camera wearer is in a park. The wearer washes the wearer’s hands.')).toBe(
      'I am in a park. I wash my hands.',
    );
    expect(
      clean('The image shows a red cup on a table. In the last frame, Anna waves at the camera wearer.'),
    ).toBe('I see a red cup on a table. Anna waves at me.');
  });

  it('loses guesses, refusals and talk of itself', () => {
    expect(clean('I see a cup. It probably belongs to Anna. She seems to be sad, suggesting a loss.')).toBe(
      'I see a cup.',
    );
    expect(cleanAnswer('As an AI language model I cannot see pictures.', true)).toEqual([]);
  });

  it('says a thing once however often the model says it, and ends where it was cut', () => {
    expect(clean('I see a cup. I see a cup. I see a cup. I see a c', false)).toBe('I see a cup.');
    expect(clean('I see a cup', true)).toBe('I see a cup.');
    expect(clean('I see a cup', false)).toBe('');
  });

  it('keeps double quotation marks for what was measured', () => {
    expect(clean('Anna says "hello" and “bye”.')).toBe("Anna says 'hello' and 'bye'.");
  });

  it('is nothing when there is nothing in it', () => {
    for (const answer of [
      '',
      '  ',
      '...',
      '<|im_end|>',
      '{"text": "I see a cup."}',
      '<think>endless',
      '12 34',
    ]) {
      expect(cleanAnswer(answer, true)).toEqual([]);
    }
  });
});
