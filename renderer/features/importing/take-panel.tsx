import { useRef } from 'react';
import { useApp, useHost } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { OptionsForm } from './options-form.tsx';
import { PathForm } from './path-form.tsx';
import { offeredByInput } from './take-in.ts';

/** All ways to hand over footage: drop, choose, or type where it lies. */
export function TakePanel() {
  const host = useHost();
  const problem = useApp((s) => s.importProblem);
  const copyFailed = useApp((s) => s.copyFailed);
  const nothing = useApp((s) => s.nothingDropped);
  const readOnly = useApp((s) => s.status?.readOnly ?? false);
  if (readOnly) return <Notice tone="remark" title={strings.library.readOnly} />;
  return (
    <div className="take">
      {problem ? <ProblemNotice problem={problem} /> : null}
      {copyFailed ? (
        <Notice tone="problem" title={strings.take.copyFailed(copyFailed)}>
          <p>{strings.take.copyFailedNext}</p>
        </Notice>
      ) : null}
      {nothing ? <Notice tone="remark" title={strings.take.nothing} /> : null}
      <CopyProgress />
      <div className="drop-area">
        <p className="drop-title">{strings.take.dropHere}</p>
        <p className="drop-note">{strings.take.dropNote}</p>
        <PathForm />
        <div className="drop-buttons">
          <Chooser label={strings.take.chooseFiles} folder={false} />
          <Chooser label={strings.take.chooseFolder} folder />
        </div>
        {host.kind === 'browser' ? <p className="field-hint">{strings.take.uploadNote}</p> : null}
      </div>
      <OptionsForm />
    </div>
  );
}

/** A button that opens the browser's own file dialog. */
function Chooser({ label, folder }: { label: string; folder: boolean }) {
  const takeIn = useApp((s) => s.takeIn);
  const busy = useApp((s) => s.takingIn !== null);
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="quiet-button" disabled={busy} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(folder ? { webkitdirectory: '' } : {})}
        onChange={(event) => {
          const list = event.target.files;
          if (list && list.length > 0) void takeIn(offeredByInput(list));
          event.target.value = '';
        }}
      />
    </>
  );
}

function CopyProgress() {
  const takingIn = useApp((s) => s.takingIn);
  if (!takingIn?.progress) return null;
  const { doneFiles, files, doneBytes, bytes, name } = takingIn.progress;
  return (
    <div className="copying">
      <p>{strings.take.copying(doneFiles + 1, files, name)}</p>
      <progress aria-label={strings.take.copyingLabel} value={doneBytes} max={Math.max(1, bytes)} />
      <button type="button" className="quiet-button" onClick={takingIn.stop}>
        {strings.cancel}
      </button>
    </div>
  );
}
