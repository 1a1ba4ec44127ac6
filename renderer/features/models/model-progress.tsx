import type { ModelJob } from '../../../core/contract/models.ts';
import { bytes, roughDuration } from '../../format/amount.ts';
import { usePlace } from '../../store/context.tsx';
import { shareFetched } from '../../store/models-slice.ts';
import { strings } from '../../strings.ts';

/** How far a download is, how fast, and what happened on the way. */
export function ModelProgress({ job }: { job: ModelJob }) {
  const { locale } = usePlace();
  const { title, stage, source, doneBytes, totalBytes, bytesPerSecond, secondsLeft, notes } = job;
  const share = shareFetched(job);
  const words = strings.models;
  return (
    <>
      <progress
        className="job-progress"
        aria-label={words.progress(title)}
        {...(share === null ? {} : { value: share, max: 1 })}
      />
      <p className="model-figures">
        <span>
          {totalBytes === null
            ? bytes(doneBytes, locale)
            : words.ofBytes(bytes(doneBytes, locale), bytes(totalBytes, locale))}
        </span>
        {bytesPerSecond ? <span>{words.perSecond(bytes(bytesPerSecond, locale))}</span> : null}
        {secondsLeft === null ? null : (
          <span>{strings.importing.left(roughDuration(Math.max(1, secondsLeft), locale))}</span>
        )}
        {stage === 'downloading' && source ? (
          <span>{words.from(source)}</span>
        ) : (
          <span>{words.stage[stage]}</span>
        )}
      </p>
      <Notes notes={notes} />
    </>
  );
}

/** What a person should know of a download: a source that failed, a file that was thrown away. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="model-notes">
      {notes.map((note, index) => (
        // Notes are only ever added at the end, so their place is their name.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index}>{note}</li>
      ))}
    </ul>
  );
}
