import type { EventStatus, EventType } from '../../../../db/model.ts';
import type { ActionInput } from '../../../actions/bridge.ts';
import type { Event } from '../../../http/contract.ts';
import {
  clockOf,
  type Day,
  dayOf,
  isDay,
  isWithoutTime,
  momentOf,
  startOf,
} from '../../base/days.ts';
import {
  readDay,
  readMoment,
  readTimeOfDay,
  type ShortMonth,
} from '../../base/plain-words/fields.ts';
import type { DayContext } from '../../base/plain-words/line.ts';
import type { PlainWords } from '../../base/plain-words/plain-words.ts';

export const fields = [
  'name',
  'date',
  'time',
  'location',
  'eventType',
  'description',
  'status',
  'registration',
] as const;
export type Field = (typeof fields)[number];

/**
 * The values of the form as text. A date is `YYYY-MM-DD` and a time `HH:MM`, or what a person has
 * typed and not left yet. An unknown value is empty.
 */
export type Values = Readonly<Record<Field, string>>;

export const emptyValues: Values = {
  name: '',
  date: '',
  time: '',
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
export function readKeptForm(text: string): FormState | undefined {
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
  const state = readKeptForm(text);
  if (state === undefined) return '';
  return [state.line, ...Object.values(state.edited)].filter((typed) => typed !== '').join('\n');
}

/** Checks that a text is a time of day in its stored form. */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** Returns the time of day of an event as `HH:MM`; empty without one. */
function timeOf(date: string): string {
  return isWithoutTime(date) ? '' : clockOf(date);
}

export function valuesOf(event: Event): Values {
  const open = event.registrationOpen;
  return {
    name: event.name,
    date: dayOf(event.date),
    time: timeOf(event.date),
    location: event.location,
    eventType: event.eventType ?? '',
    description: event.description ?? '',
    status: event.status,
    registration: open === undefined ? '' : open ? 'open' : 'closed',
  };
}

/** Returns the values that the line of plain words gives; the end of the event is in the note. */
export function valuesOfLine(
  words: PlainWords,
  describeEnd: (end: NonNullable<PlainWords['end']>) => string,
): Partial<Values> {
  const { name, day, time, end, location, eventType, status } = words;
  const description = end && describeEnd(end);
  const found = { name, date: day, time, location, eventType, description, status };
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
        | 'timeIsNone';
    }
  | { readonly kind: 'monthTooShort'; readonly month: ShortMonth };

/** The values of a form as they are to be saved, or the errors of its fields. */
export type Reading = {
  /** With dates and times in their stored form, as far as they are understood. */
  readonly values: Values;
  readonly errors: Partial<Record<Field, FieldError>>;
  /** The time at which the event will be, if the clocks skip the one that was given. */
  readonly movedTime?: string;
};

/** Checks that a day and a time `HH:MM` can be stored; finds the time that the clocks skip. */
function checkMoment(day: Day, time: string): Pick<Reading, 'errors' | 'movedTime'> {
  const timestamp = timestampOf(day, time);
  // The year of a local day at either end may be another one in UTC.
  if (!/^(?!0000)\d{4}-/.test(timestamp)) return { errors: { date: { kind: 'dateOutside' } } };
  if (time === '') return { errors: {} };
  if (isWithoutTime(timestamp)) return { errors: { time: { kind: 'timeIsNone' } } };
  const stored = timeOf(timestamp);
  return { errors: {}, ...(stored !== time && { movedTime: stored }) };
}

/** Reads the texts of dates and times, and finds the errors. A time in the date replaces the time. */
export function readForm(values: Values, context: DayContext): Reading {
  const errors: { [Name in Field]?: FieldError } = {};
  if (values.name.trim() === '') errors.name = { kind: 'nameMissing' };
  const moment = isDay(values.date) ? undefined : readMoment(values.date, context);
  const day = isDay(values.date) ? values.date : (moment?.day ?? readDay(values.date, context));
  if (values.date.trim() === '') errors.date = { kind: 'dateMissing' };
  else if (/^\s*0000-/.test(values.date)) errors.date = { kind: 'dateOutside' };
  else if (day === undefined) errors.date = { kind: 'dateUnclear' };
  else if (typeof day === 'object') errors.date = { kind: 'monthTooShort', month: day };
  const time = moment?.time ?? readTimeOfDay(values.time);
  if (time === undefined) errors.time = { kind: 'timeUnclear' };
  const date = typeof day === 'string' && errors.date === undefined ? day : values.date;
  const read = { ...values, date, time: time ?? values.time };
  if (errors.date !== undefined) return { values: read, errors };
  const stored = checkMoment(date, time ?? '');
  return { ...stored, values: read, errors: { ...errors, ...stored.errors } };
}

/** Returns the timestamp of a day and time `HH:MM`; without a time, the start of the day. */
export function timestampOf(day: Day, time: string): string {
  if (time === '') return startOf(day);
  return momentOf(day, time).toISOString();
}

export type EventInput = ActionInput<'event add'>['event'];

/** Returns the values of a form without errors as the actions take them. */
export function inputOf({ date, time, ...values }: Values): EventInput {
  return {
    name: values.name,
    date: timestampOf(date, time),
    location: values.location,
    description: values.description.trim() === '' ? null : values.description,
    status: values.status as EventStatus,
    eventType: values.eventType === '' ? null : (values.eventType as EventType),
    registrationOpen: values.registration === '' ? null : values.registration === 'open',
  };
}

/** Returns the members of an event that the form changes. */
export function changesOf(values: Values, event: Event): Partial<EventInput> {
  const current = valuesOf(event);
  const isChanged = (...names: Field[]) => names.some((name) => values[name] !== current[name]);
  const { name, date, location, description, status, eventType, registrationOpen } =
    inputOf(values);
  return {
    ...(isChanged('name') && { name }),
    ...(isChanged('date', 'time') && { date }),
    ...(isChanged('location') && { location }),
    ...(isChanged('description') && { description }),
    ...(isChanged('status') && { status }),
    ...(isChanged('eventType') && { eventType }),
    ...(isChanged('registration') && { registrationOpen }),
  } as Partial<EventInput>;
}
