import type { ModelFailure } from '../../../core/contract/models.ts';
import { bytes } from '../../format/amount.ts';
import { usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { Notes } from './model-progress.tsx';

/** Why a download failed, and what to do. */
export function ModelFailed({ error, notes }: { error: ModelFailure; notes: readonly string[] }) {
  const { locale } = usePlace();
  const { what, next } = sentences(error, locale);
  const others = notes.filter((note) => !error.message.includes(note));
  return (
    <Notice tone="problem" title={what}>
      {error.code === 'DISK_FULL' ? null : <p className="notice-detail">{error.message}</p>}
      <Notes notes={others} />
      <p>{next}</p>
    </Notice>
  );
}

function sentences({ code, data }: ModelFailure, locale: string): { what: string; next: string } {
  const words = strings.models.failed;
  if (code === 'MODEL_UNREACHABLE') {
    const hosts = Array.isArray(data.hosts) ? data.hosts.map(String) : [];
    const named = new Intl.ListFormat(locale, { type: 'conjunction' }).format(hosts);
    return { what: words.unreachable(named), next: words.unreachableNext };
  }
  if (code === 'DISK_FULL') {
    const figure = (value: unknown) => bytes(typeof value === 'number' ? value : 0, locale);
    return { what: words.noRoom(figure(data.neededBytes), figure(data.freeBytes)), next: words.noRoomNext };
  }
  if (data.reason === 'wrong-content') return { what: words.wrong, next: words.wrongNext };
  if (data.reason === 'refused') return { what: words.refused, next: words.refusedNext };
  return { what: words.other, next: words.otherNext };
}
