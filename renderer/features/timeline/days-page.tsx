import { useEffect } from 'react';
import { dayTitle } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { DayList } from './day-list.tsx';
import { DayView } from './day-view.tsx';
import { EpisodePane } from './episode-pane.tsx';

/** The diary: days at the left, one day's episodes on the page, the chosen episode in the margin. */
export function DaysPage({ day, episodeId }: { day: string | null; episodeId: string | null }) {
  const days = useApp((s) => s.days);
  const problem = useApp((s) => s.timelineProblem);
  const loadDays = useApp((s) => s.loadDays);
  const forgotten = useApp((s) => s.forgotten);
  const { locale } = usePlace();
  useEffect(() => void loadDays(), [loadDays]);

  const shown = day ?? days?.[0]?.day ?? null;
  return (
    <Page
      title={shown ? dayTitle(shown, locale) : strings.days.title}
      className={`days${episodeId ? ' days-with-episode' : ''}`}
      lead={forgotten ? <Notice tone="remark" title={forgotten} /> : null}
    >
      {problem ? <ProblemNotice problem={problem} onRetry={() => void loadDays()} /> : null}
      {days === null && !problem ? <p className="aside-text working">{strings.loading}</p> : null}
      {days?.length === 0 ? (
        <div className="empty">
          <p className="nothing-title">{strings.days.empty}</p>
          <p>
            {strings.days.emptyNext} <a href={hashOf({ page: 'add' })}>{strings.days.addLink}</a>
          </p>
        </div>
      ) : null}
      {days && days.length > 0 && shown ? (
        <div className="days-grid">
          <DayList days={days} shown={shown} />
          <DayView day={shown} episodeId={episodeId} />
          <EpisodePane day={shown} episodeId={episodeId} />
        </div>
      ) : null}
    </Page>
  );
}
