import { bytes } from '../../format/amount.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { MoreIsPossible } from '../models/more-is-possible.tsx';

/** What the library holds, where it lies, and what works. */
export function LibraryPage() {
  const status = useApp((s) => s.status);
  const problem = useApp((s) => s.statusProblem);
  const loadLibrary = useApp((s) => s.loadLibrary);
  const askToForget = useApp((s) => s.askToForget);
  const forgotten = useApp((s) => s.forgotten);
  const { locale } = usePlace();
  return (
    <Page title={strings.library.title} className="library">
      {forgotten ? <Notice tone="remark" title={forgotten} /> : null}
      {problem ? <ProblemNotice problem={problem} onRetry={() => void loadLibrary()} /> : null}
      {!status && !problem ? <p className="aside-text working">{strings.loading}</p> : null}
      {status ? (
        <>
          {status.readOnly ? <Notice tone="remark" title={strings.library.readOnly} /> : null}
          <dl className="facts">
            <dt>{strings.library.place}</dt>
            <dd className="path">{status.library}</dd>
            <dt>{strings.library.holds}</dt>
            <dd>
              {strings.recordings(status.recordings)}, {strings.episodes(status.episodes)}
            </dd>
            <dt>{strings.library.memory}</dt>
            <dd>{bytes(status.memoryBytes, locale)}</dd>
            <dt>{strings.library.clips}</dt>
            <dd>{bytes(status.clipBytes, locale)}</dd>
            <dt>{strings.library.keyframes}</dt>
            <dd>{bytes(status.keyframeBytes, locale)}</dd>
          </dl>
          <h2>{strings.library.checks}</h2>
          <ul className="checks">
            {status.checks.map((check) => (
              <li key={check.name} className={check.ok ? 'check-ok' : 'check-not'}>
                <b>{check.name}</b> <span>{check.ok ? strings.library.ok : strings.library.notOk}</span>
                <p>{check.detail}</p>
              </li>
            ))}
          </ul>
          <MoreIsPossible />
          {status.readOnly || status.episodes === 0 ? null : (
            <button
              type="button"
              className="quiet-button danger"
              onClick={() => askToForget({ what: 'everything' })}
            >
              {strings.forget.everythingButton}
            </button>
          )}
          <p className="writer">{strings.library.version(status.version)}</p>
        </>
      ) : null}
    </Page>
  );
}
