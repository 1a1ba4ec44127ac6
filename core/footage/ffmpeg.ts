import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { FootnoteError } from '../contract/errors.ts';

/**
 * The one door to ffmpeg and ffprobe. Arguments are always an array and never pass a shell; a path is never put into a
 * filter graph. Looked for in this order: FOOTNOTE_FFMPEG / FOOTNOTE_FFPROBE, the npm package that ships, PATH, the
 * older npm fallback.
 */
const require = createRequire(import.meta.url);
const suffix = process.platform === 'win32' ? '.exe' : '';
/** Children alive now; all are ended with this process. */
const children = new Set<ChildProcess>();

process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface Binary {
  path: string;
  /** Where it was found, in words for `footnote doctor`. */
  from: string;
}

function usable(path: string | null | undefined): path is string {
  if (!path) return false;
  try {
    if (!statSync(path).isFile()) return false;
    try {
      accessSync(path, constants.X_OK);
    } catch {
      // Package managers that skip install scripts leave the bit unset.
      chmodSync(path, 0o755);
    }
    return true;
  } catch {
    return false;
  }
}

/** Inside a packaged app a binary can only be started from the unpacked copy beside the archive. */
function unpacked(path: string): string {
  return path.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
}

function fromPackage(name: string): string | null {
  try {
    const found: unknown = require(name);
    const path = typeof found === 'string' ? found : (found as { path?: string } | null)?.path;
    return path ? unpacked(path) : null;
  } catch {
    return null;
  }
}

function fromPath(name: string): string | null {
  for (const dir of (process.env.PATH ?? '').split(delimiter)) {
    const candidate = join(dir, name + suffix);
    if (dir && usable(candidate)) return candidate;
  }
  return null;
}

function find(tool: 'ffmpeg' | 'ffprobe'): Binary | null {
  const variable = tool === 'ffmpeg' ? 'FOOTNOTE_FFMPEG' : 'FOOTNOTE_FFPROBE';
  const named = process.env[variable];
  if (usable(named)) return { path: named, from: variable };
  const shipped = tool === 'ffmpeg' ? fromPackage('ffmpeg-static') : null;
  if (usable(shipped)) return { path: shipped, from: 'ffmpeg-static' };
  const onPath = fromPath(tool);
  if (onPath) return { path: onPath, from: 'PATH' };
  const fallback = `@${tool}-installer/${tool}`;
  const installed = fromPackage(fallback);
  return usable(installed) ? { path: installed, from: fallback } : null;
}

const cache = new Map<string, Binary | null>();

/** Finds a tool once per process; null when there is none. */
export function findTool(tool: 'ffmpeg' | 'ffprobe'): Binary | null {
  if (!cache.has(tool)) cache.set(tool, find(tool));
  return cache.get(tool) ?? null;
}

/** @throws FootnoteError FFMPEG_MISSING with what to do */
export function requireTool(tool: 'ffmpeg' | 'ffprobe'): string {
  const binary = findTool(tool);
  if (binary) return binary.path;
  throw new FootnoteError(
    'FFMPEG_MISSING',
    `${tool} was not found. Install it (for example with your package manager) or set FOOTNOTE_${tool.toUpperCase()} to its path.`,
  );
}

/** Spawns a tool; the child dies with the signal and with this process. Extra pipes through `stdio`. */
export function spawnTool(
  tool: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  options: Pick<SpawnOptions, 'stdio'> & { signal?: AbortSignal } = {},
): ChildProcess {
  const child = spawn(requireTool(tool), args, {
    stdio: options.stdio ?? ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  children.add(child);
  const stop = () => child.kill('SIGKILL');
  options.signal?.addEventListener('abort', stop, { once: true });
  if (options.signal?.aborted) stop();
  child.once('close', () => {
    children.delete(child);
    options.signal?.removeEventListener('abort', stop);
  });
  return child;
}

export interface ToolResult {
  code: number | null;
  stdout: Buffer;
  /** Last 64 KiB of what it said. */
  stderr: string;
}

/**
 * Runs a tool to its end and collects what it printed.
 * @param limits `timeoutMs` ends a tool that hangs on a bad file; `maxBytes` bounds stdout
 * @throws FootnoteError CANCELLED when the signal aborts, FILE_UNREADABLE when it hangs or prints too much
 */
export function runTool(
  tool: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  limits: { timeoutMs?: number; maxBytes?: number; signal?: AbortSignal } = {},
): Promise<ToolResult> {
  const { timeoutMs = 60_000, maxBytes = 256 * 1024 * 1024, signal } = limits;
  return new Promise((resolve, reject) => {
    let child: ChildProcess;
    try {
      child = spawnTool(tool, args, signal ? { signal } : {});
    } catch (error) {
      reject(error);
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = '';
    let failure: FootnoteError | null = null;
    const timer = setTimeout(() => {
      failure = new FootnoteError('FILE_UNREADABLE', `${tool} gave no result within ${timeoutMs / 1000} s.`);
      child.kill('SIGKILL');
    }, timeoutMs);
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        failure = new FootnoteError('FILE_UNREADABLE', `${tool} printed more than expected of this file.`);
        child.kill('SIGKILL');
      } else chunks.push(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-65_536);
    });
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(
        new FootnoteError(
          'FFMPEG_MISSING',
          `${tool} could not be started: ${error.message}`,
          {},
          { cause: error },
        ),
      );
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (signal?.aborted) reject(new FootnoteError('CANCELLED', 'Cancelled.'));
      else if (failure) reject(failure);
      else resolve({ code, stdout: Buffer.concat(chunks), stderr });
    });
  });
}
