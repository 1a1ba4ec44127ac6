import { clockSpan, dayOf, dayTitle } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import type { Forgetting } from '../../store/forget-slice.ts';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';

/** Asks before anything is forgotten, and says what goes. */
export function ForgetDialog() {
  const forgetting = useApp((s) => s.forgetting);
  return forgetting ? <Question forgetting={forgetting} /> : null;
}

function Question({ forgetting }: { forgetting: Forgetting }) {
  const keep = useApp((s) => s.keep);
  const forget = useApp((s) => s.forget);
  const busy = useApp((s) => s.forgetBusy);
  const problem = useApp((s) => s.forgetProblem);
  const what = useWhat(forgetting);
  const title = {
    recording: strings.forget.recordingTitle,
    episode: strings.forget.episodeTitle,
    everything: strings.forget.everythingTitle,
  }[forgetting.what];

  const confirm = async () => {
    const route = location.hash;
    const gone = await forget();
    // The address may point at what has just gone.
    if (gone && route.startsWith('#/days'))
      location.hash = hashOf({ page: 'days', day: null, episodeId: null });
  };

  return (
    <Dialog title={title} onClose={keep}>
      <p className="forget-what">{what}</p>
      <p>{strings.forget.goes}</p>
      <ul>
        {strings.forget.what.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>{strings.forget.stays}</p>
      {problem ? <ProblemNotice problem={problem} /> : null}
      <div className="dialog-buttons">
        <button type="button" className="quiet-button" onClick={keep} disabled={busy}>
          {strings.cancel}
        </button>
        <button type="button" className="button danger-button" onClick={() => void confirm()} disabled={busy}>
          {strings.forget.confirm}
        </button>
      </div>
    </Dialog>
  );
}

/** One sentence naming what is about to go. */
function useWhat(forgetting: Forgetting): string {
  const { locale } = usePlace();
  const recordings = useApp((s) => s.recordings);
  const dayPages = useApp((s) => s.dayPages);
  const episodes = useApp((s) => s.episodes);
  const all = useApp((s) => s.status?.episodes ?? 0);
  if (forgetting.what === 'everything') return strings.forget.everything(strings.episodes(all));
  if (forgetting.what === 'recording') {
    const recording = recordings[forgetting.recordingId];
    if (!recording) return '';
    const { startMs, endMs, clock, name } = recording;
    const when = `${dayTitle(dayOf(startMs, clock.zone), locale)}, ${clockSpan(startMs, endMs, clock.zone, locale)}`;
    return strings.forget.recording(name, when);
  }
  const episode =
    episodes[forgetting.episodeId] ??
    Object.values(dayPages)
      .flatMap((page) => page.episodes)
      .find((candidate) => candidate.id === forgetting.episodeId);
  if (!episode) return '';
  const { startMs, endMs, zone } = episode;
  return strings.forget.episode(
    `${dayTitle(dayOf(startMs, zone), locale)}, ${clockSpan(startMs, endMs, zone, locale)}`,
  );
}
