import { digestOf } from '../../../db/event-hash.ts';
import { coveredSince, eventOf } from '../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { checkEvents, requireLater, requireOrder, takePage } from './list.ts';
import { add, currentRun, type PlanState, Refusal, setRun, setSource } from './plan-state.ts';
import type { Changes, MirrorState, Page } from './state.ts';

/*
 * Another Club Events service sends a digest of all its events with each list. If it is the digest
 * of the known events, the pages after the first are known, too. If not, the changes since the known
 * revision replace them, as soon as a digest proves that nothing else changed.
 */

/** Takes the first page of a list. */
export function takeFirstPage(draft: PlanState, page: Page): void {
  requireLater(draft, page);
  requireOrder([page]);
  const { mustWalk } = currentRun(draft);
  const isWhole = page.next === null || mustWalk || draft.rules.isWholeState;
  if (isWhole || !replaceOtherPages(draft, page)) takePage(draft, page);
}

/** Takes a 304: the first page is the one before, if the digest proves it. */
export function takeNotModified(
  draft: PlanState,
  answer: Pick<Page, 'version' | 'asOf' | 'origin'>,
): void {
  const { source, entries } = draft.state;
  requireLater(draft, answer);
  const events = source.listed
    .flatMap((id) => entries.get(id) ?? [])
    .map((entry) => eventOf(entry, 'list'));
  // A cache may have sent it: it cannot prove that an event is not found.
  const origin = { ...answer.origin, isCached: true };
  const { etag } = source;
  const page = { ...answer, origin, events, unreadable: [], unknownMembers: [], next: null, etag };
  if (!replaceOtherPages(draft, page)) takeWithoutChanges(draft);
}

/** Stores what the digest proves, or requests the changes. Returns false if nothing is proven. */
function replaceOtherPages(draft: PlanState, first: Page): boolean {
  const { version } = first;
  const { revision, coverage } = draft.state.source;
  if (version === null || coveredSince(coverage) !== '') return false;
  if (storeProven(draft, first, [])) return true;
  if (revision === null) return false;
  setRun(draft, { pages: [first] });
  // Also across epochs: each push to a hub has one of its own. A service that has lost the revision
  // answers 410.
  if (version.revision === revision) takeWithoutChanges(draft);
  else requestChanges(draft, revision, null);
  return true;
}

function requestChanges(draft: PlanState, since: string, url: string | null): void {
  const request = { run: currentRun(draft).id, operation: 'changes', since, url } as const;
  add(draft, { kind: 'request', request });
}

/** Takes a page of changes; stores all of them after the last if its digest proves them. */
export function takeChanges(draft: PlanState, page: Changes): void {
  const { source } = draft.state;
  const run = currentRun(draft);
  const [first] = run.pages;
  if (first === undefined || source.revision === null) throw new Refusal('wrong_answer');
  requireLater(draft, page);
  const changes = [...run.changes, page];
  setRun(draft, { changes });
  if (page.next === null) {
    if (!storeProven(draft, first, changes)) takeWithoutChanges(draft);
    return;
  }
  const { origin, href } = new URL(page.next, source.baseUrl);
  const isEmpty = page.events.length + page.removed.length === 0;
  const isEndless = isEmpty || changes.length >= draft.rules.limits.pages;
  // The key must not leave its origin.
  const isElsewhere = origin !== new URL(source.baseUrl).origin;
  if (isEndless || isElsewhere) takeWithoutChanges(draft);
  else requestChanges(draft, source.revision, href);
}

/** Forgets the revision and reads the list to its end: the upstream has no provable changes. */
export function takeWithoutChanges(draft: PlanState): void {
  const { id } = currentRun(draft);
  setSource(draft, { revision: null });
  setRun(draft, { pages: [], changes: [], mustWalk: true });
  add(draft, { kind: 'request', request: { run: id, operation: 'list', etag: null } });
}

/** Stores a list whose other pages a digest proves. Returns false if it does not. */
function storeProven(draft: PlanState, first: Page, changes: readonly Changes[]): boolean {
  const { state, rules } = draft;
  const { version, asOf, origin } = changes.at(-1) ?? first;
  const events = expectEvents(state, first, changes);
  if (version === null) return false;
  if (!rules.provesEvents(version, digestOf(events.values()), state.source.revision)) return false;
  const listed = new Set(first.events.map(({ id }) => id));
  const others = [...events.values()]
    .filter(({ id }) => !listed.has(id))
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  // The link says that there are more events: this digest is not of all of them.
  if (others.length === 0 && first.next !== null) return false;
  const page = { ...first, asOf, origin };
  const unknownMembers = changes.flatMap((each) => each.unknownMembers);
  const pages: Page[] = [
    { ...page, events: first.events.flatMap(({ id }) => events.get(id) ?? []) },
    { ...page, events: others, unreadable: [], unknownMembers, next: null, version },
  ];
  setRun(draft, { pages, isProven: true });
  checkEvents(draft, pages);
  return true;
}

/** Returns the events that the upstream has, if nothing else changed than these answers say. */
function expectEvents(
  { entries }: MirrorState,
  first: Page,
  changes: readonly Changes[],
): Map<number, StoredEvent> {
  const oldest = first.events.at(-1)?.createdAt ?? '';
  const events = new Map<number, StoredEvent>();
  for (const entry of entries.values()) {
    // The first page would list newer events; suspected ones are gone until an answer shows them.
    const isOlder = entry.event.createdAt <= oldest;
    if (isOlder && entry.suspect === null) events.set(entry.event.id, eventOf(entry, 'list'));
  }
  for (const event of first.events) events.set(event.id, event);
  for (const { events: changed, removed } of changes) {
    for (const event of changed) events.set(event.id, event);
    for (const id of removed) events.delete(id);
  }
  return events;
}
