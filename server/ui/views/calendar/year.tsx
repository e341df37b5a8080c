import './year.css';
import { memo, use, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, addMonths, type Day, partsOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo, usePlace } from '../../base/navigation.ts';
import type { Contents } from './contents.ts';
import { SurroundingsContext, useDayName } from './day-item.tsx';
import { rangeOf } from './range.ts';

type DayMarks = Pick<Contents, 'byDay' | 'chosenDay'> & { readonly today: Day };

/** Number of events from which a day is highlighted. */
const many = 4;

function YearDay({ day, byDay, today, chosenDay }: DayMarks & { readonly day: Day }) {
  const nameOf = useDayName();
  const formats = useFormats();
  const { openDay } = use(SurroundingsContext);
  const count = byDay.get(day)?.count ?? 0;
  return (
    <td data-date={day} aria-current={day === today ? 'date' : undefined}>
      <button
        type="button"
        className="calendar-day-link"
        aria-haspopup="dialog"
        aria-label={nameOf(day, count)}
        data-chosen={day === chosenDay || undefined}
        onClick={() => openDay(day)}
      >
        <span className="calendar-number">{partsOf(day).date}</span>
        {count > 0 && (
          // CSS shows the number: as text it would repeat the accessible name of the day.
          <span
            className="calendar-count"
            data-count={formats.number(count)}
            data-many={count >= many || undefined}
          />
        )}
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

/** The months of a year with the number of events on each day. */
export const Year = memo(function Year({
  anchor,
  byDay,
  chosenDay,
  today,
  weekStart,
}: DayMarks & Pick<Contents, 'anchor'> & { readonly weekStart: number }) {
  const { day } = usePlace();
  const year = useRef<HTMLDivElement>(null);
  const first = day ?? today;
  // Only when the year changes: later the user may have scrolled to another month.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see the line above
  useLayoutEffect(() => {
    const cell = year.current?.querySelector(`[data-date="${first}"]`);
    cell?.closest('table')?.scrollIntoView({ block: 'nearest' });
  }, [anchor]);
  return (
    <div ref={year} className="calendar-year">
      {Array.from({ length: 12 }, (_, at) => addMonths(anchor, at)).map((month) => (
        <YearMonth
          key={month}
          month={month}
          byDay={byDay}
          chosenDay={chosenDay}
          today={today}
          weekStart={weekStart}
        />
      ))}
    </div>
  );
});
