import { createHash } from 'node:crypto';
import { RecordError, type SourceFile, type SourceOptions } from '../source.ts';
import { Clocks } from './clocks.ts';
import { type Component, readComponents } from './components.ts';
import { findLine, findProperty, findText, rawValueOf, show } from './property.ts';
import { parseWallTime } from './wall.ts';

/** Which of several revisions of an event is the newest. */
type Revision = { readonly turn: number; readonly sequence: number; readonly stamp: number };

/** What has to be known of a whole file before the first of its events can be read. */
export type Survey = {
  readonly clocks: Clocks;
  /** By identity, which event of the file has its newest revision. */
  readonly newest: ReadonlyMap<string, Revision>;
  /** By UID and date, the newest of the events that change that date of a series (RECURRENCE-ID). */
  readonly changes: ReadonlyMap<string, ReadonlyMap<string, Component>>;
  /** The reasons why events cannot be identified, by turn. */
  readonly problems: ReadonlyMap<number, string>;
};

/** The UID of an event, or one made of its start and name, as long as these stay. */
export function uidOf(event: Component): string {
  const uid = findText(event, 'UID')?.trim() ?? '';
  if (uid !== '') return uid;
  const known = ['DTSTART', 'SUMMARY'].map((name) => findProperty(event, name)?.raw ?? '');
  return `none:${createHash('sha256').update(known.join('\n')).digest('hex').slice(0, 32)}`;
}

export function isSeries({ lines }: Component): boolean {
  return lines.some(({ name }) => name === 'RRULE' || name === 'RDATE');
}

/** Which date of a series an event changes, as it says it; undefined when it changes none. */
export function recurrenceOf(event: Component): string | undefined {
  const line = findLine(event, 'RECURRENCE-ID');
  return line && rawValueOf(line);
}

/** Whether an event is neither a series nor a date of one. */
export function isSingle(event: Component): boolean {
  return !isSeries(event) && findLine(event, 'RECURRENCE-ID') === undefined;
}

/** The id that our own export gave to an event; it writes single ones alone. */
export function idOf(event: Component): string | undefined {
  if (!isSingle(event)) return undefined;
  return findText(event, 'X-CLUB-EVENTS-ID')?.trim();
}

/** What tells an event from the others of the file. */
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
  return { turn: event.turn, sequence: sequenceOf(event), stamp: stamp ?? 0 };
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

/** Of these an event has one (RFC 5545 section 3.6.1); of more, the first is taken. */
const onlyOnce = new Set([
  ...['UID', 'SEQUENCE', 'DTSTAMP', 'DTSTART', 'RECURRENCE-ID', 'CREATED'],
  ...['SUMMARY', 'LOCATION', 'DESCRIPTION', 'STATUS'],
]);

function hasTwice({ lines }: Component): boolean {
  const names = lines.map(({ name }) => name).filter((name) => onlyOnce.has(name));
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

/** Collects what a survey finds. */
class Surveyor implements Survey {
  readonly clocks: Clocks;
  readonly newest = new Map<string, Revision>();
  readonly changes = new Map<string, Map<string, Component>>();
  readonly problems = new Map<number, string>();
  readonly #note: SourceOptions['note'];
  readonly #leftOut = new Map<string, number>();
  #older = 0;
  #twice = 0;

  constructor(options: SourceOptions) {
    this.#note = options.note;
    this.clocks = new Clocks(options);
  }

  take(component: Component): void {
    try {
      this.#take(component);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      if (component.turn > 0) this.problems.set(component.turn, error.message);
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
    if (hasTwice(event)) this.#twice += 1;
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

  /** Tells what was left out. */
  end(): Survey {
    const verb = (count: number) => (count === 1 ? 'was' : 'were');
    const total = this.#leftOut.values().reduce((sum, count) => sum + count, 0);
    if (total > 0) this.#note(`${listCounts(this.#leftOut)} ${verb(total)} left out.`);
    if (this.#older > 0) {
      const what = this.#older === 1 ? 'revision of an event' : 'revisions of events';
      this.#note(`${this.#older} older ${what} ${verb(this.#older)} left out.`);
    }
    if (this.#twice > 0) {
      const whose = this.#twice === 1 ? '1 event has' : `${this.#twice} events have`;
      this.#note(`Of the properties that ${whose} twice, the first was taken.`);
    }
    return this;
  }
}

/**
 * Reads a whole file once for what its events depend on, and for whether it is whole. Holds the
 * time zones, the UIDs and the events that change a date of a series. Throws `bad_input`.
 */
export async function surveyFile(file: SourceFile, options: SourceOptions): Promise<Survey> {
  const surveyor = new Surveyor(options);
  for await (const component of readComponents(file, options.note)) surveyor.take(component);
  return surveyor.end();
}
