import {
  Calendar,
  type DayCellInfo,
  type EventDisplayInfo,
  type EventInput,
  joinClassNames,
} from '@fullcalendar/react';
import dayGrid from '@fullcalendar/react/daygrid';
import list from '@fullcalendar/react/list';
import de from '@fullcalendar/react/locales/de';
import fr from '@fullcalendar/react/locales/fr';
import nl from '@fullcalendar/react/locales/nl';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { goTo } from '../../base/navigation.ts';
import type { DayContents, DayItem } from './contents.ts';
import { DayCount, DayItemView, useDayName } from './day-item.tsx';
import type { CalendarLayout } from './range.ts';
import { shiftYears, withinTime, yearsAhead } from './range.ts';

const plugins = [dayGrid, list];
const locales = [de, fr, nl];

const toInput = (item: DayItem, order: number, years: number): EventInput => ({
  id: `${item.day} ${item.kind === 'event' ? item.event.id : item.kind}`,
  start: shiftYears(item.day, years),
  allDay: true,
  extendedProps: { item, order },
});

const showItem = ({ event }: EventDisplayInfo) => (
  <DayItemView item={event.extendedProps['item'] as DayItem} />
);

export const Days = memo(function Days({
  view,
  layout,
  anchor,
  today,
  weekStart,
  items,
  counts,
  chosenDay,
}: DayContents & {
  readonly view: Exclude<CalendarLayout['view'], 'year'>;
  readonly today: Day;
  readonly weekStart: number;
}) {
  const showsCounts = layout.room === null;
  const { t, i18n } = useTranslation('calendar');
  const formats = useFormats();
  const nameOf = useDayName();
  const years = yearsAhead(anchor);
  // FullCalendar gets only days, never times, and treats them as days in UTC.
  const dayAt = (date: Date): Day => shiftYears(date.toISOString().slice(0, 10), -years);
  const events = useMemo(
    () => items.map((item, order) => toInput(item, order, years)),
    [items, years],
  );

  const showTop = ({ date, dayNumberText }: DayCellInfo) => (
    <DayCount number={dayNumberText} count={showsCounts ? (counts.get(dayAt(date)) ?? 0) : 0} />
  );

  const dayClass = ({ date, isToday, isOther }: DayCellInfo) =>
    joinClassNames(
      'calendar-day',
      isToday && 'calendar-today',
      isOther && 'calendar-other',
      dayAt(date) === chosenDay && 'calendar-chosen',
    );

  return (
    <Calendar
      key={`${view} ${anchor}`}
      plugins={plugins}
      initialView={view}
      initialDate={shiftYears(anchor, years)}
      now={shiftYears(today, years)}
      timeZone="UTC"
      locales={locales}
      locale={i18n.language}
      firstDay={weekStart}
      height="100%"
      headerToolbar={false}
      fixedWeekCount={false}
      events={events}
      eventOrder="order"
      eventInteractive={false}
      eventContent={showItem}
      dayCellTopContent={showTop}
      navLinks
      navLinkHint={(_text: string, date: Date) => nameOf(dayAt(date), counts.get(dayAt(date)) ?? 0)}
      navLinkDayClick={(date: Date) => goTo({ view: 'agenda', day: withinTime(dayAt(date)) })}
      listDayHeaderInnerClass={({ level }) => level > 0 && 'calendar-list-date'}
      listDayHeaderContent={({ date }) => formats.on('longDay', dayAt(date))}
      noEventsContent={t('nothing')}
      dayCellClass={dayClass}
      dayCellTopClass="calendar-day-top"
      dayCellTopInnerClass="calendar-day-link"
      // The accessible names of FullCalendar's own headers would differ from their text.
      dayHeaders={view !== 'dayGridWeek'}
      dayHeaderAlign={showsCounts ? 'center' : 'start'}
      dayHeaderInnerClass="calendar-weekday-name"
      dayRowClass="calendar-week"
      tableHeaderClass="calendar-weekdays"
      listDayClass="calendar-list-day"
      listDayHeaderClass="calendar-list-head"
      rowEventClass={({ event }) =>
        (event.extendedProps['item'] as DayItem).kind !== 'head' && 'calendar-item'
      }
      listItemEventClass="calendar-item"
    />
  );
});
