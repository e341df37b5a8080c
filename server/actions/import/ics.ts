import { describeEarly, firstYear } from './draft.ts';
import { type EventTime, instantOf } from './ics/clocks.ts';
import { type Component, readComponents } from './ics/components.ts';
import { decodeCalendar } from './ics/lines.ts';
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
  identityOf,
  idOf,
  isSeries,
  recurrenceOf,
  type Survey,
  sequenceOf,
  surveyFile,
  uidOf,
} from './ics/survey.ts';
import { readValues, untitled } from './ics/values.ts';
import { formatDate, formatInstant } from './ics/wall.ts';
import { createNamedZone } from './ics/zone-names.ts';
import {
  badSource,
  type FileItem,
  type ReadSource,
  RecordError,
  type SeriesEnd,
  type SourceRecord,
} from './source.ts';

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
  readonly #context: SeriesContext;
  #steps = 0;
  #hasSeries = false;
  #loneRanges = 0;
  readonly #untitled = new Set<number>();

  constructor(file: string, survey: Survey, window: IcsWindow) {
    this.#file = file;
    this.#survey = survey;
    const spend = (steps: number) => this.#spend(steps);
    this.#context = { clocks: survey.clocks, window, spend };
  }

  /** The records of an event: none for an older revision, one for each date of a series. */
  *read(event: Component): Generator<FileItem> {
    try {
      yield* this.#readEvent(event);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      yield { place: placeOf(event), problem: error.message };
    }
  }

  /** Ends the series of earlier revisions; a first revision has none before it. */
  *#endSeries(
    event: Component,
    uid: string,
    period: { readonly first: string; readonly last: string },
  ): Generator<SeriesEnd> {
    const sequence = sequenceOf(event);
    if (sequence === 0) return;
    yield { place: placeOf(event), revision: { key: `ics:${uid}`, sequence, ...period } };
  }

  /** Returns a note for each guess of the reader. */
  *notes(timeZone: string): Generator<string> {
    if (this.#hasSeries) {
      const { toWall } = createNamedZone(timeZone);
      const { from, to } = this.#context.window;
      const [first, last] = [from, to].map((date) => formatDate(toWall(date.getTime())));
      yield `Of events that repeat, the dates from ${first} to ${last} were taken.`;
    }
    if (this.#loneRanges > 0) {
      yield 'A change of a series was taken for its own date alone: the series is not in the file.';
    }
    const { size } = this.#untitled;
    const events = size === 1 ? '1 event' : `${size} events`;
    if (size > 0) yield `${events} without a title got the name "${untitled}".`;
  }

  *#readEvent(event: Component): Generator<FileItem> {
    const problem = this.#survey.problems.get(event.turn);
    if (problem !== undefined) throw new RecordError(problem);
    const uid = uidOf(event);
    const changes = this.#survey.changes.get(uid);
    const recurrence = recurrenceOf(event);
    if (recurrence !== undefined) {
      if (changes?.get(recurrence)?.turn !== event.turn) return;
      const change = this.#readLoneChange(event, uid);
      if (this.#survey.newest.has(`ics:${uid}`)) return;
      if (isRange(event)) this.#loneRanges += 1;
      yield change;
      return;
    }
    const newest = this.#survey.newest.get(identityOf(event));
    if (newest === undefined) {
      throw badSource(this.#file, undefined, 'the file changed while it was read; try again');
    }
    if (newest.turn !== event.turn) return;
    const isRepeated = isSeries(event) || changes !== undefined;
    const hasId = idOf(event) !== undefined;
    if (isRepeated && !hasId) {
      yield* this.#readSeries(event, uid, [...(changes?.values() ?? [])]);
    } else {
      yield this.#readSingle(event, uid);
      // It may have been a series before.
      if (!hasId) yield* this.#endSeries(event, uid, { first: '', last: afterEveryDate });
    }
  }

  #readSingle(event: Component, uid: string): SourceRecord {
    const start = this.#survey.clocks.readStart(event);
    const values = this.#readValues(event, instantOf(start));
    const place = placeOf(event);
    // An export of this program may have an event of any year.
    if (idOf(event) !== undefined) return { place, values };
    checkYear(start);
    return { place, values, origin: { key: `ics:${uid}`, sequence: sequenceOf(event) } };
  }

  /** The change of one date, as it is where its series is not in the file. */
  #readLoneChange(event: Component, uid: string): SourceRecord {
    const { clocks } = this.#survey;
    const id = clocks.findTime(event, 'RECURRENCE-ID') as EventTime;
    const start = clocks.readStart(event);
    checkYear(start);
    const recurrence = nameRecurrence(id, id.wall);
    const day = formatDate(id.wall);
    return this.#readInstance({ event, recurrence, day, instant: instantOf(start) }, uid, 0);
  }

  *#readSeries(event: Component, uid: string, changes: readonly Component[]): Generator<FileItem> {
    const sound = changes.filter((change) => this.#isSound(change, uid));
    const sequence = sequenceOf(event);
    try {
      // Of an event that cannot be read, not even the first date is taken.
      this.#readValues(event, instantOf(this.#survey.clocks.readStart(event)));
      for (const instance of expandSeries(event, sound, this.#context)) {
        yield this.#readInstance(instance, uid, sequence);
      }
      yield* this.#endSeries(event, uid, namePeriod(event, this.#context));
      this.#hasSeries = true;
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      yield { place: placeOf(event), problem: error.message };
      for (const change of sound) yield this.#readLoneChange(change, uid);
    }
  }

  /** Returns whether a change of a series can be read; if not, it is a bad record of its own. */
  #isSound(change: Component, uid: string): boolean {
    try {
      this.#readLoneChange(change, uid);
      return true;
    } catch (error) {
      if (error instanceof RecordError) return false;
      throw error;
    }
  }

  /** A change counts as no older than its series: the file as it is says both at once. */
  #readInstance(instance: Instance, uid: string, sequence: number): SourceRecord {
    const { event, recurrence, day, instant } = instance;
    const values = this.#readValues(event, instant);
    const key = `ics:${uid}:${recurrence}`;
    const origin = { key, sequence: Math.max(sequence, sequenceOf(event)) };
    return { place: `${placeOf(event)}, on ${day}`, values, origin };
  }

  #readValues(event: Component, instant: number): SourceRecord['values'] {
    const values = readValues(event, formatDateOf(instant), this.#survey.clocks);
    if (values.name === untitled) this.#untitled.add(event.turn);
    return values;
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > mostSteps) {
      throw new RecordError('with the dates and rules before it, it takes too long to work out');
    }
  }
}

