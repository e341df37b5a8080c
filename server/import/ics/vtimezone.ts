import type { Wall, Zone } from '../../dates/clock.ts';
import { dayMs } from '../../dates/units.ts';
import { type Message, message } from '../../messages/message.ts';
import { dayOf, parseWallTime } from './local-time.ts';
import { type CountStep, expandRule, type RuleFromStart } from './occurrences.ts';
import {
  type Component,
  findLine,
  findRaw,
  type Line,
  type Refuse,
  rawValueOf,
} from './property.ts';
import { parseRule } from './rule.ts';

/** One STANDARD or DAYLIGHT of a VTIMEZONE; offsets from UTC in milliseconds. */
type Observance = {
  readonly before: number;
  readonly after: number;
  /** The wall times at which it begins, on a clock with the old offset. */
  readonly dates: readonly Wall[];
  readonly rules: readonly RuleFromStart[];
};

type Change = { readonly at: number; readonly before: number; readonly after: number };

/** Maximum number of changes: more than one a month in all of history. */
const maxChanges = 20_000;

function invalidProperty(property: string): Message {
  return message('calendarReason:zone_property_invalid', { property });
}

function readOffset(part: Component, name: string, refuse: Refuse): number {
  const text = findRaw(part, name) ?? '';
  const [, sign, hours, minutes, seconds = 0] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 23) throw refuse(invalidProperty(name));
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === '-' ? -offset : offset) * 1000;
}

function readObservance(part: Component, refuse: Refuse): Observance {
  const before = readOffset(part, 'TZOFFSETFROM', refuse);
  const read = (line: Line, text: string): Wall => {
    const time = parseWallTime(text);
    if (time === undefined) throw refuse(invalidProperty(line.name));
    return time.kind === 'utc' ? time.wall + before : time.wall;
  };
  const startLine = findLine(part, 'DTSTART');
  if (startLine === undefined) throw refuse(invalidProperty('DTSTART'));
  const start = read(startLine, rawValueOf(startLine));
  const linesOf = (name: string) => part.lines.filter((line) => line.name === name);
  const rules = linesOf('RRULE').map((line) => {
    const refuseRule: Refuse = (reason) =>
      refuse(message('calendarReason:zone_rule_invalid', { reason }));
    const rule = parseRule(rawValueOf(line), refuseRule);
    const { until } = rule;
    return { rule, start, until: until && until.wall + (until.kind === 'utc' ? before : 0) };
  });
  const dates = linesOf('RDATE').flatMap((line) =>
    rawValueOf(line)
      .split(',')
      .map((text) => read(line, text)),
  );
  return { before, after: readOffset(part, 'TZOFFSETTO', refuse), rules, dates: [start, ...dates] };
}

/** Lists the changes of the clock up to the end of a year, in order. */
function listChanges(
  observances: readonly Observance[],
  year: number,
  refuse: Refuse,
  countStep: CountStep,
): Change[] {
  const to = dayOf(year + 1, 1, 1) * dayMs;
  const changes = new Map<number, Change>();
  for (const { before, after, dates, rules } of observances) {
    const add = (wall: Wall) => {
      if (wall > to) return;
      changes.set(wall - before, { at: wall - before, before, after });
      if (changes.size <= maxChanges) return;
      throw refuse(message('calendarReason:too_many_zone_changes', { limit: maxChanges }));
    };
    for (const wall of dates) add(wall);
    for (const rule of rules) {
      for (const wall of expandRule(rule, { from: rule.start, to }, countStep)) add(wall);
    }
  }
  return [...changes.values()].toSorted((left, right) => left.at - right.at);
}

/** Finds the offset at an instant; `first` applies before all changes. */
function findOffset(changes: readonly Change[], first: number, instant: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((changes[middle]?.at ?? 0) <= instant) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1]?.after ?? first;
}

/**
 * Creates a zone from a VTIMEZONE (RFC 5545 section 3.6.5). Throws the error of `refuse` if offsets
 * are missing or there are too many changes.
 */
export function createFileZone({ parts }: Component, refuse: Refuse, countStep: CountStep): Zone {
  if (parts.length === 0) throw refuse(message('calendarReason:zone_empty'));
  const observances = parts
    .map((part) => readObservance(part, refuse))
    .toSorted((left, right) => (left.dates[0] ?? 0) - (right.dates[0] ?? 0));
  const first = observances[0]?.before ?? 0;
  let changes: readonly Change[] = [];
  let lastYear = Number.NEGATIVE_INFINITY;
  const offsetAt = (instant: number): number => {
    const year = new Date(instant).getUTCFullYear();
    if (year > lastYear) {
      // Extend the list by about 50 years, so that it is not computed again for every later event.
      lastYear = Math.ceil((year + 2) / 50) * 50;
      changes = listChanges(observances, lastYear, refuse, countStep);
    }
    return findOffset(changes, first, instant);
  };
  const toWall = (instant: number) => instant + offsetAt(instant);
  const toInstant = (wall: Wall): number => {
    const early = wall - offsetAt(wall - dayMs);
    const late = wall - offsetAt(wall + dayMs);
    const matching = [early, late].filter((instant) => toWall(instant) === wall);
    return matching.length === 0 ? early : Math.min(...matching);
  };
  return { toInstant, toWall };
}
