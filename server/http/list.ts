import {
  afterEveryDate,
  beforeEveryDate,
  type EventPage,
  type EventQuery,
} from '../../db/event-list.ts';
import { composeCursor, scopeOf } from './cursor.ts';
import { listLimit } from './problems.ts';

/** What a caller gets who asks for nothing in particular. */
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

type Listed = {
  readonly userId: number;
  readonly query: EventQuery;
  readonly parameters: ListParameters;
  /** The URL of the list itself. */
  readonly url: string;
};

/** The headers of a list answer: how many events match, and where those that are left are. */
export function composeListHeaders(
  { total, next }: Pick<EventPage, 'total' | 'next'>,
  { userId, query, parameters, url }: Listed,
): Readonly<Record<string, string>> {
  const count = { 'Total-Count': String(total) };
  if (next === undefined) return count;
  const cursor = composeCursor(next, scopeOf(userId, query));
  const search = new URLSearchParams({ ...parameters, cursor });
  return { ...count, Link: `<${url}?${search}>; rel="next"` };
}
