import i18next from 'i18next';
import { useCallback } from 'react';
import type { Clock } from '../../dates/clock.ts';
import type { Day } from '../../dates/days.ts';
import { type EndLanguage, type EndWords, type Moment, wordEnd } from '../../dates/end-line.ts';
import { dayCount, type Noted, noteOf } from '../../event/values.ts';
import { useClock, zoneNote } from './days.ts';
import { formatsOf, usePageLanguage, withoutYear } from './format.ts';

/** Returns the words of ends in a language. */
export function endWords(language: EndLanguage): EndWords {
  const t = i18next.getFixedT(language, 'value');
  return (key, values) => t(key, values);
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

/** Words the times of events in a language, which need not be that of the page. */
type EventTimes = {
  /** The day, with the year unless it is that of `today`: "Friday 9 April". */
  readonly day: (date: string, today?: Day) => string;
  /** The day and the time: "Friday 9 April 2027, 19:00". */
  readonly moment: (date: string, today?: Day) => string;
  /** The time of day with that of the end: "19:00–23:00"; undefined for several days. */
  readonly clock: (event: Noted) => string | undefined;
  /** Two days: "Friday 9 to Sunday 11 April", "30 November to 1 March 2027". */
  readonly range: (first: Day, last: Day, today?: Day, name?: DayFormat) => string;
  /** All days and times: "Saturday 20 February, 19:00–23:00", "Friday 9 to Sunday 11 April". */
  readonly whole: (event: Noted, today?: Day) => string;
  /** The same for a text to copy, with the zone of the club if it is not that of this computer. */
  readonly zoned: (event: Noted, today?: Day) => string;
  /** The end as the first line of a note: "Until 23:00"; empty without one. */
  readonly end: (event: Noted) => string;
  readonly short: (event: Noted) => ShortEnd | undefined;
  /** The state of a cancelled event, its days and times, and its place, for a preview. */
  readonly line: (event: Noted & { readonly location: string }, today: Day) => string;
};

type DayFormat = keyof typeof withoutYear;

/** Creates the words for the times of events; `format` is that of the days. */
export function createEventTimes(clock: Clock, language: string, format: DayFormat): EventTimes {
  const t = i18next.getFixedT(language, ['event', 'panel']);
  const formats = formatsOf(clock, language);
  const join = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(', ');
  const day: EventTimes['day'] = (date, today = '') => formats.dayNear(format, date, today);
  const moment: EventTimes['moment'] = (date, today) => join(day(date, today), formats.time(date));
  const range: EventTimes['range'] = (from, to, today = '', name = format) => {
    const years = new Set([from, to, today].map((each) => each.slice(0, 4)));
    const [first, last] = formats.dayRange(years.size === 1 ? withoutYear[name] : name, from, to);
    return t('range', { first, last });
  };
  const hours: EventTimes['clock'] = (event) => {
    const { end } = noteOf(event, clock);
    const time = formats.time(event.date);
    if (end === undefined) return time;
    if (dayCount(event, clock) > 1) return undefined;
    const last = end.time && formats.clock(end.time);
    return time === '' ? last && t('panel:until', { end: last }) : `${time}–${last}`;
  };
  const whole: EventTimes['whole'] = (event, today) => {
    const { date } = event;
    const { end } = noteOf(event, clock);
    const time = hours(event);
    if (end === undefined || time !== undefined) return join(day(date, today), time ?? '');
    if (end.time === '' && clock.isDayStart(date)) return range(clock.dayOf(date), end.day, today);
    const last = join(day(clock.startOf(end.day), today), end.time && formats.clock(end.time));
    return t('range', { first: moment(date, today), last });
  };
  const zoned: EventTimes['zoned'] = (event, today) =>
    whole(event, today) + (clock.isDayStart(event.date) ? '' : zoneNote(clock));
  const line: EventTimes['line'] = (event, today) =>
    [event.status === 'cancelled' ? t('cancelled') : '', whole(event, today), event.location]
      .filter((text) => text !== '')
      .join(' · ');
  const end: EventTimes['end'] = (event) => {
    const { end: last } = noteOf(event, clock);
    const start = clock.momentIn(event.date);
    return last === undefined
      ? ''
      : wordEnd(last, start, language as EndLanguage, endWords(language as EndLanguage));
  };
  const short: EventTimes['short'] = (event) => {
    const { end: last } = noteOf(event, clock);
    if (last === undefined) return undefined;
    const count = dayCount(event, clock);
    const time = last.time && formats.clock(last.time);
    if (count === 1) return { days: '', to: time, span: '' };
    const number = (each: Day) => Number(each.slice(8));
    const until = [formats.on('longWeekday', last.day), time].filter(Boolean).join(' ');
    return {
      days: `${number(clock.dayOf(event.date))}–${number(last.day)}`,
      to: formats.on('weekday', last.day),
      span: t('daysUntil', { count, shown: formats.number(count), end: until }),
    };
  };
  return { day, moment, clock: hours, range, whole, zoned, end, short, line };
}

const timesByName = new Map<string, EventTimes>();

/** Returns the words for the times of events in the language of the page, cached because every row uses them. */
export function useEventTimes(format: DayFormat): EventTimes {
  const clock = useClock();
  const language = usePageLanguage();
  const name = `${language} ${format} ${clock.name}`;
  const times = timesByName.get(name) ?? createEventTimes(clock, language, format);
  timesByName.set(name, times);
  return times;
}

/** Returns a function that words the end of an event in short; undefined without an end. */
export const useShortEnd = (): EventTimes['short'] => useEventTimes('longDay').short;

/** Returns a function that words an end as the first line of a note. */
export function useEndLine(): (end: Moment, start: Moment) => string {
  const language = usePageLanguage() as EndLanguage;
  return useCallback((end, start) => wordEnd(end, start, language, endWords(language)), [language]);
}
