import type { EventPage } from '../../db/event-list.ts';
import { confirmedBy, eventOf, type Operation } from '../../db/mirror-model.ts';
import type { MirrorView } from '../../db/mirror-view.ts';
import type { StoredEvent } from '../../db/model.ts';

/** Returns events as an operation of the online service sends them. */
export function restoreUpstreamFields(
  events: readonly StoredEvent[],
  operation: Operation,
  view: MirrorView,
): readonly StoredEvent[] {
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
export function restoreUpstreamOrder(page: EventPage, view: MirrorView): EventPage {
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

type Headers = Readonly<Record<string, string>>;

const timestamp = (ms: number) => new Date(ms).toISOString();

/** Composes the header with the coverage: complete, or the time since which all events are known. */
export function composeCoverage({ coveredSince }: MirrorView): Headers {
  return { 'Data-Coverage': coveredSince === '' ? 'complete' : `since=${coveredSince}` };
}

/** Composes the header with the time of a list of these events, or of a part of all events. */
export function composeAsOf(view: MirrorView, ids?: readonly number[]): Headers {
  const { listedAt } = view;
  const confirmed = ids === undefined ? view.oldestConfirmation() : oldestOf(view, ids, 'list');
  const times = [confirmed, listedAt].filter((time) => time !== null);
  return times.length === 0 ? {} : { 'Data-As-Of': timestamp(Math.min(...times)) };
}

/** Returns the oldest confirmation of events by an operation, in ms; null without events. */
function oldestOf(view: MirrorView, ids: readonly number[], operation: Operation): number | null {
  const times = [...view.confirmations(ids).values()].map((one) => confirmedBy(one, operation));
  return times.length === 0 ? null : Math.min(...times);
}

/** Composes the header of an event that was read by its id. */
export function composeEventAsOf(view: MirrorView, id: number): Headers {
  const time = oldestOf(view, [id], 'byId');
  return time === null ? {} : { 'Data-As-Of': timestamp(time) };
}

/** Returns the last time at which an unknown id was proven not found, in ms; null without a proof. */
export function notFoundSince(view: MirrorView, id: number): number | null {
  const listed = view.coveredSince === '' ? view.listedAt : null;
  const times = [view.notFoundSince(id) ?? null, listed].filter((time) => time !== null);
  return times.length === 0 ? null : Math.max(...times);
}

/** Composes the header of a 404, if there is a proof. */
export function composeNotFound(view: MirrorView, id: number): Headers {
  const since = notFoundSince(view, id);
  return since === null ? {} : { 'Data-As-Of': timestamp(since) };
}
