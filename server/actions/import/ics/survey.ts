import { createHash } from 'node:crypto';
import { RecordError, type SourceFile, type SourceOptions } from '../source.ts';
import { type Component, readComponents } from './content.ts';
import { parseWallTime } from './local-time.ts';
import { findLine, findProperty, findText, rawValueOf, show } from './property.ts';
import { Clocks } from './zones.ts';

type Revision = { readonly eventNumber: number; readonly sequence: number; readonly stamp: number };

/** Facts about a whole file that are needed to read the first of its events. */
export type Survey = {
  readonly clocks: Clocks;
  /** The newest revision of each event, by identity. */
  readonly newest: ReadonlyMap<string, Revision>;
  /** The newest changes of a date of a series (RECURRENCE-ID), by UID and date. */
  readonly changes: ReadonlyMap<string, ReadonlyMap<string, Component>>;
  /** The reasons why events cannot be identified, by event number. */
  readonly problems: ReadonlyMap<number, string>;
};

/** Returns the UID of an event, or a stable one made of its start and name. */
export function uidOf(event: Component): string {
  const uid = findText(event, 'UID')?.trim() ?? '';
  if (uid !== '') return uid;
  const known = ['DTSTART', 'SUMMARY'].map((name) => findProperty(event, name)?.raw ?? '');
  return `none:${createHash('sha256').update(known.join('\n')).digest('hex').slice(0, 32)}`;
}

export function isSeries({ lines }: Component): boolean {
  return lines.some(({ name }) => name === 'RRULE' || name === 'RDATE');
}

/** Returns the raw RECURRENCE-ID, if the event changes a date of a series. */
export function recurrenceOf(event: Component): string | undefined {
  const line = findLine(event, 'RECURRENCE-ID');
  return line && rawValueOf(line);
}

/** Returns true for an event that is neither a series nor a date of one. */
export function isSingle(event: Component): boolean {
  return !isSeries(event) && findLine(event, 'RECURRENCE-ID') === undefined;
}

/** Returns the id from an export of this program, which contains only single events. */
export function idOf(event: Component): string | undefined {
  if (!isSingle(event)) return undefined;
  return findText(event, 'X-CLUB-EVENTS-ID')?.trim();
}

/** Returns the key that identifies an event within its file. */
export function identityOf(event: Component): string {
  const id = idOf(event);
  return id === undefined ? `ics:${uidOf(event)}` : `id:${id}`;
}

export function sequenceOf(event: Component): number {
  const line = findLine(event, 'SEQUENCE');
  if (line === undefined) return 0;
  const raw = rawValueOf(line);
  if (!/^\d{1,15}$/.test(raw))
    throw new RecordError(`the SEQUENCE ${show(raw)} is not a whole number`);
  return Number(raw);
}

function revisionOf(event: Component): Revision {
  const line = findLine(event, 'DTSTAMP');
  const stamp = parseWallTime(line === undefined ? '' : rawValueOf(line))?.wall;
  return { eventNumber: event.eventNumber, sequence: sequenceOf(event), stamp: stamp ?? 0 };
}

function isNewer(left: Revision, right: Revision): boolean {
  return left.sequence === right.sequence
    ? left.stamp > right.stamp
    : left.sequence > right.sequence;
}

const leftOutNames: Readonly<Record<string, readonly [one: string, more: string]>> = {
  VTODO: ['task', 'tasks'],
  VJOURNAL: ['journal entry', 'journal entries'],
  VFREEBUSY: ['free/busy time', 'free/busy times'],
  VALARM: ['alarm', 'alarms'],
};

/** Single-valued properties; if repeated, the first one counts (RFC 5545 section 3.6.1). */
const singleValued = new Set([
  ...['UID', 'SEQUENCE', 'DTSTAMP', 'DTSTART', 'RECURRENCE-ID', 'CREATED'],
  ...['SUMMARY', 'LOCATION', 'DESCRIPTION', 'STATUS'],
]);

