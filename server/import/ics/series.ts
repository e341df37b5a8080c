import type { Wall } from '../../dates/clock.ts';
import { dayMs } from '../../dates/units.ts';
import { message } from '../../messages/message.ts';
import { type DateWindow, RecordError } from '../source.ts';
import { isRange, revisionOf } from './event.ts';
import { type EventTime, instantOf, type TimeReader } from './event-times.ts';
import { formatDate, formatInstant, utc } from './local-time.ts';
import { type CountStep, expandRule, type WallSpan } from './occurrences.ts';
import { type Component, findLine, type Line, type Refuse, rawValueOf } from './property.ts';
import { parseRule } from './rule.ts';

export type SeriesContext = {
  readonly times: TimeReader;
  readonly window: DateWindow;
  /** Adds steps of work; throws if the file needs too many. */
  readonly countSteps: (steps: number) => void;
};

export type Instance = {
  /** The name of the date, also if it was moved: a UTC timestamp, or a day. */
  readonly recurrence: string;
  /** The planned day, on the clock of the series. */
  readonly day: string;
  /** The event with its values: the series itself, or a change of it. */
  readonly event: Component;
  /** Milliseconds since 1970 in UTC. */
  readonly instant: number;
};

/** An event that changes one date of a series or, as a range, that date and all later ones. */
type Change = {
  readonly recurrence: string;
  readonly wall: Wall;
  readonly event: Component;
  readonly instant: number;
  /** The distance by which a range moves its dates, in milliseconds. */
  readonly shift: number;
  readonly isRange: boolean;
};

const maxOccurrences = 10_000;

/** Cost of a date in steps; a step of a rule is cheaper because it needs no time zone. */
const stepsOfDate = 20;

/** Names the date of a series at `wall`. Throws a `RecordError` outside the years 1 to 9999. */
export function nameRecurrence({ zone, isDate }: EventTime, wall: Wall): string {
  const name = isDate ? formatDate(wall) : formatInstant(zone.toInstant(wall));
  if (name === undefined) throw new RecordError(message('calendarReason:occurrence_out_of_range'));
  return name;
}

class Series {
  readonly start: EventTime;
  readonly span: WallSpan;
  readonly #event: Component;
  readonly #context: SeriesContext;
  /** Names of the dates, and the days, that EXDATE excludes. */
  readonly #excluded = new Set<string>();

  constructor(event: Component, context: SeriesContext) {
    this.#event = event;
    this.#context = context;
    this.start = context.times.readStart(event);
    this.span = spanOf(this.start, context.window);
    for (const time of this.#readTimes('EXDATE')) {
      const isWholeDay = time.isDate && !this.start.isDate;
      this.#excluded.add(isWholeDay ? formatDate(time.wall) : this.nameOf(this.toWall(time)));
    }
  }

