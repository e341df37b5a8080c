import type { Clock } from './clock.ts';
import { type Day, daysBetween, noonOf, partsOf } from './days.ts';
import { minuteMs } from './units.ts';

const named = {
  time: { hour: '2-digit', minute: '2-digit' },
  date: { day: 'numeric' },
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  dayInYear: { day: 'numeric', month: 'long' },
  shortDay: { day: 'numeric', month: 'short', year: 'numeric' },
  narrowWeekday: { weekday: 'narrow' },
  weekday: { weekday: 'short' },
  longWeekday: { weekday: 'long' },
  weekdayDate: { weekday: 'short', day: 'numeric' },
  shortDayInYear: { day: 'numeric', month: 'short' },
  weekdayInYear: { weekday: 'short', day: 'numeric', month: 'short' },
  weekdayAndDay: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  weekdayDay: { weekday: 'long', day: 'numeric', month: 'long' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  longDayInYear: { weekday: 'long', day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
  longMonth: { month: 'long' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** The name of a format of days. */
export type FormatName = keyof typeof named;

const kilobyte = 1_000;

/** Formats of days, each with the one that leaves out the year. */
export const withoutYear = {
  day: 'dayInYear',
  longDay: 'longDayInYear',
  shortDay: 'shortDayInYear',
  weekdayAndDay: 'weekdayInYear',
} as const satisfies Partial<Record<FormatName, FormatName>>;

export type Formats = {
  /** Formats a moment in the time zone of the club. */
  readonly at: (name: FormatName, moment: string | Date) => string;
  readonly on: (name: FormatName, day: Day) => string;
  /** Formats a time of day `HH:MM`. */
  readonly clock: (time: string) => string;
  /** Formats the day of a moment, with the year unless it is that of `today`. */
  readonly dayNear: (name: keyof typeof withoutYear, moment: string | Date, today: Day) => string;
  /** Formats the time between now and an event: `in 9 hours`, `tomorrow`, `3 days ago`. */
  readonly distance: (moment: string, now: Date) => string;
  /** Formats the day of a recent moment: `today`, `yesterday`, `Tuesday` or `2 March`. */
  readonly recentDay: (moment: string | Date, now: Date) => string;
  /** Formats a recent moment: `today, 08:41`. */
  readonly recentMoment: (moment: string | Date, now: Date) => string;
  /** Formats a duration in minutes or hours: `16 minutes`. */
  readonly duration: (seconds: number) => string;
  /** Formats the time of an event; empty without a time. */
  readonly time: (moment: string | Date) => string;
  /** Formats an inclusive range of days: `16–22 November 2026`. */
  readonly range: (name: FormatName, first: Day, last: Day) => string;
  /** Formats two days with what they have in common once: `Friday 9`, `Sunday 11 April 2027`. */
  readonly dayRange: (name: FormatName, first: Day, last: Day) => readonly [string, string];
  /** Formats a timestamp in UTC: `2026-05-01 16:00 UTC`. */
  readonly utc: (timestamp: string) => string;
  readonly number: (value: number) => string;
  /** Formats a number of bytes: `12 kB`, `3.4 MB`. */
  readonly size: (bytes: number) => string;
  /** Compares two texts in the order of the language, digits by their numeric value. */
  readonly compare: (one: string, other: string) => number;
};

/** Number of days from which a distance is in months, and of months from which it is in years. */
const maxDaysApart = 60;
const maxMonthsApart = 24;

function formatDistance(clock: Clock, format: Intl.RelativeTimeFormat, moment: string, now: Date) {
  const [day, today] = [clock.dayOf(moment), clock.dayOf(now)];
  if (day === today && !clock.isDayStart(moment)) {
    const minutes = Math.trunc((Date.parse(moment) - now.getTime()) / minuteMs);
    const hours = Math.trunc(minutes / 60);
    if (minutes === 0) return format.format(0, 'second');
    return hours === 0 ? format.format(minutes, 'minute') : format.format(hours, 'hour');
  }
  const days = daysBetween(today, day);
  if (Math.abs(days) < maxDaysApart) return format.format(days, 'day');
  const [from, to] = [partsOf(today), partsOf(day)];
  const months = (to.year - from.year) * 12 + to.month - from.month;
  if (Math.abs(months) < maxMonthsApart) return format.format(months, 'month');
  return format.format(Math.trunc(months / 12), 'year');
}

/** Formats a duration, rounded up to whole minutes, or from three hours to the nearest hour. */
function formatDuration(language: string, seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const unit = minutes < 180 ? 'minute' : 'hour';
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(unit === 'minute' ? minutes : Math.round(minutes / 60));
}

/** Creates the formats of a language tag. Date formats are built on first use, because that is slow. */
function createFormats(clock: Clock, language: string): Formats {
  const dateFormats = new Map<FormatName, Intl.DateTimeFormat>();
  const dateFormat = (name: FormatName) => {
    // In UTC: they get dates whose UTC fields are those of the club's clock.
    const format =
      dateFormats.get(name) ??
      new Intl.DateTimeFormat(language, { ...named[name], timeZone: 'UTC' });
    dateFormats.set(name, format);
    return format;
  };
  const number = new Intl.NumberFormat(language);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const collator = new Intl.Collator(language, { numeric: true });
  // British English has it only behind some weekdays.
  const hasComma = !language.startsWith('en') || language === 'en-US';
  const clean = (text: string) => (hasComma ? text : text.replace(/(?<=^|–\s)(\p{L}+),/gu, '$1'));
  const at: Formats['at'] = (name, moment) => clean(dateFormat(name).format(clock.wallOf(moment)));
  const on: Formats['on'] = (name, day) => clean(dateFormat(name).format(noonOf(day)));
  const range: Formats['range'] = (name, first, last) =>
    clean(dateFormat(name).formatRange(noonOf(first), noonOf(last)));
  const dayNear: Formats['dayNear'] = (name, moment, today) => {
    const isThisYear = partsOf(clock.dayOf(moment)).year === partsOf(today).year;
    return at(isThisYear ? withoutYear[name] : name, moment);
  };
  const recentDay: Formats['recentDay'] = (moment, now) => {
    const today = clock.dayOf(now);
    const days = daysBetween(clock.dayOf(moment), today);
    if (days === 0 || days === 1) return relative.format(-days, 'day');
    return days > 1 && days < 7 ? at('longWeekday', moment) : dayNear('day', moment, today);
  };
  return {
    at,
    on,
    clock: (time) => dateFormat('time').format(new Date(`2000-01-15T${time}Z`)),
    dayNear,
    recentDay,
    recentMoment: (moment, now) => `${recentDay(moment, now)}, ${at('time', moment)}`,
    duration: (seconds) => formatDuration(language, seconds),
    distance: (moment, now) => formatDistance(clock, relative, moment, now),
    time: (moment) => (clock.isDayStart(moment) ? '' : at('time', moment)),
    range,
    dayRange(name, first, last) {
      const text = range(name, first, last).replaceAll('\u2009', ' ');
      const [from = '', to = from] = text.split(' – ');
      // British English has the month twice.
      const months = [on('longMonth', first), on('shortMonth', first)].map((month) => ` ${month}`);
      const twice = months.find((month) => from.endsWith(month) && to.includes(month));
      return [twice === undefined ? from : from.slice(0, -twice.length), to];
    },
    utc: (timestamp) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`,
    number: (value) => number.format(value),
    size(bytes) {
      if (bytes < kilobyte ** 2) return `${number.format(Math.ceil(bytes / kilobyte))} kB`;
      return `${number.format(Math.round(bytes / kilobyte ** 2 / 0.1) / 10)} MB`;
    },
    compare: collator.compare,
  };
}

const formatsByName = new Map<string, Formats>();

/**
 * Returns the formats of a language tag, such as `en-GB`, cached because every row of a list uses
 * them.
 */
export function formatsOf(clock: Clock, tag: string): Formats {
  const name = `${tag} ${clock.name}`;
  const formats = formatsByName.get(name) ?? createFormats(clock, tag);
  formatsByName.set(name, formats);
  return formats;
}
