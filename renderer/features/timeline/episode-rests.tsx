import type { Episode } from '../../../core/contract/episode.ts';
import { percent } from '../../format/amount.ts';
import { clockTime } from '../../format/time.ts';
import { usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

/** What an episode rests on: what was said and read, and each claim with its source and how sure it is. */
export function EpisodeRests({ episode }: { episode: Episode }) {
  const { locale } = usePlace();
  const { record, zone } = episode;
  return (
    <>
      {record.transcript.length > 0 ? (
        <section className="rests">
          <h3>{strings.episode.transcript}</h3>
          <ul className="said">
            {record.transcript.map((line) => (
              <li key={`${line.startMs}-${line.text}`}>
                <time>{clockTime(line.startMs, zone, locale, true)}</time>
                <span>
                  <b>{line.speaker ?? strings.episode.unknownSpeaker}</b> <q>{line.text}</q>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {record.visibleText.length > 0 ? (
        <section className="rests">
          <h3>{strings.episode.visibleText}</h3>
          <ul className="said">
            {record.visibleText.map((seen) => (
              <li key={`${seen.firstMs}-${seen.text}`}>
                <time>{clockTime(seen.firstMs, zone, locale, true)}</time>
                <span>
                  <q>{seen.text}</q> <small>{strings.episode.sure(percent(seen.confidence, locale))}</small>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {record.claims.length > 0 ? (
        <details className="rests" open={record.claims.length <= FEW_CLAIMS}>
          <summary>{strings.episode.claims}</summary>
          <ul className="claims">
            {record.claims.map((claim) => (
              <li key={`${claim.source}-${claim.atMs}-${claim.text}`}>
                <span>{claim.text}</span>
                <small>
                  {strings.episode.source[claim.source]},{' '}
                  {strings.episode.sure(percent(claim.confidence, locale))}
                </small>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      <p className="writer">{strings.episode.writer(episode.writer.name, episode.writer.version)}</p>
    </>
  );
}

/** Up to so many claims are shown without asking. */
const FEW_CLAIMS = 6;
