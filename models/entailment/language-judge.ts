import type { ChatMessage } from '../language/chat.ts';
import type { LanguageModel } from '../language/language-model.ts';
import type { Entailment, EntailmentJudge, Pair } from './entailment.ts';

/**
 * Asks whether a sentence follows from a text, for an answer of one word. The judge sees nothing else (MemLife, method section on
 * informativeness); the wording is our own.
 */
export function judgePrompt({ premise, hypothesis }: Pair): ChatMessage[] {
  return [
    {
      role: 'system',
      text:
        'You check whether a sentence follows from a text. It follows if the text says it, also in other words. It does not follow if the ' +
        'text leaves it open, says it less exactly, or says otherwise. Answer with one word: Yes or No.',
    },
    {
      role: 'user',
      text: `Text:\n${premise}\n\nSentence:\n${hypothesis}\n\nDoes the sentence follow from the text?`,
    },
  ];
}

/**
 * A language model as judge: P(Yes) / (P(Yes) + P(No)) of its first token. Used where there is no entailment model; its dispose leaves the
 * language model to whoever loaded it.
 */
export function createLanguageJudge(model: Pick<LanguageModel, 'choose'>): EntailmentJudge {
  return {
    async judge(pairs, signal) {
      const judged: Entailment[] = [];
      for (const pair of pairs) {
        const { probabilities } = await model.choose(judgePrompt(pair), ['Yes', 'No'], signal);
        judged.push({ entailment: probabilities[0]!, neutral: null, contradiction: null });
      }
      return judged;
    },
    dispose: () => Promise.resolve(),
  };
}
