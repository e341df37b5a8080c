import { z } from 'zod';
import { recordedRevisions, revisionPattern } from '../../db/event-changes.ts';
import { eventStatuses, filterTypes } from '../../db/model.ts';
import { http } from '../base/node-http.ts';
import { version } from '../base/version.ts';
import { connectionLimits } from './connections.ts';
import {
  Event,
  EventId,
  EventList,
  Health,
  Problem,
  Ready,
  SingleEvent,
  Timestamp,
} from './contract.ts';
import { composeEtag } from './events.ts';
import { maxWait } from './long-polls.ts';
import type { ListParameter } from './problems.ts';
import { listLimit } from './problems.ts';
import { otherTypes } from './representations.ts';

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
      'regardless of case and accents. Without any word, it is ignored.',
    schema: { type: 'string', maxLength: 200 },
  },
  status: several(eventStatuses, 'One or several states.'),
  eventType: several(filterTypes, 'One or several types; "none" is for null.'),
  from: moment('Only events at or after this moment'),
  to: moment('Only events before this moment (exclusive)'),
  sort: {
    description: 'Sort key; ties are broken by id.',
    schema: { type: 'string', enum: ['createdAt', 'date'], default: 'createdAt' },
  },
  order: {
    description: 'Descending or ascending.',
    schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' },
  },
  limit: {
    description: 'Maximum number of events per page.',
    schema: { type: 'integer', minimum: 1, maximum: listLimit, default: listLimit },
  },
  cursor: {
    description:
      'Opaque cursor; follow the "next" URL of the "Link" header instead of building it.',
    schema: { type: 'string' },
  },
  since: {
    description:
      'The "Events-Revision" of an answer: lists the events that changed after it, in order of their ' +
      'change, and the ids of those that were removed. Beside it, only "limit" and "team" may differ from their ' +
      `default values; "limit" applies to both together. The last ${recordedRevisions} changes are kept; before them, the answer is 410.`,
    schema: { type: 'string', pattern: revisionPattern },
  },
  team: {
    description:
      'The name of a team of the club, a stored filter: only its events, regardless of case and accents of ' +
      'the name. An unknown name is refused with the names of the teams. With "since", the events that ' +
      'left the team are among the removed ones, also one that never was in it; after a change of the ' +
      'team, the answer is 410.',
    schema: { type: 'string' },
  },
};

/** The parameters of `GET /v1/events`. Others are ignored and listed in a header. */
const listParameters = Object.entries(parameters).map(([name, parameter]) => ({
  name,
  in: 'query',
  required: false,
  ...parameter,
}));

/** The headers of a list, in addition to those of every response with events. */
const listHeaders = {
  'Total-Count': {
    description:
      'Number of all matching events, on this page or not. Left out with "since", and while a copy of an ' +
      'online service may lack older events.',
    schema: { type: 'integer', minimum: 0 },
  },
  'Data-Coverage': {
    description:
      'For a copy of an online service: "complete", or "since=" and the time since whose creation all ' +
      'events are here.',
    schema: { type: 'string' },
  },
  'Events-Revision': {
    description:
      'Another value after every change of any event of the user; an opaque text, to be compared.',
    required: true,
    schema: { type: 'string' },
  },
  'Events-Digest': {
    description:
      'On each list without "q", "status", "eventType", "from", "to" and "team": a digest of all events ' +
      'of the user, in any order: the SHA-256 of the JSON of each event, as in these answers and without ' +
      'spaces, added modulo 2^256, as 64 hexadecimal digits after "sha256=". Copies with the same ' +
      'events have the same digest. May be left out while another program changes the events.',
    schema: { type: 'string', pattern: '^sha256=[0-9a-f]{64}$' },
  },
  'Preference-Applied': {
    description:
      'The "wait" of the "Prefer" header, when the answer could wait for a change. Without it, a client ' +
      'that repeats the request has to pause itself.',
    schema: { type: 'string', pattern: '^wait=[0-9]+$' },
  },
  Link: {
    description: 'Where the next events are (RFC 8288, rel="next"), when more match.',
    schema: { type: 'string' },
  },
};

const schemaPath = (id: string | undefined) => `#/components/schemas/${id}`;

/** Composes the response types as JSON Schema 2020-12, the schema language of OpenAPI 3.1. */
function composeSchemas() {
  const registry = z.registry<{ id: string }>();
  const named = { Timestamp, Event, EventList, SingleEvent, Health, Ready, Problem };
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: schemaPath,
    // Later versions may add members, which clients must ignore.
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  const entries = Object.entries(schemas).map(([id, { $id, $schema, ...schema }]) => [id, schema]);
  return Object.fromEntries(entries);
}

const reference = (id: string) => ({ $ref: schemaPath(id) });

const { $schema, ...eventId } = z.toJSONSchema(EventId);

const header = (description: string) => ({ description, schema: { type: 'string' } });

const etag = header('Names this content; send it back in If-None-Match.');

const publicHeaders = { ETag: etag, 'Cache-Control': header('no-cache') };

const dataAsOf = header(
  'For a copy of an online service: the oldest time at which the service confirmed what the answer ' +
    'needed. For a node that does not reach its record: the time of the last contact. It is not part ' +
    'of the ETag.',
);

