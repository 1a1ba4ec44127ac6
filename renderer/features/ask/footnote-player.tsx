import { useEffect, useRef } from 'react';
import type { Footnote } from '../../../core/contract/reading.ts';
import { clockTime } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';
import { ClipPlayer } from '../player/clip-player.tsx';

/** The open footnote: its clip in place of its keyframe, with ways to the one before and after. */
export function FootnotePlayer({
  turnId,
  footnote,
  all,
}: {
  turnId: string;
  footnote: Footnote;
  all: Footnote[];
}) {
  const { locale } = usePlace();
  const playOther = useApp((s) => s.playOther);
  const closePlayer = useApp((s) => s.closePlayer);
  const returnTo = useApp((s) => s.player?.returnTo ?? null);
  const episode = useApp((s) => s.episodes[footnote.episodeId]);
  const loadEpisode = useApp((s) => s.loadEpisode);
  const box = useRef<HTMLElement>(null);
  const time = clockTime(footnote.atMs, footnote.zone, locale);
  const place = all.findIndex((other) => other.number === footnote.number);
  const [before, after] = [all[place - 1], all[place + 1]];

  // The player appears elsewhere than the mark that opened it, so the focus goes with it.
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => void loadEpisode(footnote.episodeId), [loadEpisode, footnote.episodeId]);

  const close = () => {
    closePlayer();
    // The evidence button that opened it is drawn again only after this.
    requestAnimationFrame(() => {
      const target =
        (returnTo && document.getElementById(returnTo)) ||
        document.getElementById(`${turnId}-footnote-${footnote.number}`);
      target?.focus();
    });
  };

  const controls = (
    <div className="clip-buttons">
      <button
        type="button"
        className="quiet-button"
        disabled={!before}
        aria-label={strings.player.previousLabel}
        onClick={() => before && playOther(before.number)}
      >
        ← {strings.player.previous}
      </button>
      <button
        type="button"
        className="quiet-button"
        disabled={!after}
        aria-label={strings.player.nextLabel}
        onClick={() => after && playOther(after.number)}
      >
        {strings.player.next} →
      </button>
      <button
        type="button"
        className="quiet-button clip-close"
        aria-label={strings.player.close}
        onClick={close}
      >
        {strings.close}
      </button>
    </div>
  );

  return (
    <section
      ref={box}
      className="footnote-player"
      tabIndex={-1}
      aria-label={strings.ask.play(footnote.number, time)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      {footnote.clip ? (
        <ClipPlayer
          key={footnote.number}
          mediaId={footnote.clip}
          at={footnote.clipOffset}
          label={strings.episode.keyframeAlt(time, footnote.text)}
          poster={footnote.keyframe}
          autoPlay
          lines={episode?.record.transcript ?? NO_LINES}
          startMs={episode?.startMs ?? footnote.startMs}
        >
          {controls}
        </ClipPlayer>
      ) : (
        <Notice tone="remark" title={strings.episode.noPixels}>
          <p>{strings.episode.noPixelsWhy}</p>
          {controls}
        </Notice>
      )}
    </section>
  );
}

const NO_LINES: never[] = [];
