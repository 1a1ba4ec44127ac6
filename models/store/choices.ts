import { z } from 'zod';
import { MODEL_TASKS, type ModelTask } from '../catalogue/entry.ts';
import { readJson, writeJson } from './files.ts';

/** Which model the person chose, by task; a task that is missing is left to the catalogue's ranks. */
export type Choices = Partial<Record<ModelTask, string>>;

const Stored = z.object({ format: z.literal(1), models: z.partialRecord(z.enum(MODEL_TASKS), z.string()) });

export async function readChoices(path: string): Promise<Choices> {
  const stored = Stored.safeParse(await readJson(path));
  return stored.success ? (stored.data.models as Choices) : {};
}

/** @param id null to leave the task to the catalogue again */
export async function writeChoice(path: string, task: ModelTask, id: string | null): Promise<void> {
  const { [task]: _, ...others } = await readChoices(path);
  await writeJson(path, { format: 1, models: id === null ? others : { ...others, [task]: id } });
}