  /** Lists the dates of the series without its changes, by name. */
  listOccurrences(): Map<string, Wall> {
    const included = new Map<string, Wall>();
    const { wall } = this.start;
    const hasRule = findLine(this.#event, 'RRULE') !== undefined;
    if (!hasRule && this.isInSpan(wall)) this.#include(included, wall);
    for (const rule of this.#linesOf('RRULE')) {
      for (const each of this.#expand(rule)) this.#include(included, each);
    }
    for (const time of this.#readTimes('RDATE')) {
      const each = this.toWall(time);
      if (this.isInSpan(each)) this.#include(included, each);
    }
    for (const rule of this.#linesOf('EXRULE')) {
      for (const each of this.#expand(rule)) included.delete(this.nameOf(each));
    }
    for (const [name, each] of included) if (this.isExcluded(name, each)) included.delete(name);
    return included;
  }

  /** Returns true if EXDATE excludes a date. */
  isExcluded(recurrence: string, wall: Wall): boolean {
    return this.#excluded.has(recurrence) || this.#excluded.has(formatDate(wall));
  }

  nameOf(wall: Wall): string {
    return nameRecurrence(this.start, wall);
  }

  /** Converts a time to the clock of the series; a day gets the time of its start, if any. */
  toWall(time: EventTime): Wall {
    const { isDate, zone, wall } = this.start;
    if (time.isDate) return isDate ? time.wall : time.wall + (wall - startOfDay(wall));
    // Old calendars of Google write a day of an all-day series as midnight in UTC.
    if (isDate && time.zone === utc && time.wall === startOfDay(time.wall)) return time.wall;
    const seriesWall = zone.toWall(instantOf(time));
    return isDate ? startOfDay(seriesWall) : seriesWall;
  }

  isInSpan(wall: Wall): boolean {
    return wall >= this.span.from && wall <= this.span.to;
  }

  #include(included: Map<string, Wall>, wall: Wall): void {
    this.#context.countSteps(stepsOfDate);
    included.set(this.nameOf(wall), wall);
    if (included.size <= maxOccurrences) return;
    const { from, to } = this.#context.window;
    throw new RecordError(
      message('calendarReason:too_many_occurrences', {
        limit: maxOccurrences,
        from: formatDate(from.getTime()),
        to: formatDate(to.getTime()),
      }),
    );
  }

  #linesOf(name: string): Line[] {
    return this.#event.lines.filter((line) => line.name === name);
  }

  #readTimes(name: string): EventTime[] {
    return this.#linesOf(name).flatMap((line) => {
      const times = this.#context.times.readTimes(line, this.#event.calendar);
      this.#context.countSteps(times.length * stepsOfDate);
      return times;
    });
  }

  #expand(line: Line): Generator<Wall> {
    const refuse: Refuse = (reason) =>
      new RecordError(message('calendarReason:rule_invalid', { property: line.name, reason }));
    const rule = parseRule(rawValueOf(line), refuse);
    const countStep: CountStep = () => this.#context.countSteps(1);
    const { wall, isDate, zone } = this.start;
    const { until } = rule;
    const untilWall = () => {
      if (until === undefined) return undefined;
      if (isDate || until.kind === 'date') return startOfDay(until.wall) + dayMs - 1;
      return until.kind === 'utc' ? zone.toWall(until.wall) : until.wall;
    };
    return expandRule({ rule, start: wall, until: untilWall() }, this.span, countStep);
  }
}

/** Returns the window on the clock of a series. */
function spanOf({ zone }: EventTime, { from, to }: DateWindow): WallSpan {
  return { from: zone.toWall(from.getTime()), to: zone.toWall(to.getTime()) };
}

function startOfDay(wall: Wall): Wall {
  return Math.floor(wall / dayMs) * dayMs;
}

function readChange(event: Component, series: Series, context: SeriesContext): Change {
  const { times } = context;
  const id = times.findTime(event, 'RECURRENCE-ID') as EventTime;
  const start = times.readStart(event);
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
  const { times, window } = context;
  const start = times.readStart(master);
  if (!start.isDate) return { first: window.from.toISOString(), last: window.to.toISOString() };
  const span = spanOf(start, window);
  // A day is in the span if its midnight is.
  const first = Math.ceil(span.from / dayMs) * dayMs;
  return { first: formatDate(first), last: formatDate(span.to) };
}

/**
 * Yields the dates of a series within the window, in order (RFC 5545 section 3.8.5). `changeEvents`
 * are the changes of its UID; a change applies if its original or new date is in the window. Throws
 * a `RecordError` for a rule that is broken, takes too long or gives more than 10,000 dates.
 */
export function* expandSeries(
  master: Component,
  changeEvents: Iterable<Component>,
  context: SeriesContext,
): Generator<Instance> {
  const series = new Series(master, context);
  const occurrences = series.listOccurrences();
  const changes = new Map<string, Change>();
  for (const event of changeEvents) {
    const change = readChange(event, series, context);
    changes.set(change.recurrence, change);
  }
  const { sequence } = revisionOf(master);
  for (const { recurrence, wall, shift, event } of changes.values()) {
    // A later revision of the series excluded the changed date.
    if (series.isExcluded(recurrence, wall) && revisionOf(event).sequence < sequence) continue;
    if (series.isInSpan(wall) || series.isInSpan(wall + shift)) occurrences.set(recurrence, wall);
  }
  const ranges = [...changes.values()]
    .filter((change) => change.isRange)
    .toSorted((left, right) => left.wall - right.wall);
  const inOrder = [...occurrences].toSorted(([, left], [, right]) => left - right);
  let passed = 0;
  for (const [recurrence, wall] of inOrder) {
    while ((ranges[passed]?.wall ?? Number.POSITIVE_INFINITY) <= wall) passed += 1;
    const range = ranges[passed - 1];
    const change = changes.get(recurrence);
    const instant = change?.instant ?? series.start.zone.toInstant(wall + (range?.shift ?? 0));
    const event = (change ?? range)?.event ?? master;
    yield { recurrence, day: formatDate(wall), event, instant };
  }
}
