import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FootnoteError } from '../../contract/errors.ts';
import type { ImportJob } from '../../contract/index.ts';
import { createEngine } from '../../engine/engine.ts';
import { spawnNodeProcess } from '../../engine/processes.ts';
import { runTool } from '../../footage/ffmpeg.ts';
import { probe } from '../../footage/probe.ts';
import { folderSize } from '../../library/files.ts';
import { bareEncodeArgs } from '../../redaction/clip-args.ts';
import type { Bench, Figures } from './bench.ts';
import { watchMemory } from './memory-use.ts';

/** Bare and import runs alternate, and the quickest of each counts: other load only ever slows. */
const ROUNDS = 2;
const DEFAULT_SECONDS = 120;
const HOUR_SECONDS = 3600;

/** A camera-sized file: 4K, 30 frames a second, moving all over, H.264 at a camera's bit rate. */
async function makeCameraFile(path: string): Promise<void> {
  const made = await runTool(
    'ffmpeg',
    [
      ...[
        '-nostdin',
        '-v',
        'error',
        '-y',
        '-f',
        'lavfi',
        '-i',
        `testsrc2=s=3840x2160:r=30:d=${DEFAULT_SECONDS}`,
      ],
      ...['-f', 'lavfi', '-i', `sine=440:d=${DEFAULT_SECONDS}`, '-c:v', 'libx264', '-preset', 'ultrafast'],
      ...['-b:v', '45M', '-pix_fmt', 'yuv420p', '-g', '15', '-c:a', 'aac', path],
    ],
    { timeoutMs: 600_000 },
  );
  if (made.code !== 0)
    throw new FootnoteError('INTERNAL', `The bench's own file could not be made: ${made.stderr}`);
}

async function timed(act: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await act();
  return (performance.now() - started) / 1000;
}

async function bare(file: string, out: string): Promise<number> {
  const info = await probe(file);
  return timed(async () => {
    const result = await runTool('ffmpeg', bareEncodeArgs(info, out), { timeoutMs: 3_600_000 });
    if (result.code !== 0)
      throw new FootnoteError('FILE_UNREADABLE', `Bare ffmpeg could not read it: ${result.stderr}`);
  });
}

interface Imported {
  seconds: number;
  footageSeconds: number;
  episodes: number;
  clipBytes: number;
  keyframeBytes: number;
  memoryBytes: number;
}

async function imported(file: string, library: string): Promise<Imported> {
  const engine = await createEngine({ library, spawn: spawnNodeProcess });
  try {
    let last: ImportJob | null = null;
    const seconds = await timed(async () => {
      const { id } = await engine.client.imports.start({ paths: [file] });
      for await (const job of await engine.client.imports.watch({ id })) last = job;
    });
    const job = last as ImportJob | null;
    const read = job?.files.find((one) => one.outcome === 'imported');
    if (!job || !read)
      throw new FootnoteError('FILE_UNREADABLE', job?.files[0]?.reason ?? 'The file was not imported.');
    const { library: lib } = engine;
    return {
      seconds,
      footageSeconds: read.footageSeconds,
      episodes: job.episodes,
      clipBytes: (await folderSize(lib.clipsRoot)).bytes,
      keyframeBytes: (await folderSize(lib.keyframesRoot)).bytes,
      memoryBytes: (await folderSize(lib.memoryDir)).bytes,
    };
  } finally {
    await engine.close();
  }
}

const MB = 1e6;
const round = (value: number, digits = 3) => Number(value.toFixed(digits));

export const importBench: Bench = {
  name: 'import',
  summary:
    'wall time of an import over a bare ffmpeg that decodes, scales and encodes the same clip; memory; sizes an hour',
  usage: 'import [FILE] (default: a generated 4K file of two minutes)',
  async run(args) {
    const dir = await mkdtemp(join(tmpdir(), 'footnote-bench-'));
    try {
      const file = args[0] ?? join(dir, 'GX010001.MP4');
      if (!args[0]) await makeCameraFile(file);
      const bareSeconds: number[] = [];
      const runs: Imported[] = [];
      let peakBytes: number | null = null;
      let ffmpegBytes: number | null = null;
      for (let round = 0; round < ROUNDS; round++) {
        bareSeconds.push(await bare(file, join(dir, `bare-${round}.mp4`)));
        const stop = watchMemory();
        runs.push(await imported(file, join(dir, `library-${round}`)));
        const peak = stop();
        if (peak && peak.peakBytes > (peakBytes ?? 0)) ({ peakBytes, ffmpegBytes } = peak);
      }
      const best = runs.reduce((a, b) => (b.seconds < a.seconds ? b : a));
      const bareBest = Math.min(...bareSeconds);
      const hours = best.footageSeconds / HOUR_SECONDS;
      return {
        footageSeconds: round(best.footageSeconds),
        episodes: best.episodes,
        bareSeconds: round(bareBest),
        importSeconds: round(best.seconds),
        ratioToBare: round(best.seconds / bareBest),
        limitRatioToBare: 1.5,
        timesRealTime: round(best.footageSeconds / best.seconds, 2),
        peakRssMB: peakBytes === null ? null : round(peakBytes / MB, 1),
        peakRssWithoutFfmpegMB: peakBytes === null ? null : round((peakBytes - (ffmpegBytes ?? 0)) / MB, 1),
        clipMBPerHour: round(best.clipBytes / MB / hours, 1),
        limitClipMBPerHour: 60,
        keyframeMBPerHour: round(best.keyframeBytes / MB / hours, 1),
        memoryMBPerHour: round(best.memoryBytes / MB / hours, 2),
      } satisfies Figures;
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  },
};
