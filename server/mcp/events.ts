import { prepareEventListReads } from '../../db/event-list.ts';
import { prepareEventReads } from '../../db/event-rows.ts';
import { prepareMirrorReads } from '../../db/mirror-view.ts';
import type { StoredEvent } from '../../db/model.ts';
import { inSnapshot, type Reader } from '../../db/open.ts';
import {
  composeAsOf,
  composeCoverage,
  composeEventAsOf,
  restoreUpstreamFields,
} from '../http/mirrored-answers.ts';
import { composeCursor, scopeOf } from '../http/paging.ts';
import { refuse } from '../http/problems.ts';
import { parseEventQuery } from '../http/query.ts';

/** Knowledge about a copy of an online service, named as the headers of HTTP. */
type CopyState = { readonly dataAsOf?: string; readonly dataCoverage?: string };

type EventPageAnswer = CopyState & {
  /** The number of all matches; absent for a copy that may lack some. */
  readonly total?: number;
  readonly events: readonly StoredEvent[];
  readonly nextCursor?: string;
  readonly revision: string;
};

type ChangesAnswer = CopyState & {
  readonly events: readonly StoredEvent[];
  readonly removed: readonly number[];
  /** The `since` of the next page. */
  readonly next?: string;
  readonly revision: string;
};

type EventAnswer = CopyState & { readonly event: StoredEvent };

/** Converts the headers about a copy to members. */
function copyState(headers: Readonly<Record<string, string>>): CopyState {
  const { 'Data-As-Of': dataAsOf, 'Data-Coverage': dataCoverage } = headers;
  return { ...(dataAsOf && { dataAsOf }), ...(dataCoverage && { dataCoverage }) };
}

/**
 * Reads a page of a user's events as `GET /v1/events` does, with its parameters and cursors. Throws
 * a `RequestError` for a bad parameter.
 */
export function readEventPage(
  db: Reader,
  userId: number,
  parameters: URLSearchParams,
): EventPageAnswer {
  const { query } = parseEventQuery(`${parameters}`, userId);
  return inSnapshot(db, () => {
    const view = prepareMirrorReads(db).ofUser(userId);
    const { events, total, next, revision } = prepareEventListReads(db).page(userId, query);
    const isComplete = view === undefined || view.coveredSince === '';
    return {
      ...(isComplete && { total }),
      events: view === undefined ? events : restoreUpstreamFields(events, 'list', view),
      ...(next && { nextCursor: composeCursor(next, scopeOf(userId, query)) }),
      revision,
      ...(view && copyState({ ...composeAsOf(view), ...composeCoverage(view) })),
    };
  });
}

/** Reads the changes after a revision. Throws a `RequestError` for a revision that is not known. */
export function readChanges(
  db: Reader,
  userId: number,
  parameters: URLSearchParams,
): ChangesAnswer {
  const { query, since = refuse('malformed_since') } = parseEventQuery(`${parameters}`, userId);
  return inSnapshot(db, () => {
    const view = prepareMirrorReads(db).ofUser(userId);
    const page = prepareEventListReads(db).changes(userId, since, query.limit);
    const { events, removed, next, revision } = page ?? refuse('revision_gone');
    return {
      events: view === undefined ? events : restoreUpstreamFields(events, 'list', view),
      removed,
      ...(next && { next }),
      revision,
      ...(view && copyState({ ...composeAsOf(view), ...composeCoverage(view) })),
    };
  });
}

/** Reads an event of a user as `GET /v1/events/:id` does. Throws a `RequestError` if there is none. */
export function readEvent(db: Reader, userId: number, id: number): EventAnswer {
  return inSnapshot(db, () => {
    const event = prepareEventReads(db).byId(userId, id) ?? refuse('event_not_found');
    const view = prepareMirrorReads(db).ofUser(userId);
    if (view === undefined) return { event };
    const [sent = event] = restoreUpstreamFields([event], 'byId', view);
    return { event: sent, ...copyState(composeEventAsOf(view, id)) };
  });
}
