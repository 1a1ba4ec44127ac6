import { type FocusEvent, type RefObject, useEffect } from 'react';
import type { Model } from '../../../core/contract/models.ts';
import { useApp } from '../../store/context.tsx';

/** Id of a task's heading. */
export function taskTitleId(task: Model['task']): string {
  return `task-${task}`;
}

/**
 * Buttons come and go with a model's state, and the model moves between the lists: a focus that was among them goes to the model's name,
 * or to its task's where that is folded away.
 * @param inHand id of the model that had the focus last, kept above the lists
 * @returns handlers for the element around the model
 */
export function useKeptFocus(
  { id, task, state, used }: Model,
  heading: RefObject<HTMLHeadingElement | null>,
  inHand: RefObject<string | null>,
) {
  const job = useApp((s) => s.modelJobs[id]?.state);
  const asking = useApp((s) => s.fetching !== null || s.removing !== null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever something of the model may have gone
  useEffect(() => {
    const nowhere = document.activeElement === null || document.activeElement === document.body;
    if (asking || inHand.current !== id || !nowhere) return;
    heading.current?.focus({ preventScroll: true });
    if (document.activeElement !== heading.current) document.getElementById(taskTitleId(task))?.focus();
  }, [id, task, state, used, job, asking]);
  return {
    onFocus: () => {
      inHand.current = id;
    },
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
      // Focus that goes nowhere went with its button, or into a question over the page.
      if (!(relatedTarget instanceof Element)) return;
      if (!currentTarget.contains(relatedTarget) && !relatedTarget.closest('dialog')) inHand.current = null;
    },
  };
}
