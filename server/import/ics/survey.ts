import type { SourceRevision } from '../../../db/model.ts';
import { facts } from '../../messages/facts.ts';
import { type Message, message } from '../../messages/message.ts';
import { RecordError, type SourceFile, type SourceOptions } from '../source.ts';
import { countNotes, type NoteKey, readComponents } from './components.ts';
import { identityOf, idOf, isLater, isSeries, revisionOf, startKeyOf, uidOf } from './event.ts';
import { TimeReader } from './event-times.ts';
import { type Component, findRaw } from './property.ts';

type Revision = SourceRevision & { readonly eventNumber: number; readonly isSeries: boolean };

/** Facts about a whole file that are needed to read the first of its events. */
export type Survey = {
  readonly times: TimeReader;
  /** Returns false for an older revision, and undefined for an event that is not in the survey. */
  isNewest(event: Component): boolean | undefined;
  /**
   * Returns true for the event to which the UID and its changes belong. Of several events with one
   * UID, this is the first series; the others are known by their starts, too.
   */
  ownsUid(event: Component): boolean;
  /** Returns true if the changes of a UID belong to an event of the file. */
  hasOwner(uid: string): boolean;
  /** Returns true for an event of an export of this program, whose status is exact. */
  isOwnExport(event: Component): boolean;
  /** The newest changes of a date of a series (RECURRENCE-ID), by UID and date. */
  readonly changes: ReadonlyMap<string, ReadonlyMap<string, Component>>;
  /** The reasons why events cannot be identified, by event number. */
  readonly problems: ReadonlyMap<number, Message>;
};

/** Notes on the number of components that are not imported, by kind. */
const partNotes: ReadonlyMap<string, NoteKey> = new Map([
  ['VTODO', 'calendarNote:tasks'],
  ['VJOURNAL', 'calendarNote:journal_entries'],
  ['VFREEBUSY', 'calendarNote:free_busy_times'],
  ['VALARM', 'calendarNote:alarms'],
]);

/** Single-valued properties; if repeated, the first one counts (RFC 5545 section 3.6.1). */
const singleValued = new Set([
  ...['UID', 'SEQUENCE', 'DTSTAMP', 'LAST-MODIFIED', 'DTSTART', 'RECURRENCE-ID', 'CREATED'],
  ...['SUMMARY', 'LOCATION', 'DESCRIPTION', 'STATUS'],
]);

function repeatsProperty({ lines }: Component): boolean {
  const names = lines.map(({ name }) => name).filter((name) => singleValued.has(name));
  return new Set(names).size < names.length;
}

const usedKinds = new Set(['VCALENDAR', 'VEVENT', 'VTIMEZONE', 'STANDARD', 'DAYLIGHT']);

class Surveyor implements Survey {
  readonly times: TimeReader;
  /** The newest revisions of each event, by identity and start. */
  readonly #newest = new Map<string, Map<string, Revision>>();
  /** The first series of each UID with several events, if it has one. */
  readonly #owners = new Map<string, number | undefined>();
  readonly changes = new Map<string, Map<string, Component>>();
  readonly problems = new Map<number, Message>();
  /** The numbers of the calendars that this program exported. */
  readonly #ownCalendars = new Set<number>();
  readonly #note: SourceOptions['note'];
  readonly #unusedParts = new Map<NoteKey, number>();
  #older = 0;
  #repeated = 0;

  constructor(options: SourceOptions) {
    this.#note = options.note;
    this.times = new TimeReader(options);
  }

  add(component: Component): void {
    const { kind, eventNumber } = component;
    try {
      if (kind === 'VEVENT') this.#addEvent(component);
      else if (kind === 'VTIMEZONE') this.times.defineZone(component);
      else if (kind === 'VCALENDAR') {
        if (findRaw(component, 'PRODID') === facts.productId) {
          this.#ownCalendars.add(component.calendar);
        }
        this.times.defineCalendar(component);
      } else if (!usedKinds.has(kind)) {
        const note = partNotes.get(kind) ?? 'calendarNote:other_parts';
        this.#unusedParts.set(note, (this.#unusedParts.get(note) ?? 0) + 1);
      }
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      const { problem: reason } = error;
      if (eventNumber > 0) this.problems.set(eventNumber, reason);
      else this.#note(message('calendarNote:part_left_out', { component: kind, reason }));
    }
  }

  #addEvent(event: Component): void {
    if (event.problem !== undefined) throw new RecordError(event.problem);
    if (repeatsProperty(event)) this.#repeated += 1;
    const recurrence = findRaw(event, 'RECURRENCE-ID');
    if (recurrence !== undefined) {
      this.#addChange(event, recurrence);
      return;
    }
    const identity = identityOf(event);
    const { eventNumber } = event;
    const revision = { eventNumber, isSeries: isSeries(event), ...revisionOf(event) };
    const own = this.#newest.get(identity) ?? new Map<string, Revision>();
    this.#newest.set(identity, own);
    const [any] = own.values();
    const order = revision.sequence - (any?.sequence ?? revision.sequence);
    if (order > 0) {
      this.#older += own.size;
      own.clear();
    }
    const start = startKeyOf(event);
    const known = own.get(start);
    if (order < 0 || known !== undefined) this.#older += 1;
    if (order < 0 || (known !== undefined && !isLater(revision, known))) return;
    own.set(start, revision);
  }

  isNewest(event: Component): boolean | undefined {
    const own = this.#newest.get(identityOf(event));
    return own && own.get(startKeyOf(event))?.eventNumber === event.eventNumber;
  }

  ownsUid(event: Component): boolean {
    const identity = identityOf(event);
    return !this.#owners.has(identity) || this.#owners.get(identity) === event.eventNumber;
  }

  hasOwner(uid: string): boolean {
    const identity = `ics:${uid}`;
    const isShared = this.#owners.has(identity);
    return isShared ? this.#owners.get(identity) !== undefined : this.#newest.has(identity);
  }

  isOwnExport(event: Component): boolean {
    return idOf(event) !== undefined || this.#ownCalendars.has(event.calendar);
  }

  #addChange(event: Component, recurrence: string): void {
    const uid = uidOf(event);
    const changes = this.changes.get(uid) ?? new Map<string, Component>();
    this.changes.set(uid, changes);
    const known = changes.get(recurrence);
    if (known !== undefined) this.#older += 1;
    const isOlder = known !== undefined && !isLater(revisionOf(event), revisionOf(known));
    if (!isOlder) changes.set(recurrence, event);
  }

  /** Returns the survey, after notes on the components and revisions that were left out. */
  end(): Survey {
    const parts = countNotes([...this.#unusedParts]);
    if (parts.length > 0) this.#note(message('calendarNote:parts_left_out', { parts }));
    const notes = countNotes([
      ['calendarNote:older_revisions', this.#older],
      ['calendarNote:repeated_properties', this.#repeated],
    ]);
    for (const note of notes) this.#note(note);
    let shared = 0;
    for (const [identity, own] of this.#newest) {
      if (own.size === 1) continue;
      shared += own.size;
      const series = [...own.values()].find((revision) => revision.isSeries);
      this.#owners.set(identity, series?.eventNumber);
    }
    if (shared > 0) this.#note(message('calendarNote:shared_uids', { number: shared }));
    return this;
  }
}

/**
 * Surveys a whole file and checks that it is complete. Holds its time zones, its UIDs and the
 * changes of its series in memory. Throws a problem.
 */
export async function surveyFile(file: SourceFile, options: SourceOptions): Promise<Survey> {
  const surveyor = new Surveyor(options);
  for await (const component of readComponents(file, options.note)) surveyor.add(component);
  return surveyor.end();
}
