import './season.css';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DayRange, Place } from '../../base/address.ts';
import {
  addDays,
  addMonths,
  type Day,
  dayOf,
  type Season,
  seasonName,
  seasonOf,
} from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo, usePlace } from '../../base/navigation.ts';
import { type SeasonBy, usePreferences } from '../../base/preferences.ts';
import { boundsOf } from '../../data/events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { countSeason, eventsAround, isSeasonRead, type Kind, type SeasonCount } from './counts.ts';
import { SeasonChart } from './season-chart.tsx';
import { SeasonHead } from './season-head.tsx';
import { SeasonTable } from './season-table.tsx';

/** Range of days; `end` is exclusive. */
export type Days = { readonly first: Day; readonly end: Day };

/** Returns the part of a range that lies in the chosen period: the days that the chart counts. */
export function daysWithin(
  { first, end }: Days,
  {
    period,
    today,
    seasonStart,
  }: Pick<Place, 'period'> & {
    readonly today: Day;
    readonly seasonStart: number;
  },
): DayRange {
  const bounds = boundsOf(period, today, seasonStart);
  const from = bounds.from === null ? first : dayOf(bounds.from);
  // The end of the year 9999 is not a timestamp; see `startOf`.
  const isOpen = bounds.to === null || Number.isNaN(Date.parse(bounds.to));
  const to = isOpen ? end : dayOf(bounds.to as string);
  return { from: from > first ? from : first, to: addDays(to < end ? to : end, -1) };
}

/** Shows the events of a part of the chart in the agenda, as a new history entry. */
export function showInAgenda(days: DayRange, kind: Kind | null, by: SeasonBy): void {
  const chosen =
    kind === null ? {} : ((by === 'status' ? { statuses: [kind] } : { types: [kind] }) as object);
  goTo({ view: 'agenda', period: days, day: days.from, ...chosen });
  // The focused button disappears with the chart.
  document.getElementById('events')?.focus();
}

function Legend({
  count,
  onChoose,
}: {
  readonly count: SeasonCount;
  readonly onChoose: (kind: Kind) => void;
}) {
  const { t } = useTranslation('event');
  const formats = useFormats();
  return (
    <ul className="season-legend">
      {count.kinds.map(({ kind, count: number }) => (
        <li key={kind}>
          <button type="button" disabled={number === 0} onClick={() => onChoose(kind)}>
            <span className="season-swatch season-fill" data-kind={kind} />
            {t(kind)} <b>{formats.number(number)}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The message for an empty season, with buttons for the nearest seasons with events. */
function EmptySeason({ season }: { readonly season: Season }) {
  const { t } = useTranslation('season');
  const { events, all } = useVisibleEvents();
  const { seasonStart } = usePreferences();
  const { before, after } = eventsAround(events, season);
  const nearestSeasons = [before, after].flatMap((event) =>
    event === undefined ? [] : seasonOf(dayOf(event.date), seasonStart),
  );
  const hasOthers = all !== undefined && countSeason(all.events, season, 'status').total > 0;
  return (
    <div className="season-empty">
      <p>{t(hasOthers ? 'noMatch' : 'empty', { name: seasonName(season) })}</p>
      {nearestSeasons.map((other) => (
        <Button key={other.first} variant="default" onClick={() => goTo({ day: other.first })}>
          {t('goTo', { name: seasonName(other) })}
        </Button>
      ))}
    </div>
  );
}

/** Returns a function that lists the counted events of a range in the agenda. */
function useChoice() {
  const { period } = usePlace();
  const { today } = useVisibleEvents();
  const { seasonStart, seasonBy } = usePreferences();
  return (days: Days, kind: Kind | null) =>
    showInAgenda(daysWithin(days, { period, today, seasonStart }), kind, seasonBy);
}

export function SeasonView() {
  const { t } = useTranslation('season');
  const { events, source, today } = useVisibleEvents();
  const { day } = usePlace();
  const { seasonStart, seasonBy } = usePreferences();
  const season = useMemo(() => seasonOf(day ?? today, seasonStart), [day, today, seasonStart]);
  const count = useMemo(() => countSeason(events, season, seasonBy), [events, season, seasonBy]);
  const choose = useChoice();
  const chooseMonth = (month: Day, kind: Kind | null) =>
    choose({ first: month, end: addMonths(month, 1) }, kind);
  const isRead = source !== undefined && isSeasonRead(source, season);
  return (
    <div className="season">
      <div className="season-page">
        <SeasonHead season={season} total={count.total} />
        {!isRead && <p role="status">{t('reading')}</p>}
        {isRead && count.total === 0 && <EmptySeason season={season} />}
        {count.total > 0 && (
          <>
            <Legend count={count} onChoose={(kind) => choose(season, kind)} />
            <SeasonChart count={count} today={today} onChoose={chooseMonth} />
            <SeasonTable
              count={count}
              name={seasonName(season)}
              onChoose={(month) => chooseMonth(month, null)}
            />
          </>
        )}
      </div>
    </div>
  );
}
