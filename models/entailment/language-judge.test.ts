import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadLanguageModel } from '../language/language-model.ts';
import { createLanguageJudge } from './language-judge.ts';

const SMOL = join(import.meta.dirname, '../../../shared/models/HuggingFaceTB/SmolLM2-135M-Instruct');
const there = existsSync(SMOL);
const title = there
  ? 'a language model as judge'
  : 'a language model as judge: skipped, SmolLM2 is not at ../shared/models';
describe.skipIf(!there)(title, () => {
  it('finds a sentence likelier to follow from the text that says it than from one about something else', async () => {
    const model = await loadLanguageModel(SMOL, { dtype: 'q4', threads: 1 });
    const hypothesis = 'The keys are on the kitchen table.';
    const [said, unsaid] = await createLanguageJudge(model).judge([
      { premise: 'I put the keys on the kitchen table and go out.', hypothesis },
      { premise: 'It rains, and the bus is late.', hypothesis },
    ]);
    expect(said!.entailment).toBeGreaterThan(unsaid!.entailment);
    expect(said).toMatchObject({ neutral: null, contradiction: null });
    await model.dispose();
  });
});
