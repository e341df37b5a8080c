import type { Rule } from './rule.ts';
import { completeDays, matchesDay, rangesOf, unitOf } from './rule-days.ts';
import { millisecondsOfDay, type Wall } from './wall.ts';

/** The first and the last wall time of a range, both included. */
export type WallSpan = { readonly from: Wall; readonly to: Wall };

/** Called for each examined day or time; throws if there were too many. */
export type Spend = () => void;

const millisecondsOf = { HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1000 } as const;
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

function* daysOfUnit(rule: Rule, unit: number, spend: Spend): Generator<Wall> {
  for (const { first, end } of rangesOf(rule, unit)) {
    for (let day = first; day < end; day += 1) {
      spend();
      if (!matchesDay(rule, day)) continue;
      for (const time of timesOfDay(rule)) {
        spend();
        yield day * millisecondsOfDay + time;
      }
    }
  }
}

/** Yields the wall times of a yearly, monthly, weekly or daily rule, by period and in order. */
function* longPeriods(
  rule: Rule,
  start: Wall,
  { from, to }: WallSpan,
  spend: Spend,
): Generator<Iterable<Wall>> {
  const dayOfWall = (wall: Wall) => Math.floor(wall / millisecondsOfDay);
  const first = unitOf(rule, dayOfWall(start));
  const last = unitOf(rule, dayOfWall(to));
  const min = unitOf(rule, dayOfWall(from));
  for (let unit = alignUnit(first, rule.interval, min); unit <= last; unit += rule.interval) {
    spend();
    yield daysOfUnit(rule, unit, spend);
  }
}

/** Returns the wall time at which to continue, if the rule excludes the unit at `wall`. */
function skipExcluded(rule: Rule, frequency: ShortFrequency, wall: Wall): Wall | undefined {
  const day = Math.floor(wall / millisecondsOfDay);
  if (!matchesDay(rule, day)) return (day + 1) * millisecondsOfDay;
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
  spend: Spend,
): Generator<Iterable<Wall>> {
  const { frequency, interval } = rule;
  const length = millisecondsOf[frequency];
  const first = Math.floor(start / length);
  let unit = alignUnit(first, interval, Math.floor(from / length));
  while (unit * length <= to) {
    spend();
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

function* wallsOf(rule: Rule, start: Wall, span: WallSpan, spend: Spend): Generator<Wall> {
  const periods = isShort(rule)
    ? shortPeriods(rule, start, span, spend)
    : longPeriods(rule, start, span, spend);
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
  spend: Spend,
): Generator<Wall> {
  if (start >= span.from && start <= span.to) yield start;
  const day = Math.floor(start / millisecondsOfDay);
  const whole = completeTimes(completeDays(rule, day), start);
  const isCounted = Number.isFinite(rule.count);
  const from = isCounted ? start : Math.max(start, span.from);
  const to = Math.min(span.to, until);
  let previous = start;
  let left = rule.count - 1;
  if (left === 0 || to < from) return;
  for (const wall of wallsOf(whole, start, { from, to }, spend)) {
    if (wall <= previous) continue;
    if (wall > to) return;
    if (wall >= span.from) yield wall;
    previous = wall;
    left -= 1;
    if (left === 0) return;
  }
}

export type RuleFromStart = {
  readonly rule: Rule;
  readonly start: Wall;
  readonly until?: Wall | undefined;
};
