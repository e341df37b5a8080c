import type { SourceRevision } from '../../../db/model.ts';
import { packProblem } from '../../base/errors.ts';
import { earlyReason, firstYear } from '../../club/event-draft.ts';
import { createZone } from '../../dates/clock.ts';
import { type Message, message } from '../../messages/message.ts';
import {
  type FormatPreview,
  type FormatReader,
  otherZone,
  previewRows,
  shorten,
  takeFirst,
} from '../preview.ts';
import {
  type BadRecord,
  badSource,
  type DateWindow,
  type FileItem,
  isEvent,
  RecordError,
  type SeriesEnd,
  type SourceFile,
  type SourceItem,
  type SourceOptions,
  type SourceRecord,
} from '../source.ts';
import { displayTexts, maxCancelled, saysCancelled, withoutMark } from '../table/remarks.ts';
import { readComponents } from './components.ts';
import { createEndNotes, lengthOf } from './ends.ts';
import {
  idOf,
  isLater,
  isRange,
  isSeries,
  partsOf,
  readValues,
  revisionOf,
  uidOf,
  untitled,
} from './event.ts';
import { type EventTime, instantOf } from './event-times.ts';
import { decodeCalendar } from './lines.ts';
import { formatDate, formatInstant } from './local-time.ts';
import { type Component, excerpt, findRaw, findText } from './property.ts';
import {
  expandSeries,
  type Instance,
  namePeriod,
  nameRecurrence,
  type SeriesContext,
} from './series.ts';
import { type Survey, surveyFile } from './survey.ts';

/**
 * Limit on the days and times that the rules of a file examine: one or two seconds of work. A date
 * that is listed or imported counts as 20, so a file has at most 100,000 of them.
 */
const maxSteps = 2_000_000;

/** Sorts after the name of every recurrence. */
const afterEveryDate = ':';

function aroundNow(now: Date): DateWindow {
  const year = now.getUTCFullYear();
  return {
    from: new Date(new Date(now).setUTCFullYear(year - 2)),
    to: new Date(new Date(now).setUTCFullYear(year + 2)),
  };
}

class EventReader {
  readonly #file: string;
  readonly #survey: Survey;
  readonly #context: SeriesContext;
  #steps = 0;
  #hasSeries = false;
  #hasOrphanRange = false;
  readonly #untitled = new Set<number>();
  /** Texts that cancel their events, and those that may do so, by the number of the event. */
  readonly #cancelled = new Map<number, string>();
  readonly #doubtful = new Map<number, string>();
  readonly #endless = new Set<number>();
  readonly #addEnd: ReturnType<typeof createEndNotes>;

  constructor(file: string, survey: Survey, window: DateWindow, options: SourceOptions) {
    this.#file = file;
    this.#survey = survey;
    const countSteps = (steps: number) => this.#countSteps(steps);
    this.#context = { times: survey.times, window, countSteps };
    this.#addEnd = createEndNotes(options.timeZone, options.language);
  }

  /** Yields the records of an event: none for an older revision, one per date of a series. */
  *read(event: Component): Generator<FileItem> {
    try {
      yield* this.#readEvent(event);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      yield badRecord(event, error);
    }
  }

