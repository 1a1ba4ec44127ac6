import type { ModelEntry } from '../../../models/catalogue/index.ts';
import { findsFaces } from '../face-model.ts';

/**
 * Whether the engine puts a model to work when it is here. Another one may be fetched and kept, but the built-in model of its task, or
 * none, works on; whoever shows models says so.
 */
export function isSupported({ id, task, loading, bundled, image, text, voice }: ModelEntry): boolean {
  const config = loading.by === 'transformers' ? loading.config : null;
  switch (task) {
    case 'writer':
      // Models of words alone cannot look at the frames.
      return config?.architectures.some((name) => name.endsWith('ForConditionalGeneration')) ?? false;
    case 'speech':
      return config?.model_type === 'whisper';
    case 'text-embedding':
      return text !== undefined && (loading.by === 'onnxruntime' || typeof loading.dtype === 'string');
    case 'faces':
      return bundled !== null || findsFaces({ id });
    case 'entailment':
      return config?.architectures.some((name) => name.endsWith('ForSequenceClassification')) ?? false;
    case 'image-embedding':
      return image !== undefined;
    case 'speaker-embedding':
      return voice !== undefined;
    default:
      return bundled !== null;
  }
}
