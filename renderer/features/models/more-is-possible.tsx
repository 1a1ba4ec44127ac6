import { useApp, usePlace } from '../../store/context.tsx';
import { missingTasks } from '../../store/models-slice.ts';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';

/** What a model that is not here would add, with the way to it; nothing where nothing is missing. */
export function MoreIsPossible() {
  const { locale } = usePlace();
  const models = useApp((s) => s.models);
  const words = strings.models;
  const parts = missingTasks(models).flatMap((task) => words.moreTasks[task] ?? []);
  if (parts.length === 0) return null;
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts);
  return (
    <p className="more-possible">
      {words.moreLine(list)} <a href={hashOf({ page: 'models' })}>{words.moreLink}</a>
    </p>
  );
}
