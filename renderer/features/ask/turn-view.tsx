import type { ReaderStep } from '../../../core/contract/reading.ts';
import { duration } from '../../format/amount.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import type { Turn } from '../../store/thread-slice.ts';
import { strings } from '../../strings.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { MoreIsPossible } from '../models/more-is-possible.tsx';
import { AnswerText } from './answer-text.tsx';
import { Evidence } from './evidence.tsx';

/** One question, how it was looked up, and the answer with its evidence in the margin. */
export function TurnView({ turn }: { turn: Turn }) {
  const headingId = `${turn.id}-question`;
  return (
    <article className="turn" aria-labelledby={headingId} aria-busy={turn.state === 'asking'}>
      <div className="turn-text">
        <h2 id={headingId} className="question">
          {turn.question}
        </h2>
        <TurnBody turn={turn} />
      </div>
      {turn.answer && turn.answer.footnotes.length > 0 ? (
        <Evidence turnId={turn.id} footnotes={turn.answer.footnotes} />
      ) : null}
    </article>
  );
}

function TurnBody({ turn }: { turn: Turn }) {
  const ask = useApp((s) => s.ask);
  switch (turn.state) {
    case 'asking':
      return <StepsNow steps={turn.steps} soFar={turn.soFar} />;
    case 'stopped':
      return <p className="aside-text">{strings.ask.stopped}</p>;
    case 'failed':
      return turn.problem ? (
        <ProblemNotice problem={turn.problem} onRetry={() => void ask(turn.question)} />
      ) : null;
    case 'answered':
      return <Answered turn={turn} />;
  }
}

function Answered({ turn }: { turn: Turn }) {
  const { locale } = usePlace();
  const { answer } = turn;
  if (!answer) return null;
  return (
    <>
      {answer.readAs ? <p className="aside-text">{strings.ask.readAs(answer.readAs)}</p> : null}
      {answer.found ? null : <p className="nothing-title">{strings.ask.nothing}</p>}
      <AnswerText turnId={turn.id} answer={answer} />
      {answer.found ? null : (
        <>
          <p className="aside-text">
            {strings.ask.nothingNext}{' '}
            <a href={hashOf({ page: 'days', day: null, episodeId: null })}>{strings.nav.days}</a>
          </p>
          <MoreIsPossible />
        </>
      )}
      <details className="credits">
        <summary>{strings.ask.steps}</summary>
        <StepList steps={turn.steps.length > 0 ? turn.steps : answer.steps} />
        <p>{strings.ask.credits(answer.reader, answer.writer, spent(answer.seconds, locale))}</p>
      </details>
    </>
  );
}

/** Answers often take less than a second; a tenth says more than "0 sec". */
function spent(seconds: number, locale: string): string {
  if (seconds >= 10) return duration(seconds, locale);
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(seconds);
}

function StepsNow({ steps, soFar }: { steps: ReaderStep[]; soFar: string[] }) {
  return (
    <div className="steps-now">
      {steps.length === 0 ? <p className="aside-text working">{strings.ask.thinking}</p> : null}
      <StepList steps={steps} />
      {soFar.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

function StepList({ steps }: { steps: ReaderStep[] }) {
  return (
    <ol className="steps">
      {steps.map((step, index) => (
        // Steps are only ever added at the end, so their place is their name.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index}>
          <span className="step-words">{step.words}</span>{' '}
          <span className="step-returned">{strings.ask.stepReturned(step.returned)}</span>
        </li>
      ))}
    </ol>
  );
}
