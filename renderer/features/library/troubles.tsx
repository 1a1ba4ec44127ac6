import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';

/** What does not work on this computer, told before it is needed. */
export function Troubles() {
  const status = useApp((s) => s.status);
  const failed = (status?.checks ?? []).filter((check) => !check.ok);
  if (failed.length === 0) return null;
  return (
    <Notice tone="problem" title={strings.troubles.title}>
      <ul>
        {failed.map((check) => (
          <li key={check.name}>
            <b>{check.name}</b>: {check.detail}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
