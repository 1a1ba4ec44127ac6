import type { ModelTask } from '../../../core/contract/models.ts';

/** Tasks as a person meets them: what another model changes most comes first. */
export const MODEL_TASK_ORDER: readonly ModelTask[] = [
  'writer',
  'speech',
  'text-embedding',
  'image-embedding',
  'speaker-embedding',
  'entailment',
  'faces',
  'text-reading',
  'voice-activity',
];
