import { message } from '../../messages/message.ts';
import { parseWallTime, type WallTime } from './local-time.ts';
import { excerpt, type Refuse } from './property.ts';

const frequencies = [
  'YEARLY',
  'MONTHLY',
  'WEEKLY',
  'DAILY',
  'HOURLY',
  'MINUTELY',
  'SECONDLY',
] as const;
type Frequency = (typeof frequencies)[number];

/** A weekday; 0 is Monday. `nth` 0 means each one, and a negative `nth` counts from the end. */
type RuleDay = { readonly nth: number; readonly weekday: number };

/** A recurrence rule (RFC 5545 section 3.3.10); an empty list is a missing part. */
export type Rule = {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number;
  readonly until: WallTime | undefined;
  /** The first day of a week; Monday is 0. */
  readonly weekStart: number;
  readonly months: readonly number[];
  readonly weeks: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly weekdays: readonly RuleDay[];
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  readonly positions: readonly number[];
};

const weekdayNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

const knownParts = new Set([
  ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYMONTH', 'BYWEEKNO', 'BYYEARDAY'],
  ...['BYMONTHDAY', 'BYDAY', 'BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYSETPOS'],
]);

/** Splits a rule into its parts; refuses unknown and repeated names. */
function splitRule(text: string, refuse: Refuse): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(';')) {
    if (part.trim() === '') continue;
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    if (at === -1 || !knownParts.has(name)) {
      throw refuse(message('calendarReason:rule_part_unknown', { part: excerpt(part) }));
    }
    if (parts.has(name)) {
      throw refuse(message('calendarReason:rule_part_repeated', { part: name }));
    }
    parts.set(name, part.slice(at + 1).trim());
  }
  return parts;
}

/** Creates the parser of the parts of a rule, which refuses values out of range. */
function createPartReader(parts: ReadonlyMap<string, string>, refuse: Refuse) {
  const bad = (name: string) => {
    const part = excerpt(`${name}=${parts.get(name)}`);
    return refuse(message('calendarReason:rule_part_impossible', { part }));
  };
  return {
    count: (name: string, fallback: number): number => {
      const text = parts.get(name);
      if (text === undefined) return fallback;
      if (!/^\+?\d{1,15}$/.test(text) || Number(text) === 0) throw bad(name);
      return Number(text);
    },
    numbers: (name: string, min: number, max: number): number[] => {
      const texts = parts.get(name)?.split(',') ?? [];
      const numbers = [...new Set(texts)].map((text) => {
        const isNumber = /^[+-]?\d{1,3}$/.test(text);
        const value = Number(text);
        const isWithin = value >= min && value <= max && (min >= 0 || value !== 0);
        if (!isNumber || !isWithin) throw bad(name);
        return value;
      });
      return numbers.toSorted((left, right) => left - right);
    },
    days: (name: string): RuleDay[] =>
      [...new Set(parts.get(name)?.split(','))].map((text) => {
        const [, nth = '0', weekday = ''] = /^([+-]?[1-9]\d?)?([A-Z]{2})$/.exec(text.trim()) ?? [];
        const at = weekdayNames.indexOf(weekday);
        if (at === -1 || Math.abs(Number(nth)) > 53) throw bad(name);
        return { nth: Number(nth), weekday: at };
      }),
    time: (name: string): WallTime | undefined => {
      const text = parts.get(name);
      const time = text === undefined ? undefined : parseWallTime(text);
      if (text !== undefined && time === undefined) throw bad(name);
      return time;
    },
  };
}

/** Parses a recurrence rule (RFC 5545 section 3.3.10); `refuse` creates the error for a bad one. */
export function parseRule(text: string, refuse: Refuse): Rule {
  const parts = splitRule(text, refuse);
  const frequency = frequencies.find((name) => name === parts.get('FREQ'));
  if (frequency === undefined) {
    throw refuse(message('calendarReason:rule_frequency_missing', { frequencies }));
  }
  const read = createPartReader(parts, refuse);
  return {
    frequency,
    interval: read.count('INTERVAL', 1),
    count: read.count('COUNT', Number.POSITIVE_INFINITY),
    until: read.time('UNTIL'),
    weekStart: read.days('WKST')[0]?.weekday ?? 0,
    months: read.numbers('BYMONTH', 1, 12),
    weeks: read.numbers('BYWEEKNO', -53, 53),
    yearDays: read.numbers('BYYEARDAY', -366, 366),
    monthDays: read.numbers('BYMONTHDAY', -31, 31),
    weekdays: read.days('BYDAY'),
    hours: read.numbers('BYHOUR', 0, 23),
    minutes: read.numbers('BYMINUTE', 0, 59),
    seconds: read.numbers('BYSECOND', 0, 60).map((second) => Math.min(second, 59)),
    positions: read.numbers('BYSETPOS', -366, 366),
  };
}
