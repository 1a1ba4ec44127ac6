import { type KeyboardEvent, useRef, useState } from 'react';
import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

/** The contract's limit for a question, characters. */
const LONGEST_QUESTION = 2000;

/** Id of the box, so that the focus can be sent there. */
export const QUESTION_BOX = 'question';

/** The box a question is written in. Enter asks, Shift+Enter breaks the line. */
export function Composer() {
  const ask = useApp((s) => s.ask);
  const stopAsking = useApp((s) => s.stopAsking);
  const asking = useApp((s) => s.turns.some((turn) => turn.state === 'asking'));
  const [words, setWords] = useState('');
  const [missing, setMissing] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);

  const send = () => {
    if (asking) return;
    if (words.trim() === '') {
      setMissing(true);
      box.current?.focus();
      return;
    }
    setMissing(false);
    setWords('');
    void ask(words);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={QUESTION_BOX} className="visually-hidden">
        {strings.ask.box}
      </label>
      <textarea
        id={QUESTION_BOX}
        ref={box}
        rows={1}
        maxLength={LONGEST_QUESTION}
        placeholder={strings.ask.placeholder}
        value={words}
        aria-invalid={missing}
        aria-describedby={missing ? 'question-missing' : undefined}
        onChange={(event) => {
          setWords(event.target.value);
          setMissing(false);
        }}
        onKeyDown={onKeyDown}
      />
      {asking ? (
        <button type="button" className="button" onClick={stopAsking}>
          {strings.ask.stop}
        </button>
      ) : (
        <button type="submit" className="button">
          {strings.ask.send}
        </button>
      )}
      {missing ? (
        <p id="question-missing" className="field-problem">
          {strings.ask.empty}
        </p>
      ) : null}
    </form>
  );
}
