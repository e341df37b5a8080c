import { type CSSProperties, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventType } from '../../../../db/model.ts';
import { addDays, type Day, partsOf } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { dayOf, startOf } from '../../base/days.ts';
import { splitEvent, useShortEnd } from '../../base/event-end.ts';
import { useFormats } from '../../base/format.ts';
import { TypeMark } from '../../base/type-mark.tsx';
import { eachMonth, filterEvents } from '../../data/event-queries.ts';
import { isNotable } from '../event/marks.tsx';
import { type Choices, typeOrder } from './print-choices.ts';

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
  events: readonly Event[],
  { types, drafts, cancelled }: Choices,
  { first, last }: { readonly first: Day; readonly last: Day },
): readonly Event[] {
  const bounds = { from: startOf(first), to: startOf(addDays(last, 1)) };
  return filterEvents(events, { statuses: [], types, bounds, ids: null }).filter(
    ({ status }) => (drafts || status !== 'draft') && (cancelled || status !== 'cancelled'),
  );
}

/** Returns the types of events, if there are several. */
export function severalTypes(events: readonly Event[]): readonly EventType[] {
  const found = new Set(events.map(({ eventType }) => eventType));
  return found.size < 2 ? [] : typeOrder.filter((type) => found.has(type));
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
    <li>
      <span className="sheet-day">
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
export function Groups({
  groups,
  style,
}: {
  readonly groups: readonly Group[];
  readonly style: RowStyle;
}) {
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

/** Returns a function that writes the texts of events, by month. */
export function useMonths(): (events: readonly Event[]) => readonly MonthOfEntries[] {
  const { t } = useTranslation('event');
  const formats = useFormats();
  const shortEnd = useShortEnd();
  return useCallback(
    (events) => {
      const entryOf = (event: Event): Entry => {
        const { id, date, name, location, description, status, eventType } = event;
        const day = dayOf(date);
        const time = formats.time(date);
        const end = shortEnd(event);
        // The note says in words when an event of several days ends.
        const note = end === undefined || end.span ? description : splitEvent(event).text;
        return {
          id,
          day,
          weekday: formats.at('weekday', date),
          date: end?.days || String(partsOf(day).date),
          time: end && !end.span ? `${time}–${end.to}` : time,
          name: shorten(name, maxNameLength),
          status: isNotable(status) ? t(status) : '',
          place: shorten(location, maxPlaceLength),
          note: shorten(note ?? '', maxNoteLength),
          isCancelled: status === 'cancelled',
          type: eventType,
        };
      };
      return Array.from(eachMonth(events), ({ month, first, end }) => ({
        day: month,
        title: formats.on('month', month),
        entries: events.slice(first, end).map(entryOf),
      }));
    },
    [t, formats, shortEnd],
  );
}