function placeOf({ turn }: Component): string {
  return `event ${turn}`;
}

function checkYear({ wall }: EventTime): void {
  const year = new Date(wall).getUTCFullYear();
  if (year < firstYear) throw new RecordError(describeEarly('its date', year));
}

function formatDateOf(instant: number): string {
  const date = formatInstant(instant);
  if (date === undefined) throw new RecordError('its date is outside the years 1 to 9999');
  return date;
}

/**
 * Makes a reader of iCalendar files (RFC 5545) that takes the dates of events that repeat from a
 * window of time, by default two years to both sides of the import; single events are all taken.
 * It reads the file three times and refuses one above 32 MiB. Throws `bad_input` for a file that is no
 * calendar or is cut off.
 */
export function createIcsReader(window: (now: Date) => IcsWindow = aroundNow): ReadSource {
  return async function* readIcs(file, options) {
    const text = await decodeCalendar(file, options);
    const survey = await surveyFile(text, options);
    const reader = new EventReader(file.name, survey, window(options.now));
    for await (const component of readComponents(text)) {
      if (component.kind === 'VEVENT') yield reader.read(component);
    }
    for (const sentence of reader.notes(options.timeZone)) options.note(sentence);
  };
}

/** Reads an iCalendar file, a date of an event at a time; see `createIcsReader`. */
export const readIcs: ReadSource = createIcsReader();
