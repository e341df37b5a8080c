import type { Wall } from '../../dates/clock.ts';
import { dayMs, hourMs, minuteMs } from '../../dates/units.ts';
import { dayOf } from './local-time.ts';
import type { Rule } from './rule.ts';

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
type DayRange = { readonly first: number; readonly end: number };

/** Returns true if the list is empty or has the value, counted from the start or the end. */
function isListed(listed: readonly number[], value: number, length: number): boolean {
  return listed.length === 0 || listed.includes(value) || listed.includes(value - length - 1);
}

function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

function factsOf(day: number): DayFacts {
  const at = new Date(day * dayMs);
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
function matchesDay(rule: Rule, day: number): boolean {
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
function completeDays(rule: Rule, startDay: number): Rule {
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
function unitOf({ frequency, weekStart }: Rule, day: number): number {
  const at = new Date(day * dayMs);
  if (frequency === 'YEARLY') return at.getUTCFullYear();
  if (frequency === 'MONTHLY') return at.getUTCFullYear() * 12 + at.getUTCMonth();
  return frequency === 'WEEKLY' ? Math.floor((day + 3 - weekStart) / 7) : day;
}

function monthRange(year: number, month: number): DayRange {
  return { first: dayOf(year, month, 1), end: dayOf(year, month + 1, 1) };
}

/** Returns the days of a unit that the rule may match, in order. */
function rangesOf(rule: Rule, unit: number): readonly DayRange[] {
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

/** The first and the last wall time of a range, both included. */
export type WallSpan = { readonly from: Wall; readonly to: Wall };

/** Called for each examined day or time; throws if there were too many. */
export type CountStep = () => void;

const millisecondsOf = { HOURLY: hourMs, MINUTELY: minuteMs, SECONDLY: 1000 } as const;
type ShortFrequency = keyof typeof millisecondsOf;

function isShort(rule: Rule): rule is Rule & { readonly frequency: ShortFrequency } {
  return rule.frequency in millisecondsOf;
}

const orDefault = (listed: readonly number[], fallback: number) =>
  listed.length === 0 ? [fallback] : listed;

/** Completes a rule with the time of day of its start. */
function completeTimes(rule: Rule, start: Wall): Rule {
  const at = new Date(start);
  const { frequency, hours, minutes, seconds } = rule;
  return {
    ...rule,
    hours: isShort(rule) ? hours : orDefault(hours, at.getUTCHours()),
    minutes:
      frequency === 'MINUTELY' || frequency === 'SECONDLY'
        ? minutes
        : orDefault(minutes, at.getUTCMinutes()),
    seconds: frequency === 'SECONDLY' ? seconds : orDefault(seconds, at.getUTCSeconds()),
  };
}

function* timesOfDay({ hours, minutes, seconds }: Rule): Generator<number> {
  for (const hour of hours) {
    for (const minute of minutes) {
      for (const second of seconds) yield ((hour * 60 + minute) * 60 + second) * 1000;
    }
  }
}

/** Returns the first unit, in steps of `interval` from `unit`, that is not before `min`. */
function alignUnit(unit: number, interval: number, min: number): number {
  return unit + interval * Math.max(0, Math.ceil((min - unit) / interval));
}

function* daysOfUnit(rule: Rule, unit: number, countStep: CountStep): Generator<Wall> {
  for (const { first, end } of rangesOf(rule, unit)) {
    for (let day = first; day < end; day += 1) {
      countStep();
      if (!matchesDay(rule, day)) continue;
      for (const time of timesOfDay(rule)) {
        countStep();
        yield day * dayMs + time;
      }
    }
  }
}

/** Yields the wall times of a yearly, monthly, weekly or daily rule, by period and in order. */
function* longPeriods(
  rule: Rule,
  start: Wall,
  { from, to }: WallSpan,
  countStep: CountStep,
): Generator<Iterable<Wall>> {
  const dayOfWall = (wall: Wall) => Math.floor(wall / dayMs);
  const first = unitOf(rule, dayOfWall(start));
  const last = unitOf(rule, dayOfWall(to));
  const min = unitOf(rule, dayOfWall(from));
  for (let unit = alignUnit(first, rule.interval, min); unit <= last; unit += rule.interval) {
    countStep();
    yield daysOfUnit(rule, unit, countStep);
  }
}

/** Returns the wall time at which to continue, if the rule excludes the unit at `wall`. */
function skipExcluded(rule: Rule, frequency: ShortFrequency, wall: Wall): Wall | undefined {
  const day = Math.floor(wall / dayMs);
  if (!matchesDay(rule, day)) return (day + 1) * dayMs;
  const at = new Date(wall);
  const isExcluded = (listed: readonly number[], value: number) =>
    listed.length > 0 && !listed.includes(value);
  const after = (unit: ShortFrequency) =>
    (Math.floor(wall / millisecondsOf[unit]) + 1) * millisecondsOf[unit];
  if (isExcluded(rule.hours, at.getUTCHours())) return after('HOURLY');
  if (frequency === 'HOURLY') return undefined;
  if (isExcluded(rule.minutes, at.getUTCMinutes())) return after('MINUTELY');
  if (frequency === 'MINUTELY') return undefined;
  return isExcluded(rule.seconds, at.getUTCSeconds()) ? after('SECONDLY') : undefined;
}

function timesOfUnit(rule: Rule, frequency: ShortFrequency, wall: Wall): Wall[] {
  if (frequency === 'SECONDLY') return [wall];
  const minutes = frequency === 'HOURLY' ? rule.minutes : [0];
  return minutes.flatMap((minute) =>
    rule.seconds.map((second) => wall + (minute * 60 + second) * 1000),
  );
}

/** Yields the wall times of an hourly, minutely or secondly rule, by period and in order. */
function* shortPeriods(
  rule: Rule & { readonly frequency: ShortFrequency },
  start: Wall,
  { from, to }: WallSpan,
  countStep: CountStep,
): Generator<Iterable<Wall>> {
  const { frequency, interval } = rule;
  const length = millisecondsOf[frequency];
  const first = Math.floor(start / length);
  let unit = alignUnit(first, interval, Math.floor(from / length));
  while (unit * length <= to) {
    countStep();
    const next = skipExcluded(rule, frequency, unit * length);
    if (next === undefined) yield timesOfUnit(rule, frequency, unit * length);
    unit = next === undefined ? unit + interval : alignUnit(unit, interval, next / length);
  }
}

/** Selects the times of a period that BYSETPOS names. */
function selectPositions(period: Iterable<Wall>, { positions }: Rule): Iterable<Wall> {
  if (positions.length === 0) return period;
  const all = [...period];
  return all.filter((_, at) => positions.includes(at + 1) || positions.includes(at - all.length));
}

function* wallsOf(rule: Rule, start: Wall, span: WallSpan, countStep: CountStep): Generator<Wall> {
  const periods = isShort(rule)
    ? shortPeriods(rule, start, span, countStep)
    : longPeriods(rule, start, span, countStep);
  for (const period of periods) yield* selectPositions(period, rule);
}

/**
 * Expands a rule into its wall times within `span`, in order (RFC 5545 section 3.3.10). `start` is
 * always the first occurrence, even if the rule does not match it; `until` is inclusive. A rule
 * without COUNT is not expanded before `span`.
 */
export function* expandRule(
  { rule, start, until = Number.POSITIVE_INFINITY }: RuleFromStart,
  span: WallSpan,
  countStep: CountStep,
): Generator<Wall> {
  if (start >= span.from && start <= span.to) yield start;
  const day = Math.floor(start / dayMs);
  const completed = completeTimes(completeDays(rule, day), start);
  const isCounted = Number.isFinite(rule.count);
  const from = isCounted ? start : Math.max(start, span.from);
  const to = Math.min(span.to, until);
  let previous = start;
  let remaining = rule.count - 1;
  if (remaining === 0 || to < from) return;
  for (const wall of wallsOf(completed, start, { from, to }, countStep)) {
    if (wall <= previous) continue;
    if (wall > to) return;
    if (wall >= span.from) yield wall;
    previous = wall;
    remaining -= 1;
    if (remaining === 0) return;
  }
}

export type RuleFromStart = {
  readonly rule: Rule;
  readonly start: Wall;
  readonly until?: Wall | undefined;
};
