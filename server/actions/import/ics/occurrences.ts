import type { Rule } from './rule.ts';
import { completeDays, isAskedDay, rangesOf, unitOf } from './rule-days.ts';
import { millisecondsOfDay, type Wall } from './wall.ts';

/** From the first to the last wall time, both included. */
export type WallSpan = { readonly from: Wall; readonly to: Wall };

/** Called for each day or time that is looked at; throws when there were too many. */
export type Spend = () => void;

const millisecondsOf = { HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1000 } as const;
type Short = keyof typeof millisecondsOf;

function isShort(rule: Rule): rule is Rule & { readonly frequency: Short } {
  return rule.frequency in millisecondsOf;
}

const or = (asked: readonly number[], own: number) => (asked.length === 0 ? [own] : asked);

/** Takes the time of day that the rule does not say from its start. */
function completeTimes(rule: Rule, start: Wall): Rule {
  const at = new Date(start);
  const { frequency, hours, minutes, seconds } = rule;
  return {
    ...rule,
    hours: isShort(rule) ? hours : or(hours, at.getUTCHours()),
    minutes:
      frequency === 'MINUTELY' || frequency === 'SECONDLY'
        ? minutes
        : or(minutes, at.getUTCMinutes()),
    seconds: frequency === 'SECONDLY' ? seconds : or(seconds, at.getUTCSeconds()),
  };
}

function* timesOfDay({ hours, minutes, seconds }: Rule): Generator<number> {
  for (const hour of hours) {
    for (const minute of minutes) {
      for (const second of seconds) yield ((hour * 60 + minute) * 60 + second) * 1000;
    }
  }
}

/** The first of every `interval` units from `unit` on that is not before `least`. */
function alignUnit(unit: number, interval: number, least: number): number {
  return unit + interval * Math.max(0, Math.ceil((least - unit) / interval));
}

function* daysOfUnit(rule: Rule, unit: number, spend: Spend): Generator<Wall> {
  for (const { first, end } of rangesOf(rule, unit)) {
    for (let day = first; day < end; day += 1) {
      spend();
      if (!isAskedDay(rule, day)) continue;
      for (const time of timesOfDay(rule)) {
        spend();
        yield day * millisecondsOfDay + time;
      }
    }
  }
}

/** The wall times of a rule by years, months, weeks or days; each in order, and they too. */
function* longPeriods(
  rule: Rule,
  start: Wall,
  { from, to }: WallSpan,
  spend: Spend,
): Generator<Iterable<Wall>> {
  const dayOfWall = (wall: Wall) => Math.floor(wall / millisecondsOfDay);
  const first = unitOf(rule, dayOfWall(start));
  const last = unitOf(rule, dayOfWall(to));
  const least = unitOf(rule, dayOfWall(from));
  for (let unit = alignUnit(first, rule.interval, least); unit <= last; unit += rule.interval) {
    spend();
    yield daysOfUnit(rule, unit, spend);
  }
}

/** Where to go on when the hour, minute or second at `wall` is not asked for; else undefined. */
function findUnasked(rule: Rule, frequency: Short, wall: Wall): Wall | undefined {
  const day = Math.floor(wall / millisecondsOfDay);
  if (!isAskedDay(rule, day)) return (day + 1) * millisecondsOfDay;
  const at = new Date(wall);
  const isUnasked = (asked: readonly number[], value: number) =>
    asked.length > 0 && !asked.includes(value);
  const after = (unit: Short) =>
    (Math.floor(wall / millisecondsOf[unit]) + 1) * millisecondsOf[unit];
  if (isUnasked(rule.hours, at.getUTCHours())) return after('HOURLY');
  if (frequency === 'HOURLY') return undefined;
  if (isUnasked(rule.minutes, at.getUTCMinutes())) return after('MINUTELY');
  if (frequency === 'MINUTELY') return undefined;
  return isUnasked(rule.seconds, at.getUTCSeconds()) ? after('SECONDLY') : undefined;
}

function timesOfUnit(rule: Rule, frequency: Short, wall: Wall): Wall[] {
  if (frequency === 'SECONDLY') return [wall];
  const minutes = frequency === 'HOURLY' ? rule.minutes : [0];
  return minutes.flatMap((minute) =>
    rule.seconds.map((second) => wall + (minute * 60 + second) * 1000),
  );
}

/** The wall times of a rule by hours, minutes or seconds. */
function* shortPeriods(
  rule: Rule & { readonly frequency: Short },
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
    const next = findUnasked(rule, frequency, unit * length);
    if (next === undefined) yield timesOfUnit(rule, frequency, unit * length);
    unit = next === undefined ? unit + interval : alignUnit(unit, interval, next / length);
  }
}

/** Those of a period that BYSETPOS asks for. */
function pick(period: Iterable<Wall>, { positions }: Rule): Iterable<Wall> {
  if (positions.length === 0) return period;
  const all = [...period];
  return all.filter((_, at) => positions.includes(at + 1) || positions.includes(at - all.length));
}

function* wallsOf(rule: Rule, start: Wall, span: WallSpan, spend: Spend): Generator<Wall> {
  const periods = isShort(rule)
    ? shortPeriods(rule, start, span, spend)
    : longPeriods(rule, start, span, spend);
  for (const period of periods) yield* pick(period, rule);
}

/**
 * The occurrences of a rule within `span`, in order, as wall times (RFC 5545 section 3.3.10).
 * `start` is always the first one, whether or not the rule matches it; `until` is included. A rule
 * without COUNT is not followed through the time before `span`.
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