  *notes(timeZone: string): Generator<Message> {
    if (this.#hasSeries) {
      const { toWall } = createZone(timeZone);
      const { from, to } = this.#context.window;
      const dayOf = (date: Date) => formatDate(toWall(date.getTime()));
      yield message('calendarNote:series_window', { first: dayOf(from), last: dayOf(to) });
    }
    if (this.#hasOrphanRange) yield message('calendarNote:series_missing');
    const count = this.#untitled.size;
    if (count > 0) yield message('calendarNote:untitled_events', { count, name: untitled });
    if (this.#endless.size > 0) {
      yield message('calendarNote:ends_left_out', { count: this.#endless.size });
    }
    for (const [key, found] of [
      ['calendarNote:cancelled_by_text', this.#cancelled],
      ['calendarNote:may_be_cancelled', this.#doubtful],
    ] as const) {
      const texts = displayTexts(
        [...found.values()].map((text) => shorten(text)),
        maxCancelled,
      );
      if (found.size > 0) yield message(key, { count: found.size, texts });
    }
  }

  *#readEvent(event: Component): Generator<FileItem> {
    const problem = this.#survey.problems.get(event.eventNumber);
    if (problem !== undefined) throw new RecordError(problem);
    const uid = uidOf(event);
    const recurrence = findRaw(event, 'RECURRENCE-ID');
    if (recurrence !== undefined) {
      const newest = this.#survey.changes.get(uid)?.get(recurrence);
      if (newest?.eventNumber !== event.eventNumber) return;
      const change = this.#readOrphan(event, uid);
      if (this.#survey.hasOwner(uid)) return;
      if (isRange(event)) this.#hasOrphanRange = true;
      yield change;
      return;
    }
    const isNewest = this.#survey.isNewest(event);
    if (isNewest === undefined) {
      throw badSource(this.#file, undefined, message('calendarReason:calendar_changed'));
    }
    if (!isNewest) return;
    const isOwner = this.#survey.ownsUid(event);
    const changes = isOwner ? this.#survey.changes.get(uid) : undefined;
    const key = isOwner ? uid : this.#keyOfStart(event, uid);
    const isRepeated = isSeries(event) || changes !== undefined;
    const hasId = idOf(event) !== undefined;
    if (isRepeated && !hasId) {
      yield* this.#readSeries(event, key, [...(changes?.values() ?? [])]);
    } else {
      yield this.#readSingle(event, key);
      // An earlier revision may have been a series.
      if (!hasId) yield* this.#endSeries(event, key, { first: '', last: afterEveryDate });
    }
  }

  /** Returns the key of one of several events with the same UID; no date of a series has its form. */
  #keyOfStart(event: Component, uid: string): string {
    const start = this.#survey.times.readStart(event);
    return `${uid}:@${nameRecurrence(start, start.wall)}`;
  }

  #readSingle(event: Component, uid: string): SourceRecord {
    const start = this.#survey.times.readStart(event);
    const values = this.#readValues(event, instantOf(start));
    const place = placeOf(event);
    // An export of this program may contain events of any year.
    if (idOf(event) !== undefined) return { place, values };
    checkYear(start);
    const origin = { key: `ics:${uid}`, ...revisionOf(event) };
    return { place, values, origin, parts: partsOf(event, values) };
  }

  /** Reads the change of one date on its own, if its series is missing or unreadable. */
  #readOrphan(event: Component, uid: string): SourceRecord {
    const { times } = this.#survey;
    const id = times.findTime(event, 'RECURRENCE-ID') as EventTime;
    const start = times.readStart(event);
    checkYear(start);
    const recurrence = nameRecurrence(id, id.wall);
    const day = formatDate(id.wall);
    return this.#readInstance({ event, recurrence, day, instant: instantOf(start) }, uid);
  }

  *#readSeries(event: Component, uid: string, changes: readonly Component[]): Generator<FileItem> {
    const readable = changes.filter((change) => this.#isReadable(change, uid));
    const revision = revisionOf(event);
    try {
      // Fail before the first date, so that no date of an unreadable event is imported.
      this.#readValues(event, instantOf(this.#survey.times.readStart(event)));
      for (const instance of expandSeries(event, readable, this.#context)) {
        yield this.#readInstance(instance, uid, revision);
      }
      yield* this.#endSeries(event, uid, namePeriod(event, this.#context));
      this.#hasSeries = true;
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      yield badRecord(event, error);
      for (const change of readable) yield this.#readOrphan(change, uid);
    }
  }

  /** Yields the end of the series of earlier revisions, if there can be any. */
  *#endSeries(
    event: Component,
    uid: string,
    period: { readonly first: string; readonly last: string },
  ): Generator<SeriesEnd> {
    const revision = revisionOf(event);
    if (revision.sequence === 0 && revision.stamp === null) return;
    yield { place: placeOf(event), revision: { key: `ics:${uid}`, ...revision, ...period } };
  }

  /** Returns true for a readable change; any other becomes a bad record of its own. */
  #isReadable(change: Component, uid: string): boolean {
    try {
      this.#readOrphan(change, uid);
      return true;
    } catch (error) {
      if (error instanceof RecordError) return false;
      throw error;
    }
  }

  /** Reads one date. A change is at least as new as its series, because the file contains both. */
  #readInstance(instance: Instance, uid: string, ofSeries?: SourceRevision): SourceRecord {
    const { event, recurrence, day, instant } = instance;
    const values = this.#readValues(event, instant);
    const own = revisionOf(event);
    const revision = ofSeries !== undefined && isLater(ofSeries, own) ? ofSeries : own;
    const origin = { key: `ics:${uid}:${recurrence}`, ...revision };
    const place = message('calendarPlace:event_on_day', { event: event.eventNumber, day });
    return { place, values, origin, parts: partsOf(event, values) };
  }

  #readValues(event: Component, instant: number): SourceRecord['values'] {
    const date = formatInstant(instant);
    if (date === undefined) throw new RecordError(message('calendarReason:date_out_of_range'));
    const read = this.#addStatus(event, readValues(event, date, this.#survey.times));
    const isMarked = read.status === 'cancelled' && !this.#survey.isOwnExport(event);
    const values = isMarked ? { ...read, name: withoutMark(String(read.name)) } : read;
    if (values.name === untitled) this.#untitled.add(event.eventNumber);
    // The note of an export of this program names the end if there is one.
    return idOf(event) === undefined ? this.#withEnd(event, instant, values) : values;
  }

