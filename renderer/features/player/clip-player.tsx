import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { SpeechLine } from '../../../core/contract/episode.ts';
import { useHost } from '../../store/context.tsx';
import { strings } from '../../strings.ts';
import { Notice } from '../../ui/notice.tsx';

/** A seek counts as done when the clip stands this near to the moment, s: a clip's keyframes are closer together. */
const SEEK_TOLERANCE_S = 1;

export type ClipProps = {
  mediaId: string;
  /** Seconds into the clip at which to begin. */
  at: number;
  /** What is to be seen, for a screen reader. */
  label: string;
  poster: string | null;
  /** Begin at once; only after a person's click. */
  autoPlay: boolean;
  /** Speech of the episode, shown as subtitles; times are epoch ms. */
  lines: SpeechLine[];
  /** Epoch ms at which the clip begins. */
  startMs: number;
  children?: ReactNode;
};

/** Plays a redacted clip from a moment on, with the browser's own controls. */
export function ClipPlayer({ mediaId, at, label, poster, autoPlay, lines, startMs, children }: ClipProps) {
  const host = useHost();
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed' | 'no-seek'>('loading');

  useSubtitles(video, lines, startMs);

  const goThere = () => {
    const player = video.current;
    if (!player) return;
    player.currentTime = Math.min(at, Math.max(0, player.duration - 0.1));
    // A refused play is the browser's rule about sound; the controls are there to start it by hand.
    if (autoPlay) player.play().catch(() => undefined);
  };

  const check = () => {
    const player = video.current;
    if (!player || state !== 'loading') return;
    const wanted = Math.min(at, Math.max(0, player.duration - 0.1));
    setState(Math.abs(player.currentTime - wanted) <= SEEK_TOLERANCE_S ? 'ready' : 'no-seek');
  };

  if (state === 'failed') {
    return (
      <Notice tone="problem" title={strings.player.failed}>
        <p>{strings.player.failedNext}</p>
        {children}
      </Notice>
    );
  }
  return (
    <div className="clip">
      {/* biome-ignore lint/a11y/useMediaCaption: subtitles are added as a text track from the episode's own speech. */}
      <video
        ref={video}
        className="clip-video"
        src={host.mediaUrl(mediaId)}
        poster={poster ? host.mediaUrl(poster) : undefined}
        aria-label={strings.player.label(label)}
        data-state={state}
        controls
        playsInline
        preload="metadata"
        width={640}
        height={360}
        onLoadedMetadata={goThere}
        onSeeked={check}
        onError={() => setState('failed')}
      />
      {state === 'no-seek' ? <p className="clip-note">{strings.player.noSeek}</p> : null}
      {children}
    </div>
  );
}

/** Puts the episode's speech on the clip as a subtitle track: made in place, as no other origin may be loaded from. */
function useSubtitles(video: React.RefObject<HTMLVideoElement | null>, lines: SpeechLine[], startMs: number) {
  useEffect(() => {
    const player = video.current;
    if (!player || lines.length === 0) return;
    const track = player.textTracks[0] ?? player.addTextTrack('captions', strings.player.captions);
    track.mode = 'showing';
    for (const cue of [...(track.cues ?? [])]) track.removeCue(cue);
    for (const line of lines) {
      const [from, to] = [(line.startMs - startMs) / 1000, (line.endMs - startMs) / 1000];
      if (to <= 0 || to <= from) continue;
      track.addCue(
        new VTTCue(Math.max(0, from), to, line.speaker ? `${line.speaker}: ${line.text}` : line.text),
      );
    }
  }, [video, lines, startMs]);
}
