import type { ImportFile, ImportJob } from '../../../core/contract/importing.ts';
import { count, duration } from '../../format/amount.ts';
import { usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

/** Every file that was handed over and what became of it. */
export function FileTable({ job }: { job: ImportJob }) {
  const { locale } = usePlace();
  const { columns } = strings.importing;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={strings.importing.table} tabIndex={0}>
      <table className="file-table">
        <caption className="visually-hidden">{strings.importing.table}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.file}</th>
            <th scope="col">{columns.stage}</th>
            <th scope="col" className="number">
              {columns.footage}
            </th>
            <th scope="col" className="number">
              {columns.episodes}
            </th>
          </tr>
        </thead>
        <tbody>
          {job.files.map((file) => (
            <tr key={file.path} data-outcome={file.outcome} data-stage={file.stage}>
              <th scope="row" title={file.path}>
                {file.name}
              </th>
              <td>
                <Became file={file} />
              </td>
              <td className="number">{file.footageSeconds > 0 ? <Footage file={file} /> : null}</td>
              <td className="number">{file.episodes > 0 ? count(file.episodes, locale) : null}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Became({ file }: { file: ImportFile }) {
  const running = file.outcome === 'pending';
  const sentence = file.outcome === 'unreadable' && file.code ? strings.errors[file.code] : null;
  return (
    <>
      <span className="outcome">
        {running ? strings.importing.stage[file.stage] : strings.importing.outcome[file.outcome]}
      </span>
      {file.reason ? <span className="reason"> {file.reason}</span> : null}
      {!file.reason && sentence ? <span className="reason"> {sentence.what}</span> : null}
      {sentence ? <span className="reason"> {sentence.next}</span> : null}
      {file.notes.map((note) => (
        <span key={note} className="reason">
          {' '}
          {note}
        </span>
      ))}
    </>
  );
}

function Footage({ file }: { file: ImportFile }) {
  const { locale } = usePlace();
  if (file.outcome !== 'pending' || file.stage === 'waiting') return duration(file.footageSeconds, locale);
  return (
    <>
      <progress aria-label={file.name} value={file.doneSeconds} max={file.footageSeconds} />{' '}
      {duration(file.footageSeconds, locale)}
    </>
  );
}
