import { useApp } from '../../store/context.tsx';
import { hasEnded, newestFirst } from '../../store/imports-slice.ts';
import { strings } from '../../strings.ts';
import { Page } from '../../ui/page.tsx';
import { Troubles } from '../library/troubles.tsx';
import { JobView } from './job-view.tsx';
import { TakePanel } from './take-panel.tsx';

/** Handing over footage, and watching it being read. */
export function AddPage() {
  const jobs = useApp((s) => s.jobs);
  const ordered = newestFirst(jobs);
  const first = ordered[0];
  const now = ordered.filter((job) => !hasEnded(job) || job === first);
  const earlier = ordered.filter((job) => !now.includes(job));
  return (
    <Page title={strings.importing.title} className="add">
      <Troubles />
      {now.map((job) => (
        <JobView key={job.id} job={job} />
      ))}
      <TakePanel />
      {earlier.length > 0 ? (
        <details className="earlier">
          <summary>{strings.importing.earlier}</summary>
          {earlier.map((job) => (
            <JobView key={job.id} job={job} />
          ))}
        </details>
      ) : null}
    </Page>
  );
}
