import './year.css';
import { memo, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, addMonths, type Day, partsOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo, usePlace } from '../../base/navigation.ts';
import { DayCount, useDayName } from './day-item.tsx';
import { rangeOf } from './range.ts';

type DayMarks = {
  readonly counts: ReadonlyMap<Day, number>;
  readonly today: Day;
  readonly chosenDay: Day | null;
};

function YearDay({ day, counts, today, chosenDay }: DayMarks & { readonly day: Day }) {
  const nameOf = useDayName();
  const count = counts.get(day) ?? 0;
  const isToday = day === today;
  return (
    <td
      data-date={day}
      className={isToday ? 'calendar-today' : undefined}
      aria-current={isToday ? 'date' : undefined}
    >
      <button
        type="button"
        className="calendar-day-link"
        aria-label={nameOf(day, count)}
        aria-pressed={day === chosenDay || undefined}
        tabIndex={-1}
        onClick={() => goTo({ view: 'agenda', day })}
      >
        <DayCount number={String(partsOf(day).date)} count={count} />
      </button>
    </td>
  );
}

/** One month of a year in whole weeks; the cells of other months are empty. */
function YearMonth({
  month,
  weekStart,
  ...marked
}: DayMarks & { readonly month: Day; readonly weekStart: number }) {
  const { t } = useTranslation('calendar');
  const formats = useFormats();
  const { days } = rangeOf('month', month, weekStart);
  const name = formats.on('month', month);
  const weeks = Array.from({ length: 6 }, (_, week) => addDays(days[0] as Day, week * 7));
  return (
    <table className="calendar-month" aria-label={name}>
      <caption>
        <button
          type="button"
          aria-label={t('openMonth', { month: name })}
          onClick={() => goTo({ span: 'month', day: month })}
        >
          {name}
        </button>
      </caption>
      <thead>
        <tr>
          {days.slice(0, 7).map((day) => (
            <th key={day} scope="col">
              {formats.on('weekday', day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week}>
            {Array.from({ length: 7 }, (_, at) => addDays(week, at)).map((day) =>
              day.slice(0, -3) === month.slice(0, -3) ? (
                <YearDay key={day} day={day} {...marked} />
              ) : (
                <td key={day} />
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * The months of a year with the number of events on each day. FullCalendar's own year would take
 * several frames to measure its days for events that are not shown here.
 */
export const Year = memo(function Year({
  anchor,
  ...rest
}: DayMarks & { readonly anchor: Day; readonly weekStart: number }) {
  const { day } = usePlace();
  const year = useRef<HTMLDivElement>(null);
  const first = day ?? rest.today;
  // Only when the year changes: later the user may have scrolled to another month.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see the line above
  useLayoutEffect(() => {
    const cell = year.current?.querySelector(`[data-date="${first}"]`);
    cell?.closest('table')?.scrollIntoView({ block: 'nearest' });
  }, [anchor]);
  return (
    <div ref={year} className="calendar-year">
      {Array.from({ length: 12 }, (_, at) => addMonths(anchor, at)).map((month) => (
        <YearMonth key={month} month={month} {...rest} />
      ))}
    </div>
  );
});
