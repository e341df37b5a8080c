import {
  afterEveryDate,
  beforeEveryDate,
  type EventPage,
  type EventQuery,
} from '../../db/event-list.ts';
import { composeCursor, scopeOf } from './cursor.ts';
import { listLimit } from './problems.ts';

/** The query of a request without parameters. */
export const plainQuery: EventQuery = {
  statuses: null,
  eventTypes: null,
  from: beforeEveryDate,
  to: afterEveryDate,
  words: [],
  sort: 'createdAt',
  descending: true,
  limit: listLimit,
};

/** The parameters of a list, without its cursor. */
export type ListParameters = Readonly<Record<string, string>>;

type ListRequest = {
  readonly userId: number;
  readonly query: EventQuery;
  readonly parameters: ListParameters;
  readonly url: string;
};

/** Composes the headers of a list: the number of matches, and the link to the next page. */
export function composeListHeaders(
  { total, next }: Pick<EventPage, 'total' | 'next'>,
  { userId, query, parameters, url }: ListRequest,
): Readonly<Record<string, string>> {
  const count = { 'Total-Count': String(total) };
  if (next === undefined) return count;
  const cursor = composeCursor(next, scopeOf(userId, query));
  const search = new URLSearchParams({ ...parameters, cursor });
  return { ...count, Link: `<${url}?${search}>; rel="next"` };
}
