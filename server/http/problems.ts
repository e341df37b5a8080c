import { eventStatuses, eventTypes } from '../../db/model.ts';
import { http } from '../base/node-http.ts';

/** The parameters of the list (INTERFACE section 2, "Extensions"). */
export const listParameterNames = [
  'q',
  'status',
  'eventType',
  'from',
  'to',
  'sort',
  'order',
  'limit',
  'cursor',
  'since',
  'team',
] as const;
export type ListParameter = (typeof listParameterNames)[number];

/** Reasons for refusing all requests for data. */
type DatabaseFault = 'database_gone' | 'database_damaged' | 'busy' | NodeFault;

type NodeFault = 'node_filling' | 'record_away';

/** The state of a node, which follows the record of a hub. */
export type NodeWatch = {
  /** Returns the reason to refuse requests for data. */
  readonly readFault: () => NodeFault | undefined;
  /** Returns false while the node is filled or lags. */
  readonly isReady: () => boolean;
  /** Returns the time as of which the answers are, unless they are those of this moment. */
  readonly readAsOf: () => Date | undefined;
};

/** The state of the database of an app. */
export type DatabaseWatch = {
  /** Returns the reason to refuse requests for data. */
  readonly readFault: () => DatabaseFault | undefined;
  /** Called with damage that a read has found. */
  readonly onDamage: () => void;
  /** Looks for another file at the path of the database, at most once a second. */
  readonly look: () => void;
};

/** Reasons for refusing a request (INTERFACE section 2, "Edges"). */
export type RequestErrorCode =
  | 'malformed_request'
  | 'malformed_host'
  | 'malformed_id'
  | `malformed_${ListParameter}`
  | 'invalid_request'
  | 'missing_key'
  | 'invalid_key'
  | 'foreign_origin'
  | 'not_found'
  | 'event_not_found'
  | 'method_not_allowed'
  | 'precondition_failed'
  | 'revision_gone'
  | 'timeout'
  | 'misdirected'
  | 'headers_too_large'
  | DatabaseFault
  | 'not_ready'
  | 'page_not_built'
  | 'internal';

/** A refused request. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly code: RequestErrorCode;
  /** The names of the teams of the key's user, for one that is not among them. */
  readonly teams: readonly string[] | undefined;

  constructor(code: RequestErrorCode, teams?: readonly string[]) {
    super(code);
    this.code = code;
    this.teams = teams;
  }
}

const realm = 'Bearer realm="club-events"';

