import { digestOf } from '../../../../db/event-hash.ts';
import { type Coverage, coveredSince, eventOf, type Item } from '../../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../../db/model.ts';
import { startBatches } from './batches.ts';
import {
  add,
  currentRun,
  type Draft,
  isNewer,
  noteFalseAbsence,
  noteUnknownMembers,
  Refusal,
  requestEvent,
  setRun,
  setSource,
  storeEvents,
  writeReceipt,
} from './draft.ts';
import { clockTolerance, day } from './rules.ts';
import type { AnswerOrigin, MirrorState, Page, UpstreamVersion } from './state.ts';

/** Events whose absence at the start of a list looks like the restore of a backup. */
const restoredEvents = 3;

/** Takes a 304: the list is the one before. */
export function takeUnchanged(draft: Draft, asOf: number): void {
  const { source } = draft.state;
  requireLater(draft, asOf);
  const ids = source.listed.filter((id) => isNewer(draft, asOf, id));
  add(draft, { kind: 'confirm', ids, at: asOf, operation: 'list' });
  setSource(draft, { listedAt: asOf });
  startBatches(draft);
}

/** Takes a page; requests the next one, or stores the whole list after the last. */
export function takePage(draft: Draft, page: Page): void {
  const { source } = draft.state;
  const { rules } = draft;
  const run = currentRun(draft);
  const pages = [...run.pages, page];
  requireLater(draft, page.asOf);
  requireOrder(pages);
  setRun(draft, { pages });
  const oldest = page.events.at(-1)?.createdAt ?? '';
  const isWalkDue =
    run.round !== 'due' ||
    run.mustWalk ||
    source.walkedAt === null ||
    source.coverage.horizon !== '' ||
    source.coverage.backdates ||
    page.asOf - source.walkedAt >= day;
  const isDated = page.origin.isDated && source.isListDated;
  const isEnough = !isWalkDue && isDated && rules.isContiguous(oldest, source.unconditionalAt);
  if (page.next === null || isEnough) {
    checkEvents(draft, pages);
    return;
  }
  const isEndless = page.events.length === 0 || pages.length >= rules.limits.pages;
  if (isEndless) throw new Refusal('list_repeats');
  const { baseUrl } = source;
  const { origin, href } = new URL(page.next, baseUrl);
  // The key must not leave its origin.
  if (origin !== new URL(baseUrl).origin) throw new Refusal('link_elsewhere');
  add(draft, { kind: 'request', request: { run: run.id, operation: 'page', url: href } });
}

/** Refuses an answer that is older than the last list. */
export function requireLater(draft: Draft, asOf: number): void {
  const { listedAt } = draft.state.source;
  const isEarlier = listedAt !== null && asOf < listedAt;
  if (isEarlier && !currentRun(draft).acceptsReset) throw new Refusal('answer_outdated');
}

/** Refuses repeated events and any order but descending creation time; ties may have any order. */
export function requireOrder(pages: readonly Page[]): void {
  const seen = new Set<number>();
  let previous = '~';
  for (const { id, createdAt } of pages.flatMap(({ events }) => events)) {
    if (seen.has(id)) throw new Refusal('list_repeats', id);
    if (createdAt > previous) throw new Refusal('list_shuffled', id);
    seen.add(id);
    previous = createdAt;
  }
}

/** Refuses invalid events and those of another account. */
export function checkEvents(draft: Draft, pages: readonly Page[]): void {
  const { items, source } = draft.state;
  const { rules } = draft;
  const { acceptsReset } = currentRun(draft);
  const invalid = pages.flatMap((page) => page.invalid).find((id) => !source.skipped.includes(id));
  if (invalid !== undefined) throw new Refusal('event_invalid', invalid);
  const events = pages.flatMap((page) => page.events);
  const replaced = events.find((event) => rules.isReplaced(items.get(event.id), event));
  if (replaced !== undefined && !acceptsReset) throw new Refusal('event_replaced', replaced.id);
  const isFamiliar = events.some(({ id }) => items.has(id));
  if (!rules.provesAccount || isFamiliar || items.size === 0 || acceptsReset) {
    storeList(draft, pages);
    return;
  }
  // Another account, a reset, or more new events than a list has: earlier events decide.
  const newestFirst = [...items.values()].sort((a, b) =>
    a.event.createdAt < b.event.createdAt ? 1 : -1,
  );
  const probes = newestFirst.slice(0, 3).map(({ event }) => event.id);
  askProbe(draft, probes);
}

