import { http } from '../base/node-http.ts';
import { headerNames } from './headers.ts';
import { type ListParameter, listParameterNames, parameterOf } from './parameters.ts';

/** Reasons for refusing all requests for data. */
type DatabaseFault = 'database_gone' | 'database_damaged' | 'busy' | NodeFault;

type NodeFault = 'node_filling' | 'record_away';

/** A change of the state of a node, for the log. */
export type NodeEntry = {
  readonly text: string;
  readonly values: object;
  readonly isFailure: boolean;
};

/** The state of a node, which follows the record of a hub. */
export type NodeWatch = {
  /** Returns the reason to refuse requests for data: all, or also those for a club. */
  readonly readFault: (club?: number) => NodeFault | undefined;
  /** Returns false while the node is filled or has no contact. */
  readonly isReady: () => boolean;
  /** Returns the time as of which the answers for a club are, unless they are those of this moment. */
  readonly readAsOf: (club: number) => Date | undefined;
  /** Returns true for a key that was revoked, or whose club was removed, since the last copy. */
  readonly isRevoked: (club: number, key: string) => boolean;
  /** Notes an answer, and the club whose events it has, if it is one. */
  readonly noteAnswer: (status: number, club: number | undefined) => void;
  /** The state, for `/ready`. */
  readonly readState: () => { readonly number: number | null; readonly lagMs: number };
  /** Passes each change of the state to a log, also those before. */
  readonly onEntry: (listener: (entry: NodeEntry) => void) => void;
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

/** Reasons for refusing a request because of a parameter. */
type ParameterErrorCode = `malformed_${'id' | ListParameter}`;

/** Reasons for refusing a request (INTERFACE section 2, "Edges"). */
export type RequestErrorCode =
  | ParameterErrorCode
  | 'malformed_request'
  | 'malformed_host'
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

export const allowedMethods = 'GET, HEAD, OPTIONS';

/** The code of all errors about a parameter. */
const parameterCode = 'invalid_parameter';

/** The stable codes of errors, for scripts. */
export type ProblemCode = Exclude<RequestErrorCode, ParameterErrorCode> | typeof parameterCode;

/** All errors with their status and remedy, in the order of the documents. */
export const problems: Readonly<Record<ProblemCode, Problem>> = {
  [parameterCode]: {
    status: 400,
    detail: 'Correct the parameter that "parameter" names, as "detail" says.',
  },
  malformed_request: { status: 400, detail: 'This is not a well-formed HTTP request.' },
  malformed_host: {
    status: 400,
    detail: 'The request needs exactly one well-formed Host header.',
  },
  invalid_request: {
    status: 400,
    detail: 'Send the key once, and only in the header "Authorization: Bearer KEY".',
    headers: { [headerNames.wwwAuthenticate]: `${realm}, error="invalid_request"` },
  },
  missing_key: {
    status: 401,
    detail: 'Send your key in the header "Authorization: Bearer KEY".',
    headers: { [headerNames.wwwAuthenticate]: realm },
  },
  invalid_key: {
    status: 401,
    detail: 'This key is not valid here; make one with "club-events key create --user NAME".',
    headers: { [headerNames.wwwAuthenticate]: `${realm}, error="invalid_token"` },
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
    headers: { [headerNames.allow]: allowedMethods },
  },
  precondition_failed: {
    status: 412,
    detail: 'The content is not the one that "If-Match" names; ask again without that header.',
  },
  revision_gone: {
    status: 410,
    detail: `The changes since this revision are not known; read the whole list, then go on from its "${headerNames.eventsRevision}".`,
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
    headers: { [headerNames.retryAfter]: '1' },
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
    headers: { [headerNames.retryAfter]: '5' },
  },
  record_away: {
    status: 503,
    detail: 'This node has not reached the record of its hub for too long; try again later.',
    headers: { [headerNames.retryAfter]: '10' },
  },
  not_ready: {
    status: 503,
    detail: 'This node lags behind the record of its hub; try again later.',
    headers: { [headerNames.retryAfter]: '1' },
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

/** Composes an error. Errors are constants but for the names of teams, so nothing from the request is echoed. */
function composeAnswer(
  code: ProblemCode,
  detail = problems[code].detail,
  parameter?: string,
): ProblemAnswer {
  const { status, headers } = problems[code];
  const title = http.STATUS_CODES[status];
  const problem = { type: 'about:blank', title, status, detail, code };
  const body = JSON.stringify(parameter === undefined ? problem : { ...problem, parameter });
  return {
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      [headerNames.cacheControl]: 'no-store',
      // Also for a cache that keeps answers although it must not.
      [headerNames.vary]: 'Authorization',
      ...headers,
    },
    body,
  };
}

const malformed = (parameter: string, detail: string) => [
  `malformed_${parameter}`,
  composeAnswer(parameterCode, detail, parameter),
];

const answers: Readonly<Record<RequestErrorCode, ProblemAnswer>> = Object.fromEntries([
  ...Object.keys(problems).map((code) => [code, composeAnswer(code as ProblemCode)]),
  malformed('id', 'An event id is an integer, such as 1042.'),
  ...listParameterNames.map((name) =>
    malformed(name, `The parameter "${name}" ${parameterOf(name).rule}`),
  ),
]);

/** Returns the answer to a refused request. */
export function problemAnswer(code: RequestErrorCode, teams?: readonly string[]): ProblemAnswer {
  return teams === undefined
    ? answers[code]
    : composeAnswer(parameterCode, describeTeams(teams), 'team');
}

/** Lists the names of the teams of a club, for a name that is not among them. */
export function describeTeams(teams: readonly string[]): string {
  if (teams.length === 0) return 'The club has no teams; leave out the parameter "team".';
  return `There is no such team; the teams of the club are ${teams.map((name) => `"${name}"`).join(', ')}.`;
}

export function refuse(code: RequestErrorCode, teams?: readonly string[]): never {
  throw new RequestError(code, teams);
}
