import { RecordError } from '../source.ts';
import { type Clocks, type EventTime, instantOf } from './clocks.ts';
import type { Component, Line } from './components.ts';
import { expandRule, type Spend, type WallSpan } from './occurrences.ts';
import { findLine, type Refuse, rawValueOf } from './property.ts';
import { parseRule } from './rule.ts';
import { sequenceOf } from './survey.ts';
import { formatDate, formatInstant, millisecondsOfDay, utc, type Wall } from './wall.ts';

/** Which dates of events that repeat are taken. */
export type IcsWindow = { readonly from: Date; readonly to: Date };

/** How a series is worked out. */
export type SeriesContext = {
  readonly clocks: Clocks;
  readonly window: IcsWindow;
  /** Called for the work that is done; throws when it was too much for one file. */
  readonly spend: (steps: number) => void;
};

/** One date of a series. */
export type Instance = {
  /** Which of the dates it is, also when it was moved: a UTC timestamp, or a day. */
  readonly recurrence: string;
  /** The day it was planned for, on the clock of the series. */
  readonly day: string;
  /** The event that says what it is: the series itself, or a change of it. */
  readonly event: Component;
  /** Milliseconds since 1970 in UTC. */
  readonly instant: number;
};

/** An event that changes one date of a series or, as a range, all from it on. */
type Change = {
  readonly recurrence: string;
  readonly wall: Wall;
  readonly event: Component;
  readonly instant: number;
  /** How far a range moves its dates. */
  readonly shift: number;
  readonly isRange: boolean;
};

const mostOccurrences = 10_000;

/** What a date costs beside a step of a rule, which needs no time zone. */
const stepsOfDate = 20;

export function isRange(event: Component): boolean {
  const line = findLine(event, 'RECURRENCE-ID');
  return /;RANGE="?THISANDFUTURE"?[;:]/i.test(line?.text.slice(0, 1000) ?? '');
}

/** How the date of a series is known that lies at `wall`. Throws outside the years 1 to 9999. */
export function nameRecurrence({ zone, isDate }: EventTime, wall: Wall): string {
  const name = isDate ? formatDate(wall) : formatInstant(zone.toInstant(wall));
  if (name === undefined) throw new RecordError('a date of it is outside the years 1 to 9999');
  return name;
}

/** A series with its rules and dates, read and checked. */
class Series {
  readonly start: EventTime;
  readonly span: WallSpan;
  readonly #event: Component;
  readonly #context: SeriesContext;
  readonly #deleted = new Set<string>();
  readonly #deletedDays = new Set<string>();

  constructor(event: Component, context: SeriesContext) {
    this.#event = event;
    this.#context = context;
    this.start = context.clocks.readStart(event);
    const { from, to } = context.window;
    const { toWall } = this.start.zone;
    this.span = { from: toWall(from.getTime()), to: toWall(to.getTime()) };
  }

  /** The dates of the series without its changes, by how they are known. */
  listOccurrences(): Map<string, Wall> {
    const included = new Map<string, Wall>();
    const { wall, isDate } = this.start;
    const hasRule = findLine(this.#event, 'RRULE') !== undefined;
    if (!hasRule && this.#isInSpan(wall)) this.#include(included, wall);
    for (const rule of this.#linesOf('RRULE')) {
      for (const each of this.#expand(rule)) this.#include(included, each);
    }
    for (const time of this.#readTimes('RDATE')) {
      const each = this.toWall(time);
      if (this.#isInSpan(each)) this.#include(included, each);
    }
    for (const rule of this.#linesOf('EXRULE')) {
      for (const each of this.#expand(rule)) included.delete(this.nameOf(each));
    }
    for (const time of this.#readTimes('EXDATE')) {
      if (time.isDate && !isDate) this.#deletedDays.add(formatDate(time.wall));
      else this.#deleted.add(this.nameOf(this.toWall(time)));
    }
    for (const [name, each] of included) if (this.isDeleted(name, each)) included.delete(name);
    return included;
  }

  /** Returns whether EXDATE excludes a date. */
  isDeleted(recurrence: string, wall: Wall): boolean {
    return this.#deleted.has(recurrence) || this.#deletedDays.has(formatDate(wall));
  }

  nameOf(wall: Wall): string {
    return nameRecurrence(this.start, wall);
  }

  /** Any time on the clock of the series: a day, or a day at its time where only that is said. */
  toWall(time: EventTime): Wall {
    const { isDate, zone, wall } = this.start;
    if (time.isDate) return isDate ? time.wall : time.wall + (wall - startOfDay(wall));
    // Old calendars of Google write a day of such a series as its midnight in UTC.
    if (isDate && time.zone === utc && time.wall === startOfDay(time.wall)) return time.wall;
    const own = zone.toWall(instantOf(time));
    return isDate ? startOfDay(own) : own;
  }

  #isInSpan(wall: Wall): boolean {
    return wall >= this.span.from && wall <= this.span.to;
  }

  #include(included: Map<string, Wall>, wall: Wall): void {
    this.#context.spend(stepsOfDate);
    included.set(this.nameOf(wall), wall);
    if (included.size <= mostOccurrences) return;
    const { from, to } = this.#context.window;
    const span = `between ${formatDate(from.getTime())} and ${formatDate(to.getTime())}`;
    const what = `the RRULE gives more than ${mostOccurrences} dates ${span}`;
    throw new RecordError(`${what}; end it with COUNT or UNTIL`);
  }

  #linesOf(name: string): Line[] {
    return this.#event.lines.filter((line) => line.name === name);
  }

  #readTimes(name: string): EventTime[] {
    return this.#linesOf(name).flatMap((line) => {
      const times = this.#context.clocks.readTimes(line, this.#event.calendar);
      this.#context.spend(times.length * stepsOfDate);
      return times;
    });
  }

  #expand(line: Line): Generator<Wall> {
    const refuse: Refuse = (what) => new RecordError(`the ${line.name} cannot be used: ${what}`);
    const rule = parseRule(rawValueOf(line), refuse);
    const spend: Spend = () => this.#context.spend(1);
    const { wall, isDate, zone } = this.start;
    const { until } = rule;
    const untilWall = () => {
      if (until === undefined) return undefined;
      if (isDate || until.kind === 'date') return startOfDay(until.wall) + millisecondsOfDay - 1;
      return until.kind === 'utc' ? zone.toWall(until.wall) : until.wall;
    };
    return expandRule({ rule, start: wall, until: untilWall() }, this.span, spend);
  }
}

