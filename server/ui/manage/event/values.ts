import type { EventStatus, EventType } from '../../../../db/model.ts';
import type { ActionInput } from '../../../actions/bridge.ts';
import type { Clock } from '../../../dates/clock.ts';
import { addDays, type Day, daysBetween, isDay } from '../../../dates/days.ts';
import { isBeforeStart, type Moment } from '../../../dates/end-line.ts';
import { readDay, readMoment, readTimeOfDay, type ShortMonth } from '../../../dates/line/fields.ts';
import type { DayContext } from '../../../dates/line/line.ts';
import type { PlainWords } from '../../../dates/line/plain-words.ts';
import { unitOf } from '../../../dates/vocabulary.ts';
import { joinNote, noteOf } from '../../../event/values.ts';
import type { Event } from '../../../http/contract.ts';
import { noDaysOff, readSeries, type Series, writeRepetition } from './series.ts';

export const fields = [
  'name',
  'date',
  'time',
  'ends',
  'repeats',
  'weekdays',
  'until',
  'except',
  'location',
  'eventType',
  'description',
  'status',
  'registration',
] as const;
export type Field = (typeof fields)[number];

/**
 * The values of the form as text. A date is `YYYY-MM-DD`, a time `HH:MM`, and an end one of these or
 * both with a `T` between them; or what a person has typed and not left yet. An unknown value is
 * empty. The note is that without its end. A repetition is written as `repetition.ts` reads it.
 */
export type Values = Readonly<Record<Field, string>>;

export const emptyValues: Values = {
  name: '',
  date: '',
  time: '',
  ends: '',
  repeats: '',
  weekdays: '',
  until: '',
  except: '',
  location: '',
  eventType: '',
  description: '',
  status: 'active',
  registration: '',
};

/** A form with unsaved text. */
export type FormState = {
  /** The line of plain words. */
  readonly line: string;
  /** The values before any edit, as the person knows them. */
  readonly initial: Values;
  /** The values that the person changed by hand. */
  readonly edited: Partial<Values>;
};

/** Writes a form as text to keep; empty if nothing is unsaved. */
export function writeForm(state: FormState): string {
  const isUnsaved = state.line.trim() !== '' || Object.keys(state.edited).length > 0;
  return isUnsaved ? JSON.stringify(state) : '';
}

const hasTexts = (texts: unknown, names: readonly string[]) =>
  typeof texts === 'object' &&
  texts !== null &&
  names.every((name) => typeof (texts as Record<string, unknown>)[name] === 'string');

/** Reads a kept form; undefined without one, or if another version of the page wrote it. */
export function readUnsavedForm(text: string): FormState | undefined {
  if (text === '') return undefined;
  const state = JSON.parse(text) as FormState;
  const isForm =
    hasTexts(state, ['line']) &&
    hasTexts(state.initial, fields) &&
    hasTexts(state.edited, Object.keys(Object(state.edited)));
  return isForm ? state : undefined;
}

/** Words a kept form for a person: everything that they have typed. */
export function describeForm(text: string): string {
  const state = readUnsavedForm(text);
  if (state === undefined) return '';
  return [state.line, ...Object.values(state.edited)].filter((typed) => typed !== '').join('\n');
}

/** Checks that a text is a time of day in its stored form. */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** Returns an end as a value of the form; its day is left out if the event begins on it. */
function writeEnds({ day, time }: Moment, start: Day): string {
  if (day === start && time !== '') return time;
  return time === '' ? day : `${day}T${time}`;
}

export function valuesOf(clock: Clock, event: Event): Values {
  const open = event.registrationOpen;
  const { end, text } = noteOf(event, clock);
  const { day, time } = clock.momentIn(event.date);
  return {
    ...emptyValues,
    name: event.name,
    date: day,
    time,
    ends: end === undefined ? '' : writeEnds(end, day),
    location: event.location,
    eventType: event.eventType ?? '',
    description: text,
    status: event.status,
    registration: open === undefined ? '' : open ? 'open' : 'closed',
  };
}

