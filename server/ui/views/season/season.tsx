import './season.css';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DayRange, Place } from '../../base/address.ts';
import { focusContent } from '../../base/browser.ts';
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
import { usePreferences } from '../../base/preferences.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { boundsOf } from '../../data/events.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import {
  countSeason,
  eventsAround,
  filterOf,
  isSeasonRead,
  isType,
  type Kind,
  type SeasonCount,
} from './counts.ts';
import { useKindName } from './kind-name.ts';
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

/** Returns the days of a range that can have events of a kind. */
export function daysOfKind({ first, end }: Days, kind: Kind | null, today: Day): Days {
  if (kind === 'past') return { first, end: end < today ? end : today };
  return kind === 'coming' && first < today ? { first: today, end } : { first, end };
}

/** Shows the events of a part of the chart in the agenda, as a new history entry. */
function showInAgenda(days: DayRange, kind: Kind | null): void {
  goTo({ view: 'agenda', period: days, day: days.from, ...(kind && filterOf(kind)) });
  // The focused button disappears with the chart.
  focusContent();
}

function Legend({
  count,
  onChoose,
}: {
  readonly count: SeasonCount;
  readonly onChoose: (kind: Kind) => void;
}) {
  const nameOf = useKindName();
  const formats = useFormats();
  return (
    <ul className="season-legend">
      {count.kinds.map(({ kind, count: number }) => (
        <li key={kind}>
          <button type="button" disabled={number === 0} onClick={() => onChoose(kind)}>
            <span className="season-swatch season-fill" data-kind={kind} />
            {isType(kind) && <TypeMark type={kind === 'none' ? null : kind} />}
            {nameOf(kind)} <b>{formats.number(number)}</b>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The message for an empty season, with buttons for the nearest seasons with events. */
function EmptySeason({ season }: { readonly season: Season }) {
  const { t } = useTranslation('season');
  const { events, all, today } = useVisibleEvents();
  const { seasonStart } = usePreferences();
  const { before, after } = eventsAround(events, season);
  const nearestSeasons = [before, after].flatMap((event) =>
    event === undefined ? [] : seasonOf(dayOf(event.date), seasonStart),
  );
  const hasOthers =
    all !== undefined && countSeason(all.events, season, { by: 'status', today }).total > 0;
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
  const { seasonStart } = usePreferences();
  return (days: Days, kind: Kind | null) => {
    const possible = daysOfKind(days, kind, today);
    showInAgenda(daysWithin(possible, { period, today, seasonStart }), kind);
  };
}

export function SeasonView() {
  const { t } = useTranslation('season');
  const { events, source, today } = useVisibleEvents();
  const { day } = usePlace();
  const { seasonStart, seasonBy } = usePreferences();
  const season = useMemo(() => seasonOf(day ?? today, seasonStart), [day, today, seasonStart]);
  const count = useMemo(
    () => countSeason(events, season, { by: seasonBy, today }),
    [events, season, seasonBy, today],
  );
  const choose = useChoice();
  const chooseMonth = (month: Day, kind: Kind | null) =>
    choose({ first: month, end: addMonths(month, 1) }, kind);
  const isRead = source !== undefined && isSeasonRead(source, season);
  return (
    <div className="season">
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
  );
}
