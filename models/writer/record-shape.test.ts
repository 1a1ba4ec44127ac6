import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  AutoModelForCausalLM,
  AutoTokenizer,
  env,
  LogitsProcessorList,
  type Tensor,
} from '@huggingface/transformers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostRecordTokens, type RecordShape, RecordShaper, shapeParts } from './record-shape.ts';
import { drawFrames, heldOutScenes, TINY_WRITER } from './testing/scenes.ts';
import { loadVisionWriter, type VisionWriter } from './vision-writer.ts';

const SHAPE: RecordShape = {
  lists: [
    { key: 'actions', most: 2 },
    { key: 'objects', most: 3 },
    { key: 'odd "key"\\', most: 1 },
  ],
  textTokens: 6,
  tokens: 40,
};
const ASK = { system: null, text: 'Describe what I see.' };
const LANGUAGE_MODEL = fileURLToPath(
  new URL('../../../shared/models/HuggingFaceTB/SmolLM2-135M-Instruct', import.meta.url),
);

/** The record, held against its shape. */
function parsed(record: string | null, shape = SHAPE): Record<string, string[]> {
  const value = JSON.parse(record!) as Record<string, string[]>;
  expect(Object.keys(value)).toEqual(shape.lists.map(({ key }) => key));
  for (const { key, most } of shape.lists) {
    expect(value[key]!.length).toBeLessThanOrEqual(most);
    for (const text of value[key]!) expect(text).toMatch(/[\p{L}\p{N}]/u);
  }
  return value;
}

describe('a record held to a shape, with a real model that never saw JSON', () => {
  let writer: VisionWriter;
  beforeAll(async () => {
    writer = await loadVisionWriter(TINY_WRITER, { dtype: 'q8', threads: 1 });
  });
  afterAll(() => writer.dispose());

  it('is valid whatever the pictures show, and leaves the text as it is without one', async () => {
    for (const scene of heldOutScenes(3)) {
      const prompt = { ...ASK, frames: await drawFrames(scene, 4) };
      const plain = await writer.describe(prompt, { maxNewTokens: 64 });
      const both = await writer.describe(prompt, { maxNewTokens: 64, record: SHAPE });
      expect(plain.record).toBeNull();
      expect(both).toMatchObject({ text: plain.text, ended: 'complete' });
      parsed(both.record);
    }
  });

  it('is written alone where no text is wanted, and after a text that was cut', async () => {
    const prompt = { ...ASK, frames: await drawFrames(heldOutScenes(1)[0]!, 1) };
    const alone = await writer.describe(prompt, { maxNewTokens: 0, record: SHAPE });
    expect(alone.text).toBe('');
    parsed(alone.record);
    const cut = await writer.describe(prompt, { maxNewTokens: 2, record: SHAPE });
    expect(cut.ended).toBe('length');
    expect(cut.text.length).toBeGreaterThan(0);
    parsed(cut.record);
  });

  it('ends within its limits: all lists empty where no token may be spent', async () => {
    const shape = { ...SHAPE, tokens: 0 };
    const prompt = { ...ASK, frames: await drawFrames(heldOutScenes(1)[0]!, 1) };
    const { record } = await writer.describe(prompt, { maxNewTokens: 64, record: shape });
    expect(parsed(record, shape)).toEqual({ actions: [], objects: [], 'odd "key"\\': [] });
  });

  it('is cut or missing when the deadline falls before its end', async () => {
    const prompt = { ...ASK, frames: await drawFrames(heldOutScenes(1)[0]!, 1) };
    const late = await writer.describe(prompt, { maxNewTokens: 64, record: SHAPE, deadlineMs: 0 });
    expect(late).toMatchObject({ record: null, ended: 'deadline', tokens: 1 });
  });
});

describe('a record held to a shape, with a language model of 135 million weights', () => {
  it.skipIf(!existsSync(LANGUAGE_MODEL))(
    'is valid, where the model alone puts other things around it (needs ../shared/models)',
    async () => {
      env.allowRemoteModels = false;
      const tokenizer = await AutoTokenizer.from_pretrained(LANGUAGE_MODEL, { local_files_only: true });
      const model = await AutoModelForCausalLM.from_pretrained(LANGUAGE_MODEL, {
        local_files_only: true,
        dtype: 'q4',
        session_options: { intraOpNumThreads: 1 },
      });
      const parts = shapeParts(tokenizer, model)!;
      const question =
        'I pour coffee into a white mug while Anna opens the window. List the objects as JSON.';
      const prompt = tokenizer.apply_chat_template([{ role: 'user', content: question }], {
        add_generation_prompt: true,
        tokenize: false,
      }) as string;
      const inputs = (await tokenizer(prompt, { add_special_tokens: false })) as { input_ids: Tensor };
      const promptTokens = inputs.input_ids.dims.at(-1)!;
      const shape = { lists: [{ key: 'objects', most: 6 }], textTokens: 8, tokens: 60 };
      const held = new LogitsProcessorList();
      held.push(new RecordShaper(shape, parts, promptTokens, 0));
      const answer = (await model.generate({
        ...inputs,
        max_new_tokens: mostRecordTokens(shape, parts.encode),
        do_sample: false,
        logits_processor: held,
      } as never)) as Tensor;
      const [record] = tokenizer.batch_decode(answer.slice([0, 1], [promptTokens, answer.dims.at(-1)!]), {
        skip_special_tokens: true,
      });
      await model.dispose();
      expect(parsed(record!, shape).objects!.join(' ')).toMatch(/mug|coffee|window/u);
    },
  );
});
