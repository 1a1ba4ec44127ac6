import type { ModelClient } from '../../models/client.ts';
import { ModelError } from '../../models/errors.ts';
import type { Location } from '../../models/store/index.ts';
import { sessionThreads } from '../../models/threads.ts';
import type { EpisodeWriter } from '../writing/episode-writer.ts';
import { createMeasuredWriter } from '../writing/measured-writer.ts';
import { createVisionWriter } from '../writing/vision-writer.ts';
import type { ModelCare } from './model-care.ts';

/** Kinds of models with under a billion weights, which keep to a short request and lose themselves in a long one. */
const BRIEF = new Set(['idefics3', 'smolvlm']);

/**
 * The writer that this machine can have now: the model's, with the measured writer for what it fails on, or the measured writer
 * alone where there is no model.
 * @param models whoever holds the model; used for nothing a search waits for
 * @param care told of a model that cannot be loaded
 */
export function writerOf(
  { model }: Location,
  models: Pick<ModelClient, 'describe'>,
  care: Pick<ModelCare, 'failed'>,
): EpisodeWriter {
  const measured = createMeasuredWriter();
  const loading = model?.entry.loading;
  if (!model || loading?.by !== 'transformers') return measured;
  const { folder, id } = model;
  const threads = sessionThreads();
  return createVisionWriter({
    model: id,
    style: BRIEF.has(loading.config.model_type) ? 'brief' : 'full',
    fallback: measured,
    async describe(request, signal) {
      try {
        return await models.describe(
          { ...request, frames: [...request.frames], model: { folder, dtype: loading.dtype, threads } },
          signal,
        );
      } catch (error) {
        if (error instanceof ModelError && error.code === 'load-failed') await care.failed(id);
        throw error;
      }
    },
  });
}
