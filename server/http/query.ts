import { z } from 'zod';
import { parseRevision } from '../../db/event-changes.ts';
import { afterEveryDate, beforeEveryDate, type EventQuery } from '../../db/event-list.ts';
import { wordsOf } from '../../db/fold.ts';
import { eventStatuses, filterTypes } from '../../db/model.ts';
import { defaultQuery, type ListParameters, type ParsedQuery } from './paging.ts';
import {
  type ListParameter,
  listLimit,
  listParameterNames,
  maxSearchLength,
  maxWords,
} from './parameters.ts';
import { refuse } from './problems.ts';

/** Returns a schema for one or more of `values`, comma-separated or in repeated parameters. */
function listOf<Value extends string>(values: readonly Value[]) {
  return z
    .array(z.string())
    .transform((texts) => texts.flatMap((text) => text.split(',')))
    .pipe(z.array(z.enum(values)))
    .transform((selected) => values.filter((value) => selected.includes(value)));
}

/** A schema for a parameter that must not be repeated. */
const single = z.tuple([z.string()]).transform(([value]) => value);

const DateText = z.iso.date();
const TimestampText = z.iso.datetime({ offset: true });

const withoutSeconds = /T\d\d:\d\d(?=Z$|[+-]\d\d:\d\d$)/;
const leapSecond = /:60(?=[.Z+-])/;
const fraction = /\.\d+/;

/** Returns an RFC 3339 timestamp in milliseconds; a leap second counts as the following second. */
function parseTimestamp(text: string): number | undefined {
  const ordinary = text.replace(leapSecond, ':59');
  if (!TimestampText.safeParse(ordinary).success) return undefined;
  const time = Date.parse(ordinary.replace(fraction, (digits) => digits.slice(0, 4)));
  if (ordinary === text) return time;
  const next = new Date(time + 1_000);
  // Leap seconds occur only before midnight UTC.
  return next.getUTCHours() === 0 && next.getUTCMinutes() === 0 ? next.getTime() : undefined;
}

/**
 * Parses a date or timestamp, rounded up to milliseconds. Years outside 0 to 9999 become a bound
 * beyond all events. Returns undefined for other texts.
 */
function parseMoment(value: string): string | undefined {
  const text = value
    .replace(/[tz]/g, (letter) => letter.toUpperCase())
    // A "+" that was not encoded as "%2B" arrives as a space.
    .replace(/ (?=\d\d:\d\d$)/, '+')
    .replace(withoutSeconds, '$&:00');
  const time = DateText.safeParse(text).success ? Date.parse(text) : parseTimestamp(text);
  if (time === undefined) return undefined;
  const extraDigits = fraction.exec(text)?.[0].slice(4) ?? '';
  const moment = new Date(time + (/[1-9]/.test(extraDigits) ? 1 : 0)).toISOString();
  if (moment.startsWith('-')) return beforeEveryDate;
  return moment.startsWith('+') ? afterEveryDate : moment;
}

const moment = single.transform((text, { addIssue }) => {
  const parsed = parseMoment(text);
  if (parsed !== undefined) return parsed;
  addIssue('not a date');
  return z.NEVER;
});

const revision = single.transform((text, { addIssue }) => {
  const parsed = parseRevision(text);
  if (parsed !== undefined) return parsed;
  addIssue('not a revision');
  return z.NEVER;
});

const Parameters = z.object({
  q: single.pipe(z.string().max(maxSearchLength)).optional(),
  status: listOf(eventStatuses).optional(),
  eventType: listOf(filterTypes).optional(),
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
  since: revision.optional(),
  team: single.optional(),
} satisfies Record<ListParameter, z.ZodType>);

/** Returns the different words of a search, sorted; refuses (400) too many. */
function readWords(q: string): string[] {
  const words = [...new Set(wordsOf(q))].toSorted();
  return words.length > maxWords ? refuse('malformed_q') : words;
}

/** Returns true for the query of all events, in the order without parameters. */
function isDefault(query: EventQuery): boolean {
  return JSON.stringify({ ...query, limit: listLimit }) === JSON.stringify(defaultQuery);
}

/** Returns the parameters of a request for the link to the next page. */
function parametersOf(search: URLSearchParams): ListParameters {
  const names = listParameterNames.filter((name) => name !== 'cursor' && search.has(name));
  const joined = names.map((name) => [name, [...new Set(search.getAll(name))].join(',')]);
  return Object.fromEntries(joined);
}

/**
 * Parses the parameters of a list and ignores others. Refuses (400) an invalid value with a problem
 * that names the parameter.
 */
export function parseEventQuery(querystring: string): ParsedQuery {
  const search = new URLSearchParams(querystring);
  const texts = listParameterNames
    .filter((name) => search.has(name))
    .map((name) => [name, search.getAll(name)]);
  const { data, error } = Parameters.safeParse(Object.fromEntries(texts));
  if (error) refuse(`malformed_${error.issues[0]?.path[0] as ListParameter}`);
  const { sort = defaultQuery.sort, limit = listLimit, since, team, cursor } = data;
  const parameters = parametersOf(search);
  const query: EventQuery = {
    statuses: data.status ?? null,
    eventTypes: data.eventType ?? null,
    from: data.from ?? defaultQuery.from,
    to: data.to ?? defaultQuery.to,
    words: readWords(data.q ?? ''),
    team: null,
    sort,
    descending: data.order !== 'asc',
    limit,
  };
  if (since === undefined) return { query, parameters, team, cursor };
  if (cursor !== undefined || !isDefault(query)) return refuse('malformed_since');
  return { query, parameters, since, team };
}
