import './days.css';
import { useViewportSize } from '@mantine/hooks';
import {
  memo,
  type ReactNode,
  type RefObject,
  use,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { addDays, type Day, monthOf, partsOf } from '../../../dates/days.ts';
import { byDate } from '../../../event/places.ts';
import type { Event } from '../../../http/contract.ts';
import { useSize } from '../../base/browser.ts';
import { useClock } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { useTexts } from '../../base/i18n.ts';
import { typeClass } from '../../base/type-mark.tsx';
import { useClubSettings } from '../../data/club-settings.ts';
import { useDaysOff } from '../../data/days-off.ts';
import { type DraftEvent, isDraft, useDraftEvents } from '../../data/editor.ts';
import { isLooked, openLooked } from '../../data/followed.ts';
import { useLookedEvents } from '../../data/visible-events.tsx';
import type { Contents, Lane } from './contents.ts';
import { Bar, DayItem, ItemText, MoreItem, SurroundingsContext, useDayName } from './day-item.tsx';
import { groupByHours, type Hours, hoursOf, rowsOf } from './hours.ts';
import { weeksOf, withinTime } from './range.ts';

/** Number of events that a day shows at most, and in a full month at least. */
const maxRoom = 12;
const minRoom = 2;

/** Returns the number of events that the days of a month may show, so that it fits the window. */
function useRoom(table: RefObject<HTMLElement | null>, { span, byDay }: Contents): number {
  const [limit, setLimit] = useState(maxRoom);
  const { height } = useViewportSize();
  const width = useSize(table)?.width;
  const basis = useRef<readonly unknown[]>([]);
  const { isList } = use(SurroundingsContext);
  const isFitted = span === 'month' && !isList;
  // A limit above the fullest day changes nothing.
  const fullest = Math.max(minRoom, ...[...byDay.values()].map(({ length }) => length));
  const room = Math.min(limit, fullest);
  useLayoutEffect(() => {
    const next = [byDay, isFitted, width, height];
    const isNew = next.some((value, at) => value !== basis.current[at]);
    basis.current = next;
    if (isNew && limit < maxRoom) setLimit(maxRoom);
    else if (isFitted && room > minRoom && table.current !== null) {
      const { bottom } = table.current.getBoundingClientRect();
      if (Math.floor(bottom + window.scrollY) > window.innerHeight) setLimit(room - 1);
    }
  });
  return room;
}

/** Returns the events that a day shows: the first ones, and the `kept` ones in any case. */
function shownEvents(events: readonly Event[], room: number, kept: Contents['kept']) {
  const hidden = events.slice(room).filter(({ id }) => kept.has(id));
  return [...events.slice(0, Math.max(0, room - hidden.length)), ...hidden];
}

const noEvents: readonly Event[] = [];
const noLanes: readonly Lane[] = [];
const noLooked: readonly DraftEvent[] = [];

type DayProps = {
  readonly day: Day;
  readonly today: Day;
  /** True if the day belongs to another month than the others. */
  readonly isOther: boolean;
  /** True for the first day of a week. */
  readonly isFirst: boolean;
  readonly isChosen: boolean;
  readonly events: readonly Event[];
  readonly lanes: readonly Lane[];
  readonly kept: Contents['kept'];
  /** Number of events that it may show. */
  readonly room: number;
  /** The event that is dragged over the day. */
  readonly landing: Event | undefined;
  /** The event in the form that has not been added yet. */
  readonly draft: DraftEvent | undefined;
  /** The events that the club only looks at. */
  readonly looked: readonly DraftEvent[];
  /** The hours of a week, at which its events stand; null in a month and in a list. */
  readonly hours: Hours | null;
  /** Its place among the days of its week, from 0. */
  readonly at: number;
};

/** The event in the form or of a proposal, where it will be once it is added. */
function DraftItem({ event }: { readonly event: DraftEvent }) {
  const { t } = useTexts(['agenda', 'proposals']);
  return (
    <div
      className={`calendar-event calendar-draft ${typeClass(event.eventType)}`}
      data-status={event.status}
    >
      <ItemText event={event} />
      <span className="only-spoken">
        , {t(event.isProposed ? 'proposals:proposedNew' : 'notAdded')}
      </span>
    </div>
  );
}

/** An event that the club only looks at. */
function LookedItem({ event }: { readonly event: DraftEvent }) {
  const { t } = useTexts('follow');
  return (
    <button
      type="button"
      className="calendar-event calendar-looked"
      data-looked={event.id}
      data-status={event.status}
      onClick={() => openLooked(event)}
    >
      <ItemText event={event} />
      <span className="only-spoken">, {t('lookedFrom', { name: event.lookedFrom })}</span>
    </button>
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

/** The events of a day at their hours, below those without a time. */
function HoursOfDay(props: {
  readonly events: readonly Event[];
  readonly hours: Hours;
  readonly above: ReactNode;
  readonly render: (event: Event) => ReactNode;
}) {
  const { events, hours, above, render } = props;
  const clock = useClock();
  const { usualLength } = useClubSettings();
  const { untimed, groups } = groupByHours(events, hours, clock, usualLength);
  // The first row is above the hours, and lines count from 1.
  const lineOf = (row: number) => row + 2;
  return (
    <>
      <div className="calendar-group calendar-untimed">
        {above}
        {untimed.map(render)}
      </div>
      {groups.map(({ events: group, row, end }) => (
        <div
          key={row}
          className="calendar-group"
          style={{ gridRow: `${lineOf(row)} / ${lineOf(end)}` }}
        >
          {group.map(render)}
        </div>
      ))}
    </>
  );
}

/** The hours beside a week, with a line through its days at each. */
function HourLines({ hours: { from, to } }: { readonly hours: Hours }) {
  const formats = useFormats();
  return (
    <td className="calendar-hours" aria-hidden>
      {Array.from({ length: to - from }, (_, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: hours stay in place
          key={at}
          className="small quiet figures calendar-hour"
          style={{ gridRow: `${at * 2 + 2} / span 2` }}
        >
          {formats.clock(`${String(from + at).padStart(2, '0')}:00`)}
        </span>
      ))}
    </td>
  );
}

const DayCell = memo(function DayCell({
  day,
  today,
  isOther,
  isFirst,
  isChosen,
  events,
  lanes,
  kept,
  room,
  landing,
  draft,
  looked,
  hours,
  at,
}: DayProps) {
  const shown = shownEvents(events, room, kept);
  const count = events.length;
  const { chosen } = use(SurroundingsContext);
  const daysOff = useDaysOff();
  const [holiday] = daysOff.namesOn(day);
  // Named once a week, as a holiday of weeks would fill the month with its name.
  const isNamed =
    isFirst || daysOff.isPublic(day) || !daysOff.namesOn(addDays(day, -1)).includes(holiday ?? '');
  const isOpen =
    isChosen ||
    shown.some(({ id }) => id === chosen) ||
    lanes.some((lane) => lane?.isFirst && lane.event.id === chosen);
  const cell = useRef<HTMLTableCellElement>(null);
  useLayoutEffect(() => {
    // A panel at the foot of the window may lie over its week.
    if (isOpen) cell.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const added = draft ? [...looked, draft] : looked;
  const items = added.length === 0 ? shown : [...shown, ...added].sort(byDate);
  const renderItem = (event: DraftEvent) => {
    if (isLooked(event)) return <LookedItem key={event.id} event={event} />;
    if (isDraft(event)) return <DraftItem key={event.id} event={event} />;
    return <DayItem key={event.id} day={day} event={event} isPast={day < today} />;
  };
  const top = (
    <>
      <div className="calendar-day-top">
        <DayLink day={day} isOther={isOther} count={count} />
        {holiday !== undefined && (
          <span className="calendar-holiday" dir="auto">
            <span className={isNamed ? undefined : 'only-spoken'}>{holiday}</span>
          </span>
        )}
      </div>
      {lanes.map((lane, at) =>
        lane === null ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a day stay in place
          <div key={at} className="calendar-lane" />
        ) : (
          <Bar key={lane.event.id} {...lane} today={today} />
        ),
      )}
    </>
  );
  return (
    <td
      ref={cell}
      data-date={day}
      className="calendar-day"
      data-other={isOther || undefined}
      data-off={holiday === undefined ? undefined : true}
      data-chosen={isChosen || undefined}
      data-empty={(count === 0 && lanes.length === 0 && added.length === 0) || undefined}
      data-landing={landing ? true : undefined}
      // The lines of the hours cross all columns, of which the first has their names.
      style={hours ? { gridColumn: at + 2 } : undefined}
      aria-current={day === today ? 'date' : undefined}
    >
      <div className="calendar-items">
        {hours === null ? (
          <>
            {top}
            {items.map(renderItem)}
          </>
        ) : (
          <HoursOfDay events={items} hours={hours} above={top} render={renderItem} />
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
export const Days = memo(function Days(
  props: Contents & {
    readonly today: Day;
    readonly landing: { readonly event: Event; readonly day: Day | null } | null;
    readonly label: string;
  },
) {
  const { today, landing, label, ...contents } = props;
  const clock = useClock();
  const { span, anchor, days, byDay, bars, kept, chosenDay } = contents;
  const { t } = useTexts('calendar');
  const formats = useFormats();
  const { isList } = use(SurroundingsContext);
  const timeLength = formats.clock('20:00').length;
  const drafts = useDraftEvents();
  const draftByDay = useMemo(
    () =>
      new Map(
        drafts.filter(({ isLeftOut }) => !isLeftOut).map((one) => [clock.dayOf(one.date), one]),
      ),
    [drafts, clock],
  );
  const looked = useLookedEvents();
  const lookedByDay = useMemo(
    () => Map.groupBy(looked, ({ date }) => clock.dayOf(date)),
    [looked, clock],
  );
  const isOther = (day: Day) => span === 'month' && monthOf(day) !== anchor;
  const table = useRef<HTMLTableElement>(null);
  const room = useRoom(table, contents);
  const { usualLength } = useClubSettings();
  const isWeek = span === 'week' && !isList;
  const hours = useMemo(() => {
    if (!isWeek) return null;
    const others = days.flatMap((day) => lookedByDay.get(day) ?? noLooked);
    return hoursOf([...[...byDay.values()].flat(), ...drafts, ...others], clock, usualLength);
  }, [isWeek, days, byDay, drafts, lookedByDay, clock, usualLength]);
  return (
    <>
      <table
        ref={table}
        className="calendar-days"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move by day
        role="grid"
        aria-label={label}
        data-span={span}
        data-list={isList || undefined}
        data-hours={isWeek || undefined}
        style={
          hours ? ({ '--rows': rowsOf(hours), '--time': `${timeLength}ch` } as object) : undefined
        }
      >
        <thead>
          <tr>
            {hours && <td className="calendar-weekday-name" aria-hidden />}
            {days.slice(0, 7).map((day) => (
              <th key={day} scope="col" className="calendar-weekday-name">
                <span aria-hidden>{formats.on('weekday', day)}</span>
                <span className="only-spoken">{formats.on('longWeekday', day)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(contents).map((week) => (
            <tr key={week}>
              {hours && <HourLines hours={hours} />}
              {Array.from({ length: 7 }, (_, at) => addDays(week, at)).map((day, at) => (
                <DayCell
                  key={day}
                  day={day}
                  today={today}
                  isOther={isOther(day)}
                  isFirst={day === week}
                  isChosen={day === chosenDay}
                  events={byDay.get(day) ?? noEvents}
                  lanes={bars.get(day) ?? noLanes}
                  kept={kept}
                  room={Math.min(room, byDay.get(day)?.length ?? 0)}
                  landing={landing?.day === day ? landing.event : undefined}
                  draft={draftByDay.get(day)}
                  looked={lookedByDay.get(day) ?? noLooked}
                  hours={hours}
                  at={at}
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
