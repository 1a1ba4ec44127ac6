import { readdirSync, readFileSync } from 'node:fs';

const SAMPLE_MS = 100;
const KIB = 1024;

interface ProcessInfo {
  pid: number;
  parent: number;
  name: string;
  rssBytes: number;
}

function listProcesses(): ProcessInfo[] {
  const found: ProcessInfo[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'utf8');
      const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
      found.push({
        pid: Number(entry),
        parent: Number(field('PPid')),
        name: field('Name'),
        rssBytes: Number(field('VmRSS')) * KIB,
      });
    } catch {
      // A process that ended between listing and reading.
    }
  }
  return found;
}

/** Descendants of this process, itself included. */
function family(all: readonly ProcessInfo[]): ProcessInfo[] {
  const ours = new Set([process.pid]);
  for (let grew = true; grew; ) {
    grew = false;
    for (const one of all) {
      if (!ours.has(one.pid) && ours.has(one.parent)) {
        ours.add(one.pid);
        grew = true;
      }
    }
  }
  return all.filter((one) => ours.has(one.pid));
}

/** Clock ticks a second in /proc; Linux has had 100 on every platform for decades. */
const TICKS = 100;

/**
 * What the model processes that descend from this one hold and have used.
 * @returns resident bytes, and seconds of processor time on all threads; null where /proc is missing
 */
export function modelProcessUse(): { rssBytes: number; cpuSeconds: number } | null {
  if (process.platform !== 'linux') return null;
  let rssBytes = 0;
  let cpuSeconds = 0;
  for (const { pid, rssBytes: own } of family(listProcesses())) {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('models/process')) continue;
    // The fields after the name, which may hold anything, in brackets.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    rssBytes += own;
    cpuSeconds += (Number(fields[11]) + Number(fields[12])) / TICKS;
  }
  return { rssBytes, cpuSeconds };
}

export interface PeakMemory {
  /** Most bytes held at once by this process and all its descendants. */
  peakBytes: number;
  /** The part of it that ffmpeg children held. */
  ffmpegBytes: number;
}

/**
 * Samples resident memory of this process and its descendants until stopped.
 * @returns a function that stops and gives the peak; null where /proc is missing
 */
export function watchMemory(): () => PeakMemory | null {
  if (process.platform !== 'linux') return () => null;
  const peak: PeakMemory = { peakBytes: 0, ffmpegBytes: 0 };
  const timer = setInterval(() => {
    const all = listProcesses();
    const mine = family(all);
    const sum = (list: ProcessInfo[]) => list.reduce((total, one) => total + one.rssBytes, 0);
    if (sum(mine) > peak.peakBytes) {
      peak.peakBytes = sum(mine);
      peak.ffmpegBytes = sum(mine.filter((one) => one.name.startsWith('ffmpeg')));
    }
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
