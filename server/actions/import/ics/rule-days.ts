import type { Rule } from './rule.ts';
import { dayOf, millisecondsOfDay } from './wall.ts';

/** Facts about a day that rules refer to. Weekday 0 is Monday; month and date count from 1. */
type DayFacts = {
  readonly day: number;
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly weekday: number;
  readonly firstOfYear: number;
  readonly firstOfNextYear: number;
  readonly monthLength: number;
};

/** Days from `first` to before `end`. */
export type DayRange = { readonly first: number; readonly end: number };

/** Returns true if the list is empty or has the value, counted from the start or the end. */
function isListed(listed: readonly number[], value: number, length: number): boolean {
  return listed.length === 0 || listed.includes(value) || listed.includes(value - length - 1);
}

export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

function factsOf(day: number): DayFacts {
  const at = new Date(day * millisecondsOfDay);
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth() + 1;
  return {
    day,
    year,
    month,
    date: at.getUTCDate(),
    weekday: weekdayOf(day),
    firstOfYear: dayOf(year, 1, 1),
    firstOfNextYear: dayOf(year + 1, 1, 1),
    monthLength: dayOf(year, month + 1, 1) - dayOf(year, month, 1),
  };
}

/** Returns the first day of week 1, which has at least four days in the year (RFC 5545, WKST). */
function firstWeekOf(year: number, weekStart: number): number {
  const newYear = dayOf(year, 1, 1);
  const before = (weekdayOf(newYear) - weekStart + 7) % 7;
  return newYear - before + (before > 3 ? 7 : 0);
}

function matchesWeek({ weeks, weekStart }: Rule, { day, year }: DayFacts): boolean {
  if (weeks.length === 0) return true;
  const years = [year + 1, year, year - 1];
  const weekYear = years.find((candidate) => firstWeekOf(candidate, weekStart) <= day) ?? year;
  const first = firstWeekOf(weekYear, weekStart);
  const length = (firstWeekOf(weekYear + 1, weekStart) - first) / 7;
  return isListed(weeks, Math.floor((day - first) / 7) + 1, length);
}

function matchesWeekday({ weekdays, frequency, months }: Rule, facts: DayFacts): boolean {
  if (weekdays.length === 0) return true;
  const isOfYear = frequency === 'YEARLY' && months.length === 0;
  const before = isOfYear ? facts.day - facts.firstOfYear : facts.date - 1;
  const after = isOfYear ? facts.firstOfNextYear - 1 - facts.day : facts.monthLength - facts.date;
  const fromStart = Math.floor(before / 7) + 1;
  const fromEnd = -Math.floor(after / 7) - 1;
  return weekdays.some(
    ({ nth, weekday }) =>
      weekday === facts.weekday && (nth === 0 || nth === fromStart || nth === fromEnd),
  );
}

/** Returns true for a day that matches all parts of a rule about days. */
export function matchesDay(rule: Rule, day: number): boolean {
  const facts = factsOf(day);
  const yearLength = facts.firstOfNextYear - facts.firstOfYear;
  return (
    (rule.months.length === 0 || rule.months.includes(facts.month)) &&
    isListed(rule.monthDays, facts.date, facts.monthLength) &&
    matchesWeekday(rule, facts) &&
    isListed(rule.yearDays, day - facts.firstOfYear + 1, yearLength) &&
    matchesWeek(rule, facts)
  );
}

/** Completes a rule with the days of its start (RFC 5545 section 3.3.10). */
export function completeDays(rule: Rule, startDay: number): Rule {
  const { month, date, weekday } = factsOf(startDay);
  const hasDays = [rule.yearDays, rule.monthDays, rule.weekdays].some(({ length }) => length > 0);
  if (hasDays) return rule;
  const sameWeekday = { ...rule, weekdays: [{ nth: 0, weekday }] };
  switch (rule.frequency) {
    case 'YEARLY': {
      if (rule.weeks.length > 0) return sameWeekday;
      const months = rule.months.length === 0 ? [month] : rule.months;
      return { ...rule, months, monthDays: [date] };
    }
    case 'MONTHLY':
      return { ...rule, monthDays: [date] };
    case 'WEEKLY':
      return sameWeekday;
    default:
      return rule;
  }
}

/** Returns the consecutive number of the year, month, week or day that contains a day. */
export function unitOf({ frequency, weekStart }: Rule, day: number): number {
  const at = new Date(day * millisecondsOfDay);
  if (frequency === 'YEARLY') return at.getUTCFullYear();
  if (frequency === 'MONTHLY') return at.getUTCFullYear() * 12 + at.getUTCMonth();
  return frequency === 'WEEKLY' ? Math.floor((day + 3 - weekStart) / 7) : day;
}

function monthRange(year: number, month: number): DayRange {
  return { first: dayOf(year, month, 1), end: dayOf(year, month + 1, 1) };
}

/** Returns the days of a unit that the rule may match, in order. */
export function rangesOf(rule: Rule, unit: number): readonly DayRange[] {
  switch (rule.frequency) {
    case 'YEARLY': {
      if (rule.months.length > 0) return rule.months.map((month) => monthRange(unit, month));
      return [{ first: dayOf(unit, 1, 1), end: dayOf(unit + 1, 1, 1) }];
    }
    case 'MONTHLY':
      return [monthRange(Math.floor(unit / 12), (unit % 12) + 1)];
    case 'WEEKLY': {
      const first = unit * 7 - 3 + rule.weekStart;
      return [{ first, end: first + 7 }];
    }
    default:
      return [{ first: unit, end: unit + 1 }];
  }
}
