import { z } from 'zod';
import type { EventValues } from '../../db/event-rows.ts';
import { eventStatuses, eventTypes } from '../../db/model.ts';
import { asUsage, type Problem, problem } from '../base/errors.ts';
import { completeDate, orderOf, parseDate, type WrittenDate, yearFrom } from '../dates/dates.ts';
import { isBeforeStart, type Moment } from '../dates/end-line.ts';
import { readDate } from '../dates/line/fields.ts';
import { type DateMove, moveDate } from '../dates/moves.ts';
import { readTime } from '../dates/times.ts';
import { dayMs } from '../dates/units.ts';
import { zoneNamed } from '../dates/zone.ts';
import { endWords } from '../event/times.ts';
import { movedNote, type Noted, withEnd } from '../event/values.ts';
import {
  displayText,
  displayValue,
  type Message,
  message,
  type ProblemCode,
} from '../messages/message.ts';
import { supportedLanguage } from '../messages/messages.ts';
import { createDraftParser, type DraftProblem } from './event-draft.ts';
import { isTimeZone, parseTimestamp } from './timestamp.ts';

/** The values of an event as people enter them; `date` may be written in many ways. */
export const EventInput = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, { error: 'event_name_empty' satisfies ProblemCode }),
  date: z.string(),
  location: z.string().trim().optional(),
  description: z
    .string()
    .nullable()
    .transform((text) => (text?.trim() ? text : null))
    .optional(),
  status: z.enum(eventStatuses, { error: 'event_status_unknown' satisfies ProblemCode }).optional(),
  eventType: z
    .enum(eventTypes, { error: 'event_type_unknown' satisfies ProblemCode })
    .nullable()
    .optional(),
  /** Null if it is not given. */
  registrationOpen: z.boolean().nullable().optional(),
});

export type EventInput = z.output<typeof EventInput>;

/** The name of a time zone (IANA). */
export const TimeZone = z
  .string()
  .refine(isTimeZone, { error: 'time_zone_unknown' satisfies ProblemCode });

/** The time zone of dates without an offset, and the moment from which dates without a year count. */
export type Clock = { readonly timeZone: string; readonly now: Date };

function refusal({ field, reason }: DraftProblem): Problem {
  if (field === 'date') return asUsage(problem('event_date_invalid', { reason }));
  return asUsage(problem('event_value_invalid', { field: message(`field:${field}`), reason }));
}

/** Returns the year of the next day with this month and day; leap days may take eight years. */
function nextYear(
  date: WrittenDate & Pick<Required<WrittenDate>, 'month'>,
  { timeZone, now }: Clock,
) {
  const first = yearFrom(zoneNamed(timeZone).dayOf(now), date);
  const years = Array.from({ length: 9 }, (_, later) => first + later);
  return years.find((year) => completeDate(date, year) !== undefined) ?? first;
}

/** Reads a date in words, such as "Easter Monday 2027 11:00", as the line of the window does. */
function readWords(text: string, { timeZone, now }: Clock): string | undefined {
  const zone = zoneNamed(timeZone);
  const moment = zone.momentIn(now.toISOString());
  const context = { today: moment.day, now: moment.time, language: 'en', zone } as const;
  const { day, time } = readDate(text, context) ?? {};
  return time === undefined ? day : `${day}T${time}`;
}

/**
 * Returns a date as ISO 8601, or a text that is not understood unchanged. A date without a year is
 * the next such day. Throws `event_date_invalid` for a date that could be another one.
 */
function readWhen(text: string, clock: Clock): string {
  if (parseTimestamp(text, clock.timeZone) !== undefined) return text;
  const order = orderOf(text);
  if (order === 'either')
    throw ambiguous(message('reason:date_ambiguous', { value: displayValue(text) }));
  const written = parseDate(text, order);
  if (written === undefined) return readWords(text, clock) ?? text;
  const date = completeDate(written, written.year ?? nextYear(written, clock));
  if (date === undefined) return text;
  const { weekdays } = written;
  if (weekdays.length > 0 && !weekdays.includes(new Date(date.day).getUTCDay())) {
    const values = { value: displayValue(text), day: date.day };
    throw ambiguous(message('reason:weekday_wrong', values));
  }
  return date.time === undefined ? date.day : `${date.day}T${date.time}`;
}

