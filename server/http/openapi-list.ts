import { eventStatuses, eventTypes } from '../../db/model.ts';
import type { ListParameter } from '../errors.ts';
import { listLimit } from './problems.ts';

const withoutSeconds = String.raw`^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d([Zz]|[+-]\d\d:\d\d)$`;

const moment = (what: string) => ({
  description: `${what}; a date is its midnight in UTC. A "+" has to be written as %2B.`,
  schema: {
    anyOf: [
      { type: 'string', format: 'date' },
      { type: 'string', format: 'date-time' },
      { type: 'string', pattern: withoutSeconds },
    ],
    examples: ['2026-05-01', '2026-05-01T18:00:00+02:00'],
  },
});

/** Describes a comma-separated list of values. */
const several = (values: readonly string[], description: string) => ({
  description,
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1 },
});

const parameters: Readonly<Record<ListParameter, object>> = {
  q: {
    description:
      'Words, at most 10, each of which has to begin a word of the name, location or description, ' +
      'whatever its case and accents. A text without any word asks for nothing in particular.',
    schema: { type: 'string', maxLength: 200 },
  },
  status: several(eventStatuses, 'One or several states.'),
  eventType: several([...eventTypes, 'none'], 'One or several types; "none" is for null.'),
  from: moment('The first moment that "date" may have'),
  to: moment('The first moment that "date" may no longer have'),
  sort: {
    description: 'What to sort by; ties by id.',
    schema: { type: 'string', enum: ['createdAt', 'date'], default: 'createdAt' },
  },
  order: {
    description: 'The last first (desc) or the first first (asc).',
    schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  },
  limit: {
    description: 'How many events at most.',
    schema: { type: 'integer', minimum: 1, maximum: listLimit, default: listLimit },
  },
  cursor: {
    description: 'Where to go on; taken from the "Link" of an answer, with all that is in it.',
    schema: { type: 'string' },
  },
};

/** The parameters of `GET /v1/events`. Others are ignored and listed in a header. */
export const listParameters = Object.entries(parameters).map(([name, parameter]) => ({
  name,
  in: 'query',
  required: false,
  ...parameter,
}));

/** The headers of a list, in addition to those of every response with events. */
export const listHeaders = {
  'Total-Count': {
    description: 'How many events match, in this answer or not.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'Calendar-Uid-Base': {
    description:
      'The random part of the UIDs in calendar files of this user: event-ID.BASE@club-events.invalid.',
    required: true,
    schema: { type: 'string' },
  },
  'Events-Revision': {
    description:
      'Another value after every change of any event of the user; an opaque text, to be compared.',
    required: true,
    schema: { type: 'string' },
  },
  Link: {
    description: 'Where the next events are (RFC 8288, rel="next"), when more match.',
    schema: { type: 'string' },
  },
};