function askProbe(draft: Draft, probes: readonly number[]): void {
  const [id] = probes;
  if (id === undefined) throw new Refusal('other_account');
  setRun(draft, { probes });
  requestEvent(draft, id);
}

/** Takes the answer about a known event, which proves that the list is of its account. */
export function takeProbe(draft: Draft, exists: boolean): void {
  const { pages, probes } = currentRun(draft);
  if (!exists) {
    askProbe(draft, probes.slice(1));
    return;
  }
  if (pages.every(({ events }) => events.length === 0)) throw new Refusal('list_empty');
  setRun(draft, { probes: [] });
  storeList(draft, pages);
}

/** A list with all its pages. */
type WholeList = {
  readonly events: readonly StoredEvent[];
  /** The creation time of the last event; '' for an empty list. */
  readonly oldest: string;
  readonly asOf: number;
  readonly origin: AnswerOrigin;
  readonly hasLink: boolean;
  /** True for a walk through all pages, and for a list below the cap. */
  readonly isComplete: boolean;
  /** Known events that it should have. */
  readonly missing: readonly Item[];
};

function joinPages(draft: Draft, pages: readonly Page[]): WholeList {
  const { source, items } = draft.state;
  const events = pages.flatMap((page) => page.events);
  const asOf = pages.reduce(
    (earliest, page) => Math.min(earliest, page.asOf),
    Number.POSITIVE_INFINITY,
  );
  const oldest = events.at(-1)?.createdAt ?? '';
  const hasLink = pages.length > 1 || pages.some(({ next }) => next !== null);
  const isComplete = hasLink ? pages.at(-1)?.next === null : events.length < source.coverage.cap;
  const present = new Set([
    ...events.map(({ id }) => id),
    ...pages.flatMap(({ invalid }) => invalid),
  ]);
  const missing = [...items.values()].filter(
    (item) =>
      !present.has(item.event.id) &&
      isNewer(draft, asOf, item.event.id) &&
      (isComplete || item.event.createdAt > oldest),
  );
  const origin = {
    isDated: pages.every((page) => page.origin.isDated),
    isCached: pages.some((page) => page.origin.isCached),
  };
  return { events, oldest, asOf, origin, hasLink, isComplete, missing };
}

/** Stores a list in one transaction. */
function storeList(draft: Draft, pages: readonly Page[]): void {
  const { source } = draft.state;
  const run = currentRun(draft);
  const [first] = pages;
  if (first === undefined) return;
  const list = joinPages(draft, pages);
  requireNotRestored(draft, list);
  const { events } = list;
  const backdates = hasBelated(draft, events, source.unconditionalAt);
  const hidAny = hasBelated(draft, events, source.listedAt);
  const coverage = coverList(draft, list, backdates);
  for (const event of events) noteFalseAbsence(draft, event, list.asOf);
  const changesByPage = pages.map((page) => storeEvents(draft, page.events, 'list', page.asOf));
  const changes = changesByPage.flat();
  const hasNewFirstPage = changesByPage[0]?.length !== 0;
  writeReceipt(draft, changes);
  suspectMissing(draft, list);
  noteUnknownMembers(
    draft,
    pages.flatMap((page) => page.unknownMembers),
  );
  // New events do not change a page that is full of creation times in the future.
  const mayHide =
    first.next !== null &&
    !draft.rules.isContiguous(first.events.at(-1)?.createdAt ?? '', list.asOf);
  const hasSameEtag = first.etag !== null && first.etag === source.etag;
  setSource(draft, {
    coverage,
    listed: first.events.map(({ id }) => id),
    listedAt: list.asOf,
    ...(!run.isUnchanged && { isListDated: list.origin.isDated, unconditionalAt: list.asOf }),
    walkedAt: list.hasLink && list.isComplete ? list.asOf : source.walkedAt,
    // The next list, in full, shows if this one was complete.
    etag:
      mayHide || list.missing.length > 0 || coverage.cap > source.coverage.cap ? null : first.etag,
    // The last 304 hid an event, or the events changed with the same ETag.
    etagLies: source.etagLies || (hidAny && !backdates) || (hasSameEtag && hasNewFirstPage),
  });
  const version = pages.at(-1)?.version ?? null;
  const isExact = version !== null && provesItems(draft, version);
  setSource(draft, {
    revision: isExact ? version.revision : knownRevision(draft.state, pages, list),
  });
  const added = changes.filter(({ before }) => before === null).length;
  setRun(draft, {
    pages: [],
    changes: [],
    isProven: run.isProven || isExact,
    absentFromList: list.isComplete ? list.missing.map(({ event }) => event.id) : [],
    listLength: list.events.length,
    isBusy: source.listedAt !== null && added > first.events.length / 2,
  });
  startBatches(draft);
}