function startOfDay(wall: Wall): Wall {
  return Math.floor(wall / millisecondsOfDay) * millisecondsOfDay;
}

function readChange(event: Component, series: Series, context: SeriesContext): Change {
  const { clocks } = context;
  const id = clocks.findTime(event, 'RECURRENCE-ID') as EventTime;
  const start = clocks.readStart(event);
  const wall = series.toWall(id);
  const instant = instantOf(start);
  return {
    recurrence: series.nameOf(wall),
    wall,
    event,
    instant,
    shift: series.start.zone.toWall(instant) - wall,
    isRange: isRange(event),
  };
}

/** Returns the names of the first and the last date that a series may have in the window. */
export function namePeriod(
  master: Component,
  context: SeriesContext,
): { readonly first: string; readonly last: string } {
  const { start, span } = new Series(master, context);
  if (!start.isDate) {
    const { from, to } = context.window;
    return { first: from.toISOString(), last: to.toISOString() };
  }
  // A day counts when its midnight is in the span.
  const first = Math.ceil(span.from / millisecondsOfDay) * millisecondsOfDay;
  return { first: formatDate(first), last: formatDate(span.to) };
}

/**
 * The dates of a series within the window, in order (RFC 5545 section 3.8.5), each with the event
 * that says what it is. `events` are the changes of its UID; one is taken when the
 * date that it changes, or that it moves it to, is in the window. Throws a `RecordError` for a rule
 * that is broken, takes too long or gives more than 10,000 dates.
 */
export function* expandSeries(
  master: Component,
  events: Iterable<Component>,
  context: SeriesContext,
): Generator<Instance> {
  const series = new Series(master, context);
  const occurrences = series.listOccurrences();
  const single = new Map<string, Change>();
  for (const event of events) {
    const change = readChange(event, series, context);
    single.set(change.recurrence, change);
  }
  const isWithin = (wall: Wall) => wall >= series.span.from && wall <= series.span.to;
  const sequence = sequenceOf(master);
  for (const { recurrence, wall, shift, event } of single.values()) {
    // The series deleted the date after it was changed.
    if (series.isDeleted(recurrence, wall) && sequenceOf(event) < sequence) continue;
    if (isWithin(wall) || isWithin(wall + shift)) occurrences.set(recurrence, wall);
  }
  const ranges = [...single.values()]
    .filter((change) => change.isRange)
    .toSorted((left, right) => left.wall - right.wall);
  const inOrder = [...occurrences].toSorted(([, left], [, right]) => left - right);
  let passed = 0;
  for (const [recurrence, wall] of inOrder) {
    while ((ranges[passed]?.wall ?? Number.POSITIVE_INFINITY) <= wall) passed += 1;
    const range = ranges[passed - 1];
    const change = single.get(recurrence);
    const instant = change?.instant ?? series.start.zone.toInstant(wall + (range?.shift ?? 0));
    const event = (change ?? range)?.event ?? master;
    yield { recurrence, day: formatDate(wall), event, instant };
  }
}