type Problem = {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The maximum number of events in a list response (INTERFACE section 2). */
export const listLimit = 200;

const momentForm =
  'a date such as 2026-05-01 or a timestamp such as 2026-05-01T18:00:00Z, with its offset, given once.';

export const allowedMethods = 'GET, HEAD, OPTIONS';

/** All error responses. They are constants but for the names of teams, so nothing from the request is echoed. */
const problems: Readonly<Record<RequestErrorCode, Problem>> = {
  malformed_request: { status: 400, detail: 'This is not a well-formed HTTP request.' },
  malformed_host: {
    status: 400,
    detail: 'The request needs exactly one well-formed Host header.',
  },
  malformed_id: { status: 400, detail: 'An event id is an integer, such as 1042.' },
  malformed_q: {
    status: 400,
    detail: 'The parameter "q" is a text of at most 200 characters and 10 words, given once.',
  },
  malformed_status: {
    status: 400,
    detail: `The parameter "status" is one or more of ${eventStatuses.join(', ')}, with commas.`,
  },
  malformed_eventType: {
    status: 400,
    detail: `The parameter "eventType" is one or more of ${eventTypes.join(', ')}, none, with commas.`,
  },
  malformed_from: { status: 400, detail: `The parameter "from" is ${momentForm}` },
  malformed_to: { status: 400, detail: `The parameter "to" is ${momentForm}` },
  malformed_sort: {
    status: 400,
    detail: 'The parameter "sort" is "createdAt" or "date", given once.',
  },
  malformed_order: {
    status: 400,
    detail: 'The parameter "order" is "asc" or "desc", given once.',
  },
  malformed_limit: {
    status: 400,
    detail: `The parameter "limit" is a whole number from 1 to ${listLimit}, given once.`,
  },
  malformed_cursor: {
    status: 400,
    detail:
      'The parameter "cursor" does not fit this list; follow the "Link" of an answer, or begin without it.',
  },
  malformed_since: {
    status: 400,
    detail:
      'The parameter "since" is the "Events-Revision" of an answer, given once; beside it, only "limit" and "team" may differ from their default values.',
  },
  malformed_team: {
    status: 400,
    detail: 'The parameter "team" is the name of a team of the club, given once.',
  },
  invalid_request: {
    status: 400,
    detail: 'Send the key once, and only in the header "Authorization: Bearer KEY".',
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_request"` },
  },
  missing_key: {
    status: 401,
    detail: 'Send your key in the header "Authorization: Bearer KEY".',
    headers: { 'WWW-Authenticate': realm },
  },
  invalid_key: {
    status: 401,
    detail: 'This key is not valid here; make one with "club-events key create --user NAME".',
    headers: { 'WWW-Authenticate': `${realm}, error="invalid_token"` },
  },
  foreign_origin: {
    status: 403,
    detail: 'Pages of other origins may not read here; see "serve --allow-origin".',
    // Otherwise a page could keep all connections busy.
    headers: { Connection: 'close' },
  },
  not_found: {
    status: 404,
    detail: 'There is nothing here; the events are at /v1/events, and /openapi.json describes all.',
  },
  event_not_found: { status: 404, detail: 'There is no event with this id.' },
  method_not_allowed: {
    status: 405,
    detail: 'This service only reads: use GET, HEAD or OPTIONS.',
    headers: { Allow: allowedMethods },
  },
  precondition_failed: {
    status: 412,
    detail: 'The content is not the one that "If-Match" names; ask again without that header.',
  },
  revision_gone: {
    status: 410,
    detail:
      'The changes since this revision are not known; read the whole list, then go on from its "Events-Revision".',
  },
  timeout: { status: 408, detail: 'The request took too long to arrive.' },
  misdirected: {
    status: 421,
    detail: 'The Host header does not name this service; use the base URL that "serve" printed.',
    headers: { Connection: 'close' },
  },
  headers_too_large: { status: 431, detail: 'The headers of a request may have 8 KiB in all.' },
  busy: {
    status: 503,
    detail: 'The database is locked for a moment; try again.',
    headers: { 'Retry-After': '1' },
  },
  database_gone: {
    status: 503,
    detail: 'The database is not at its place; the log of the service has its path.',
  },
  database_damaged: {
    status: 503,
    detail: 'The database is damaged; restore a backup with "club-events restore".',
  },
  node_filling: {
    status: 503,
    detail: 'This node is reading all clubs for the first time; try again later.',
    headers: { 'Retry-After': '5' },
  },
  record_away: {
    status: 503,
    detail: 'This node has not reached the record of its hub for too long; try again later.',
    headers: { 'Retry-After': '10' },
  },
  not_ready: {
    status: 503,
    detail: 'This node lags behind the record of its hub; try again later.',
    headers: { 'Retry-After': '1' },
  },
  page_not_built: {
    status: 503,
    detail: 'The page has not been built; run "npm run build" in the checkout.',
  },
  internal: { status: 500, detail: 'The service failed; its log has the reason.' },
};

export const commonHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

type ProblemAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `application/problem+json` (RFC 9457). */
  readonly body: string;
};

/** The parameter of each error code that concerns one. */
const refusedParameters: ReadonlyMap<string, string> = new Map(
  ['id', ...listParameterNames].map((name) => [`malformed_${name}`, name]),
);

function composeAnswer(internalCode: string, { status, detail, headers }: Problem): ProblemAnswer {
  const parameter = refusedParameters.get(internalCode);
  const code = parameter === undefined ? internalCode : 'invalid_parameter';
  const title = http.STATUS_CODES[status];
  const problem = { type: 'about:blank', title, status, detail, code };
  const body = JSON.stringify(parameter === undefined ? problem : { ...problem, parameter });
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
    body,
  };
}

const answers = Object.fromEntries(
  Object.entries(problems).map(([code, problem]) => [code, composeAnswer(code, problem)]),
) as Readonly<Record<RequestErrorCode, ProblemAnswer>>;

/** Returns the answer to a refused request. */
export function problemAnswer(code: RequestErrorCode, teams?: readonly string[]): ProblemAnswer {
  return teams === undefined
    ? answers[code]
    : composeAnswer(code, { ...problems[code], detail: describeTeams(teams) });
}

/** Lists the names of the teams of a club, for a name that is not among them. */
export function describeTeams(teams: readonly string[]): string {
  if (teams.length === 0) return 'The club has no teams; leave out the parameter "team".';
  return `There is no such team; the teams of the club are ${teams.map((name) => `"${name}"`).join(', ')}.`;
}

export function refuse(code: RequestErrorCode, teams?: readonly string[]): never {
  throw new RequestError(code, teams);
}
