import { roughDuration } from '../../format/amount.ts';
import { clockSpan, zonesDiffer } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

type Props = { recordingId: string; startMs: number; endMs: number; zone: string; titleId: string };

/** Heading of a recording: when, what it is called, and on demand how its clock was understood. */
export function RecordingHead({ recordingId, startMs, endMs, zone, titleId }: Props) {
  const { locale, zone: home } = usePlace();
  const recording = useApp((s) => s.recordings[recordingId]);
  const askToForget = useApp((s) => s.askToForget);
  const readOnly = useApp((s) => s.status?.readOnly ?? false);
  return (
    <header className="run-head">
      <h2 id={titleId}>
        <span className="run-span">{clockSpan(startMs, endMs, zone, locale)}</span>
        {recording ? <span className="run-name">{recording.name}</span> : null}
      </h2>
      {zonesDiffer(startMs, zone, home) ? <p className="run-note">{strings.days.zoneNote(zone)}</p> : null}
      {recording?.clock.uncertain ? <p className="run-note">{strings.days.clockUncertain}</p> : null}
      {recording ? (
        <details className="run-about">
          <summary>
            {strings.days.recordingMenu}
            <span className="visually-hidden"> {recording.name}</span>
          </summary>
          <dl>
            <dt>{strings.days.camera}</dt>
            <dd>{recording.camera ?? strings.days.family[recording.family]}</dd>
            <dt>{strings.days.clock}</dt>
            <dd>
              {strings.days.basis[recording.clock.basis]}. {recording.clock.note}
            </dd>
            <dt>{strings.days.chapters}</dt>
            <dd>
              <ul>
                {recording.chapters.map((chapter) => (
                  <li key={chapter.id}>
                    <span className="path">{chapter.path}</span>
                    {chapter.gapBeforeMs > 0
                      ? ` (${strings.days.missing(roughDuration(chapter.gapBeforeMs / 1000, locale))})`
                      : ''}
                  </li>
                ))}
              </ul>
            </dd>
          </dl>
          {recording.notes.length > 0 ? (
            <ul className="run-notes">
              {recording.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          ) : null}
          {readOnly ? null : (
            <button
              type="button"
              className="quiet-button danger"
              onClick={() => askToForget({ what: 'recording', recordingId })}
            >
              {strings.forget.recordingButton}
            </button>
          )}
        </details>
      ) : null}
    </header>
  );
}
