import { useState } from 'react';
import type { ModelPlan } from '../../../core/contract/models.ts';
import { bytes } from '../../format/amount.ts';
import { unquoted } from '../../format/path.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { type Fetching, modelById } from '../../store/models-slice.ts';
import { strings } from '../../strings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { memoryWords, sizeWords, tightMemory } from './model-words.ts';

/** Says what fetching a model means, before anything is asked of anybody. */
export function FetchDialog() {
  const fetching = useApp((s) => s.fetching);
  return fetching ? <Question key={fetching.id} fetching={fetching} /> : null;
}

function Question({ fetching }: { fetching: Fetching }) {
  const models = useApp((s) => s.models);
  const dontFetch = useApp((s) => s.dontFetch);
  const fetchModel = useApp((s) => s.fetchModel);
  const { id, plan, busy, problem } = fetching;
  const title = plan?.title ?? modelById(models, id)?.title ?? id;
  const words = strings.models;
  const local = plan !== null && plan.hosts.length === 0;
  const missing = plan ? plan.neededBytes - plan.freeBytes : 0;
  const possible = plan !== null && plan.nowhere.length === 0 && missing <= 0;
  return (
    <Dialog title={local ? words.copyTitle(title) : words.fetchTitle(title)} onClose={dontFetch}>
      {plan ? <Means plan={plan} missing={missing} /> : null}
      {!plan && !problem ? <p className="aside-text working">{strings.loading}</p> : null}
      <FolderForm fetching={fetching} />
      {problem ? <ProblemNotice problem={problem} /> : null}
      <div className="dialog-buttons">
        <button type="button" className="quiet-button" onClick={dontFetch}>
          {strings.cancel}
        </button>
        <button
          type="button"
          className="button"
          disabled={busy || !possible}
          onClick={() => void fetchModel()}
        >
          {local ? words.confirmCopy : words.confirm}
        </button>
      </div>
    </Dialog>
  );
}

function Means({ plan, missing }: { plan: ModelPlan; missing: number }) {
  const { locale } = usePlace();
  const models = useApp((s) => s.models);
  const repair = useApp((s) => s.fetching?.repair ?? true);
  const setRepair = useApp((s) => s.setRepair);
  const words = strings.models;
  const rows = words.fetchRows;
  const [first, ...others] = plan.hosts;
  const memoryMb = modelById(models, plan.id)?.memoryMb ?? 0;
  const tight = tightMemory(memoryMb, models?.computerMemoryMb ?? Number.POSITIVE_INFINITY, locale);
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return (
    <>
      <dl className="facts">
        <dt>{rows.from}</dt>
        <dd>{first === undefined ? words.onThisComputer : words.hosts(first, list.format(others))}</dd>
        <dt>{rows.size}</dt>
        <dd>
          {sizeWords(plan, locale)}
          {plan.hereBytes > 0
            ? ` (${words.arrived(bytes(plan.hereBytes, locale), sizeWords(plan, locale))})`
            : null}
        </dd>
        <dt>{rows.licence}</dt>
        <dd>{plan.licence}</dd>
        <dt>{rows.disk}</dt>
        <dd>{words.room(bytes(plan.neededBytes, locale), bytes(plan.freeBytes, locale))}</dd>
        <dt>{rows.memory}</dt>
        <dd>{words.whileAtWork(memoryWords(memoryMb, locale))}</dd>
      </dl>
      {missing > 0 ? <p className="field-problem">{words.noRoom(bytes(missing, locale))}</p> : null}
      {plan.nowhere.length > 0 ? <p className="field-problem">{words.nowhere}</p> : null}
      {tight ? <p className="field-problem">{tight}</p> : null}
      {first === undefined ? null : (
        <>
          <p>{words.privacy}</p>
          {plan.trustOnFirstUse.length > 0 ? <p>{words.blind(plan.trustOnFirstUse.length)}</p> : null}
          <label className="field-check">
            <input type="checkbox" checked={repair} onChange={(event) => setRepair(event.target.checked)} />
            <span>{words.repair}</span>
          </label>
        </>
      )}
    </>
  );
}

/** A folder that has the model: a stick, or a copy from another computer. */
function FolderForm({ fetching: { from, plan, busy } }: { fetching: Fetching }) {
  const planFrom = useApp((s) => s.planFrom);
  const [path, setPath] = useState(from);
  const [empty, setEmpty] = useState(false);
  const words = strings.models;
  const looked = from !== '' && !busy && plan !== null;
  const lacking = plan?.nowhere.length ?? 0;
  const found = looked && plan.hosts.length === 0 && lacking === 0;
  const hint = empty
    ? words.folderMissing
    : found
      ? words.folderAll
      : looked
        ? words.folderNotAll
        : words.folderHint;
  return (
    <details className="fetch-folder" open={from !== '' || lacking > 0 || undefined}>
      <summary>{words.fromFolder}</summary>
      <form
        className="path-form"
        onSubmit={(event) => {
          event.preventDefault();
          const wanted = unquoted(path);
          setEmpty(wanted === '');
          if (wanted !== '') void planFrom(wanted);
        }}
      >
        <label htmlFor="model-folder">{words.folderLabel}</label>
        <div className="path-line">
          <input
            id="model-folder"
            type="text"
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            aria-describedby="model-folder-hint"
            aria-invalid={empty}
            value={path}
            onChange={(event) => {
              setPath(event.target.value);
              setEmpty(false);
            }}
          />
          <button type="submit" className="quiet-button" disabled={busy}>
            {words.folderLook}
          </button>
        </div>
        <p
          id="model-folder-hint"
          className={empty || (looked && !found) ? 'field-problem' : 'field-hint'}
          role="status"
        >
          {hint}
        </p>
      </form>
    </details>
  );
}
