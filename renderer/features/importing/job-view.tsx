import type { ImportJob } from '../../../core/contract/importing.ts';
import { duration, ratio, roughDuration } from '../../format/amount.ts';
import { clockTime, dayOf, dayShort } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hasEnded, shareDone, summaryOf } from '../../store/imports-slice.ts';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { FileTable } from './file-table.tsx';

/** One import: how far it is, what can be done about it, and what became of every file. */
export function JobView({ job }: { job: ImportJob }) {
  const titleId = `job-${job.id}`;
  return (
    <section className="job" aria-labelledby={titleId} data-state={job.state}>
      <h2 id={titleId}>{strings.importing.state[job.state]}</h2>
      <Started job={job} />
      {job.error ? <ProblemNotice problem={{ code: job.error.code, detail: job.error.message }} /> : null}
      {hasEnded(job) ? <Ended job={job} /> : <Running job={job} />}
      {job.files.length > 0 ? <FileTable job={job} /> : null}
    </section>
  );
}

function Started({ job }: { job: ImportJob }) {
  const { locale, zone } = usePlace();
  const when = `${dayShort(dayOf(job.createdAtMs, zone), locale)}, ${clockTime(job.createdAtMs, zone, locale)}`;
  return <p className="field-hint">{strings.importing.started(when)}</p>;
}

function Running({ job }: { job: ImportJob }) {
  const { locale } = usePlace();
  const control = useApp((s) => s.controlImport);
  const { progress } = job;
  const known = progress.totalSeconds > 0;
  return (
    <>
      <progress
        className="job-progress"
        aria-label={strings.importing.progressLabel}
        {...(known ? { value: shareDone(job), max: 1 } : {})}
      />
      <p className="job-figures">
        {known ? (
          <span>
            {strings.importing.footage(
              duration(progress.doneSeconds, locale),
              duration(progress.totalSeconds, locale),
            )}
          </span>
        ) : null}
        {progress.speed === null ? null : (
          <span>{strings.importing.speed(ratio(progress.speed, locale))}</span>
        )}
        {job.state === 'running' ? (
          <span>
            {progress.secondsLeft === null
              ? strings.importing.leftUnknown
              : strings.importing.left(roughDuration(progress.secondsLeft, locale))}
          </span>
        ) : null}
        <span>{strings.episodes(job.episodes)}</span>
      </p>
      <div className="job-buttons">
        {job.state === 'paused' ? (
          <button type="button" className="button" onClick={() => void control(job.id, 'resume')}>
            {strings.importing.resume}
          </button>
        ) : (
          <button type="button" className="quiet-button" onClick={() => void control(job.id, 'pause')}>
            {strings.importing.pause}
          </button>
        )}
        <button
          type="button"
          className="quiet-button"
          title={strings.importing.cancelNote}
          onClick={() => void control(job.id, 'cancel')}
        >
          {strings.importing.cancel}
        </button>
        <span className="field-hint">{strings.importing.cancelNote}</span>
      </div>
    </>
  );
}

function Ended({ job }: { job: ImportJob }) {
  const control = useApp((s) => s.controlImport);
  const nothingNew = job.counts.imported === 0 && job.counts.duplicate > 0 && job.counts.unreadable === 0;
  return (
    <>
      <p className="job-summary">{summaryOf(job)}</p>
      {nothingNew ? <p className="aside-text">{strings.importing.allKnown}</p> : null}
      <p className="job-buttons">
        {job.episodes > 0 ? (
          <>
            <a className="button" href={hashOf({ page: 'days', day: null, episodeId: null })}>
              {strings.importing.seeDays}
            </a>
            <a className="quiet-button" href={hashOf({ page: 'ask' })}>
              {strings.importing.ask}
            </a>
          </>
        ) : null}
        {job.counts.unreadable > 0 ? (
          <button type="button" className="quiet-button" onClick={() => void control(job.id, 'retry')}>
            {strings.importing.retry}
          </button>
        ) : null}
      </p>
    </>
  );
}
