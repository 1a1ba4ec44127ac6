import { bytes } from '../../format/amount.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { shareFetched } from '../../store/models-slice.ts';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';

/** A quiet line under the header while a model is fetched and another page is open. */
export function ModelsLine() {
  const { locale } = usePlace();
  const jobs = useApp((s) => s.modelJobs);
  const onPage = useApp((s) => s.route.page === 'models');
  const job = Object.values(jobs).find(({ state }) => state === 'running');
  if (!job || onPage) return null;
  const share = shareFetched(job);
  return (
    <a className="import-line" href={hashOf({ page: 'models' })}>
      <span>{strings.models.line(job.title)}</span>
      <progress
        aria-label={strings.models.progress(job.title)}
        {...(share === null ? {} : { value: share, max: 1 })}
      />
      {job.totalBytes === null ? null : (
        <span>{strings.models.ofBytes(bytes(job.doneBytes, locale), bytes(job.totalBytes, locale))}</span>
      )}
    </a>
  );
}
