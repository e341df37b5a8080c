import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../dates/days.ts';
import {
  daysOf,
  type EndLanguage,
  type EndWords,
  type Moment,
  mayHaveEnd,
  momentAfter,
  type SplitNote,
  splitNote,
  wordEnd,
} from '../../dates/end-line.ts';
import { minuteMs } from '../../dates/units.ts';
import { instantOf, momentIn } from '../../dates/zone.ts';
import type { Event } from '../../http/contract.ts';
import { clubZone, dayOf, isWithoutTime, zoneName } from './days.ts';
import { useFormats } from './format.ts';

type Dated = Pick<Event, 'date' | 'description'>;

/** Notes that were split, with the zone in which they were. */
const known = new WeakMap<Dated, SplitNote & { readonly zone: string }>();

/** Splits the note of an event into its end and the rest; cached, as each row of a list asks. */
export function splitEvent(event: Dated): SplitNote {
  const { description } = event;
  if (!mayHaveEnd(description)) return { end: undefined, line: '', text: description ?? '' };
  const before = known.get(event);
  const zone = zoneName();
  if (before?.zone === zone) return before;
  const split = { ...splitNote(description, momentIn(event.date, clubZone())), zone };
  known.set(event, split);
  return split;
}

/** Returns the number of days of an event. */
export function dayCount(event: Dated): number {
  const { end } = splitEvent(event);
  return end === undefined ? 1 : daysOf(momentIn(event.date, clubZone()), end);
}

/** Returns the last day of an event; a night belongs to its first day. */
export function lastDayOf(event: Dated): Day {
  const { end } = splitEvent(event);
  return end === undefined || dayCount(event) === 1 ? dayOf(event.date) : end.day;
}

/** Minutes that an event without an end lasts, unless its club has another usual length. */
export const defaultLength = 120;

/** The time that an event takes, from its start up to its end, in milliseconds. */
export type Interval = { readonly from: number; readonly to: number };

/**
 * Returns the time that an event takes; one without an end takes `usualLength` minutes. Undefined
 * without a time of day.
 */
export function intervalOf(event: Dated, usualLength: number): Interval | undefined {
  if (isWithoutTime(event.date)) return undefined;
  const from = Date.parse(event.date);
  const { end } = splitEvent(event);
  if (end === undefined) return { from, to: from + usualLength * minuteMs };
  return { from, to: instantOf(momentAfter(end), clubZone()) };
}

/** Returns true for two events that take place at the same time, at least partly. */
export function overlap(one: Interval | undefined, other: Interval | undefined): boolean {
  return one !== undefined && other !== undefined && one.from < other.to && other.from < one.to;
}

/** Returns a function that words an end as the first line of a note. */
export function useEndLine(): (end: Moment, start: Moment) => string {
  const { t, i18n } = useTranslation('value');
  return useCallback(
    (end, start) =>
      wordEnd(end, start, i18n.language as EndLanguage, ((key, values) =>
        t(key, values)) satisfies EndWords),
    [t, i18n.language],
  );
}

/** The end of an event in short words, as lists show it beside the start. */
type ShortEnd = {
  /** The days of an event of several ones: "3–7"; empty otherwise. */
  readonly days: string;
  /** The time, or the weekday of an event of several days. */
  readonly to: string;
  /** The number of days and the last moment: "5 days, until Wednesday 15:00"; empty for one day. */
  readonly span: string;
};

/** Returns a function that words the end of an event; undefined without an end. */
export function useShortEnd(): (event: Dated) => ShortEnd | undefined {
  const { t } = useTranslation('event');
  const formats = useFormats();
  return useCallback(
    (event) => {
      const { end } = splitEvent(event);
      if (end === undefined) return undefined;
      const count = dayCount(event);
      const clock = end.time && formats.clock(end.time);
      if (count === 1) return { days: '', to: clock, span: '' };
      const number = (day: Day) => Number(day.slice(8));
      const until = [formats.on('longWeekday', end.day), clock].filter(Boolean).join(' ');
      return {
        days: `${number(dayOf(event.date))}–${number(end.day)}`,
        to: formats.on('weekday', end.day),
        span: t('daysUntil', { count, shown: formats.number(count), end: until }),
      };
    },
    [t, formats],
  );
}
