import { useTranslation } from 'react-i18next';
import { typesByReach } from '../../../../db/model.ts';
import type { Formats } from '../../../dates/formats.ts';
import type { Noted } from '../../../event/values.ts';
import { useFormats } from '../../base/format.ts';
import type { EventField, ImportPreview } from './choices.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns true for a date as the import stores it; other texts are as in the file. */
export function isTimestamp(value: unknown): value is string {
  return typeof value === 'string' && timestamp.test(value);
}

/** Returns the day and the note of an event in a preview; undefined if its date cannot be read. */
export function notedOf({
  date,
  description = null,
}: ImportPreview['rows'][number]['values']): Noted | undefined {
  if (!isTimestamp(date)) return undefined;
  return { date, description: description === null ? null : String(description) };
}

/** Formats the local date and time: `Sun 22 Nov 2026, 10:00`. */
export function dateAndTime(formats: Formats, moment: string): string {
  const time = formats.time(moment);
  const day = formats.at('weekdayAndDay', moment);
  return time === '' ? day : `${day}, ${time}`;
}

const isoDate = /^(?<day>\d{4}-\d\d-\d\d)(?:[T ](?<time>\d\d:\d\d)\S*)?$/;

/** Returns true for a day that exists; `Date` would take 30 February for 2 March. */
function exists(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

/** Splits a date such as `2026-11-30T19:30` of a table; undefined for texts that are none. */
export function splitIsoDate(text: string): { day: string; time: string } | undefined {
  const { day, time = '00:00' } = isoDate.exec(text)?.groups ?? {};
  if (day === undefined || !exists(day)) return undefined;
  return { day, time: time === '00:00' ? '' : time };
}

/** Fields that have a few values only, which the page shows in the user's words. */
const choosableValues = {
  status: ['active', 'draft', 'completed', 'cancelled'],
  eventType: typesByReach,
  registrationOpen: ['true', 'false'],
} as const satisfies Partial<Record<EventField, readonly string[]>>;

function isChoosable(field: string): field is keyof typeof choosableValues {
  return field in choosableValues;
}

/** Returns the values that a field can have; undefined if there are many. */
export function valuesOf(field: string): readonly string[] | undefined {
  return isChoosable(field) ? choosableValues[field] : undefined;
}

/** Returns a formatter of values; unknown ones stay as they are, missing ones are empty. */
export function useFieldText(): (field: string, value: unknown) => string {
  const { t } = useTranslation(['event', 'panel']);
  const formats = useFormats();
  return (field, value) => {
    if (value === undefined || value === null || value === '') return '';
    if (isTimestamp(value)) return dateAndTime(formats, value);
    const text = String(value);
    const time = /^(\d\d:\d\d):\d\d$/.exec(text);
    if (time && (field === 'date' || field === 'time')) return time[1] ?? '';
    const iso = field === 'date' ? splitIsoDate(text) : undefined;
    if (iso !== undefined) {
      const day = formats.on('weekdayAndDay', iso.day);
      return iso.time === '' ? day : `${day}, ${iso.time}`;
    }
    if (!valuesOf(field)?.includes(text)) return text;
    if (field === 'registrationOpen') return t(text === 'true' ? 'panel:open' : 'panel:closed');
    return t(`event:${text}` as 'event:active');
  };
}
