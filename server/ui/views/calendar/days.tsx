import './days.css';
import { memo, use } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../contract.ts';
import { addDays, type Day, dayOf, monthOf, partsOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { typeClass } from '../../base/type-mark.tsx';
import { draftId, useDraftEvent } from '../../data/editor.ts';
import { indexOfEvent } from '../../data/events.ts';
import type { Contents, DayContents } from './contents.ts';
import { DayItem, ItemText, MoreItem, SurroundingsContext, useDayName } from './day-item.tsx';
import { withinTime } from './range.ts';

const noEvents: DayContents = { shown: [], count: 0 };

type DayProps = {
  readonly day: Day;
  readonly today: Day;
  /** True if the day belongs to another month than the others. */
  readonly isOther: boolean;
  readonly isChosen: boolean;
  readonly contents: DayContents;
  /** The event that is dragged over the day. */
  readonly landing: Event | undefined;
  /** The event in the form that has not been added yet. */
  readonly draft: Event | undefined;
};

/** The event in the form, where it will be once it is added. */
function DraftItem({ event }: { readonly event: Event }) {
  const { t } = useTranslation('agenda');
  return (
    <div
      className={`calendar-event calendar-draft ${typeClass(event.eventType)}`}
      data-status={event.status}
    >
      <ItemText event={event} />
      <span className="only-spoken">, {t('notAdded')}</span>
    </div>
  );
}

/** The number of a day, in a list with its weekday. */
function DayLink({ day, isOther, count }: { day: Day; isOther: boolean; count: number }) {
  const formats = useFormats();
  const name = useDayName();
  const { isList, openDay } = use(SurroundingsContext);
  const { date } = partsOf(day);
  const number = isOther && date === 1 ? formats.on('shortDayInYear', day) : String(date);
  const text = isList ? `${formats.on('weekday', day)} ${number}` : number;
  if (withinTime(day) === null) return <span className="calendar-day-link">{text}</span>;
  const isPartOfName = text === String(date);
  return (
    <button
      type="button"
      className="calendar-day-link"
      aria-haspopup="dialog"
      aria-label={isPartOfName ? name(day, count) : `${text}, ${name(day, count)}`}
      onClick={() => openDay(day)}
    >
      {text}
    </button>
  );
}

const DayCell = memo(function DayCell({
  day,
  today,
  isOther,
  isChosen,
  contents: { shown, count },
  landing,
  draft,
}: DayProps) {
  const items = draft ? shown.toSpliced(indexOfEvent(shown, draft), 0, draft) : shown;
  return (
    <td
      data-date={day}
      className="calendar-day"
      data-other={isOther || undefined}
      data-chosen={isChosen || undefined}
      data-empty={(count === 0 && !draft) || undefined}
      data-landing={landing ? true : undefined}
      aria-current={day === today ? 'date' : undefined}
    >
      <div className="calendar-items">
        <DayLink day={day} isOther={isOther} count={count} />
        {items.map((event) =>
          event.id === draftId ? (
            <DraftItem key={event.id} event={event} />
          ) : (
            <DayItem key={event.id} day={day} event={event} isPast={day < today} />
          ),
        )}
        {count > shown.length && <MoreItem day={day} count={count - shown.length} />}
      </div>
      {landing && (
        <div className={`calendar-event calendar-landing ${typeClass(landing.eventType)}`}>
          <ItemText event={landing} />
        </div>
      )}
    </td>
  );
});

/** The days of a month or a week, in rows of weeks. As a list, days without events are hidden. */
export const Days = memo(function Days({
  span,
  anchor,
  days,
  byDay,
  chosenDay,
  today,
  landing,
  label,
}: Contents & {
  readonly today: Day;
  readonly landing: { readonly event: Event; readonly day: Day | null } | null;
  readonly label: string;
}) {
  const { t } = useTranslation('calendar');
  const formats = useFormats();
  const { isList } = use(SurroundingsContext);
  const draft = useDraftEvent();
  const dayOfDraft = draft && dayOf(draft.date);
  const isOther = (day: Day) => span === 'month' && monthOf(day) !== anchor;
  const weeks = days.filter((_, index) => index % 7 === 0);
  return (
    <>
      <table
        className="calendar-days"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move by day
        role="grid"
        aria-label={label}
        data-span={span}
        data-list={isList || undefined}
      >
        <thead>
          <tr>
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col" className="calendar-weekday-name">
                <span aria-hidden>{formats.on('weekday', day)}</span>
                <span className="only-spoken">{formats.on('longWeekday', day)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week}>
              {Array.from({ length: 7 }, (_, at) => addDays(week, at)).map((day) => (
                <DayCell
                  key={day}
                  day={day}
                  today={today}
                  isOther={isOther(day)}
                  isChosen={day === chosenDay}
                  contents={byDay.get(day) ?? noEvents}
                  landing={landing?.day === day ? landing.event : undefined}
                  draft={draft !== null && dayOfDraft === day ? draft : undefined}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {isList && byDay.size === 0 && (
        <p className="calendar-nothing">
          {t(span === 'week' ? 'nothingInWeek' : 'nothingInMonth')}
        </p>
      )}
    </>
  );
});
