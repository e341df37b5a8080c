import { z } from 'zod';
import { afterEveryDate, beforeEveryDate, type EventQuery } from '../../db/event-list.ts';
import { wordsOf } from '../../db/fold.ts';
import { eventStatuses, eventTypes } from '../../db/model.ts';
import { type ListParameter, listParameterNames } from '../errors.ts';
import { readCursor, scopeOf } from './cursor.ts';
import { type ListParameters, plainQuery } from './list.ts';
import { listLimit, refuse } from './problems.ts';

const longestSearch = 200;
const mostWords = 10;

/** One of `values` or several, with commas or in repeated parameters. */
function listOf<Value extends string>(values: readonly Value[]) {
  return z
    .array(z.string())
    .transform((texts) => texts.flatMap((text) => text.split(',')))
    .pipe(z.array(z.enum(values)))
    .transform((given) => values.filter((value) => given.includes(value)));
}

/** The one value of a parameter that may not be repeated. */
const single = z.tuple([z.string()]).transform(([value]) => value);

const DateText = z.iso.date();
const TimestampText = z.iso.datetime({ offset: true });

const withoutSeconds = /T\d\d:\d\d(?=Z$|[+-]\d\d:\d\d$)/;
const leapSecond = /:60(?=[.Z+-])/;
const fraction = /\.\d+/;

/** Returns the milliseconds of an RFC 3339 timestamp; a leap second is the second after it. */
function parseTimestamp(text: string): number | undefined {
  const ordinary = text.replace(leapSecond, ':59');
  if (!TimestampText.safeParse(ordinary).success) return undefined;
  const time = Date.parse(ordinary.replace(fraction, (digits) => digits.slice(0, 4)));
  if (ordinary === text) return time;
  const next = new Date(time + 1_000);
  // There are leap seconds before midnight in UTC alone.
  return next.getUTCHours() === 0 && next.getUTCMinutes() === 0 ? next.getTime() : undefined;
}

/**
 * Returns a moment with the precision of events, rounded up, or a bound beyond all of theirs; nothing
 * for a text that is neither a date nor a timestamp.
 */
function readMoment(given: string): string | undefined {
  const text = given
    .replace(/[tz]/g, (letter) => letter.toUpperCase())
    // A "+" that was not written as "%2B" arrives as a space.
    .replace(/ (?=\d\d:\d\d$)/, '+')
    .replace(withoutSeconds, '$&:00');
  const time = DateText.safeParse(text).success ? Date.parse(text) : parseTimestamp(text);
  if (time === undefined) return undefined;
  const finer = fraction.exec(text)?.[0].slice(4) ?? '';
  const moment = new Date(time + (/[1-9]/.test(finer) ? 1 : 0)).toISOString();
  if (moment.startsWith('-')) return beforeEveryDate;
  return moment.startsWith('+') ? afterEveryDate : moment;
}

const moment = single.transform((text, { addIssue }) => {
  const read = readMoment(text);
  if (read !== undefined) return read;
  addIssue('not a date');
  return z.NEVER;
});

const Parameters = z.object({
  q: single.pipe(z.string().max(longestSearch)).optional(),
  status: listOf(eventStatuses).optional(),
  eventType: listOf([...eventTypes, 'none']).optional(),
  from: moment.optional(),
  to: moment.optional(),
  sort: single.pipe(z.enum(['createdAt', 'date'])).optional(),
  order: single.pipe(z.enum(['asc', 'desc'])).optional(),
  limit: single
    .pipe(z.string().regex(/^[1-9]\d{0,2}$/))
    .transform(Number)
    .pipe(z.number().max(listLimit))
    .optional(),
  cursor: single.optional(),
} satisfies Record<ListParameter, z.ZodType>);

/** Returns the different words of a search, sorted; refuses (400) too many. */
function readWords(q: string): string[] {
  const words = [...new Set(wordsOf(q))].toSorted();
  return words.length > mostWords ? refuse('malformed_q') : words;
}

/** What was asked for, as the link to the next page says it again. */
function parametersOf(search: URLSearchParams): ListParameters {
  const given = listParameterNames.filter((name) => name !== 'cursor' && search.has(name));
  const joined = given.map((name) => [name, [...new Set(search.getAll(name))].join(',')]);
  return Object.fromEntries(joined);
}

export type ParsedQuery = { readonly query: EventQuery; readonly parameters: ListParameters };

/**
 * The parameters of the list, checked; others are ignored. Refuses (400) a bad value with a problem
 * that names the parameter.
 */
export function parseEventQuery(querystring: string, userId: number): ParsedQuery {
  const search = new URLSearchParams(querystring);
  const texts = listParameterNames
    .filter((name) => search.has(name))
    .map((name) => [name, search.getAll(name)]);
  const { data, error } = Parameters.safeParse(Object.fromEntries(texts));
  if (error) refuse(`malformed_${error.issues[0]?.path[0] as ListParameter}`);
  const filter = {
    statuses: data.status ?? null,
    eventTypes: data.eventType ?? null,
    from: data.from ?? plainQuery.from,
    to: data.to ?? plainQuery.to,
    words: readWords(data.q ?? ''),
  };
  const { sort = plainQuery.sort, limit = listLimit } = data;
  const query = { ...filter, sort, limit, descending: data.order !== 'asc' };
  const parameters = parametersOf(search);
  if (data.cursor === undefined) return { query, parameters };
  const after = readCursor(data.cursor, scopeOf(userId, query)) ?? refuse('malformed_cursor');
  return { query: { ...query, after }, parameters };
}
