import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { Event, EventId, EventList, Health, Problem, SingleEvent, Timestamp } from '../contract.ts';
import { version } from '../version.ts';
import { composeEtag } from './conditional.ts';
import { listHeaders, listParameters } from './openapi-list.ts';
import { listLimit } from './problems.ts';

const schemaPath = (id: string | undefined) => `#/components/schemas/${id}`;

/** Composes the response types as JSON Schema 2020-12, the schema language of OpenAPI 3.1. */
function composeSchemas() {
  const registry = z.registry<{ id: string }>();
  const named = { Timestamp, Event, EventList, SingleEvent, Health, Problem };
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

const eventHeaders = {
  ETag: etag,
  'Cache-Control': header('private, no-cache'),
  Vary: header('Authorization'),
  'Ignored-Parameters': header('Query parameters without a meaning here, percent-encoded.'),
};

function jsonAnswer(description: string, schema: string, headers?: object) {
  return {
    description,
    ...(headers && { headers }),
    content: { 'application/json': { schema: reference(schema) } },
  };
}

function problemAnswers(...statuses: readonly number[]) {
  const answers = statuses.map((status) => [
    status,
    {
      description: STATUS_CODES[status],
      ...(status === 401 && { headers: { 'WWW-Authenticate': header('RFC 6750') } }),
      content: { 'application/problem+json': { schema: reference('Problem') } },
    },
  ]);
  return Object.fromEntries(answers);
}

/** Error statuses of a GET of any path. */
const anywhere = [400, 408, 421, 431, 500] as const;

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
        parameters: [...listParameters, ...conditions],
        responses: {
          200: jsonAnswer("The key's user's events.", 'EventList', {
            ...eventHeaders,
            ...listHeaders,
          }),
          304: notModified({ ...eventHeaders, ...listHeaders }),
          ...problemAnswers(401, 403, 412, 503, ...anywhere),
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
          ...problemAnswers(401, 403, 404, 412, 503, ...anywhere),
        },
      },
    },
    '/health': {
      get: {
        operationId: 'getHealth',
        summary: 'Whether the service runs',
        security: [],
        responses: {
          200: jsonAnswer('It runs.', 'Health'),
          ...problemAnswers(...anywhere),
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
          ...problemAnswers(412, ...anywhere),
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
