import { useEffect, useRef } from 'react';
import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Page } from '../../ui/page.tsx';
import { Composer, QUESTION_BOX } from './composer.tsx';
import { TurnView } from './turn-view.tsx';

/** The thread: questions and their answers, one under the other, with the box for the next one below. */
export function AskPage() {
  const turns = useApp((s) => s.turns);
  const last = useRef<HTMLDivElement>(null);
  const seen = useRef(turns.length);
  useEffect(() => {
    if (turns.length > seen.current) last.current?.scrollIntoView({ block: 'start' });
    seen.current = turns.length;
  }, [turns.length]);
  const fresh = turns.length === 0;
  return (
    <Page title={strings.ask.title} quiet className={fresh ? 'ask ask-fresh' : 'ask'}>
      {fresh ? <Beginning /> : null}
      <div className="thread">
        {turns.map((turn, index) => (
          <div key={turn.id} ref={index === turns.length - 1 ? last : null} className="thread-turn">
            <TurnView turn={turn} />
          </div>
        ))}
      </div>
      {/* One and the same box before and after the first question: the focus stays in it. */}
      <Composer />
      {fresh ? <Examples /> : null}
    </Page>
  );
}

/** What an empty thread says above the box. */
function Beginning() {
  return (
    <section className="beginning" aria-labelledby="beginning-title">
      <h2 id="beginning-title" className="display">
        {strings.ask.emptyTitle}
      </h2>
      <p className="lead">{strings.ask.emptyLead}</p>
    </section>
  );
}

/** What to ask, by example. */
function Examples() {
  const ask = useApp((s) => s.ask);
  return (
    <ul className="examples" aria-label={strings.ask.examplesLabel}>
      {strings.ask.examples.map((question) => (
        <li key={question}>
          <button
            type="button"
            className="example"
            onClick={() => {
              // The example goes away with the empty page; the next thing to do is in the box.
              document.getElementById(QUESTION_BOX)?.focus();
              void ask(question);
            }}
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}
