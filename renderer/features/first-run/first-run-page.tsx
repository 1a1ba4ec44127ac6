import { useApp } from '../../store/context.tsx';
import { newestFirst } from '../../store/imports-slice.ts';
import { strings } from '../../strings.ts';
import { Page } from '../../ui/page.tsx';
import { JobView } from '../importing/job-view.tsx';
import { TakePanel } from '../importing/take-panel.tsx';
import { Troubles } from '../library/troubles.tsx';
import { MoreIsPossible } from '../models/more-is-possible.tsx';

/** An empty library: what this is, how to begin, and what stays on this computer. */
export function FirstRunPage() {
  const startSample = useApp((s) => s.startSample);
  const making = useApp((s) => s.makingSample);
  const jobs = useApp((s) => s.jobs);
  const readOnly = useApp((s) => s.status?.readOnly ?? false);
  const newest = newestFirst(jobs)[0];
  return (
    <Page title={strings.firstRun.title} className="first-run">
      <p className="lead">{strings.firstRun.lead}</p>
      <Troubles />
      {newest ? <JobView job={newest} /> : null}
      <div className="first-run-grid">
        <TakePanel />
        <div className="first-run-margin">
          {readOnly ? null : (
            <section className="sample" aria-labelledby="sample-title">
              <h2 id="sample-title">{strings.firstRun.sample}</h2>
              <button type="button" className="button" disabled={making} onClick={() => void startSample()}>
                {strings.firstRun.sampleButton}
              </button>
              {making ? (
                <p className="aside-text working">{strings.firstRun.sampleBusy}</p>
              ) : (
                <p className="field-hint">{strings.firstRun.sampleNote}</p>
              )}
            </section>
          )}
          <section className="stays" aria-labelledby="stays-title">
            <h2 id="stays-title">{strings.firstRun.staysTitle}</h2>
            <ul>
              {strings.firstRun.stays.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
          <MoreIsPossible />
        </div>
      </div>
    </Page>
  );
}
