import { z } from 'zod';
import { http } from '../base/node-http.ts';
import { version } from '../base/version.ts';
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
import { answerHeaders, type HeaderName, headerNames } from './headers.ts';
import { type Example, type Operation, operations, requestHeaders, tags } from './operations.ts';
import { listParameterNames, parameterOf } from './parameters.ts';
import { problemAnswer } from './problems.ts';

/** The parameters of the list. Others are ignored and listed in a header. */
const queryParameters = listParameterNames.map((name) => {
  const { description, details, absent, schema } = parameterOf(name);
  const isList = schema.type === 'array';
  return {
    name,
    in: 'query',
    required: false,
    description: [`${description}.`, details, `Without it: ${absent}.`].filter(Boolean).join(' '),
    ...(isList && { style: 'form', explode: false }),
    schema,
  };
});

const { $schema, ...eventId } = z.toJSONSchema(EventId);
const idParameter = { name: 'id', in: 'path', required: true, schema: eventId };

function composeParameters({ takes, requestHeaders: names = [] }: Operation) {
  return [
    ...(takes === 'list parameters' ? queryParameters : []),
    ...(takes === 'id' ? [idParameter] : []),
    ...names.map((name) => ({
      name,
      in: 'header',
      required: false,
      description: requestHeaders[name],
      schema: { type: 'string' },
    })),
  ];
}

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

function composeHeaders(names: readonly HeaderName[]) {
  const entries = names.map((name) => {
    const { description, isRequired = false, schema = { type: 'string' } } = answerHeaders[name];
    return [name, { description, ...(isRequired && { required: true }), schema }];
  });
  return Object.fromEntries(entries);
}

/** Returns the body of the answer to an example. */
export function bodyOf(example: Example): unknown {
  return 'body' in example ? example.body : JSON.parse(problemAnswer(example.problem).body);
}

const statusOf = (example: Example) =>
  'body' in example ? 200 : problemAnswer(example.problem).status;

/** Composes the examples of an answer. Their names in the explorer are the requests. */
function composeExamples({ examples }: Operation, status: number) {
  const entries = examples
    .filter((example) => statusOf(example) === status)
    .map((example) => {
      const headers = Object.entries(example.headers ?? {}).map(
        ([name, value]) => `${name}: ${value}`,
      );
      const summary = [`GET ${example.path}`, ...headers].join(', ');
      return [example.name, { summary, value: bodyOf(example) }];
    });
  return entries.length > 0 && { examples: Object.fromEntries(entries) };
}

/** Statuses of errors that are answered before the parameters are read. */
const earlyStatuses: ReadonlySet<number> = new Set([401, 403, 408, 421, 431]);

/** Composes the errors of an operation, by their statuses. */
function composeProblems(operation: Operation) {
  const { cacheControl, vary, ignoredParameters, dataAsOf } = headerNames;
  const byStatus = Map.groupBy(operation.problems, (code) => problemAnswer(code).status);
  const entries = [...byStatus].map(([status, codes]) => {
    const isLate = operation.needsKey && !earlyStatuses.has(status);
    const own = codes.flatMap((code) => Object.keys(problemAnswer(code).headers));
    const names = new Set([
      ...own.filter((name) => name in answerHeaders),
      ...[cacheControl, vary, ...(isLate ? [ignoredParameters, dataAsOf] : [])],
    ]) as ReadonlySet<HeaderName>;
    const schema = { $ref: schemaPath('Problem') };
    const content = { schema, ...composeExamples(operation, status) };
    return [
      status,
      {
        description: http.STATUS_CODES[status],
        headers: composeHeaders([...names]),
        content: { 'application/problem+json': content },
      },
    ];
  });
  return Object.fromEntries(entries);
}

function composeOperation(operation: Operation) {
  const { id, tag, summary, description, needsKey, answer } = operation;
  const { schema, headers: names = [], otherTypes = [] } = answer;
  const parameters = composeParameters(operation);
  const headers = { headers: composeHeaders(names) };
  const isConditional = operation.requestHeaders?.includes('If-None-Match');
  const json = {
    schema: schema === undefined ? { type: 'object' } : { $ref: schemaPath(schema) },
    ...composeExamples(operation, 200),
  };
  const texts = otherTypes.map((type) => [type, { schema: { type: 'string' } }]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: needsKey ? [{ key: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    responses: {
      200: {
        description: answer.description,
        ...headers,
        content: { 'application/json': json, ...Object.fromEntries(texts) },
      },
      ...(isConditional && {
        304: { description: 'The caller has this content already (`If-None-Match`).', ...headers },
      }),
      ...composeProblems(operation),
    },
  };
}

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
  tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  paths: Object.fromEntries(
    operations.map((operation) => [operation.path, { get: composeOperation(operation) }]),
  ),
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