  /** Cancels an event whose texts say so; many programs call it confirmed all the same. */
  #addStatus(event: Component, values: SourceRecord['values']): SourceRecord['values'] {
    if (values.status === 'cancelled' || this.#survey.isOwnExport(event)) return values;
    const texts = [values.name, values.location, values.description].map((text) => ({
      text: String(text ?? '').trim(),
      says: saysCancelled(String(text ?? '').trim()),
    }));
    const found = texts.find(({ says }) => says === true) ?? texts.find(({ says }) => says);
    if (found === undefined) return values;
    const notes = found.says === true ? this.#cancelled : this.#doubtful;
    notes.set(event.eventNumber, found.text);
    return found.says === true ? { ...values, status: 'cancelled' } : values;
  }

  /** Writes the end of an event as the first line of its note. */
  #withEnd(
    event: Component,
    instant: number,
    values: SourceRecord['values'],
  ): SourceRecord['values'] {
    const start = this.#survey.times.readStart(event);
    const length = this.#findLength(event, start);
    if (length === 0) return values;
    const note = String(values.description ?? '');
    const description = length && this.#addEnd(note, start, instant, length);
    if (description === undefined) this.#endless.add(event.eventNumber);
    return description === undefined || description === note ? values : { ...values, description };
  }

  /** Returns the length of an event, or undefined if its end cannot be read: it is only left out. */
  #findLength(event: Component, start: EventTime): number | undefined {
    try {
      return lengthOf(event, start, this.#survey.times);
    } catch (error) {
      if (error instanceof RecordError) return undefined;
      throw error;
    }
  }

  #countSteps(steps: number): void {
    this.#steps += steps;
    if (this.#steps <= maxSteps) return;
    throw new RecordError(message('calendarReason:rules_too_complex'));
  }
}

function placeOf({ eventNumber }: Component): Message {
  return message('place:event', { event: eventNumber });
}

/** Returns the record of an unreadable event, with its title and its identifier if they are readable. */
function badRecord(event: Component, { problem }: RecordError): BadRecord {
  try {
    const name = excerpt(findText(event, 'SUMMARY')?.trim() ?? '');
    const values = { name, event: event.eventNumber };
    const place = name === '' ? placeOf(event) : message('calendarPlace:event_titled', values);
    return { place, problem, event: { name, key: `ics:${uidOf(event)}` } };
  } catch {
    return { place: placeOf(event), problem };
  }
}

/** Refuses an early year here, because the draft gets canonical dates, which may be of any year. */
function checkYear({ wall }: EventTime): void {
  const year = new Date(wall).getUTCFullYear();
  if (year < firstYear) throw new RecordError(earlyReason(formatDate(wall), year));
}

/**
 * Reads a calendar file (RFC 5545): all single events, and those dates of repeating events that are
 * in the window. Reads the file several times and refuses one above 32 MiB. Throws a problem if the
 * file is not a calendar or is cut off.
 */
async function* readIcs(
  file: SourceFile,
  options: SourceOptions,
): AsyncGenerator<Iterable<FileItem>> {
  const text = await decodeCalendar(file, options);
  const survey = await surveyFile(text, options);
  const window = { ...aroundNow(options.now), ...options.window };
  const events = new EventReader(file.name, survey, window, options);
  for await (const component of readComponents(text)) {
    if (component.kind === 'VEVENT') yield events.read(component);
  }
  for (const note of events.notes(options.timeZone)) options.note(note);
}

async function* readEvents(file: SourceFile, options: SourceOptions) {
  for await (const items of readIcs(file, options)) yield [...items].filter(isEvent);
}

/** Returns true if the first events would have other times in another time zone. */
async function areLocal(
  file: SourceFile,
  options: SourceOptions,
  records: readonly SourceItem[],
): Promise<boolean> {
  if (records.length === 0) return false;
  const timeZone = otherZone(options.timeZone);
  const elsewhere = { ...options, timeZone, note: () => undefined };
  const { items } = await takeFirst(readEvents(file, elsewhere), records.length);
  const dateOf = (record: SourceItem | undefined) =>
    record === undefined || 'problem' in record ? undefined : record.values.date;
  return items.some((record, at) => dateOf(record) !== dateOf(records[at]));
}

/** Previews the first events of a calendar, after a survey of the whole file. */
async function previewIcs(
  file: SourceFile,
  options: SourceOptions,
  maxRows: number,
): Promise<FormatPreview> {
  const { items, failure } = await takeFirst(readEvents(file, options), maxRows);
  return {
    titles: [],
    columns: [],
    table: null,
    problems: [],
    dates: { haveSlashes: false, order: null, areLocal: await areLocal(file, options, items) },
    rows: previewRows(items, options.timeZone, []),
    failure: failure === undefined ? null : packProblem(failure),
  };
}

export const reader: FormatReader = { read: readIcs, preview: previewIcs };
