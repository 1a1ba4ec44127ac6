import { type RefObject, useRef } from 'react';
import type { Model, ModelTaskView } from '../../../core/contract/models.ts';
import { bytes } from '../../format/amount.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { useKeptFocus } from './kept-focus.ts';
import { ModelButtons } from './model-buttons.tsx';
import { ModelFailed } from './model-failed.tsx';
import { ModelProgress } from './model-progress.tsx';
import { languageWords, memoryWords, sizeWords, tightMemory } from './model-words.ts';

/** One model: what it adds, what it takes, how it stands, and what can be done with it. */
export function ModelItem({
  model,
  view,
  computerMemoryMb,
  inHand,
}: {
  model: Model;
  view: ModelTaskView;
  computerMemoryMb: number;
  /** Id of the model whose buttons had the focus last. */
  inHand: RefObject<string | null>;
}) {
  const { locale } = usePlace();
  const job = useApp((s) => s.modelJobs[model.id]);
  const heading = useRef<HTMLHeadingElement>(null);
  const keepFocus = useKeptFocus(model, heading, inHand);
  const { id, title, adds, licence, memoryMb, state, supported } = model;
  const languages = languageWords(model.languages, locale);
  const tight = state === 'built-in' ? null : tightMemory(memoryMb, computerMemoryMb, locale);
  const running = job?.state === 'running';
  const partial = state === 'partial' && !running;
  return (
    <li className="model" data-model={id} data-state={state} aria-labelledby={`model-${id}`} {...keepFocus}>
      <h3 id={`model-${id}`} ref={heading} tabIndex={-1}>
        {title} <Mark model={model} offered={view.offer === id && !running} />
      </h3>
      <p>{adds}</p>
      <p className="model-figures">
        <span>{sizeWords(model, locale)}</span>
        <span>{strings.models.memoryNeeded(memoryWords(memoryMb, locale))}</span>
        {languages ? <span>{languages}</span> : null}
        <span>{strings.models.licence(licence)}</span>
      </p>
      {supported ? null : <p className="aside-text">{strings.models.notSupported}</p>}
      {tight && supported ? <p className="field-problem">{tight}</p> : null}
      {partial ? (
        <p className="model-arrived">
          {strings.models.arrived(bytes(model.bytesHere, locale), sizeWords(model, locale))}
        </p>
      ) : null}
      {running ? <ModelProgress job={job} /> : null}
      {job?.state === 'failed' && job.error && state !== 'installed' ? (
        <ModelFailed error={job.error} notes={job.notes} />
      ) : null}
      <Found model={model} />
      <ModelButtons model={model} view={view} />
    </li>
  );
}

function Mark({ model: { used, state }, offered }: { model: Model; offered: boolean }) {
  const words = used
    ? strings.models.used
    : strings.models.state[state] || (offered ? strings.models.worthIt : '');
  if (words === '') return null;
  const tone = used ? 'used' : state === 'damaged' ? 'wrong' : 'plain';
  return <span className={`model-mark model-mark-${tone}`}>{words}</span>;
}

/** What reading its files through, or another act on it, has shown. */
function Found({ model: { id, state, problem } }: { model: Model }) {
  const verdict = useApp((s) => s.verdicts[id]);
  const failure = useApp((s) => s.modelProblems[id]);
  const checking = useApp((s) => s.checkingModels.includes(id));
  const words = strings.models;
  return (
    <>
      {failure ? <ProblemNotice problem={failure} /> : null}
      {checking ? <p className="aside-text working">{words.checking}</p> : null}
      {state === 'damaged' || state === 'outdated' ? (
        <Notice tone="problem" title={state === 'damaged' ? words.damaged : words.outdated}>
          {problem ? <p className="notice-detail">{problem}</p> : null}
          <p>{words.damagedNext}</p>
        </Notice>
      ) : null}
      {verdict?.ok ? (
        <p className="aside-text">{verdict.pinned ? words.checkedOk : words.checkedFirst}</p>
      ) : null}
    </>
  );
}
