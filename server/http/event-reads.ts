import type { Revision } from '../../db/event-changes.ts';
import {
  type ChangesPage,
  type EventPage,
  type EventQuery,
  prepareEventListReads,
} from '../../db/event-list.ts';
import { prepareEventReads } from '../../db/event-rows.ts';
import { confirmedBy, eventOf, type Operation } from '../../db/mirror-model.ts';
import { type MirrorView, prepareMirrorReads } from '../../db/mirror-view.ts';
import type { StoredEvent } from '../../db/model.ts';
import type { Reader } from '../../db/open.ts';
import { findTeam, readTeams, type StoredTeam } from '../../db/teams.ts';
import {
  type CopyState,
  composeCursor,
  type ParsedQuery,
  readCursor,
  type SentPage,
  scopeOf,
} from './paging.ts';
import { refuse } from './problems.ts';

/** Returns events as an operation of the online service sends them. */
function restoreUpstreamFields(
  events: readonly StoredEvent[],
  operation: Operation,
  view: MirrorView | undefined,
): readonly StoredEvent[] {
  if (view === undefined) return events;
  const confirmations = view.confirmations(events.map(({ id }) => id));
  return events.map((event) => {
    const registration = confirmations.get(event.id)?.registration;
    return registration === undefined ? event : eventOf({ event, registration }, operation);
  });
}

/**
 * Returns the first page of the list as the online service sent it: its length, and its order of
 * events that were created at the same time. If events were added since, the page stays as it is.
 */
function restoreUpstreamOrder(page: EventPage, view: MirrorView): EventPage {
  const listed = view.listedIds();
  const first = page.events.slice(0, listed.length);
  const byId = new Map(first.map((event) => [event.id, event]));
  const events = listed.flatMap((id) => byId.get(id) ?? []);
  const last = first.at(-1);
  if (last === undefined || events.length !== listed.length) return page;
  const { next: _, ...rest } = page;
  const hasNext = page.next !== undefined || page.events.length > listed.length;
  const next = { at: last.createdAt, id: last.id };
  return { ...rest, events, ...(hasNext && { next }) };
}

const timestamp = (ms: number) => new Date(ms).toISOString();

/** Returns the oldest confirmation of events by an operation, in ms; null without events. */
function oldestOf(view: MirrorView, ids: readonly number[], operation: Operation): number | null {
  const times = [...view.confirmations(ids).values()].map((one) => confirmedBy(one, operation));
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns the state of a list of these events, or of a part of all events. */
function copyState(view: MirrorView | undefined, ids?: readonly number[]): CopyState {
  if (view === undefined) return {};
  const { coveredSince, listedAt } = view;
  const confirmed = ids === undefined ? view.oldestConfirmation() : oldestOf(view, ids, 'list');
  const times = [confirmed, listedAt].filter((time) => time !== null);
  return {
    ...(times.length > 0 && { dataAsOf: timestamp(Math.min(...times)) }),
    dataCoverage: coveredSince === '' ? 'complete' : `since=${coveredSince}`,
  };
}

type PageOptions = {
  /** Numbers of matches that are known. */
  readonly counts?: Parameters<ReturnType<typeof prepareEventListReads>['page']>[2];
  /** True for the list without parameters, which a copy sends as the online service did. */
  readonly isPlain?: boolean;
};

/**
 * Prepares the reads of events as they are sent, by HTTP and to an assistant. Use each in a snapshot
 * of the database.
 */
export function prepareSentEvents(db: Reader) {
  const reads = prepareEventReads(db);
  const mirrors = prepareMirrorReads(db);
  const lists = prepareEventListReads(db);

  /** Returns a team of a user. Refuses (400) another name with the names of the teams. */
  function requireTeam(userId: number, name: string): StoredTeam {
    const teams = readTeams(db, userId);
    const names = () => teams.map((team) => team.name);
    return findTeam(teams, name) ?? refuse('malformed_team', names());
  }

  /** Returns the query of a request, with its team as it is now and the position of its cursor. */
  function resolve(userId: number, { query, team, cursor }: ParsedQuery): EventQuery {
    const ofTeam = team === undefined ? query : { ...query, team: requireTeam(userId, team) };
    if (cursor === undefined) return ofTeam;
    const after = readCursor(cursor, scopeOf(userId, ofTeam)) ?? refuse('malformed_cursor');
    return { ...ofTeam, after };
  }

  return {
    /** Reads a page of a list. Refuses (400) an unknown team, and the cursor of another list. */
    page(userId: number, parsed: ParsedQuery, { counts, isPlain }: PageOptions = {}): SentPage {
      const query = resolve(userId, parsed);
      const view = mirrors.ofUser(userId);
      const own = lists.page(userId, query, counts);
      const page = view !== undefined && isPlain ? restoreUpstreamOrder(own, view) : own;
      const { total, next, revision, digest } = page;
      const events = restoreUpstreamFields(page.events, 'list', view);
      return {
        ...((view === undefined || view.coveredSince === '') && { total }),
        events,
        ...(next && { nextCursor: composeCursor(next, scopeOf(userId, query)) }),
        revision,
        digest,
        // The events that do not match a condition are part of what the answer needs.
        ...copyState(view, isPlain ? events.map(({ id }) => id) : undefined),
      };
    },

    /**
     * Reads the changes after a revision. Refuses (410) one whose changes are not known, and (400) an
     * unknown team.
     */
    changes(
      userId: number,
      since: Revision,
      { query: { limit }, team: name }: Pick<ParsedQuery, 'query' | 'team'>,
    ): ChangesPage & CopyState {
      const team = name === undefined ? undefined : requireTeam(userId, name);
      const page = lists.changes(userId, since, limit, team) ?? refuse('revision_gone');
      const view = mirrors.ofUser(userId);
      const events = restoreUpstreamFields(page.events, 'list', view);
      return { ...page, events, ...copyState(view) };
    },

    /** Reads an event; undefined if there is none. */
    byId(userId: number, id: number): (CopyState & { readonly event: StoredEvent }) | undefined {
      const event = reads.byId(userId, id);
      const view = mirrors.ofUser(userId);
      if (event === undefined || view === undefined) return event && { event };
      const [sent = event] = restoreUpstreamFields([event], 'byId', view);
      const time = oldestOf(view, [id], 'byId');
      return { event: sent, ...(time !== null && { dataAsOf: timestamp(time) }) };
    },

    /**
     * Returns the last time at which the online service of a mirror did not have an id; null without
     * a proof, and undefined for an ordinary user.
     */
    absentAsOf(userId: number, id: number): string | null | undefined {
      const view = mirrors.ofUser(userId);
      if (view === undefined) return undefined;
      const listed = view.coveredSince === '' ? view.listedAt : null;
      const times = [view.notFoundSince(id) ?? null, listed].filter((time) => time !== null);
      return times.length === 0 ? null : timestamp(Math.max(...times));
    },
  };
}
