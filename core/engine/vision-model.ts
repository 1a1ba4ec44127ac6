import { availableParallelism } from 'node:os';
import type { ModelClient } from '../../models/client.ts';
import type { Location } from '../../models/store/index.ts';
import type { EpisodeWriter } from '../writing/episode-writer.ts';
import { createMeasuredWriter } from '../writing/measured-writer.ts';
import { createVisionWriter } from '../writing/vision-writer.ts';

/** Kinds of models with under a billion weights, which keep to a short request and lose themselves in a long one. */
const BRIEF = new Set(['idefics3', 'smolvlm']);

/**
 * The writer that this machine can have now: the model's, with the measured writer for what it fails on, or the measured writer
 * alone where there is no model.
 * @param models whoever holds the model; used for nothing a search waits for
 */
export function writerOf({ model }: Location, models: Pick<ModelClient, 'describe'>): EpisodeWriter {
  const measured = createMeasuredWriter();
  const loading = model?.entry.loading;
  if (!model || loading?.by !== 'transformers') return measured;
  const { folder, id } = model;
  // Frames of the next segment are read meanwhile, on what is left.
  const threads = Math.max(1, Math.floor(availableParallelism() / 2));
  return createVisionWriter({
    model: id,
    style: BRIEF.has(loading.config.model_type) ? 'brief' : 'full',
    fallback: measured,
    describe: (request, signal) =>
      models.describe(
        { ...request, frames: [...request.frames], model: { folder, dtype: loading.dtype, threads } },
        signal,
      ),
  });
}
