import { type EventTime, instantOf } from './ics/clocks.ts';
import { type Component, readComponents } from './ics/components.ts';
import type { Refuse } from './ics/property.ts';
import {
  expandSeries,
  type IcsWindow,
  type Instance,
  isRange,
  namePeriod,
  nameRecurrence,
  type SeriesContext,
} from './ics/series.ts';
import {
  createRefuse,
  identityOf,
  idOf,
  isSeries,
  recurrenceOf,
  type Survey,
  sequenceOf,
  surveyFile,
  uidOf,
} from './ics/survey.ts';
import { readValues } from './ics/values.ts';
import { formatDate, formatInstant } from './ics/wall.ts';
import type { ReadSource, SeriesEnd, SourceItem, SourceRecord } from './source.ts';

export type { IcsWindow } from './ics/series.ts';

/**
 * How many days and times the rules of a file may look at: a second's work, or two. A date that is
 * listed or taken counts for twenty, so that a file has at most 100,000 of them.
 */
const mostSteps = 2_000_000;

/** Comes after the name of every recurrence. */
const afterEveryDate = ':';

/** From two years before `now` to two years after it. */
export function aroundNow(now: Date): IcsWindow {
  const year = now.getUTCFullYear();
  return {
    from: new Date(new Date(now).setUTCFullYear(year - 2)),
    to: new Date(new Date(now).setUTCFullYear(year + 2)),
  };
}

/** Makes records of the events of a surveyed file, one after the other. */
class EventReader {
  readonly #file: string;
  readonly #survey: Survey;
  readonly #window: IcsWindow;
  #steps = 0;
  #hasSeries = false;
  #loneRanges = 0;

  constructor(file: string, survey: Survey, window: IcsWindow) {
    this.#file = file;
    this.#survey = survey;
    this.#window = window;
  }

  /** The records of an event: none for an older revision, one for each date of a series. */
  *read(event: Component): Generator<SourceItem> {
    const refuse = createRefuse(this.#file, event);
    const uid = uidOf(event, refuse);
    const changes = this.#survey.changes.get(uid);
    const recurrence = recurrenceOf(event, refuse);
    if (recurrence !== undefined) {
      const isNewest = changes?.get(recurrence)?.turn === event.turn;
      const isLone = !this.#survey.newest.has(`ics:${uid}`);
      if (isNewest && isLone) yield this.#readLoneChange(event, uid, refuse);
      return;
    }
    const newest = this.#survey.newest.get(identityOf(event, refuse));
    if (newest === undefined) throw refuse('the file changed while it was read; try again');
    if (newest.turn !== event.turn) return;
    const isRepeated = isSeries(event) || changes !== undefined;
    const hasId = idOf(event, refuse) !== undefined;
    if (isRepeated && !hasId) {
      yield* this.#readSeries(event, uid, changes?.values() ?? []);
    } else {
      yield this.#readSingle(event, uid, refuse);
      // It may have been a series before.
      if (!hasId) yield* this.#endSeries(event, uid, { first: '', last: afterEveryDate });
    }
  }

  /** What a later revision of an event is complete for; earlier ones have nothing to end. */
  *#endSeries(
    event: Component,
    uid: string,
    period: { readonly first: string; readonly last: string },
  ): Generator<SeriesEnd> {
    const sequence = sequenceOf(event, createRefuse(this.#file, event));
    if (sequence === 0) return;
    yield { place: `event ${event.turn}`, revision: { key: `ics:${uid}`, sequence, ...period } };
  }

  /** What the reader did that may not be as it seems. */
  *notes(): Generator<string> {
    const { from, to } = this.#window;
    const span = `from ${formatDate(from.getTime())} to ${formatDate(to.getTime())}`;
    if (this.#hasSeries) yield `Of events that repeat, the dates ${span} were taken.`;
    if (this.#loneRanges > 0) {
      yield 'A change of a series was taken for its own date alone: the series is not in the file.';
    }
  }

  #readSingle(event: Component, uid: string, refuse: Refuse): SourceRecord {
    const { clocks } = this.#survey;
    const instant = instantOf(clocks.readStart(event, refuse));
    const values = readValues(event, formatDateOf(instant, refuse), clocks, refuse);
    const place = `event ${event.turn}`;
    if (idOf(event, refuse) !== undefined) return { place, values };
    const origin = { key: `ics:${uid}`, sequence: sequenceOf(event, refuse) };
    return { place, values, origin };
  }

  /** The change of one date whose series is not in the file. */
  #readLoneChange(event: Component, uid: string, refuse: Refuse): SourceRecord {
    const { clocks } = this.#survey;
    const id = clocks.findTime(event, 'RECURRENCE-ID', refuse) as EventTime;
    if (isRange(event)) this.#loneRanges += 1;
    const instant = instantOf(clocks.readStart(event, refuse));
    const recurrence = nameRecurrence(id, id.wall, refuse);
    const day = formatDate(id.wall);
    return this.#readInstance({ event, recurrence, day, instant }, uid, 0);
  }

  *#readSeries(event: Component, uid: string, changes: Iterable<Component>): Generator<SourceItem> {
    this.#hasSeries = true;
    const sequence = sequenceOf(event, createRefuse(this.#file, event));
    const context: SeriesContext = {
      clocks: this.#survey.clocks,
      window: this.#window,
      spend: (steps, refuse) => this.#spend(steps, refuse),
      refuseFor: (other) => createRefuse(this.#file, other),
    };
    for (const instance of expandSeries(event, changes, context)) {
      yield this.#readInstance(instance, uid, sequence);
    }
    yield* this.#endSeries(event, uid, namePeriod(event, context));
  }

  /** A change counts as no older than its series: the file as it is says both at once. */
  #readInstance(instance: Instance, uid: string, sequence: number): SourceRecord {
    const { event, recurrence, day, instant } = instance;
    const on = `, on ${day}`;
    const refuse = createRefuse(this.#file, event, on);
    const values = readValues(event, formatDateOf(instant, refuse), this.#survey.clocks, refuse);
    const key = `ics:${uid}:${recurrence}`;
    const origin = { key, sequence: Math.max(sequence, sequenceOf(event, refuse)) };
    return { place: `event ${event.turn}${on}`, values, origin };
  }

  #spend(steps: number, refuse: Refuse): void {
    this.#steps += steps;
    if (this.#steps > mostSteps) {
      throw refuse('with the dates and rules before it, it takes too long to work out');
    }
  }
}

function formatDateOf(instant: number, refuse: Refuse): string {
  const date = formatInstant(instant);
  if (date === undefined) throw refuse('its date is outside the years 1 to 9999');
  return date;
}

/**
 * Makes a reader of iCalendar files (RFC 5545) that takes the dates of events that repeat from a
 * window of time, by default two years to both sides of the import; single events are all taken.
 * It reads the file twice and refuses one above 32 MiB. Throws `bad_input` naming event and
 * property.
 */
export function createIcsReader(window: (now: Date) => IcsWindow = aroundNow): ReadSource {
  return async function* readIcs(file, options) {
    const survey = await surveyFile(file, options);
    const reader = new EventReader(file.name, survey, window(options.now));
    for await (const component of readComponents(file)) {
      if (component.kind === 'VEVENT') yield reader.read(component);
    }
    for (const sentence of reader.notes()) options.note(sentence);
  };
}

/** Reads an iCalendar file, a date of an event at a time; see `createIcsReader`. */
export const readIcs: ReadSource = createIcsReader();
