import type { EventStatus } from '../../db/model.ts';
import type { Clock } from '../dates/clock.ts';
import {
  daysOf,
  type EndLanguage,
  type EndWords,
  isBeforeStart,
  type Moment,
  mayHaveEnd,
  momentAfter,
  moveEnd,
  readEndLine,
  wordEnd,
} from '../dates/end-line.ts';
import { minuteMs } from '../dates/units.ts';

/** The members of an event that hold the values of its note. */
export type Noted = {
  readonly date: string;
  readonly description: string | null;
  readonly status?: EventStatus | undefined;
};

/** The values that an event has in its note, which is what the interface gives. */
type NoteValues = {
  readonly end: Moment | undefined;
  /** The first line, which says the end; empty without one. */
  readonly endLine: string;
  /** The language of that line. */
  readonly language: EndLanguage | undefined;
  /** The reason of a cancelled event and its note: all lines but that of the end. */
  readonly text: string;
};

/** The longest reason that people can enter. A longer line is an ordinary note. */
export const maxReason = 200;

const startOfNote = (description: string | null) => /^[^\r\n]*/.exec(description ?? '')?.[0] ?? '';

const withoutEnd = (description: string | null): NoteValues => ({
  end: undefined,
  endLine: '',
  language: undefined,
  text: description ?? '',
});

function readNote({ date, description }: Noted, clock: Clock): NoteValues {
  const line = startOfNote(description);
  const read = readEndLine(line.trim(), clock.momentIn(date));
  if (description === null || read === undefined) return withoutEnd(description);
  return { ...read, endLine: line, text: withoutFirstLine(description) };
}

const withoutFirstLine = (text: string) =>
  text.slice(startOfNote(text).length).replace(/^\r?\n/, '');

/** The values of events, as each row of a list asks for them. */
const known = new WeakMap<Noted, NoteValues & { readonly clock: Clock }>();

/** Returns the values in the note of an event, on the clock of its club. */
export function noteOf(event: Noted, clock: Clock): NoteValues {
  // Most notes have no end: their start is not needed.
  if (!mayHaveEnd(event.description)) return withoutEnd(event.description);
  const before = known.get(event);
  if (before?.clock === clock) return before;
  const values = { ...readNote(event, clock), clock };
  known.set(event, values);
  return values;
}

/** Joins the line of an end and the other lines of a note; null without any. */
export function joinNote(endLine: string, text: string): string | null {
  return [endLine, text].filter((part) => part.trim() !== '').join('\n') || null;
}

/** Returns a reason as it is stored: one line. */
const reasonLine = (reason: string) => reason.replace(/\s+/g, ' ').trim();

/**
 * Returns the description of an event that is cancelled: the reason stands below the end. One that
 * has the reason there stays as it is.
 */
export function withReason(event: Noted, reason: string, clock: Clock): string | null {
  const { endLine, text } = noteOf(event, clock);
  const line = reasonLine(reason);
  if (line === '' || startOfNote(text).trim() === line) return event.description;
  return joinNote(endLine, joinNote(line, text) ?? '');
}

/** Returns the description of an event that takes place after all, without a reason at its place. */
export function withoutReason(event: Noted, reason: string, clock: Clock): string | null {
  const { endLine, text } = noteOf(event, clock);
  const isThere = reason !== '' && startOfNote(text) === reason;
  return isThere ? joinNote(endLine, withoutFirstLine(text)) : event.description;
}

/**
 * Returns the reason that a change gave for a cancellation: the line that it put above the note.
 * Empty without one.
 */
export function reasonOf(before: Noted | undefined, after: Noted, clock: Clock): string {
  if (after.status !== 'cancelled' || before?.status === 'cancelled') return '';
  const line = startOfNote(noteOf(after, clock).text);
  const isOld = before !== undefined && startOfNote(noteOf(before, clock).text) === line;
  return isOld || line.length > maxReason ? '' : line.trim();
}

/** Returns a description with an end, or without one, worded in a language. */
export function withEnd(
  event: Noted,
  end: Moment | undefined,
  clock: Clock,
  [language, words]: readonly [EndLanguage, EndWords],
): string | null {
  const { text } = noteOf(event, clock);
  const start = clock.momentIn(event.date);
  return joinNote(end === undefined ? '' : wordEnd(end, start, language, words), text);
}

/**
 * Returns the description of an event that moves to another date, or whose club moves to another
 * zone: its end moves as far on the clock, in the language in which it is written. One without an end
 * stays as it is.
 */
export function movedNote(
  event: Noted,
  to: string,
  [clock, newClock]: readonly [Clock, Clock],
  wordsOf: (language: EndLanguage) => EndWords,
): string | null {
  const { description } = event;
  const { end, endLine, language, text } = noteOf(event, clock);
  if (end === undefined || language === undefined) return description;
  const next = newClock.momentIn(to);
  const moved = moveEnd(end, clock.momentIn(event.date), next);
  // An unchanged line keeps its words.
  const kept = readEndLine(endLine.trim(), next)?.end;
  if (kept?.day === moved.day && kept.time === moved.time) return description;
  if (isBeforeStart(moved, next)) return joinNote('', text);
  return joinNote(wordEnd(moved, next, language, wordsOf(language)), text);
}

/** Returns the number of days of an event. */
export function dayCount(event: Noted, clock: Clock): number {
  const { end } = noteOf(event, clock);
  return end === undefined ? 1 : daysOf(clock.momentIn(event.date), end);
}

/** Returns the last day of an event; a night belongs to its first day. */
export function lastDayOf(event: Noted, clock: Clock): string {
  const { end } = noteOf(event, clock);
  const isLong = end !== undefined && dayCount(event, clock) > 1;
  return isLong ? end.day : clock.momentIn(event.date).day;
}

/** Checks that an event has begun; one without a time is over when its day has ended. */
export function isOver(clock: Clock, { date }: Pick<Noted, 'date'>, now: Date): boolean {
  return clock.isDayStart(date) ? clock.dayOf(date) < clock.dayOf(now) : date <= now.toISOString();
}

/** Returns the instant at which an event ends; undefined if its note does not say it. */
export function endInstant(event: Noted, clock: Clock): number | undefined {
  const { end } = noteOf(event, clock);
  if (end === undefined) return undefined;
  const instant = clock.instantOf(momentAfter(end));
  return instant > Date.parse(event.date) ? instant : undefined;
}

/** The time that an event takes, from its start up to its end, in milliseconds since 1970. */
export type Interval = { readonly from: number; readonly to: number };

/**
 * Returns the instant at which an event ends; without an end, it takes `usualLength` minutes, or its
 * day if it has no time.
 */
export function endOrUsual(event: Noted, usualLength: number, clock: Clock): number {
  const start = clock.momentIn(event.date);
  const usual = Date.parse(event.date) + usualLength * minuteMs;
  return endInstant(event, clock) ?? (start.time ? usual : clock.instantOf(momentAfter(start)));
}

/** Returns the time that an event takes, as `endOrUsual` does; undefined without a time of day. */
export function intervalOf(event: Noted, usualLength: number, clock: Clock): Interval | undefined {
  if (clock.isDayStart(event.date)) return undefined;
  return { from: Date.parse(event.date), to: endOrUsual(event, usualLength, clock) };
}

/** Returns true for two events that take place at the same time, at least partly. */
export function overlap(one: Interval | undefined, other: Interval | undefined): boolean {
  return one !== undefined && other !== undefined && one.from < other.to && other.from < one.to;
}

/** Returns the location of an event in a form to compare; empty if it is unknown. */
export const placeOf = ({ location }: { readonly location: string }): string =>
  location.trim().toLowerCase();
