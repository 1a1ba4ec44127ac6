import { bytes } from '../../format/amount.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { modelById } from '../../store/models-slice.ts';
import { strings } from '../../strings.ts';
import { Dialog } from '../../ui/dialog.tsx';

/** Asks before a model, or what has arrived of one, goes. */
export function RemoveDialog() {
  const model = useApp((s) => modelById(s.models, s.removing));
  const askToRemove = useApp((s) => s.askToRemove);
  const removeModel = useApp((s) => s.removeModel);
  const busy = useApp((s) => s.removeBusy);
  const { locale } = usePlace();
  if (!model) return null;
  const { title, state, bytesHere } = model;
  const words = strings.models;
  const partial = state === 'partial';
  return (
    <Dialog
      title={partial ? words.discardTitle(title) : words.removeTitle(title)}
      onClose={() => askToRemove(null)}
    >
      <p>{words.removeFrees(bytes(bytesHere, locale))}</p>
      {partial ? null : <p>{words.removeThen}</p>}
      <div className="dialog-buttons">
        <button type="button" className="quiet-button" disabled={busy} onClick={() => askToRemove(null)}>
          {strings.cancel}
        </button>
        <button
          type="button"
          className="button danger-button"
          disabled={busy}
          onClick={() => void removeModel()}
        >
          {partial ? words.discard : words.remove}
        </button>
      </div>
    </Dialog>
  );
}
