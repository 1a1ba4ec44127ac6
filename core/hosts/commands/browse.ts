import { FootnoteError, SEARCH_MAX } from '../../contract/index.ts';
import { EXIT } from '../exit-codes.ts';
import { parseCount, parseDay, parseInstant, parseWearer } from '../parse-args.ts';
import { type CommonOptions, print, printJson, withEngine } from '../session.ts';
import { clockWords, durationWords, episodeLine, isoWords, plain } from '../words.ts';

export interface SearchCommandOptions extends CommonOptions {
  from?: string;
  to?: string;
  at?: string;
  top?: string;
  wearer?: string;
}

/** `footnote search WORDS`: search_memory as it is, in time order. */
export function searchCommand(query: string, options: SearchCommandOptions): Promise<number> {
  if (query.trim() === '') throw new FootnoteError('BAD_REQUEST', 'Give words to search for.');
  return withEngine(options, { readOnly: true }, async (engine) => {
    const { zone } = await engine.client.status();
    const nowMs = options.at ? parseInstant(options.at, zone) : Date.now();
    const anchored = options.from !== undefined || options.to !== undefined;
    const found = await engine.client.memory.search({
      query,
      nowMs,
      topK: options.top ? parseCount(options.top, 1, SEARCH_MAX) : SEARCH_MAX,
      timeAnchor: anchored
        ? {
            startMs: options.from ? parseInstant(options.from, zone) : 0,
            endMs: options.to ? parseInstant(options.to, zone) : nowMs,
          }
        : null,
      ...(options.wearer ? { wearer: parseWearer(options.wearer) } : {}),
    });
    if (options.json) printJson({ query, results: found });
    else if (found.length === 0) print('Nothing found.');
    else for (const { episode, score } of found) print(`${score.toFixed(2)}  ${episodeLine(episode)}`);
    return found.length > 0 ? EXIT.ok : EXIT.nothingFound;
  });
}

/** `footnote timeline`: the days, or the episodes of one day. */
export function timelineCommand(options: CommonOptions & { day?: string }): Promise<number> {
  return withEngine(options, { readOnly: true }, async (engine) => {
    if (!options.day) {
      const days = await engine.client.timeline.days();
      if (options.json) printJson({ days });
      else if (days.length === 0) print('Nothing is remembered yet.');
      else
        for (const day of days) print(`${day.day}  ${day.episodes} episodes, ${durationWords(day.seconds)}`);
      return days.length > 0 ? EXIT.ok : EXIT.nothingFound;
    }
    const day = parseDay(options.day);
    const episodes = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof engine.client.timeline.day>> = await engine.client.timeline.day({
        day,
        after,
      });
      episodes.push(...page.episodes);
      after = page.next;
    } while (after);
    if (options.json) printJson({ day, episodes });
    else if (episodes.length === 0) print(`Nothing is remembered of ${day}.`);
    else for (const episode of episodes) print(episodeLine(episode));
    return episodes.length > 0 ? EXIT.ok : EXIT.nothingFound;
  });
}

/** `footnote show EPISODE`: everything known of one episode. */
export function showCommand(id: string, options: CommonOptions): Promise<number> {
  return withEngine(options, { readOnly: true }, async (engine) => {
    const episode = await engine.client.episodes.get({ id });
    const clip = (await engine.mediaFile(`clip/${id}`))?.path ?? null;
    const keyframes = await Promise.all(
      episode.keyframes.map(async (_, n) => (await engine.mediaFile(`keyframe/${id}/${n}`))?.path ?? null),
    );
    if (options.json) {
      printJson({
        ...episode,
        start: isoWords(episode.startMs, episode.zone),
        end: isoWords(episode.endMs, episode.zone),
        files: { clip, keyframes },
      });
      return EXIT.ok;
    }
    print(
      `${clockWords(episode.startMs, episode.zone)} – ${clockWords(episode.endMs, episode.zone)} (${episode.zone})`,
    );
    print(`recording ${episode.recordingId}, written by ${episode.writer.name} ${episode.writer.version}`);
    print();
    print(plain(episode.text));
    if (episode.record.claims.length > 0) print('\nWhat it rests on:');
    for (const claim of episode.record.claims) {
      const when = claim.atMs === null ? '' : ` at ${clockWords(claim.atMs, episode.zone)}`;
      print(`  ${plain(claim.text)} (${claim.source}${when}, ${Math.round(claim.confidence * 100)} %)`);
    }
    print(`\nclip: ${clip ?? 'none'}`);
    for (const keyframe of keyframes) print(`keyframe: ${keyframe ?? 'missing'}`);
    return EXIT.ok;
  });
}

/** `footnote recordings`: the takes, with their clocks and chapters. */
export function recordingsCommand(options: CommonOptions): Promise<number> {
  return withEngine(options, { readOnly: true }, async (engine) => {
    const recordings = await engine.client.recordings.list();
    if (options.json) printJson({ recordings });
    for (const recording of options.json ? [] : recordings) {
      const { clock } = recording;
      print(
        `${clockWords(recording.startMs, clock.zone)}  ${durationWords((recording.endMs - recording.startMs) / 1000)}  ${recording.id}  ${plain(recording.name)}`,
      );
      print(
        `    ${recording.camera ?? recording.family}, ${recording.chapters.length} file${recording.chapters.length === 1 ? '' : 's'}; clock from ${clock.basis.replace('_', ' ')}${clock.uncertain ? ' (uncertain)' : ''}: ${plain(clock.note)}`,
      );
      for (const text of recording.notes) print(`    ${plain(text)}`);
    }
    if (!options.json && recordings.length === 0) print('Nothing is imported yet.');
    return recordings.length > 0 ? EXIT.ok : EXIT.nothingFound;
  });
}
