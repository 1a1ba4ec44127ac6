import { useEffect, useRef } from 'react';
import type { Episode } from '../../../core/contract/episode.ts';
import { clipMediaId, keyframeMediaId } from '../../../core/contract/media.ts';
import { clockSpan } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { ClipPlayer } from '../player/clip-player.tsx';
import { EpisodeRests } from './episode-rests.tsx';

/** The margin of a day: the chosen episode whole, or a word on how to choose one. */
export function EpisodePane({ day, episodeId }: { day: string; episodeId: string | null }) {
  const inDay = useApp((s) => s.dayPages[day]?.episodes);
  const alone = useApp((s) => (episodeId ? s.episodes[episodeId] : undefined));
  const loadEpisode = useApp((s) => s.loadEpisode);
  const place = inDay?.findIndex((candidate) => candidate.id === episodeId) ?? -1;
  const episode = place >= 0 ? inDay![place] : alone;
  useEffect(() => {
    if (episodeId && !episode) void loadEpisode(episodeId);
  }, [episodeId, episode, loadEpisode]);

  if (!episodeId) {
    return (
      <aside className="episode-pane episode-pane-empty" aria-label={strings.episode.label}>
        <p className="aside-text">{strings.days.choose}</p>
      </aside>
    );
  }
  return (
    <aside className="episode-pane" aria-label={strings.episode.label}>
      {episode ? (
        <EpisodeWhole
          key={episode.id}
          episode={episode}
          day={day}
          before={place > 0 ? inDay![place - 1]!.id : null}
          after={place >= 0 ? (inDay![place + 1]?.id ?? null) : null}
        />
      ) : (
        <p className="aside-text working">{strings.loading}</p>
      )}
    </aside>
  );
}

type WholeProps = { episode: Episode; day: string; before: string | null; after: string | null };

function EpisodeWhole({ episode, day, before, after }: WholeProps) {
  const { locale } = usePlace();
  const askToForget = useApp((s) => s.askToForget);
  const readOnly = useApp((s) => s.status?.readOnly ?? false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'nearest' });
  }, []);

  const close = () => {
    location.hash = hashOf({ page: 'days', day, episodeId: null });
    requestAnimationFrame(() => document.getElementById(`episode-${episode.id}`)?.focus());
  };
  const span = clockSpan(episode.startMs, episode.endMs, episode.zone, locale);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the pane from anywhere inside it; the close button does the same
    <div
      className="episode-whole"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div className="episode-bar">
        <h2 ref={heading} tabIndex={-1}>
          {span}
        </h2>
        <nav aria-label={strings.episode.label}>
          <Step to={before} day={day} label={strings.episode.previous} sign="←" />
          <Step to={after} day={day} label={strings.episode.next} sign="→" />
          <button type="button" className="icon-button" aria-label={strings.close} onClick={close}>
            ×
          </button>
        </nav>
      </div>
      {episode.clip ? (
        <ClipPlayer
          mediaId={clipMediaId(episode.id)}
          at={0}
          label={strings.episode.keyframeAlt(span, episode.record.caption)}
          poster={episode.keyframes.length > 0 ? keyframeMediaId(episode.id, 0) : null}
          autoPlay={false}
          lines={episode.record.transcript}
          startMs={episode.startMs}
        />
      ) : (
        <Notice tone="remark" title={strings.episode.noPixels}>
          <p>{strings.episode.noPixelsWhy}</p>
        </Notice>
      )}
      <p className="episode-text">{episode.text}</p>
      <EpisodeRests episode={episode} />
      {readOnly ? null : (
        <button
          type="button"
          className="quiet-button danger"
          onClick={() => askToForget({ what: 'episode', episodeId: episode.id })}
        >
          {strings.episode.forget}
        </button>
      )}
    </div>
  );
}

function Step({ to, day, label, sign }: { to: string | null; day: string; label: string; sign: string }) {
  if (!to) return null;
  return (
    <a className="icon-button" href={hashOf({ page: 'days', day, episodeId: to })} aria-label={label}>
      {sign}
    </a>
  );
}
