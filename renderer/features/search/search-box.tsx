import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';

/** A search begins when the typing has paused for this long, ms. */
const PAUSE_MS = 180;

/** Plain search from anywhere: results come as one types, Enter at the latest. */
export function SearchBox() {
  const query = useApp((s) => (s.route.page === 'find' ? s.route.query : ''));
  const [words, setWords] = useState(query);
  const typed = useRef(false);
  useEffect(() => {
    if (!typed.current) setWords(query);
  }, [query]);
  useEffect(() => {
    if (!typed.current) return;
    const later = setTimeout(() => {
      typed.current = false;
      go(words);
    }, PAUSE_MS);
    return () => clearTimeout(later);
  }, [words]);
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          typed.current = false;
          go(words);
        }}
      >
        <input
          type="search"
          aria-label={strings.search.box}
          placeholder={strings.search.placeholder}
          value={words}
          onChange={(event) => {
            typed.current = true;
            setWords(event.target.value);
          }}
        />
      </form>
    </search>
  );
}

function go(words: string): void {
  const hash = hashOf({ page: 'find', query: words.trim() });
  // Every letter would be a step back otherwise: only the first search of a visit to the page makes an entry.
  if (location.hash.startsWith('#/find')) location.replace(hash);
  else location.hash = hash;
}
