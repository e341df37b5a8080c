import { recordedRevisions, revisionPattern } from '../../db/event-changes.ts';
import { eventStatuses, filterTypes } from '../../db/model.ts';
import { headerNames } from './headers.ts';

/** The maximum number of events in a list response (INTERFACE section 2). */
export const listLimit = 200;

export const maxSearchLength = 200;
export const maxWords = 10;

type Parameter = {
  /** The list without it. */
  readonly absent: string;
  /** Its meaning, in Markdown. */
  readonly description: string;
  /** More for `/openapi.json`, which the README tells in its text. */
  readonly details?: string;
  /** Its values, for an error: "The parameter … is …". */
  readonly rule: string;
  /** True if it selects some of all events. */
  readonly isFilter?: boolean;
  /** JSON Schema 2020-12. An array is written with commas. */
  readonly schema: { readonly type?: string; readonly [keyword: string]: unknown };
};

/** A parameter with one or several values, separated by commas. */
const several = (values: readonly string[]) => ({
  rule: `is one or more of ${values.join(', ')}, with commas.`,
  isFilter: true,
  schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1 },
});

const moment = {
  rule: 'is a date such as 2026-05-01 or a timestamp such as 2026-05-01T18:00:00Z, with its offset, given once.',
  details: 'A `+` has to be written as `%2B`.',
  isFilter: true,
  schema: {
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
      // Without seconds.
      {
        type: 'string',
        pattern: String.raw`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d([Zz]|[+-]\d\d:\d\d)$`,
      },
    ],
    examples: ['2026-05-01', '2026-05-01T18:00:00+02:00'],
  },
};

/** A parameter with one of two values; the first one is the default. */
const either = (one: string, other: string) => ({
  absent: `\`${one}\``,
  schema: { type: 'string', enum: [one, other], default: one },
});

/** The parameters of the list (INTERFACE section 2, "Extensions"). Others are ignored and listed in a header. */
export const listParameters = {
  q: {
    absent: 'every event',
    description: `at most ${maxSearchLength} characters and ${maxWords} different words; each must be the beginning of a word in the name, location or description`,
    details: 'Case and accents do not count. Without any word, it is ignored.',
    rule: `is a text of at most ${maxSearchLength} characters and ${maxWords} words, given once.`,
    isFilter: true,
    schema: { type: 'string', maxLength: maxSearchLength },
  },
  status: {
    ...several(eventStatuses),
    absent: 'every status',
    description: 'one, or several separated by commas: `status=draft,active`',
  },
  eventType: {
    ...several(filterTypes),
    absent: 'every type',
    description: 'like `status`; `none` means events without a type',
  },
  from: {
    ...moment,
    absent: 'no bound',
    description:
      '`date` is at or after this: a date (midnight in UTC) or a timestamp with its offset, as in RFC 3339; seconds are optional',
  },
  to: { ...moment, absent: 'no bound', description: '`date` is before this' },
  sort: {
    ...either('createdAt', 'date'),
    description: '`createdAt` or `date`; ties by `id`, in the same direction',
    rule: 'is "createdAt" or "date", given once.',
  },
  order: {
    ...either('desc', 'asc'),
    description: '`desc` (newest first) or `asc`',
    rule: 'is "asc" or "desc", given once.',
  },
  limit: {
    absent: `${listLimit}`,
    description: `1 to ${listLimit}`,
    details: 'The number of events of a page.',
    rule: `is a whole number from 1 to ${listLimit}, given once.`,
    schema: { type: 'integer', minimum: 1, maximum: listLimit, default: listLimit },
  },
  cursor: {
    absent: 'the first page',
    description: `the position of the next page, from the \`${headerNames.link}\` of an answer`,
    rule: `does not fit this list; follow the "${headerNames.link}" of an answer, or begin without it.`,
    schema: { type: 'string' },
  },
  since: {
    absent: 'the list itself',
    description: `only what changed after this \`${headerNames.eventsRevision}\``,
    details:
      'The events are in the order of their change; `removed` has the ids of those that were removed. Beside it, only `limit`, ' +
      'for both together, and `team` may differ from their default values. The last ' +
      `${recordedRevisions} changes are kept; before them, the answer is 410.`,
    rule: `is the "${headerNames.eventsRevision}" of an answer, given once; beside it, only "limit" and "team" may differ from their default values.`,
    schema: { type: 'string', pattern: revisionPattern },
  },
  team: {
    absent: 'every event',
    description: 'the name of a team of the club, in any case and with or without accents',
    details:
      'An unknown name is refused with the names of the teams. With `since`, the events that left the team are among the removed ones, also one that never was in it; after a change of the team, the answer is 410.',
    rule: 'is the name of a team of the club, given once.',
    isFilter: true,
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export type ListParameter = keyof typeof listParameters;

export const listParameterNames = Object.keys(listParameters) as readonly ListParameter[];

/** Returns what is known about a parameter of the list. */
export const parameterOf = (name: ListParameter): Parameter => listParameters[name];
