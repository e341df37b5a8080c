import { useTranslation } from 'react-i18next';
import { type Day, noonOf } from './days.ts';

const named = {
  time: { hour: '2-digit', minute: '2-digit' },
  zonedTime: { hour: '2-digit', minute: '2-digit', timeZoneName: 'long' },
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  shortDay: { day: 'numeric', month: 'short', year: 'numeric' },
  weekday: { weekday: 'short' },
  longWeekday: { weekday: 'long' },
  weekdayDate: { weekday: 'short', day: 'numeric' },
  longDay: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  shortMonth: { month: 'short' },
  longMonth: { month: 'long' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  fullMoment: {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'long',
  },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

export type FormatName = keyof typeof named;

export type Formats = {
  /** A moment in local time. */
  readonly at: (name: FormatName, moment: string | Date) => string;
  /** A day of the local calendar. */
  readonly on: (name: FormatName, day: Day) => string;
  /** The same moment in UTC, `2026-05-01 16:00 UTC`. */
  readonly utc: (timestamp: string) => string;
  readonly number: (value: number) => string;
  /** In this language's order, accents and case next to each other. */
  readonly compare: (one: string, other: string) => number;
};

/** The formats of a language; each is made when it is first used, as making one is slow. */
export function createFormats(language: string): Formats {
  const made = new Map<FormatName, Intl.DateTimeFormat>();
  const dateFormat = (name: FormatName) => {
    const format = made.get(name) ?? new Intl.DateTimeFormat(language, named[name]);
    made.set(name, format);
    return format;
  };
  const number = new Intl.NumberFormat(language);
  const collator = new Intl.Collator(language, { numeric: true });
  return {
    at: (name, moment) => dateFormat(name).format(new Date(moment)),
    on: (name, day) => dateFormat(name).format(noonOf(day)),
    utc: (timestamp) => `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`,
    number: (value) => number.format(value),
    compare: collator.compare,
  };
}

/** Returns the page's language as it is used in the browser's country: `en-GB` for `en`. */
export function regionalTag(language: string): string {
  // Without a system language Chromium has `en-US@posix`, which `Intl` refuses.
  const tags = navigator.languages.filter((tag) => /^[a-z\d-]+$/i.test(tag));
  return tags.find((tag) => tag.startsWith(`${language}-`)) ?? language;
}

const byLanguage = new Map<string, Formats>();

/** The formats of the page's language: the same for all, as every row of a list asks for them. */
export function useFormats(): Formats {
  const { language } = useTranslation().i18n;
  const known = byLanguage.get(language) ?? createFormats(regionalTag(language));
  byLanguage.set(language, known);
  return known;
}
