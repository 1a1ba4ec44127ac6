import type { FileOutcome, ImportFile, ImportJob } from '../../core/contract/importing.ts';

const CREATED_MS = Date.parse('2025-03-14T18:00:00Z');

function file(name: string, outcome: FileOutcome, part: Partial<ImportFile> = {}): ImportFile {
  return {
    path: `/media/card/DCIM/100GOPRO/${name}`,
    name,
    bytes: 1,
    outcome,
    stage: outcome === 'pending' ? 'waiting' : outcome === 'unreadable' ? 'failed' : 'done',
    reason: null,
    code: null,
    recordingId: null,
    footageSeconds: 0,
    doneSeconds: 0,
    episodes: 0,
    notes: [],
    ...part,
  };
}

const DONE_FILES = [
  file('GX010042.MP4', 'imported', {
    footageSeconds: 708,
    doneSeconds: 708,
    episodes: 24,
    notes: ['Read from the camera’s own low-resolution copy.'],
  }),
  file('GX020042.MP4', 'imported', { footageSeconds: 310, doneSeconds: 310, episodes: 11 }),
  file('GL010042.LRV', 'sidecar', { reason: 'The low-resolution copy of GX010042.MP4.' }),
  file('GX010042.THM', 'sidecar', { reason: 'The thumbnail of GX010042.MP4.' }),
  file('GX010043.MP4', 'duplicate', { reason: 'The same film as GX010039.MP4, imported before.' }),
  file('GS010044.360', 'skipped', { reason: 'Spherical film; export a flat view of it first.' }),
  file('GX010045.MP4', 'unreadable', {
    code: 'FILE_UNFINISHED',
    reason: 'It ends before its index was written.',
  }),
  file('notes.txt', 'skipped', { reason: 'This is not footage.' }),
];

const RUNNING_FILES = [
  file('GX010042.MP4', 'imported', { footageSeconds: 708, doneSeconds: 708, episodes: 24 }),
  file('GX020042.MP4', 'pending', { stage: 'reading', footageSeconds: 1310, doneSeconds: 402, episodes: 13 }),
  file('GX010043.MP4', 'pending', { footageSeconds: 2400 }),
  file('GL010042.LRV', 'sidecar', { reason: 'The low-resolution copy of GX010042.MP4.' }),
];

function counted(files: ImportFile[]): ImportJob['counts'] {
  const counts = {
    imported: 0,
    sidecar: 0,
    duplicate: 0,
    skipped: 0,
    unreadable: 0,
    cancelled: 0,
    pending: 0,
  };
  for (const one of files) counts[one.outcome] += 1;
  return counts;
}

/** An import at a moment of its life. */
export function makeJob(state: ImportJob['state'], part: Partial<ImportJob> = {}): ImportJob {
  const running = state === 'running' || state === 'paused';
  const files = state === 'scanning' ? [] : running ? RUNNING_FILES : DONE_FILES;
  const sum = (pick: (one: ImportFile) => number) => files.reduce((all, one) => all + pick(one), 0);
  return {
    id: `job-${state}`,
    state,
    paths: ['/media/card/DCIM'],
    options: { shiftMs: 0, zone: null, keepSound: false },
    createdAtMs: CREATED_MS,
    files,
    progress: {
      doneSeconds: sum((one) => one.doneSeconds),
      totalSeconds: sum((one) => one.footageSeconds),
      speed: running ? 7.4 : null,
      secondsLeft: state === 'running' ? 447 : null,
      currentFile: running ? 'GX020042.MP4' : null,
    },
    counts: counted(files),
    episodes: sum((one) => one.episodes),
    error: null,
    ...part,
  };
}