/** Returns the values that the line of plain words gives. */
export function valuesOfLine(
  words: PlainWords,
  daysOff: typeof noDaysOff = noDaysOff,
): Partial<Values> {
  const { name, day, time, end, location, eventType, status } = words;
  const start = day ?? '';
  // In "20:00-02:00", the end is in the night.
  const isNight = day !== undefined && time !== undefined && (end?.time ?? time) < time;
  const last = end && {
    day: end.day ?? (isNight ? addDays(start, 1) : start),
    time: end.time ?? '',
  };
  const ends = last && writeEnds(last, start);
  const repetition = words.repetition && writeRepetition(words.repetition, start, daysOff);
  const found = { name, date: day, time, ends, ...repetition, location, eventType, status };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value));
}

export type FieldError =
  | {
      readonly kind:
        | 'nameMissing'
        | 'dateMissing'
        | 'dateUnclear'
        | 'dateOutside'
        | 'timeUnclear'
        | 'timeIsNone'
        | 'endsUnclear'
        | 'endsBeforeStart'
        | 'untilMissing'
        | 'untilUnclear'
        | 'noDates';
    }
  /** A time before the start, which could be that of the next day. */
  | { readonly kind: 'endsNextDay'; readonly end: string }
  | { readonly kind: 'monthTooShort'; readonly month: ShortMonth };

/** The values of a form as they are to be saved, or the errors of its fields. */
export type Reading = {
  /** With dates and times in their stored form, as far as they are understood. */
  readonly values: Values;
  readonly errors: Partial<Record<Field, FieldError>>;
  /** The time at which the event will be, if the clocks skip the one that was given. */
  readonly movedTime?: string;
  /** The dates of a repetition without errors. */
  readonly series?: Series;
};

/** Checks that a day and a time `HH:MM` can be stored; finds the time that the clocks skip. */
function checkMoment(clock: Clock, day: Day, time: string): Pick<Reading, 'errors' | 'movedTime'> {
  const timestamp = timestampOf(clock, day, time);
  // The year of a local day at either end may be another one in UTC.
  if (!/^(?!0000)\d{4}-/.test(timestamp)) return { errors: { date: { kind: 'dateOutside' } } };
  if (time === '') return { errors: {} };
  if (clock.isDayStart(timestamp)) return { errors: { time: { kind: 'timeIsNone' } } };
  const stored = clock.timeOf(timestamp);
  return { errors: {}, ...(stored !== time && { movedTime: stored }) };
}

/** Reads an end that begins with its stored form; undefined if it is not understood. */
function readEnd(text: string, start: Moment, context: DayContext): Moment | undefined {
  const [, day, time] =
    /^(\d{4}-\d\d-\d\d)?(?:T?([01]\d:[0-5]\d|2[0-3]:[0-5]\d))?$/.exec(text) ?? [];
  if (day !== undefined && isDay(day)) return { day, time: time ?? '' };
  const clock = time ?? readTimeOfDay(text, context);
  if (clock) return { day: start.day, time: clock };
  const [, days = '0', unit] = /^(\d{1,3}) ?(\p{L}+)$/u.exec(text.trim().toLowerCase()) ?? [];
  if (days !== '0' && unitOf(unit) === 'day') {
    return { day: addDays(start.day, Number(days) - 1), time: '' };
  }
  const from = { ...context, today: start.day };
  const moment = readMoment(text, from);
  const read = moment?.day ?? readDay(text, from);
  return typeof read === 'string' ? { day: read, time: moment?.time ?? '' } : undefined;
}

/** Reads the end of an event with a known start. */
function readEnds(text: string, start: Moment, context: DayContext) {
  if (text.trim() === '') return { ends: '' };
  const end = readEnd(text, start, context);
  if (end === undefined) return { ends: text, error: { kind: 'endsUnclear' } as const };
  const ends = writeEnds(end, start.day);
  if (!isBeforeStart(end, start)) return { ends };
  if (end.day !== start.day) return { ends, error: { kind: 'endsBeforeStart' } as const };
  const next = `${addDays(start.day, 1)}T${end.time}`;
  return { ends, error: { kind: 'endsNextDay', end: next } as const };
}

/**
 * Returns the end of an event whose day a person changes: an end on another day moves as far, unless
 * a person changed it too.
 */
export function withMovedEnd(before: Values, edited: Partial<Values>): Values {
  const values = { ...before, ...edited };
  const [, day = '', time = ''] = /^(\d{4}-\d\d-\d\d)(.*)$/.exec(before.ends) ?? [];
  const { date } = values;
  const isMoved = edited.ends === undefined && isDay(day) && isDay(date) && isDay(before.date);
  if (!isMoved) return values;
  return { ...values, ends: addDays(day, daysBetween(before.date, date)) + time };
}

