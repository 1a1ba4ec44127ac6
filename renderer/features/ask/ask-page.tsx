import { useEffect, useRef } from 'react';
import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Page } from '../../ui/page.tsx';
import { Composer } from './composer.tsx';
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
  return (
    <Page title={strings.ask.title} quiet className="ask">
      {turns.length === 0 ? <Beginning /> : null}
      <div className="thread">
        {turns.map((turn, index) => (
          <div key={turn.id} ref={index === turns.length - 1 ? last : null} className="thread-turn">
            <TurnView turn={turn} />
          </div>
        ))}
      </div>
      {turns.length > 0 ? <Composer /> : null}
    </Page>
  );
}

/** An empty thread: what to ask, by example. */
function Beginning() {
  const ask = useApp((s) => s.ask);
  return (
    <section className="beginning" aria-labelledby="beginning-title">
      <h2 id="beginning-title" className="display">
        {strings.ask.emptyTitle}
      </h2>
      <p className="lead">{strings.ask.emptyLead}</p>
      <Composer />
      <ul className="examples" aria-label={strings.ask.examplesLabel}>
        {strings.ask.examples.map((question) => (
          <li key={question}>
            <button type="button" className="example" onClick={() => void ask(question)}>
              {question}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
