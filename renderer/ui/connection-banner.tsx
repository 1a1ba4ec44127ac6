import { useApp } from '../store/context.tsx';
import { strings } from '../strings.ts';

/** A quiet line while the engine does not answer; it is said aloud by the live region. */
export function ConnectionBanner() {
  const lost = useApp((s) => s.connection === 'lost');
  if (!lost) return null;
  return (
    <div className="connection-banner">
      <p>
        <b>{strings.connection.lost}</b> {strings.connection.help}
      </p>
    </div>
  );
}
