import type { StoredEvent } from '../../db/model.ts';
import { serviceName, version } from '../base/version.ts';
import { connectionLimits } from './connections.ts';
import { type HeaderName, headerNames, type requestHeaderNames } from './headers.ts';
import { maxWait } from './long-polls.ts';
import { listLimit } from './parameters.ts';
import type { RequestErrorCode } from './problems.ts';
import { otherTypes } from './representations.ts';

/** An example: a request, and its answer from a club with the example events. */
export type Example = {
  readonly name: string;
  readonly path: string;
  /** Headers of the request; the right key is added to those of an operation that needs one. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a request without the key. */
  readonly isWithoutKey?: boolean;
} & (
  | {
      readonly body: unknown;
      readonly answerHeaders?: Readonly<Partial<Record<HeaderName, string>>>;
    }
  | { readonly problem: RequestErrorCode }
);

export type Operation = {
  readonly path: string;
  readonly id: string;
  readonly tag: keyof typeof tags;
  readonly summary: string;
  readonly description: string;
  readonly needsKey?: boolean;
  readonly takes?: 'list parameters' | 'id';
  readonly requestHeaders?: readonly Exclude<
    (typeof requestHeaderNames)[number],
    'Authorization'
  >[];
  readonly answer: {
    readonly description: string;
    /** The name of its schema; any object without one. */
    readonly schema?: string;
    readonly headers?: readonly HeaderName[];
    /** Media types of text beside JSON. */
    readonly otherTypes?: readonly string[];
  };
  readonly problems: readonly RequestErrorCode[];
  readonly examples: readonly Example[];
};

export const tags = {
  events: "The events of the key's club.",
  service: 'The service itself, without a key.',
} as const;

/** Descriptions of the headers of a request. */
export const requestHeaders: Readonly<Record<(typeof requestHeaderNames)[number], string>> = {
  Authorization: '`Bearer` and the key.',
  'If-Match': 'The `ETag` that the content must have; otherwise the answer is 412.',
  'If-None-Match': 'The `ETag` of known content; if it is still the same, the answer is 304.',
  Prefer:
    `\`wait=SECONDS\` (RFC 7240, at most ${maxWait}): with \`If-None-Match\` or \`since\`, an answer without news comes ` +
    "with the next change of the user's events, or after this time. At most " +
    `${connectionLimits.waitsOfKey} requests of a key and ${connectionLimits.waits} in all wait; another is answered at once.`,
};

const relay: StoredEvent = {
  id: 1042,
  name: 'Spring relay',
  date: '2026-05-01T18:00:00.000Z',
  location: '',
  description: null,
  status: 'active',
  eventType: 'club',
  registrationOpen: true,
  createdAt: '2026-01-15T09:30:00.000Z',
};

const meeting: StoredEvent = {
  id: 1043,
  name: 'General meeting',
  date: '2026-06-12T17:30:00.000Z',
  location: 'Town Hall',
  description: 'With elections.',
  status: 'draft',
  eventType: null,
  createdAt: '2026-02-01T08:00:00.000Z',
};

/** The events of the club of the examples. */
export const exampleEvents: readonly StoredEvent[] = [relay, meeting];

/** A revision in an example; each database has another epoch. */
export const exampleRevision = '3f0c9a5be2d17846.0';

const { etag, vary, cacheControl, dataAsOf, ignoredParameters } = headerNames;
const { totalCount, dataCoverage, eventsRevision, eventsDigest, preferenceApplied, link } =
  headerNames;

const eventHeaders = [etag, dataAsOf, cacheControl, vary, ignoredParameters] as const;

/** Errors of a GET of any path. */
const anywhere = [
  'malformed_request',
  'malformed_host',
  'timeout',
  'misdirected',
  'headers_too_large',
  'internal',
] as const;

const faults = [
  'busy',
  'database_gone',
  'database_damaged',
  'node_filling',
  'record_away',
] as const;

const keyProblems = ['invalid_request', 'missing_key', 'invalid_key', 'foreign_origin'] as const;

