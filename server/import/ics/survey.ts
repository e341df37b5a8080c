import type { SourceRevision } from '../../../db/model.ts';
import { type Message, message } from '../../messages/message.ts';
import { RecordError, type SourceFile, type SourceOptions } from '../source.ts';
import { countNotes, type NoteKey, readComponents } from './components.ts';
import { identityOf, isLater, revisionOf, uidOf } from './event.ts';
import { TimeReader } from './event-times.ts';
import { type Component, findRaw } from './property.ts';

type Revision = SourceRevision & { readonly eventNumber: number };

/** Facts about a whole file that are needed to read the first of its events. */
export type Survey = {
  readonly times: TimeReader;
  /** The newest revision of each event, by identity. */
  readonly newest: ReadonlyMap<string, Revision>;
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
  readonly newest = new Map<string, Revision>();
  readonly changes = new Map<string, Map<string, Component>>();
  readonly problems = new Map<number, Message>();
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
      else if (kind === 'VCALENDAR') this.times.defineCalendar(component);
      else if (!usedKinds.has(kind)) {
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
    const revision = { eventNumber: event.eventNumber, ...revisionOf(event) };
    const known = this.newest.get(identity);
    if (known !== undefined) this.#older += 1;
    if (known === undefined || isLater(revision, known)) this.newest.set(identity, revision);
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
