import type { RefObject } from 'react';
import type { Model, ModelTaskView } from '../../../core/contract/models.ts';
import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { taskTitleId } from './kept-focus.ts';
import { ModelItem } from './model-item.tsx';

/** One task: what does it now, what works without, and the models that could. */
export function TaskSection({
  view,
  computerMemoryMb,
  inHand,
}: {
  view: ModelTaskView;
  computerMemoryMb: number;
  inHand: RefObject<string | null>;
}) {
  const jobs = useApp((s) => s.modelJobs);
  const { task, uses, without, offer, takenUp, problem } = view;
  const titleId = taskTitleId(task);
  const user = view.models.find((model) => model.id === uses);
  // One that only an unnamed folder could have is shown once it is here.
  const shown = view.models.filter(({ state, origin }) => state !== 'absent' || origin !== 'unknown-folder');
  const matters = ({ id, state }: Model) => state !== 'absent' || id === offer || jobs[id] !== undefined;
  const first = shown
    .filter((model) => (takenUp ? matters(model) : model.state !== 'absent'))
    .sort(usedFirst);
  const others = shown.filter((model) => !first.includes(model));
  const item = (model: Model) => (
    <ModelItem key={model.id} model={model} view={view} computerMemoryMb={computerMemoryMb} inHand={inHand} />
  );
  return (
    <section className="task" aria-labelledby={titleId}>
      <div className="task-head">
        <h2 id={titleId} tabIndex={-1}>
          {strings.models.task[task]}
        </h2>
        <p className="task-now">{user ? strings.models.now(user.title) : strings.models.nothingNow}</p>
        {user && (offer === null || !takenUp) ? null : <p className="aside-text">{without}</p>}
        <Chosen view={view} />
      </div>
      <div className="task-models">
        {problem ? <Notice tone="problem" title={problem} /> : null}
        {first.length > 0 ? <ul className="model-list">{first.map(item)}</ul> : null}
        {others.length > 0 ? (
          <details className="model-others">
            <summary>{strings.models.others(others.length)}</summary>
            {takenUp ? null : <p className="aside-text">{strings.models.keptOnly}</p>}
            <ul className="model-list">{others.map(item)}</ul>
          </details>
        ) : null}
      </div>
    </section>
  );
}

function usedFirst(a: Model, b: Model): number {
  return Number(b.used) - Number(a.used);
}

/** A choice of the person's, and the way back from it. */
function Chosen({ view: { task, chosen, models } }: { view: ModelTaskView }) {
  const chooseModel = useApp((s) => s.chooseModel);
  const title = models.find((model) => model.id === chosen)?.title;
  if (!title || models.filter((model) => model.state !== 'absent').length < 2) return null;
  return (
    <p className="task-chosen">
      {strings.models.chosen(title)}{' '}
      <button type="button" className="link-button" onClick={() => void chooseModel(task, null)}>
        {strings.models.leaveIt}
        <span className="visually-hidden"> ({strings.models.task[task]})</span>
      </button>
    </p>
  );
}
