import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { type EndLanguage, type EndWords, type Moment, wordEnd } from '../../dates/end-line.ts';
import { dayCount, type Noted, noteOf } from '../../event/values.ts';
import { clubZone, type Day, dayOf } from './days.ts';
import { useFormats } from './format.ts';

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
export function useShortEnd(): (event: Noted) => ShortEnd | undefined {
  const { t } = useTranslation('event');
  const formats = useFormats();
  return useCallback(
    (event) => {
      const { end } = noteOf(event, clubZone());
      if (end === undefined) return undefined;
      const count = dayCount(event, clubZone());
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
