import { useEffect } from 'react';
import { keyframeMediaId } from '../../../core/contract/media.ts';
import type { FoundEpisode } from '../../../core/contract/reading.ts';
import { clockTime, dayOf, dayTitle, isoInstant } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { Keyframe } from '../../ui/keyframe.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';

/** What a plain search finds, by day and in time order. */
export function FindPage({ query }: { query: string }) {
  const search = useApp((s) => s.search);
  const found = useApp((s) => s.found);
  const searching = useApp((s) => s.searching);
  const problem = useApp((s) => s.searchProblem);
  const announce = useApp((s) => s.announce);
  useEffect(() => void search(query), [search, query]);
  useEffect(() => {
    if (found) announce(strings.search.results(found.episodes.length));
  }, [found, announce]);

  return (
    <Page title={strings.search.title} quiet className="find">
      {problem ? <ProblemNotice problem={problem} onRetry={() => void search(query)} /> : null}
      {query === '' ? <p className="aside-text">{strings.search.idle}</p> : null}
      {searching && !found ? <p className="aside-text working">{strings.loading}</p> : null}
      {found && query !== '' && !problem ? <Results query={found.query} episodes={found.episodes} /> : null}
    </Page>
  );
}

function Results({ query, episodes }: { query: string; episodes: FoundEpisode[] }) {
  const { locale } = usePlace();
  if (episodes.length === 0) {
    return (
      <div className="empty">
        <p className="nothing-title">{strings.search.nothing(query)}</p>
        <p>{strings.search.nothingNext}</p>
        <AskInstead query={query} />
      </div>
    );
  }
  const byDay = new Map<string, FoundEpisode[]>();
  for (const one of episodes) {
    const day = dayOf(one.episode.startMs, one.episode.zone);
    byDay.set(day, [...(byDay.get(day) ?? []), one]);
  }
  return (
    <>
      <p className="aside-text">{strings.search.results(episodes.length)}</p>
      {[...byDay].map(([day, inDay]) => (
        <section key={day} className="run">
          <h2 className="day-mark">{dayTitle(day, locale)}</h2>
          <ol className="episode-list">
            {inDay.map((one) => (
              <li key={one.episode.id}>
                <Hit found={one} day={day} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** Words that match nothing may still be a question. */
function AskInstead({ query }: { query: string }) {
  const ask = useApp((s) => s.ask);
  return (
    <p>
      <button
        type="button"
        className="quiet-button"
        onClick={() => {
          void ask(query);
          location.hash = hashOf({ page: 'ask' });
        }}
      >
        {strings.search.askInstead}
      </button>
    </p>
  );
}

function Hit({ found: { episode }, day }: { found: FoundEpisode; day: string }) {
  const { locale } = usePlace();
  const time = clockTime(episode.startMs, episode.zone, locale);
  const alt = strings.episode.keyframeAlt(time, episode.record.caption);
  return (
    <a className="episode-row" href={hashOf({ page: 'days', day, episodeId: episode.id })}>
      <time dateTime={isoInstant(episode.startMs)}>{time}</time>
      <span className="episode-words">{episode.text}</span>
      <Keyframe mediaId={episode.keyframes.length > 0 ? keyframeMediaId(episode.id, 0) : null} alt={alt} />
    </a>
  );
}
