import type { Moment } from '../../dates/end-line.ts';
import { dayMs } from '../../dates/units.ts';
import { zoneNamed } from '../../dates/zone.ts';
import { joinNote, noteOf } from '../../event/values.ts';
import { createEndWriter } from '../end-words.ts';
import { type EventTime, instantOf, type TimeReader } from './event-times.ts';
import { formatInstant } from './local-time.ts';
import { type Component, findRaw } from './property.ts';

/** RFC 5545 section 3.3.6, without a sign and with at most 99,999 of each unit. */
const durationForm =
  /^\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/i;

/** Returns the length of a DURATION in milliseconds, or undefined if it cannot be read. */
function parseDuration(text: string): number | undefined {
  const match = durationForm.exec(text.trim());
  if (match === null) return undefined;
  const parts = match.slice(1).map((part) => Number(part ?? 0));
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/**
 * Returns the length of an event on the clock of its start, in milliseconds: 0 without an end,
 * undefined if it has no readable DURATION or ends before the start. Throws a `RecordError` for a
 * DTEND that cannot be read.
 */
export function lengthOf(
  event: Component,
  start: EventTime,
  times: TimeReader,
): number | undefined {
  const end = times.findTime(event, 'DTEND');
  if (end === undefined) return parseDuration(findRaw(event, 'DURATION') ?? 'P');
  const length = start.zone.toWall(instantOf(end)) - start.wall;
  return length < 0 ? undefined : length;
}

/**
 * Creates the function that adds the end of an event to its note, as a line in `language` on the
 * clock of `timeZone`. The event lasts `length` from `instant`, both in milliseconds. A note that
 * names an end already is left alone. Returns undefined for an end after the year 9999.
 */
export function createEndNotes(timeZone: string, language: string | undefined) {
  const zone = zoneNamed(timeZone);
  const writeEnd = createEndWriter(language);
  const momentOf = (instant: number): Moment | undefined => {
    const wall = formatInstant(zone.toWall(instant));
    if (wall === undefined) return undefined;
    return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
  };
  return (note: string, start: EventTime, instant: number, length: number): string | undefined => {
    const begin = momentOf(instant);
    // A whole day ends at the midnight after it, in any zone; the line names the last day.
    const span = Math.max(start.isDate ? length - dayMs : length, 0);
    const end = momentOf(start.zone.toInstant(start.zone.toWall(instant) + span));
    if (begin === undefined || end === undefined) return undefined;
    const from = { day: begin.day, time: zone.isDayStart(instant) ? '' : begin.time };
    const event = { date: new Date(instant).toISOString(), description: note };
    if (noteOf(event, zone).end !== undefined) return note;
    const line = writeEnd(from, { day: end.day, time: start.isDate ? undefined : end.time });
    return joinNote(line, note) ?? '';
  };
}
