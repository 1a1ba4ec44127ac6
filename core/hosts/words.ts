import { DateTime } from 'luxon';
import type { Episode, ImportJob } from '../contract/index.ts';

/** "2026-07-01 18:30:05", by the clock of the place where it was recorded. */
export function clockWords(ms: number, zone: string): string {
  return DateTime.fromMillis(ms, { zone }).toFormat('yyyy-MM-dd HH:mm:ss');
}

export function isoWords(ms: number, zone: string): string {
  return DateTime.fromMillis(ms, { zone }).toISO({ suppressMilliseconds: true }) ?? '';
}

/** "1 h 05 min", "3 min 20 s", "42 s". */
export function durationWords(seconds: number): string {
  const whole = Math.round(seconds);
  const h = Math.floor(whole / 3600);
  const m = Math.floor((whole % 3600) / 60);
  const s = whole % 60;
  if (h > 0) return `${h} h ${String(m).padStart(2, '0')} min`;
  if (m > 0) return `${m} min ${String(s).padStart(2, '0')} s`;
  return `${s} s`;
}

export function sizeWords(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(2)} GB`;
  if (bytes >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${Math.ceil(bytes / 1e3)} kB`;
}

/** File names and texts come from outside: control characters would move a terminal's cursor or recolour it. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (c) => (c === '\n' || c === '\t' ? ' ' : ''));
}

export function episodeLine(episode: Episode): string {
  return `${clockWords(episode.startMs, episode.zone)}  ${episode.id}  ${plain(episode.text)}`;
}

/** One line of progress: where it is, how fast, how long still. */
export function progressLine(job: ImportJob): string {
  const { doneSeconds, totalSeconds, speed, secondsLeft, currentFile } = job.progress;
  if (job.state === 'scanning') return 'Looking through the files…';
  const parts = [`${durationWords(doneSeconds)} of ${durationWords(totalSeconds)} of footage`];
  if (speed !== null) parts.push(`${speed.toFixed(1)} × real time`);
  if (secondsLeft !== null && secondsLeft > 0) parts.push(`${durationWords(secondsLeft)} left`);
  if (currentFile) parts.push(plain(currentFile));
  return parts.join(' · ');
}

/** The summary in which every dropped file is accounted for. */
export function summaryLines(job: ImportJob): string[] {
  const { counts } = job;
  const said = Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([outcome, n]) => `${n} ${outcome}`);
  const lines = [`${job.files.length} files: ${said.join(', ') || 'none'}. ${job.episodes} episodes.`];
  for (const file of job.files) {
    const why = [file.reason, ...file.notes].filter(Boolean).join(' ');
    lines.push(`  ${file.outcome.padEnd(10)} ${plain(file.path)}${why ? `: ${plain(why)}` : ''}`);
  }
  if (job.error) lines.push(job.error.message);
  return lines;
}
