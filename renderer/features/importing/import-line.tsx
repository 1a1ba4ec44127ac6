import { duration } from '../../format/amount.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hasEnded, newestFirst, shareDone } from '../../store/imports-slice.ts';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';

/** A quiet line under the header while an import runs and another page is open. */
export function ImportLine() {
  const { locale } = usePlace();
  const jobs = useApp((s) => s.jobs);
  const onAddPage = useApp((s) => s.route.page === 'add');
  const job = newestFirst(jobs).find((candidate) => !hasEnded(candidate));
  if (!job || onAddPage) return null;
  const { doneSeconds, totalSeconds } = job.progress;
  return (
    <a className="import-line" href={hashOf({ page: 'add' })}>
      <span>{strings.importing.headline(strings.importing.state[job.state])}</span>
      <progress aria-label={strings.importing.progressLabel} value={shareDone(job)} max={1} />
      {totalSeconds > 0 ? (
        <span>
          {strings.importing.footage(duration(doneSeconds, locale), duration(totalSeconds, locale))}
        </span>
      ) : null}
    </a>
  );
}
