import type { DaySummary } from '../../../core/contract/router.ts';
import { roughDuration } from '../../format/amount.ts';
import { dayShort, monthTitle } from '../../format/time.ts';
import { usePlace } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';

/** All days with footage, newest first, under their months. */
export function DayList({ days, shown }: { days: DaySummary[]; shown: string }) {
  const { locale } = usePlace();
  const months = new Map<string, DaySummary[]>();
  for (const day of days) {
    const month = day.day.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), day]);
  }
  return (
    <nav className="day-list" aria-label={strings.days.list}>
      {[...months.values()].map((inMonth) => (
        <section key={inMonth[0]!.day} className="day-list-month">
          <h2>{monthTitle(inMonth[0]!.day, locale)}</h2>
          <ul>
            {inMonth.map((day) => (
              <li key={day.day}>
                <a
                  href={hashOf({ page: 'days', day: day.day, episodeId: null })}
                  aria-current={day.day === shown ? 'date' : undefined}
                >
                  <span className="day-name">{dayShort(day.day, locale)}</span>
                  <span className="day-line">
                    {strings.days.dayLine(strings.episodes(day.episodes), roughDuration(day.seconds, locale))}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
