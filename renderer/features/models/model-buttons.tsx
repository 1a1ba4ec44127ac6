import type { ReactNode } from 'react';
import type { Model, ModelTaskView } from '../../../core/contract/models.ts';
import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

/** What can be done with a model as it stands. */
export function ModelButtons({ model, view }: { model: Model; view: ModelTaskView }) {
  const { id, task, state, used, supported, origin } = model;
  const job = useApp((s) => s.modelJobs[id]?.state);
  const checking = useApp((s) => s.checkingModels.includes(id));
  const askToFetch = useApp((s) => s.askToFetch);
  const goOn = useApp((s) => s.goOnFetching);
  const pause = useApp((s) => s.pauseModel);
  const check = useApp((s) => s.checkModel);
  const chooseModel = useApp((s) => s.chooseModel);
  const askToRemove = useApp((s) => s.askToRemove);
  const words = strings.models;
  const button = (name: string, act: () => unknown, kind: 'button' | 'quiet-button' = 'quiet-button') => (
    <NamedButton key={name} name={name} title={model.title} kind={kind} onClick={() => void act()} />
  );
  const buttons: ReactNode[] = [];
  if (job === 'running') buttons.push(button(words.pause, () => pause(id)));
  else if (state === 'absent') {
    if (supported) {
      const name = origin === 'network' ? words.download : words.fromFolder;
      buttons.push(button(`${name}…`, () => askToFetch(id), view.offer === id ? 'button' : 'quiet-button'));
    }
  } else if (state === 'partial') {
    buttons.push(button(words.goOn, () => goOn(id), 'button'));
    if (job === 'failed') buttons.push(button(`${words.fromFolder}…`, () => askToFetch(id)));
    buttons.push(button(`${words.discard}…`, () => askToRemove(id)));
  } else if (state === 'damaged' || state === 'outdated') {
    buttons.push(button(`${words.fetchAgain}…`, () => askToFetch(id), 'button'));
    buttons.push(button(`${words.remove}…`, () => askToRemove(id)));
  } else {
    if (!used && supported) buttons.push(button(words.use, () => chooseModel(task, id)));
    if (state === 'installed') {
      if (!checking) buttons.push(button(words.check, () => check(id)));
      buttons.push(button(`${words.remove}…`, () => askToRemove(id)));
    }
  }
  return buttons.length > 0 ? <div className="model-buttons">{buttons}</div> : null;
}

/** Many buttons of a page say the same: the model's title, for those who hear them, tells which is which. */
function NamedButton({
  name,
  title,
  kind,
  onClick,
}: {
  name: string;
  title: string;
  kind: 'button' | 'quiet-button';
  onClick: () => void;
}) {
  return (
    <button type="button" className={kind} onClick={onClick}>
      {name}
      <span className="visually-hidden"> {title}</span>
    </button>
  );
}