/** The day, the language and the clock with which a form is read. */
export type FormContext = DayContext & { readonly zone: Clock };

/** Reads the texts of dates and times, and finds the errors. A time in the date replaces the time. */
export function readForm(
  values: Values,
  context: FormContext,
  daysOff: typeof noDaysOff = noDaysOff,
): Reading {
  const errors: { [Name in Field]?: FieldError } = {};
  if (values.name.trim() === '') errors.name = { kind: 'nameMissing' };
  const moment = isDay(values.date) ? undefined : readMoment(values.date, context);
  const day = isDay(values.date) ? values.date : (moment?.day ?? readDay(values.date, context));
  if (values.date.trim() === '') errors.date = { kind: 'dateMissing' };
  else if (/^\s*0000-/.test(values.date)) errors.date = { kind: 'dateOutside' };
  else if (day === undefined) errors.date = { kind: 'dateUnclear' };
  else if (typeof day === 'object') errors.date = { kind: 'monthTooShort', month: day };
  const time = moment?.time ?? readTimeOfDay(values.time, context);
  if (time === undefined) errors.time = { kind: 'timeUnclear' };
  const given = typeof day === 'string' && errors.date === undefined ? day : values.date;
  const read = errors.date === undefined ? readSeries(values, given, context, daysOff) : undefined;
  if (typeof read === 'string') errors.until = { kind: read };
  const series = typeof read === 'string' ? undefined : read;
  // The first date is the first one that fits.
  const date = series?.possible[0] ?? given;
  const plain = { ...values, date, time: time ?? values.time };
  if (errors.date !== undefined) return { values: plain, errors };
  const { ends, error } = readEnds(values.ends, { day: date, time: time ?? '' }, context);
  if (error !== undefined) errors.ends = error;
  const all = { ...plain, ends };
  const stored = checkMoment(context.zone, date, time ?? '');
  return {
    ...stored,
    values: all,
    errors: { ...errors, ...stored.errors },
    ...(series && { series }),
  };
}

/** Returns the timestamp of a day and time `HH:MM`; without a time, the start of the day. */
export function timestampOf(clock: Clock, day: Day, time: string): string {
  if (time === '') return clock.startOf(day);
  return new Date(clock.instantOf({ day, time })).toISOString();
}

export type EventInput = ActionInput<'event add'>['event'];

/** Words an end as the first line of a note. */
type EndLine = (end: Moment, start: Moment) => string;

/** Returns the line of the end of a form without errors; empty without an end. */
export function endLineOf({ date, time, ends }: Values, endLine: EndLine): string {
  if (ends === '') return '';
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)?T?(.*)$/.exec(ends) ?? [];
  return endLine({ day: day ?? date, time: clock ?? '' }, { day: date, time });
}

/** Returns the values of a form without errors as the actions take them. */
export function inputOf(
  clock: Clock,
  form: Values,
  endLine: EndLine,
  line: string = endLineOf(form, endLine),
): EventInput {
  const { date, time, ...values } = form;
  return {
    name: values.name,
    date: timestampOf(clock, date, time),
    location: values.location,
    description: joinNote(line, values.description),
    status: values.status as EventStatus,
    eventType: values.eventType === '' ? null : (values.eventType as EventType),
    registrationOpen: values.registration === '' ? null : values.registration === 'open',
  };
}

/** Returns the members of an event that the form changes. */
export function changesOf(clock: Clock, values: Values, event: Event, endLine: EndLine) {
  const current = valuesOf(clock, event);
  const isChanged = (...names: Field[]) => names.some((name) => values[name] !== current[name]);
  // An end that stays keeps its words, which may be in another language.
  const isEndChanged = isChanged('ends') || (values.ends !== '' && isChanged('date', 'time'));
  const line = isEndChanged ? undefined : noteOf(event, clock).endLine;
  const input = inputOf(clock, values, endLine, line);
  return {
    ...(isChanged('name') && { name: input.name }),
    ...(isChanged('date', 'time') && { date: input.date }),
    ...(isChanged('location') && { location: input.location }),
    ...((isEndChanged || isChanged('description')) && { description: input.description }),
    ...(isChanged('status') && { status: input.status }),
    ...(isChanged('eventType') && { eventType: input.eventType }),
    ...(isChanged('registration') && { registrationOpen: input.registrationOpen }),
  } as Partial<EventInput>;
}
