import './year.css';
import { type CSSProperties, memo, use } from 'react';
import { addDays, addMonths, type Day, monthOf, partsOf } from '../../../dates/days.ts';
import { focusContent } from '../../base/browser.ts';
import { useFormats } from '../../base/format.ts';
import { useTexts } from '../../base/i18n.ts';
import { goTo } from '../../base/navigation.ts';
import { TypeMark, typeClass } from '../../base/type-mark.tsx';
import { useDaysOff } from '../../data/days-off.ts';
import type { Contents } from './contents.ts';
import { SurroundingsContext, useDayName } from './day-item.tsx';
import { type Range, rangeOf, weeksOf, withinTime } from './range.ts';

type YearProps = Pick<Contents, 'byDay' | 'chosenDay'> & { readonly today: Day };

/** Maximum number of shapes of a day. */
const maxMarks = 3;

function YearDay({ day, byDay, today, chosenDay }: YearProps & { readonly day: Day }) {
  const { t } = useTexts(['calendar', 'event']);
  const nameOf = useDayName();
  const { openDay } = use(SurroundingsContext);
  const events = byDay.get(day) ?? [];
  const [first] = events;
  const types = new Set(events.map(({ eventType }) => t(`event:${eventType ?? 'none'}`)));
  const holidays = useDaysOff().namesOn(day);
  const name = [
    nameOf(day, events.length),
    ...holidays,
    ...types,
    ...(day === today ? [t('today')] : []),
  ];
  return (
    <td
      data-date={day}
      data-off={holidays.length > 0 || undefined}
      aria-current={day === today ? 'date' : undefined}
    >
      <button
        type="button"
        className={`calendar-day-link ${first ? typeClass(first.eventType) : ''}`}
        aria-label={name.join(', ')}
        data-full={first ? true : undefined}
        data-past={day < today || undefined}
        data-chosen={day === chosenDay || undefined}
        onClick={() => openDay(day)}
      >
        <span className="calendar-number">{partsOf(day).date}</span>
        <span className="row calendar-marks">
          {events.slice(0, maxMarks).map(({ id, eventType }) => (
            <TypeMark key={id} type={eventType} />
          ))}
        </span>
      </button>
    </td>
  );
}

/** A month of a year in its own weeks; the cells of other months are empty. */
function YearMonth({ range, ...marked }: YearProps & { readonly range: Range }) {
  const { t } = useTexts(['calendar', 'event']);
  const formats = useFormats();
  const { anchor: month, days } = range;
  const isWithin = (day: Day) => monthOf(day) === month;
  const name = formats.on('month', month);
  const count = days.reduce(
    (sum, day) => sum + (isWithin(day) ? (marked.byDay.get(day)?.length ?? 0) : 0),
    0,
  );
  const open = () => {
    goTo({ span: 'month', day: month });
    // The focused button disappears.
    focusContent();
  };
  return (
    <section aria-label={name}>
      <div className="titled calendar-month-head">
        <h3>
          <button type="button" aria-label={t('openMonth', { month: name })} onClick={open}>
            {name}
          </button>
        </h3>
        <span className="small quiet">
          {t('event:number', { count, shown: formats.number(count) })}
        </span>
      </div>
      <table className="month-table calendar-month" aria-label={name}>
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col">
                <span aria-hidden>{formats.on('narrowWeekday', day)}</span>
                <span className="only-spoken">{formats.on('longWeekday', day)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(range).map((week) => (
            <tr key={week}>
              {Array.from({ length: 7 }, (_, at) => addDays(week, at)).map((day) =>
                isWithin(day) && withinTime(day) ? (
                  <YearDay key={day} day={day} {...marked} />
                ) : (
                  <td key={day} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Number of months side by side in a wide window. */
const monthsPerRow = 4;

/** Returns the height of the months below each other, in weeks, in a wide window. */
function heightInWeeks(months: readonly Range[]): number {
  const lengths = months.map((month) => weeksOf(month).length);
  const rows = lengths.filter((_, at) => at % monthsPerRow === 0);
  return rows.reduce((sum, _, row) => {
    const ofRow = lengths.slice(row * monthsPerRow, (row + 1) * monthsPerRow);
    return sum + Math.max(...ofRow);
  }, 0);
}

/** The twelve months of a season, with the types of the events on each day. */
export const Year = memo(function Year(
  props: YearProps & Pick<Contents, 'anchor'> & { readonly weekStart: number },
) {
  const { anchor, weekStart, ...marked } = props;
  const months = Array.from({ length: 12 }, (_, at) =>
    rangeOf('month', addMonths(anchor, at), weekStart),
  );
  return (
    <div className="calendar-year" style={{ '--weeks': heightInWeeks(months) } as CSSProperties}>
      {months.map((range) => (
        <YearMonth key={range.anchor} range={range} {...marked} />
      ))}
    </div>
  );
});
