import type { PreTrainedTokenizer, Processor } from '@huggingface/transformers';
import { ModelError } from '../errors.ts';
import { framesOfJpegs } from '../writer/jpeg-frames.ts';
import type { Family } from '../writer/model-folder.ts';
import { type ModelInputs, modelInputs, pictureOf } from '../writer/picture-inputs.ts';
import { plainForPrompt } from '../writer/plain-prompt.ts';
import type { ChatMessage } from './chat.ts';

/** What turns messages into a model's tensors. */
export interface PromptTools {
  tokenizer: PreTrainedTokenizer;
  /** Null for a model that reads words only. */
  pictures: { processor: Processor; family: Family } | null;
}

/**
 * A conversation as the model's chat template writes it, up to where its reply begins. Text of the messages cannot end a turn or
 * stand for a picture: the model's own marks in it are broken.
 * @throws ModelError run-failed for no messages at all, and for frames given to a model that does not look
 */
export function promptText(messages: readonly ChatMessage[], { tokenizer, pictures }: PromptTools): string {
  if (messages.length === 0) throw new ModelError('run-failed', 'There is nothing to reply to.');
  const marks = tokenizer.all_special_tokens;
  const turns = messages.map(({ role, text, frames = [] }) => {
    const said = plainForPrompt(text, marks);
    if (pictures) {
      return { role, content: [...frames.map(() => ({ type: 'image' })), { type: 'text', text: said }] };
    }
    if (frames.length > 0) throw new ModelError('run-failed', 'This model does not look at pictures.');
    return { role, content: said };
  });
  // Models that think aloud are told not to; others know no such setting.
  const options = { add_generation_prompt: true, tokenize: false, enable_thinking: false };
  return tokenizer.apply_chat_template(turns as never, options as never) as unknown as string;
}

/** @throws ModelError run-failed as `promptText`, and for a frame that is no JPEG */
export async function promptInputs(
  messages: readonly ChatMessage[],
  tools: PromptTools,
): Promise<ModelInputs> {
  const text = promptText(messages, tools);
  const frames = await framesOfJpegs(messages.flatMap((message) => message.frames ?? []));
  if (tools.pictures && frames.length > 0) {
    const { processor, family } = tools.pictures;
    return modelInputs(processor, family, text, frames.map(pictureOf));
  }
  // The template has written the marks already.
  return tools.tokenizer(text, { add_special_tokens: false }) as ModelInputs;
}
