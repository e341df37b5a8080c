import i18next from 'i18next';
import { type CSSProperties, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventType, typesByReach } from '../../../../db/model.ts';
import type { Clock } from '../../../dates/clock.ts';
import { type Day, monthOf, partsOf } from '../../../dates/days.ts';
import { createEventTimes } from '../../../event/times.ts';
import { noteOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { useClock } from '../../base/days.ts';
import { useEventTimes } from '../../base/event-words.ts';
import { formatsIn, useFormats, wordingOf } from '../../base/format.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { useDaysOff } from '../../data/days-off.ts';
import { eachMonth, filterEvents } from '../../data/event-queries.ts';
import { isNotable } from '../event/marks.tsx';
import type { Choices } from './print-choices.ts';

/** Length limits in UTF-16 code units, so that a row always fits on a page. */
const maxNameLength = 300;
const maxPlaceLength = 200;
const maxNoteLength = 160;

/** Joins lines to one, with a dot between them where the first has no punctuation mark at its end. */
function joinLines(lines: readonly string[]): string {
  return lines.reduce((text, line) => {
    if (text === '' || line === '') return text + line;
    return `${text}${/[.,;:!?…]$/.test(text) ? ' ' : ' · '}${line}`;
  }, '');
}

export function shorten(text: string, maxLength: number): string {
  const line = joinLines(text.trim().split(/\s*\n\s*/)).replace(/\s+/g, ' ');
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).trimEnd()}…`;
}

/** Returns the events that the choices include, from one day to another. */
export function chosenEvents(
  clock: Clock,
  events: readonly Event[],
  { types, drafts, cancelled }: Choices,
  { first, last }: { readonly first: Day; readonly last: Day },
): readonly Event[] {
  const bounds = { from: first, to: last };
  return filterEvents(events, {
    clock,
    statuses: [],
    types,
    bounds,
    ids: null,
    inTeam: null,
  }).filter(
    ({ status }) => (drafts || status !== 'draft') && (cancelled || status !== 'cancelled'),
  );
}

/** Returns the types of events, if there are several. */
export function severalTypes(events: readonly Event[]): readonly EventType[] {
  const found = new Set(events.map(({ eventType }) => eventType));
  return found.size < 2 ? [] : typesByReach.filter((type) => found.has(type));
}

/** The texts of an event. */
export type Entry = {
  readonly id: number;
  readonly day: Day;
  readonly weekday: string;
  readonly date: string;
  readonly time: string;
  readonly name: string;
  /** "Cancelled" or "Draft"; empty for any other status. */
  readonly status: string;
  readonly place: string;
  readonly note: string;
  readonly isCancelled: boolean;
  /** True for a holiday of the club among its events. */
  readonly isOff?: true;
  readonly type: EventType | null;
};

/** Entries below a heading. */
export type Group = { readonly title: string; readonly entries: readonly Entry[] };

/** Properties that all rows of a sheet share, so that a row is as high on each page. */
export type RowStyle = {
  /** True to show the marks of types. */
  readonly hasMarks: boolean;
  /** Length of the longest time of day, in characters. */
  readonly timeLength: number;
};

/** Returns the style for rows; marks are only useful where there are several types. */
export function styleOf(entries: readonly Entry[], types: readonly (EventType | null)[]): RowStyle {
  const timeLength = entries.reduce((most, { time }) => Math.max(most, time.length), 0);
  return { hasMarks: types.length > 0, timeLength };
}

/** Returns the text below the name; the place of a cancelled event is no longer of interest. */
function detailsOf({ status, place, note, isCancelled }: Entry): string {
  return joinLines([status, isCancelled ? '' : place, note]);
}

function Row({ entry, hasMarks }: { readonly entry: Entry; readonly hasMarks: boolean }) {
  return (
    <li data-off={entry.isOff}>
      <span>
        {entry.weekday} <b>{entry.date}</b>
      </span>
      <span>{entry.time}</span>
      <span>
        {hasMarks && entry.type !== null && <TypeMark type={entry.type} />}
        <b dir="auto" data-cancelled={entry.isCancelled || undefined}>
          {entry.name}
        </b>
        <span className="sheet-details" dir="auto">
          {detailsOf(entry)}
        </span>
      </span>
    </li>
  );
}

/** The events of each month under its name. */
export function Groups(props: { readonly groups: readonly Group[]; readonly style: RowStyle }) {
  const { groups, style } = props;
  return groups.map(({ title, entries }) => (
    <section key={title}>
      <h3>{title}</h3>
      <ul style={{ '--time-length': style.timeLength } as CSSProperties}>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} hasMarks={style.hasMarks} />
        ))}
      </ul>
    </section>
  ));
}

export type MonthOfEntries = {
  /** The first day of the month. */
  readonly day: Day;
  readonly title: string;
  readonly entries: readonly Entry[];
};

/** Creates the function that writes the texts of events in a language, by month. */
export function createMonths(clock: Clock, language: string) {
  const t = i18next.getFixedT(language, 'event');
  const formats = formatsIn(clock, language);
  const times = createEventTimes(wordingOf(clock, language), 'longDay');
  const entryOf = (event: Event): Entry => {
    const { id, date, name, location, status, eventType } = event;
    const day = clock.dayOf(date);
    const hours = times.clock(event);
    const { text } = noteOf(event, clock);
    return {
      id,
      day,
      weekday: formats.at('weekday', date),
      date: times.short(event)?.days || String(partsOf(day).date),
      time: hours ?? formats.time(date),
      name: shorten(name, maxNameLength),
      status: isNotable(status) ? t(status) : '',
      place: shorten(location, maxPlaceLength),
      // That of an event of several days says when it ends.
      note: shorten([hours === undefined ? times.end(event) : '', text].join('\n'), maxNoteLength),
      isCancelled: status === 'cancelled',
      type: eventType,
    };
  };
  return (events: readonly Event[]): readonly MonthOfEntries[] =>
    Array.from(eachMonth(clock, events), ({ month, first, end }) => ({
      day: month,
      title: formats.on('month', month),
      entries: events.slice(first, end).map(entryOf),
    }));
}

/**
 * Returns the function that puts the days off of a period among the events of months. Months before
 * the first and after the last event stay out.
 */
export function useMonthsWithDaysOff(): (
  months: readonly MonthOfEntries[],
  period: { readonly first: Day; readonly last: Day },
) => readonly MonthOfEntries[] {
  const daysOff = useDaysOff();
  const formats = useFormats();
  const { range } = useEventTimes('longDay');
  return (months, { first, last }) => {
    const [start, end] = [months[0]?.day ?? '', months.at(-1)?.day ?? ''];
    const byMonth = new Map(months.map((month) => [month.day, month]));
    for (const [index, holiday] of daysOff.between(first, last).entries()) {
      const day = holiday.first < first ? first : holiday.first;
      const month = monthOf(day);
      if (month < start || month > end) continue;
      const entry: Entry = {
        id: -1 - index,
        day,
        weekday: formats.on('weekday', day),
        date: String(partsOf(day).date),
        time: '',
        name: shorten(holiday.name, maxNameLength),
        status: '',
        place: '',
        note: holiday.first === holiday.last ? '' : range(holiday.first, holiday.last),
        isCancelled: false,
        isOff: true,
        type: null,
      };
      const { title = formats.on('month', month), entries = [] } = byMonth.get(month) ?? {};
      const next = entries.findIndex((other) => other.day >= day);
      const at = next === -1 ? entries.length : next;
      byMonth.set(month, { day: month, title, entries: entries.toSpliced(at, 0, entry) });
    }
    return [...byMonth.values()].toSorted((one, other) => (one.day < other.day ? -1 : 1));
  };
}

/** Returns the function that writes the texts of events in the language of the page. */
export function useMonths(): ReturnType<typeof createMonths> {
  const clock = useClock();
  const { language } = useTranslation().i18n;
  return useMemo(() => createMonths(clock, language), [language, clock]);
}
