import { hash } from 'node:crypto';
import type { Revision } from '../../db/event-changes.ts';
import {
  afterEveryDate,
  beforeEveryDate,
  type ChangesPage,
  type EventPage,
  type EventQuery,
  type Position,
} from '../../db/event-list.ts';
import { filterKey } from '../../db/team-filter.ts';
import type { Digest } from './digests.ts';
import { headerNames } from './headers.ts';
import { listLimit, listParameterNames, parameterOf } from './parameters.ts';

/** Knowledge about the events of a mirrored user; empty for others. */
export type CopyState = {
  /** The oldest confirmation of the events, a timestamp. */
  readonly dataAsOf?: string;
  /** `complete`, or the time since which all events are known. */
  readonly dataCoverage?: string;
};

/** A page of events, as all interfaces send it. */
export type SentPage = CopyState &
  Pick<EventPage, 'events' | 'revision' | 'digest'> & {
    /** The number of all matches; absent for a copy that may lack some. */
    readonly total?: number;
    readonly nextCursor?: string;
  };

/** Returns the scope of a cursor: the user, filter and order of its list. */
export function scopeOf(userId: number, query: EventQuery): string {
  const { statuses, eventTypes, from, to, words, sort, descending, team } = query;
  const parts = [userId, statuses, eventTypes, from, to, words, sort, descending];
  // Its conditions, as a cursor does not fit the list of a team that was changed since.
  return JSON.stringify(team === null ? parts : [...parts, filterKey(team)]);
}

const digestLength = 16;
const positionForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(-?\d+)$/;

/**
 * Composes a cursor for the events after a position. Its digest is not secret: it only prevents use
 * with another list by mistake. A cursor never gives access to other users' events.
 */
export function composeCursor({ at, id }: Position, scope: string): string {
  const digest = hash('sha256', JSON.stringify([scope, at, id]), 'base64url');
  return digest.slice(0, digestLength) + Buffer.from(`${at}${id}`).toString('base64url');
}

/** Returns the position in a cursor, or undefined if it was not composed for this list. */
export function readCursor(cursor: string, scope: string): Position | undefined {
  const text = Buffer.from(cursor.slice(digestLength), 'base64url').toString();
  const [, at, id] = positionForm.exec(text) ?? [];
  if (at === undefined) return undefined;
  const position = { at, id: Number(id) };
  return composeCursor(position, scope) === cursor ? position : undefined;
}

/** The query of a request without parameters. */
export const defaultQuery: EventQuery = {
  statuses: null,
  eventTypes: null,
  from: beforeEveryDate,
  to: afterEveryDate,
  words: [],
  team: null,
  sort: 'createdAt',
  descending: true,
  limit: listLimit,
};

/** The parameters of a list, without its cursor. */
export type ListParameters = Readonly<Record<string, string>>;

/** The parameters of a request for a list. */
export type ParsedQuery = {
  /** The query without the team and the cursor, which only the database of the moment knows. */
  readonly query: EventQuery;
  readonly parameters: ListParameters;
  /** The name of a team. */
  readonly team?: string | undefined;
  readonly cursor?: string | undefined;
  /** Asks for the changes after a revision, instead of a list. */
  readonly since?: Revision;
};

type ListRequest = { readonly parameters: ListParameters; readonly url: string };

type Headers = Readonly<Record<string, string>>;

/** Composes the link to the next page, which has the parameters `more`. */
function composeLink({ parameters, url }: ListRequest, more: ListParameters): Headers {
  const search = new URLSearchParams({ ...parameters, ...more });
  return { [headerNames.link]: `<${url}?${search}>; rel="next"` };
}

/** Composes the header of a page of changes: the link to the next page. */
export function composeChangeHeaders({ next }: ChangesPage, request: ListRequest): Headers {
  return next === undefined ? {} : composeLink(request, { since: next });
}

/** Composes the headers of a list: the number of matches, and the link to the next page. */
export function composeListHeaders(
  { total, nextCursor: cursor }: SentPage,
  request: ListRequest,
): Headers {
  return {
    ...(total !== undefined && { [headerNames.totalCount]: String(total) }),
    ...(cursor !== undefined && composeLink(request, { cursor })),
  };
}

/** Composes the headers about the events of a mirrored user. */
export function composeCopyHeaders({ dataAsOf, dataCoverage }: CopyState): Headers {
  return {
    ...(dataAsOf !== undefined && { [headerNames.dataAsOf]: dataAsOf }),
    ...(dataCoverage !== undefined && { [headerNames.dataCoverage]: dataCoverage }),
  };
}

const filters = listParameterNames.filter((name) => parameterOf(name).isFilter);

/** Returns true if a list does not ask for all events. */
export function isFiltered(parameters: ListParameters): boolean {
  return filters.some((name) => parameters[name] !== undefined);
}

/** Composes the headers about all the user's events; `calculated` is used at its revision alone. */
export function composeStateHeaders(
  { revision, digest: stored }: Pick<EventPage, 'revision' | 'digest'>,
  calculated: Digest | undefined,
): Headers {
  const digest = stored ?? (calculated?.revision === revision ? calculated.digest : null);
  return {
    [headerNames.eventsRevision]: revision,
    ...(digest !== null && { [headerNames.eventsDigest]: `sha256=${digest}` }),
  };
}
