import type { Problem } from '../store/problem.ts';
import { strings } from '../strings.ts';
import { Notice } from './notice.tsx';

/** An error in words with a next step; `onRetry` adds the button that takes it. */
export function ProblemNotice({ problem, onRetry }: { problem: Problem; onRetry?: () => void }) {
  const sentence = strings.errors[problem.code];
  const saysMore = problem.detail !== null && problem.code !== 'INTERNAL';
  return (
    <Notice tone="problem" title={sentence.what}>
      {saysMore ? <p className="notice-detail">{problem.detail}</p> : null}
      <p>{sentence.next}</p>
      {onRetry ? (
        <button type="button" className="quiet-button" onClick={onRetry}>
          {strings.tryAgain}
        </button>
      ) : null}
    </Notice>
  );
}
