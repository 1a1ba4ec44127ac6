import { useEffect, useState } from 'react';
import { isThisComputer, ReaderChoice } from '../../../core/contract/readers.ts';
import { useApp } from '../../store/context.tsx';
import { sameReader } from '../../store/readers-slice.ts';
import { strings } from '../../strings.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';

/** Who answers questions: quotes without a model, a model of this computer, or a language server. */
export function ReaderSection() {
  const readers = useApp((s) => s.readers);
  const problem = useApp((s) => s.readersProblem);
  const load = useApp((s) => s.loadReaders);
  const choose = useApp((s) => s.chooseReader);
  const connected = useApp((s) => s.connection === 'open');
  useEffect(() => {
    if (connected) void load();
  }, [connected, load]);
  return (
    <section className="task" aria-labelledby="who-answers">
      <div className="task-head">
        <h2 id="who-answers">{strings.readers.title}</h2>
        <p className="aside-text">{strings.readers.lead}</p>
      </div>
      <div className="task-models">
        {problem ? <ProblemNotice problem={problem} onRetry={() => void load()} /> : null}
        {readers ? (
          <fieldset className="readers">
            <legend className="visually-hidden">{strings.readers.title}</legend>
            {readers.offers.map(({ choice, name, detail, ready }) => {
              const chosen = sameReader(choice, readers.choice);
              return (
                <label key={JSON.stringify(choice)} className="reader">
                  <input
                    type="radio"
                    name="reader"
                    checked={chosen}
                    // What is chosen and gone for the moment stays to be seen.
                    disabled={!ready && !chosen}
                    onChange={() => void choose(choice)}
                  />
                  <span>
                    <span className="reader-name">{name}</span>
                    <span className="aside-text">{detail}</span>
                  </span>
                </label>
              );
            })}
          </fieldset>
        ) : null}
        <ServerForm />
      </div>
    </section>
  );
}

/** For a server elsewhere than at the usual ports of this computer. */
function ServerForm() {
  const choose = useApp((s) => s.chooseReader);
  const [address, setAddress] = useState('');
  const [model, setModel] = useState('');
  const [allowed, setAllowed] = useState(false);
  const host = hostOf(address);
  const elsewhere = host !== null && !isThisComputer(host);
  const choice = ReaderChoice.safeParse({
    kind: 'server',
    address: address.trim(),
    model: model.trim(),
    allowedHosts: elsewhere && allowed ? [host] : [],
  });
  return (
    <details className="elsewhere">
      <summary>{strings.readers.server}</summary>
      <form
        className="server-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (choice.success) void choose(choice.data);
        }}
      >
        <label>
          {strings.readers.address}
          <input
            value={address}
            onChange={(event) => setAddress(event.target.value)}
            placeholder="http://127.0.0.1:11434/v1"
            spellCheck={false}
          />
        </label>
        <label>
          {strings.readers.model}
          <input value={model} onChange={(event) => setModel(event.target.value)} spellCheck={false} />
        </label>
        {elsewhere ? (
          <label className="allow-host">
            <input type="checkbox" checked={allowed} onChange={(event) => setAllowed(event.target.checked)} />
            {strings.readers.allow(host)}
          </label>
        ) : null}
        <button
          type="submit"
          className="button"
          disabled={!choice.success || host === null || (elsewhere && !allowed)}
        >
          {strings.readers.use}
        </button>
      </form>
    </details>
  );
}

function hostOf(address: string): string | null {
  try {
    const { protocol, hostname } = new URL(address.trim());
    return protocol === 'http:' || protocol === 'https:' ? hostname : null;
  } catch {
    return null;
  }
}
