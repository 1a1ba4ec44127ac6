import type {
  Model,
  ModelJob,
  ModelPlan,
  ModelsOverview,
  ModelTask,
  ModelTaskView,
} from '../../core/contract/models.ts';

const MB = 1e6;

function model(
  task: ModelTask,
  id: string,
  title: string,
  megabytes: number,
  part: Partial<Model> = {},
): Model {
  return {
    id,
    task,
    title,
    state: 'absent',
    problem: null,
    used: false,
    supported: true,
    bytes: megabytes * MB,
    exact: true,
    bytesHere: 0,
    licence: 'Apache-2.0',
    memoryMb: Math.round(megabytes * 1.5),
    languages: ['en'],
    adds: 'Does it better.',
    origin: 'network',
    ...part,
  };
}

function view(
  task: ModelTask,
  without: string,
  models: Model[],
  part: Partial<ModelTaskView> = {},
): ModelTaskView {
  const uses = models.find((one) => one.used)?.id ?? null;
  return { task, uses, chosen: null, problem: null, without, offer: null, takenUp: true, models, ...part };
}

const builtIn: Partial<Model> = { state: 'built-in', used: true, origin: 'unknown-folder' };

/** Every task as a new computer has it; `change` gives single models another state. */
export function makeModels(
  change: Record<string, Partial<Model>> = {},
  part: Partial<ModelsOverview> = {},
): ModelsOverview {
  const tasks = [
    view(
      'writer',
      'Text is put together from what was measured: speech, visible text, people, motion, place and time.',
      [
        model('writer', 'qwen3.5-0.8b', 'Qwen3.5 0.8B', 735, {
          exact: false,
          memoryMb: 1400,
          languages: ['mul'],
          adds: 'Looks at the pictures and writes what happened: actions, things, places, as seen.',
        }),
        model('writer', 'qwen3.5-4b', 'Qwen3.5 4B', 2900, {
          memoryMb: 4400,
          languages: ['mul'],
          adds: 'Writes more exactly than the smaller ones, on a machine that is strong enough.',
        }),
        model('writer', 'smolvlm2-256m', 'SmolVLM2 256M', 268, {
          adds: 'Looks at the pictures and writes what happened, in short English sentences: the smallest that does.',
        }),
      ],
      { offer: 'qwen3.5-0.8b' },
    ),
    view(
      'speech',
      'Speech is known from subtitle files only; everything else works.',
      [
        model('speech', 'whisper-base', 'Whisper base', 79.6, {
          licence: 'MIT',
          languages: ['mul'],
          adds: 'Hears what is said, in many languages.',
        }),
        model('speech', 'whisper-small', 'Whisper small', 249, {
          licence: 'MIT',
          languages: ['mul'],
          adds: 'Hears better than the base model, and takes three times as long.',
        }),
      ],
      { offer: 'whisper-base' },
    ),
    view(
      'text-embedding',
      'Search goes by words and by a small built-in sense of their meaning.',
      [
        model('text-embedding', 'footnote-static-1', 'Footnote’s own', 7.6, {
          ...builtIn,
          adds: 'Built in.',
        }),
        model('text-embedding', 'bge-small-en-v1.5', 'BGE small', 34.7, {
          licence: 'MIT',
          adds: 'Finds what means the same in other words.',
        }),
      ],
      { offer: 'bge-small-en-v1.5' },
    ),
    view(
      'faces',
      'Without any face detector no picture is stored.',
      [
        model('faces', 'blazeface-back-256', 'BlazeFace, back camera', 0.6, {
          ...builtIn,
          languages: [],
          adds: 'Finds faces, so that they are blurred before anything is stored.',
        }),
        model('faces', 'centerface', 'CenterFace', 7.3, {
          supported: false,
          licence: 'MIT',
          languages: [],
          adds: 'Finds small and turned faces that the built-in detector misses.',
        }),
      ],
      { takenUp: false, offer: 'centerface' },
    ),
  ];
  for (const task of tasks) {
    task.models = task.models.map((one) => ({ ...one, ...change[one.id] }));
    const used = task.models.filter((one) => one.used);
    task.uses = used.find((one) => one.state !== 'built-in')?.id ?? used[0]?.id ?? null;
    task.models = task.models.map((one) => ({ ...one, used: one.id === task.uses }));
    if (task.uses === task.offer) task.offer = null;
  }
  return {
    dir: '/home/kim/Footnote/models',
    computerMemoryMb: 16_400,
    freeBytes: 212e9,
    tasks,
    jobs: [],
    ...part,
  };
}

/** A download at a moment of its life. */
export function makeModelJob(state: ModelJob['state'], part: Partial<ModelJob> = {}): ModelJob {
  const running = state === 'running';
  return {
    id: 'whisper-base',
    title: 'Whisper base',
    state,
    stage: 'downloading',
    file: 'onnx/decoder_model_merged_quantized.onnx',
    source: running ? 'huggingface.co' : null,
    doneBytes: 31.2 * MB,
    totalBytes: 79.6 * MB,
    bytesPerSecond: running ? 2.4 * MB : null,
    secondsLeft: running ? 20 : null,
    notes: [],
    error: null,
    ...part,
  };
}

/** What fetching a model of the overview would do. */
export function makePlan(models: ModelsOverview, id: string, part: Partial<ModelPlan> = {}): ModelPlan {
  const found = models.tasks.flatMap((task) => task.models).find((one) => one.id === id);
  if (!found) throw new Error(`nothing called ${id} in this world`);
  const { title, licence, bytes, exact, bytesHere } = found;
  return {
    id,
    title,
    licence,
    bytes,
    exact,
    hereBytes: bytesHere,
    neededBytes: bytes - bytesHere + 67e6,
    freeBytes: models.freeBytes,
    hosts: ['huggingface.co'],
    trustOnFirstUse: [],
    nowhere: [],
    ...part,
  };
}