function ambiguous(reason: Message): Problem {
  return refusal({ field: 'date', reason });
}

/** Checks values of an event by the rules of an import. Throws a problem that names the field. */
export function readValues(
  input: { readonly [Field in keyof EventInput]?: EventInput[Field] | undefined },
  clock: Clock,
): EventValues {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  const values = Object.fromEntries(entries);
  if (input.date !== undefined) values['date'] = readWhen(input.date, clock);
  const required = { name: '-', date: '2000-01-01' };
  const forgetsRegistration = input.registrationOpen === null;
  if (forgetsRegistration) delete values['registrationOpen'];
  const draft = createDraftParser(clock.timeZone)({ values: { ...required, ...values } });
  if ('reason' in draft) throw refusal(draft);
  const checked = Object.entries(draft).filter(([field]) => Object.hasOwn(values, field));
  return {
    ...Object.fromEntries(checked),
    ...(forgetsRegistration && { registrationOpen: undefined }),
  };
}

/**
 * Moves a timestamp; undefined if a shift would leave the day. Throws `event_moved_too_far` for years
 * that an event cannot have.
 */
export function moveEvent(date: string, move: DateMove, timeZone: string): string | undefined {
  const moved = moveDate(date, move, zoneNamed(timeZone));
  if (moved === undefined || parseTimestamp(moved, timeZone) !== undefined) return moved;
  const days = Math.round((Date.parse(moved) - Date.parse(date)) / dayMs);
  throw problem('event_moved_too_far', { days });
}

/** Returns the timestamp a number of days later, at the same local time, as `moveEvent` does. */
export function moveByDays(date: string, days: number, timeZone: string): string {
  return moveEvent(date, { kind: 'move', days }, timeZone) ?? date;
}

/** Reads an end as people write it: a time on the day of the start, or a day. */
function readEnd(text: string, date: string, { timeZone }: Clock): Moment {
  const zone = zoneNamed(timeZone);
  const start = zone.momentIn(date);
  const time = readTime(text)?.slice(0, 5);
  const when = time ? `${start.day}T${time}` : readWhen(text, { timeZone, now: new Date(date) });
  const instant = parseTimestamp(when, timeZone);
  if (instant === undefined)
    throw asUsage(problem('event_end_invalid', { value: displayText(text) }));
  const end = /^\d{4}-\d\d-\d\d$/.test(when)
    ? { day: when, time: '' }
    : { day: zone.dayOf(instant), time: zone.momentIn(instant).time || '00:00' };
  if (!isBeforeStart(end, start)) return end;
  const shown = ({ day, time: clock }: Moment) => `${day} ${clock}`.trim();
  throw asUsage(problem('event_end_before_start', { start: shown(start), end: shown(end) }));
}

/** The end of an event as a person gave it; empty for none. */
type WrittenEnd = { readonly text: string; readonly language: string | undefined };

/**
 * Returns the description of an event with the end that a person gave. Throws `event_end_invalid` and
 * `event_end_before_start`.
 */
export function withWrittenEnd(
  event: Noted,
  { text, language }: WrittenEnd,
  clock: Clock,
): string | null {
  const end = text.trim() === '' ? undefined : readEnd(text, event.date, clock);
  const supported = supportedLanguage([language ?? 'en']);
  return withEnd(event, end, zoneNamed(clock.timeZone), [supported, endWords(supported)]);
}

/** Returns the description of an event that moves to another date or zone; its end moves as far. */
export function descriptionAt(
  event: Noted,
  to: string,
  timeZone: string,
  newZone: string = timeZone,
): string | null {
  return movedNote(event, to, [zoneNamed(timeZone), zoneNamed(newZone)], endWords);
}
