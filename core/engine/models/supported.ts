import type { ModelEntry } from '../../../models/catalogue/index.ts';

/**
 * Whether the engine puts a model to work when it is here. Another one may be fetched and kept, but the built-in model of its task, or
 * none, works on; whoever shows models says so.
 */
export function isSupported({ task, loading, bundled }: ModelEntry): boolean {
  const config = loading.by === 'transformers' ? loading.config : null;
  switch (task) {
    case 'writer':
      // Models of words alone cannot look at the frames.
      return config?.architectures.some((name) => name.endsWith('ForConditionalGeneration')) ?? false;
    case 'speech':
      return config?.model_type === 'whisper';
    default:
      return bundled !== null;
  }
}