/** Returns a revision whose earlier changes a list without proof contains; null without one. */
function knownRevision(
  { source, run }: MirrorState,
  pages: readonly Page[],
  { isComplete }: WholeList,
): string | null {
  if (!isComplete) return null;
  // Some absences are no first proof yet: the next sync has to learn of them again.
  if (run?.isProven) return source.revision;
  const first = pages[0]?.version ?? null;
  const last = pages.at(-1)?.version ?? null;
  // Something changed between the pages: the changes since the first include it.
  return first?.revision === last?.revision ? null : (first?.revision ?? null);
}

/** Returns true if an upstream of this version has the known events, apart from suspected ones. */
function provesItems({ state, rules }: Draft, version: UpstreamVersion): boolean {
  const { source, items } = state;
  if (coveredSince(source.coverage) !== '') return false;
  const present = [...items.values()].filter(({ suspicion }) => suspicion === null);
  const digest = digestOf(present.map((item) => eventOf(item, 'list')));
  return rules.provesEvents(version, digest, source.revision);
}

/** Refuses a list that lacks the newest events only: a backup of the upstream was restored. */
function requireNotRestored(draft: Draft, { events, missing }: WholeList): void {
  const { acceptsReset, confirmsRemovals } = currentRun(draft);
  if (acceptsReset || confirmsRemovals) return;
  const newest = events[0]?.createdAt;
  if (newest === undefined) return;
  const newer = missing.filter(
    ({ event, suspicion }) => event.createdAt > newest && suspicion === null,
  );
  if (newer.length >= restoredEvents) throw new Refusal('upstream_restored');
}

/** Makes the absence of events from a list their first proof. */
function suspectMissing(draft: Draft, { missing, asOf, origin, hasLink, oldest }: WholeList): void {
  for (const { event, suspicion } of missing) {
    // Without `Link`, older events prove nothing: the upstream may cut its lists at this length.
    const isProof = hasLink || event.createdAt > oldest;
    if (isProof && draft.rules.judgeAbsence(suspicion, asOf, false, origin) === 'first') {
      add(draft, { kind: 'suspect', id: event.id, suspicion: { since: asOf, by: 'list' } });
    }
  }
}

/** Returns true if an event is new on this list, but was created before an earlier one. */
function hasBelated(
  { state }: Draft,
  events: readonly StoredEvent[],
  earlierAt: number | null,
): boolean {
  if (earlierAt === null) return false;
  const { source, items, absent } = state;
  const { oldestListed } = source.coverage;
  const lastShown = new Date(earlierAt - clockTolerance).toISOString();
  return events.some(
    ({ id, createdAt }) =>
      !items.has(id) && !absent.has(id) && createdAt < lastShown && createdAt > oldestListed,
  );
}

/** Returns the coverage after a list. */
function coverList(draft: Draft, list: WholeList, backdates: boolean): Coverage {
  const { source } = draft.state;
  const { rules } = draft;
  const { coverage, unconditionalAt } = source;
  const length = list.events.length;
  const isLonger = !list.hasLink && length > coverage.cap;
  const cap = isLonger ? Math.max(length, rules.limits.cap) : coverage.cap;
  // Known older events are absent: they were removed, or the list was cut.
  const lacksOlder = list.missing.some(({ event }) => event.createdAt <= list.oldest);
  const facts = {
    oldest: list.oldest,
    isComplete: list.isComplete && (list.hasLink || !lacksOlder),
  };
  const isDated = list.origin.isDated && source.isListDated;
  const known = { ...coverage, cap, backdates: coverage.backdates || backdates };
  return rules.coverAfterList(known, facts, isDated ? unconditionalAt : null, rules.isContiguous);
}