const ignoredParameters = {
  'Ignored-Parameters': header('Query parameters without a meaning here, percent-encoded.'),
};

const eventHeaders = {
  ETag: etag,
  'Data-As-Of': dataAsOf,
  'Cache-Control': header('private, no-cache'),
  Vary: header('Authorization'),
  ...ignoredParameters,
};

/** The headers of answers with a list. */
const listAnswerHeaders = {
  ...eventHeaders,
  Vary: header('Authorization, Accept'),
  ...listHeaders,
};

/** The other forms of a list, which its "Accept" header chooses. */
const listForms = Object.fromEntries(
  otherTypes.map((type) => [type, { schema: { type: 'string' } }]),
);

function jsonAnswer(description: string, schema: string, headers?: object) {
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema: reference(schema) } },
  };
}

/** Error statuses of a GET of any path. */
const anywhere = [400, 408, 421, 431, 500] as const;

/** Describes error statuses, with the headers of each that has some. */
function problemAnswers(
  statuses: readonly number[],
  headers: Readonly<Record<number, object>> = {},
) {
  const answers = statuses.map((status) => [
    status,
    {
      description: http.STATUS_CODES[status],
      ...(headers[status] && { headers: headers[status] }),
      content: { 'application/problem+json': { schema: reference('Problem') } },
    },
  ]);
  return Object.fromEntries(answers);
}

const challenge = { 'WWW-Authenticate': header('RFC 6750') };

/** Headers of the error statuses of a request for events. */
const eventProblemHeaders: Readonly<Record<number, object>> = {
  400: { ...challenge, ...ignoredParameters },
  401: challenge,
  404: { 'Data-As-Of': dataAsOf, ...ignoredParameters },
  410: ignoredParameters,
  412: ignoredParameters,
  500: ignoredParameters,
  503: { 'Retry-After': header('Seconds'), ...ignoredParameters },
};

/** Error statuses of a request for events. */
const eventProblems = [401, 403, 412, 503, ...anywhere] as const;

const notModified = (headers: object) => ({
  description: 'The caller has this content already (If-None-Match).',
  headers,
});

const conditions = ['If-Match', 'If-None-Match'].map((name) => ({
  name,
  in: 'header',
  required: false,
  schema: { type: 'string' },
}));

const listAnswer = jsonAnswer("The key's user's events.", 'EventList', listAnswerHeaders);

const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    `"wait=SECONDS" (RFC 7240, at most ${maxWait}): with "If-None-Match" or "since", an answer ` +
    "without news comes with the next change of the user's events, or after this time. At most " +
    `${connectionLimits.waitsOfKey} requests of a key and ${connectionLimits.waits} in all wait; another is answered at once.`,
  schema: { type: 'string', examples: ['wait=30'] },
};

/** The OpenAPI document of the network side (INTERFACE section 2). */
const openApiDocument = {
  openapi: '3.1.1',
  info: {
    title: 'Club Events',
    version,
    description: "A club's events, read-only. The bearer key names the user whose events they are.",
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  paths: {
    '/v1/events': {
      get: {
        operationId: 'listEvents',
        summary: `At most ${listLimit} events; unless asked otherwise the newest, by createdAt and id`,
        security: [{ key: [] }],
        parameters: [...listParameters, ...conditions, prefer],
        responses: {
          200: { ...listAnswer, content: { ...listAnswer.content, ...listForms } },
          304: notModified(listAnswerHeaders),
          ...problemAnswers([410, ...eventProblems], eventProblemHeaders),
        },
      },
    },
    '/v1/events/{id}': {
      get: {
        operationId: 'getEvent',
        summary: 'One event',
        security: [{ key: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: eventId }, ...conditions],
        responses: {
          200: jsonAnswer('The event.', 'SingleEvent', eventHeaders),
          304: notModified(eventHeaders),
          ...problemAnswers([404, ...eventProblems], eventProblemHeaders),
        },
      },
    },
    '/health': {
      get: {
        operationId: 'getHealth',
        summary: 'Health check',
        security: [],
        responses: {
          200: jsonAnswer('It runs.', 'Health'),
          ...problemAnswers(anywhere),
        },
      },
    },
    '/ready': {
      get: {
        operationId: 'getReady',
        summary: 'Readiness check, for a load balancer before several nodes',
        security: [],
        responses: {
          200: jsonAnswer('Requests are answered, and with the present events.', 'Ready'),
          ...problemAnswers([503, ...anywhere], { 503: { 'Retry-After': header('Seconds') } }),
        },
      },
    },
    '/openapi.json': {
      get: {
        operationId: 'getOpenApi',
        summary: 'This document',
        security: [],
        parameters: conditions,
        responses: {
          200: {
            description: 'OpenAPI 3.1.',
            headers: publicHeaders,
            content: { 'application/json': { schema: { type: 'object' } } },
          },
          304: notModified(publicHeaders),
          ...problemAnswers([412, ...anywhere]),
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
    schemas: composeSchemas(),
  },
};

const body = JSON.stringify(openApiDocument);

export const openApiAnswer = {
  body,
  etag: composeEtag(body),
  type: 'application/json; charset=utf-8',
};
