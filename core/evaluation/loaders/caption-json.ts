/** Captions as EM²Mem and WorldMM take them: a JSON list of {start_time, end_time, text, date, video_path}, times HHMMSSFF. */
import path from 'node:path';
import { z } from 'zod';
import type { EvalEpisode } from '../set.ts';
import { dayMs, timeOfDayMs } from './egolife-time.ts';
import { malformed, readRecords, shaped } from './read.ts';

const Row_ = z.object({
  start_time: z.union([z.string(), z.number()]),
  end_time: z.union([z.string(), z.number()]),
  text: z.string(),
  date: z.string(),
  video_path: z.string().nullish(),
});

/** @throws FootnoteError FILE_MISSING, BAD_REQUEST with the record */
export function readCaptionJson(file: string): EvalEpisode[] {
  return readRecords(file).map((row) => {
    const it = shaped(Row_, row);
    const at = (time: string | number): number =>
      dayMs(it.date, row.where) + timeOfDayMs(String(time), row.where);
    const [startMs, endMs] = [at(it.start_time), at(it.end_time)];
    if (endMs < startMs) throw malformed(row.where, 'the caption ends before it starts');
    const wearer = /(A\d+_[A-Z]+)/i.exec(it.video_path ?? '')?.[1] ?? null;
    const stream = wearer ?? path.basename(file).replace(/\.\w+$/, '');
    return {
      id: `${stream}/${it.date}_${it.start_time}_${it.end_time}`,
      stream,
      startMs,
      endMs,
      video: null,
      wearer,
      text: it.text,
      caption: it.text,
      transcript: [],
      visual: [],
      structured: [],
      moments: [{ text: it.text, atMs: null }],
    };
  });
}
