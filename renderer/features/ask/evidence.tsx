import type { Footnote } from '../../../core/contract/reading.ts';
import { roughDuration } from '../../format/amount.ts';
import { clockTime, dayOf, daysBetween, dayTitle, isoInstant } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { Keyframe } from '../../ui/keyframe.tsx';
import { FootnotePlayer } from './footnote-player.tsx';

/** A pause between two footnotes is drawn from this length on, ms; the first issue of seconds is not worth a mark. */
const SHOWN_GAP_MS = 60_000;

/** The cited episodes in the margin, in time order, with day and gap marks. */
export function Evidence({ turnId, footnotes }: { turnId: string; footnotes: Footnote[] }) {
  const ordered = [...footnotes].sort((a, b) => a.startMs - b.startMs || a.number - b.number);
  return (
    <aside className="evidence" aria-label={strings.ask.evidence}>
      <ol className="footnotes">
        {ordered.map((footnote, index) => (
          <EvidenceItem
            key={footnote.number}
            turnId={turnId}
            footnote={footnote}
            before={ordered[index - 1] ?? null}
            all={ordered}
          />
        ))}
      </ol>
    </aside>
  );
}

type ItemProps = { turnId: string; footnote: Footnote; before: Footnote | null; all: Footnote[] };

function EvidenceItem({ turnId, footnote, before, all }: ItemProps) {
  const { locale } = usePlace();
  const open = useApp((s) => s.player?.turnId === turnId && s.player.number === footnote.number);
  const playFootnote = useApp((s) => s.playFootnote);
  const time = clockTime(footnote.atMs, footnote.zone, locale);
  const day = dayOf(footnote.atMs, footnote.zone);
  const buttonId = `${turnId}-footnote-${footnote.number}`;
  return (
    <li className={open ? 'footnote footnote-open' : 'footnote'}>
      <TimeMark before={before} footnote={footnote} day={day} />
      {open ? (
        <FootnotePlayer turnId={turnId} footnote={footnote} all={all} />
      ) : (
        <button
          id={buttonId}
          type="button"
          className="footnote-open-button"
          aria-label={strings.ask.play(footnote.number, time)}
          onClick={() => playFootnote(turnId, footnote.number, buttonId)}
        >
          <Keyframe mediaId={footnote.keyframe} alt={strings.episode.keyframeAlt(time, footnote.text)} />
        </button>
      )}
      <p className="footnote-text">
        <span className="footnote-number" aria-hidden="true">
          {footnote.number}
        </span>
        <time className="footnote-time" dateTime={isoInstant(footnote.atMs)}>
          {time}
        </time>{' '}
        <q className="footnote-words">{footnote.text}</q>{' '}
        <a
          className="footnote-link"
          href={hashOf({ page: 'days', day, episodeId: footnote.episodeId })}
          aria-label={`${strings.ask.openEpisode}, ${time}`}
        >
          {strings.ask.openEpisode}
        </a>
      </p>
    </li>
  );
}

/** The day when it changes, else the pause since the footnote before. */
function TimeMark({ before, footnote, day }: { before: Footnote | null; footnote: Footnote; day: string }) {
  const { locale } = usePlace();
  const dayBefore = before ? dayOf(before.atMs, before.zone) : null;
  if (dayBefore === null || daysBetween(dayBefore, day) !== 0) {
    return <p className="day-mark">{dayTitle(day, locale)}</p>;
  }
  const gapMs = before ? footnote.startMs - before.endMs : 0;
  if (gapMs < SHOWN_GAP_MS) return null;
  return <p className="gap-mark">{strings.days.gap(roughDuration(gapMs / 1000, locale))}</p>;
}
