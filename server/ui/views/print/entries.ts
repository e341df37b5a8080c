import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventType } from '../../../../db/model.ts';
import type { Event } from '../../../contract.ts';
import { addDays, type Day, dayOf, partsOf, startOf } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { eachMonth, filterEvents } from '../../data/events.ts';
import { isNotable } from '../event/marks.tsx';
import { type Choices, typeOrder } from './choices.ts';
import type { Entry } from './list-pages.tsx';

/** Length limits in UTF-16 code units, so that a row always fits on a page. */
const maxNameLength = 300;
const maxPlaceLength = 200;
const maxNoteLength = 160;

export function shorten(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
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
  return useCallback(
    (events) => {
      const entryOf = (event: Event): Entry => {
        const { id, date, name, location, description, status, eventType } = event;
        const day = dayOf(date);
        return {
          id,
          day,
          weekday: formats.at('weekday', date),
          date: String(partsOf(day).date),
          time: formats.time(date),
          name: shorten(name, maxNameLength),
          status: isNotable(status) ? t(status) : '',
          place: shorten(location, maxPlaceLength),
          note: shorten(description ?? '', maxNoteLength),
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
    [t, formats],
  );
}