/** All operations of the interface (INTERFACE section 2). */
export const operations: readonly Operation[] = [
  {
    path: '/v1/events',
    id: 'listEvents',
    tag: 'events',
    summary: 'The events, or what changed',
    description:
      `At most ${listLimit} events; unless asked otherwise the newest, by \`createdAt\` and \`id\`. Follow \`${link}\` for the next ` +
      `ones. To keep a copy, read all pages once, then ask with \`since\` and the \`${eventsRevision}\` of the first page.`,
    needsKey: true,
    takes: 'list parameters',
    requestHeaders: ['If-Match', 'If-None-Match', 'Prefer'],
    answer: {
      description: "The events of the key's user.",
      schema: 'EventList',
      headers: [
        ...eventHeaders,
        totalCount,
        dataCoverage,
        eventsRevision,
        eventsDigest,
        preferenceApplied,
        link,
      ],
      otherTypes,
    },
    problems: [
      'malformed_limit',
      'revision_gone',
      'precondition_failed',
      ...keyProblems,
      ...faults,
      ...anywhere,
    ],
    examples: [
      {
        name: 'firstPage',
        path: '/v1/events?limit=1',
        body: { events: [meeting] },
        answerHeaders: { [totalCount]: '2' },
      },
      {
        name: 'search',
        path: '/v1/events?q=relay&status=active&sort=date&order=asc',
        body: { events: [relay] },
        answerHeaders: { [totalCount]: '1' },
      },
      {
        name: 'ignoredParameter',
        path: '/v1/events?typ=club&limit=1',
        body: { events: [meeting] },
        answerHeaders: { [ignoredParameters]: 'typ' },
      },
      {
        name: 'changes',
        path: `/v1/events?since=${exampleRevision}`,
        headers: { Prefer: 'wait=30' },
        body: { events: [relay, meeting], removed: [] },
        answerHeaders: { [preferenceApplied]: 'wait=30' },
      },
      { name: 'wrongParameter', path: '/v1/events?limit=1000', problem: 'malformed_limit' },
      {
        name: 'keyInTheQuery',
        path: '/v1/events?access_token=KEY',
        problem: 'invalid_request',
      },
      { name: 'noKey', path: '/v1/events', isWithoutKey: true, problem: 'missing_key' },
      {
        name: 'wrongKey',
        path: '/v1/events',
        headers: { Authorization: 'Bearer ce_000000000000000000000000000000000000' },
        problem: 'invalid_key',
      },
      {
        name: 'pageOfAnotherOrigin',
        path: '/v1/events',
        headers: { Origin: 'https://example.org' },
        problem: 'foreign_origin',
      },
      {
        name: 'forgottenRevision',
        path: '/v1/events?since=0000000000000000.1',
        problem: 'revision_gone',
      },
      {
        name: 'otherContent',
        path: '/v1/events',
        headers: { 'If-Match': '"x"' },
        problem: 'precondition_failed',
      },
    ],
  },
  {
    path: '/v1/events/{id}',
    id: 'getEvent',
    tag: 'events',
    summary: 'One event',
    description: "The answer for another user's event is the same as for a missing one.",
    needsKey: true,
    takes: 'id',
    requestHeaders: ['If-Match', 'If-None-Match'],
    answer: { description: 'The event.', schema: 'SingleEvent', headers: eventHeaders },
    problems: [
      'malformed_id',
      'event_not_found',
      'precondition_failed',
      ...keyProblems,
      ...faults,
      ...anywhere,
    ],
    examples: [
      { name: 'event', path: '/v1/events/1042', body: { event: relay } },
      { name: 'missing', path: '/v1/events/7', problem: 'event_not_found' },
      { name: 'noNumber', path: '/v1/events/relay', problem: 'malformed_id' },
    ],
  },
  {
    path: '/health',
    id: 'getHealth',
    tag: 'service',
    summary: 'Health check',
    description: 'Answers any `Host` while the service runs, also without its database.',
    answer: { description: 'It runs.', schema: 'Health', headers: [cacheControl] },
    problems: anywhere,
    examples: [{ name: 'running', path: '/health', body: { service: serviceName, version } }],
  },
  {
    path: '/ready',
    id: 'getReady',
    tag: 'service',
    summary: 'Readiness check, for a load balancer before several nodes',
    description: 'An error while requests would be refused, or while a node of a hub lags.',
    answer: {
      description: 'Requests are answered, and with the present events.',
      schema: 'Ready',
      headers: [cacheControl],
    },
    problems: ['not_ready', ...faults, ...anywhere],
    examples: [{ name: 'ready', path: '/ready', body: { ready: true } }],
  },
  {
    path: '/openapi.json',
    id: 'getOpenApi',
    tag: 'service',
    summary: 'This document',
    description: 'Describes the interface; `/docs` shows it in a browser.',
    requestHeaders: ['If-Match', 'If-None-Match'],
    answer: { description: 'OpenAPI 3.1.', headers: [etag, cacheControl] },
    problems: ['precondition_failed', ...anywhere],
    examples: [],
  },
];