function repeatsProperty({ lines }: Component): boolean {
  const names = lines.map(({ name }) => name).filter((name) => singleValued.has(name));
  return new Set(names).size < names.length;
}

const expected = new Set(['VCALENDAR', 'VEVENT', 'VTIMEZONE', 'STANDARD', 'DAYLIGHT']);

function listCounts(counts: ReadonlyMap<string, number>): string {
  const texts = [...counts].map(([kind, count]) => {
    const [one, more] = (Object.hasOwn(leftOutNames, kind) && leftOutNames[kind]) || [
      'other part',
      'other parts',
    ];
    return `${count} ${count === 1 ? one : more}`;
  });
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`;
}

class Surveyor implements Survey {
  readonly clocks: Clocks;
  readonly newest = new Map<string, Revision>();
  readonly changes = new Map<string, Map<string, Component>>();
  readonly problems = new Map<number, string>();
  readonly #note: SourceOptions['note'];
  readonly #leftOut = new Map<string, number>();
  #older = 0;
  #repeated = 0;

  constructor(options: SourceOptions) {
    this.#note = options.note;
    this.clocks = new Clocks(options);
  }

  take(component: Component): void {
    try {
      this.#take(component);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      if (component.eventNumber > 0) this.problems.set(component.eventNumber, error.message);
      else this.#note(`A ${component.kind} was left out: ${error.message}.`);
    }
  }

  #take(component: Component): void {
    if (component.kind === 'VEVENT') this.#takeEvent(component);
    else if (component.kind === 'VTIMEZONE') this.clocks.defineZone(component);
    else if (component.kind === 'VCALENDAR') this.clocks.defineCalendar(component);
    else if (!expected.has(component.kind)) {
      const kind = Object.hasOwn(leftOutNames, component.kind) ? component.kind : 'other';
      this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + 1);
    }
  }

  #takeEvent(event: Component): void {
    if (event.problem !== undefined) throw new RecordError(event.problem);
    if (repeatsProperty(event)) this.#repeated += 1;
    const recurrence = recurrenceOf(event);
    if (recurrence !== undefined) {
      this.#takeChange(event, recurrence);
      return;
    }
    const identity = identityOf(event);
    const revision = revisionOf(event);
    const known = this.newest.get(identity);
    if (known !== undefined) this.#older += 1;
    if (known === undefined || isNewer(revision, known)) this.newest.set(identity, revision);
  }

  #takeChange(event: Component, recurrence: string): void {
    const uid = uidOf(event);
    const changes = this.changes.get(uid) ?? new Map<string, Component>();
    this.changes.set(uid, changes);
    const known = changes.get(recurrence);
    if (known !== undefined) this.#older += 1;
    const isOlder = known !== undefined && !isNewer(revisionOf(event), revisionOf(known));
    if (!isOlder) changes.set(recurrence, event);
  }

  /** Notes what was left out and returns the survey. */
  end(): Survey {
    const verb = (count: number) => (count === 1 ? 'was' : 'were');
    const total = this.#leftOut.values().reduce((sum, count) => sum + count, 0);
    if (total > 0) this.#note(`${listCounts(this.#leftOut)} ${verb(total)} left out.`);
    if (this.#older > 0) {
      const what = this.#older === 1 ? 'revision of an event' : 'revisions of events';
      this.#note(`${this.#older} older ${what} ${verb(this.#older)} left out.`);
    }
    if (this.#repeated > 0) {
      const whose = this.#repeated === 1 ? '1 event has' : `${this.#repeated} events have`;
      this.#note(`Of the properties that ${whose} twice, the first was taken.`);
    }
    return this;
  }
}

/**
 * Surveys a whole file and checks that it is complete. Holds its time zones, its UIDs and the
 * changes of its series in memory. Throws `bad_input`.
 */
export async function surveyFile(file: SourceFile, options: SourceOptions): Promise<Survey> {
  const surveyor = new Surveyor(options);
  for await (const component of readComponents(file, options.note)) surveyor.take(component);
  return surveyor.end();
}
