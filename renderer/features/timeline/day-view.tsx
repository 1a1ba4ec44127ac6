import { useEffect, useMemo } from 'react';
import type { Episode } from '../../../core/contract/episode.ts';
import { keyframeMediaId } from '../../../core/contract/media.ts';
import { roughDuration } from '../../format/amount.ts';
import { clockTime, isoInstant } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { Keyframe } from '../../ui/keyframe.tsx';
import { groupDay, type RecordingRun } from './group-day.ts';
import { RecordingHead } from './recording-head.tsx';

/** One day: its recordings in time order, what lies between them drawn as gaps. */
export function DayView({ day, episodeId }: { day: string; episodeId: string | null }) {
  const page = useApp((s) => s.dayPages[day]);
  const loadDay = useApp((s) => s.loadDay);
  const loadMore = useApp((s) => s.loadMore);
  const missing = page === undefined;
  useEffect(() => {
    if (missing) void loadDay(day);
  }, [missing, day, loadDay]);
  const runs = useMemo(() => groupDay(page?.episodes ?? []), [page?.episodes]);

  return (
    <div className="day" aria-busy={page?.loading ?? true}>
      {page === undefined || (page.loading && page.episodes.length === 0) ? (
        <p className="aside-text working">{strings.loading}</p>
      ) : null}
      {runs.map((run) => (
        <Run key={run.episodes[0]!.episode.id} run={run} day={day} episodeId={episodeId} />
      ))}
      {page?.next ? (
        <button
          type="button"
          className="quiet-button"
          disabled={page.loading}
          onClick={() => void loadMore(day)}
        >
          {strings.days.more}
        </button>
      ) : null}
    </div>
  );
}

function Run({ run, day, episodeId }: { run: RecordingRun; day: string; episodeId: string | null }) {
  const first = run.episodes[0]!.episode;
  const last = run.episodes.at(-1)!.episode;
  const titleId = `run-${first.id}`;
  return (
    <>
      <Gap ms={run.gapBeforeMs} wide />
      <section className="run" aria-labelledby={titleId}>
        <RecordingHead
          recordingId={run.recordingId}
          startMs={first.startMs}
          endMs={last.endMs}
          zone={first.zone}
          titleId={titleId}
        />
        <ol className="episode-list">
          {run.episodes.map(({ episode, gapBeforeMs }) => (
            <li key={episode.id}>
              <Gap ms={gapBeforeMs} />
              <EpisodeRow episode={episode} day={day} current={episode.id === episodeId} />
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

/** Time in which nothing was recorded. */
function Gap({ ms, wide = false }: { ms: number; wide?: boolean }) {
  const { locale } = usePlace();
  if (ms <= 0) return null;
  const length = roughDuration(ms / 1000, locale);
  return (
    <p className={wide ? 'gap gap-wide' : 'gap'}>
      <span>{wide ? strings.days.gap(length) : strings.days.gapInside(length)}</span>
    </p>
  );
}

function EpisodeRow({ episode, day, current }: { episode: Episode; day: string; current: boolean }) {
  const { locale } = usePlace();
  const time = clockTime(episode.startMs, episode.zone, locale);
  const caption = episode.record.caption || episode.text;
  return (
    <a
      id={`episode-${episode.id}`}
      className="episode-row"
      href={hashOf({ page: 'days', day, episodeId: episode.id })}
      aria-current={current ? 'true' : undefined}
    >
      <time dateTime={isoInstant(episode.startMs)}>{time}</time>
      <span className="episode-words">{caption}</span>
      <Keyframe
        mediaId={episode.keyframes.length > 0 ? keyframeMediaId(episode.id, 0) : null}
        alt={strings.episode.keyframeAlt(time, caption)}
      />
    </a>
  );
}
