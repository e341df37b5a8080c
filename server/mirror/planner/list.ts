import { digestOf } from '../../../db/event-hash.ts';
import {
  type Coverage,
  coveredSince,
  eventOf,
  isProven,
  latestTimestamp,
  type MirrorEntry,
  type ReceiptChange,
  type Source,
} from '../../../db/mirror-model.ts';
import { eventMembers, type StoredEvent } from '../../../db/model.ts';
import { startBatches } from './batches.ts';
import {
  add,
  clearSuspect,
  currentRun,
  isNewer,
  noteFalseNotFound,
  noteUnknownMembers,
  type PlanState,
  Refusal,
  removeHidden,
  requestEvent,
  setRun,
  setSource,
  storeEvents,
  writeReceipt,
} from './plan-state.ts';
import type { AnswerOrigin, Page, Run, UpstreamVersion } from './state.ts';

/** Events missing at the start of a list, which looks like the restore of a backup. */
const restoredEvents = 3;

/** Known events that a list lacks, and unknown ones on it, that look like those of another account. */
const mixedEvents = 2;

/** The greatest number of events that cannot be read and are named. */
const maxUnreadable = 1_000;

/** Takes a page; requests the next one, or stores the whole list after the last. */
export function takePage(draft: PlanState, page: Page): void {
  const { source } = draft.state;
  const { rules } = draft;
  const run = currentRun(draft);
  const pages = [...run.pages, page];
  requireLater(draft, page);
  requireOrder(pages);
  setRun(draft, { pages });
  if (page.next === null) {
    checkEvents(draft, pages);
    return;
  }
  const isEndless = countEntries([page]) === 0 || pages.length >= rules.limits.pages;
  if (isEndless) throw new Refusal(countEntries(pages) === 0 ? 'list_empty' : 'list_repeats');
  const { baseUrl } = source;
  const { origin, href } = new URL(page.next, baseUrl);
  // The key must not leave its origin.
  if (origin !== new URL(baseUrl).origin) throw new Refusal('link_elsewhere');
  add(draft, { kind: 'request', request: { run: run.id, operation: 'page', url: href } });
}

function countEntries(pages: readonly Page[]): number {
  return pages.reduce((sum, { events, unreadable }) => sum + events.length + unreadable.length, 0);
}

/** Returns the ids on a page, with those of events that cannot be read. */
function idsOf({ events, unreadable }: Page): number[] {
  return [...events, ...unreadable].map(({ id }) => id);
}

/** Refuses an answer that is older than the last list. */
export function requireLater(draft: PlanState, answer: Pick<Page, 'asOf' | 'version'>): void {
  const { source } = draft.state;
  if (source.listedAt === null || currentRun(draft).acceptsReset) return;
  if (draft.rules.isWholeState) requireLaterFile(source, answer.version);
  else if (answer.asOf < source.listedAt) throw new Refusal('answer_outdated');
}

/** Most changes between two versions of a file, beside one of each event; a person confirms more. */
const maxJump = 5_000;

/** Refuses a file of another club or history, and an earlier one: clocks do not count. */
function requireLaterFile({ revision, club }: Source, version: UpstreamVersion | null): void {
  if (version === null || revision === null) return;
  if (version.club !== club) throw new Refusal('file_other_club');
  const [epoch, number] = splitRevision(version.revision);
  const [knownEpoch, knownNumber] = splitRevision(revision);
  if (epoch !== knownEpoch) throw new Refusal('file_other_history');
  if (number < knownNumber) throw new Refusal('file_older');
  // A forged number would otherwise make every later file an old one.
  const most = BigInt(maxJump + (version.events ?? 0));
  if (number - knownNumber > most) throw new Refusal('file_jumped');
}

function splitRevision(revision: string): readonly [epoch: string, number: bigint] {
  const dot = revision.lastIndexOf('.');
  return [revision.slice(0, dot), BigInt(revision.slice(dot + 1))];
}

/** Refuses repeated events and any order but descending creation time; ties may have any order. */
export function requireOrder(pages: readonly Page[]): void {
  const seen = new Set<number>();
  let previous = '~';
  for (const id of pages.flatMap(idsOf)) {
    if (seen.has(id)) throw new Refusal('list_repeats', id);
    seen.add(id);
  }
  for (const { id, createdAt } of pages.flatMap(({ events }) => events)) {
    if (createdAt > previous) throw new Refusal('list_shuffled', id);
    previous = createdAt;
  }
}

/** Refuses a list of another account, and another event under a known id. */
export function checkEvents(draft: PlanState, pages: readonly Page[]): void {
  const { entries } = draft.state;
  const { rules } = draft;
  const { acceptsReset } = currentRun(draft);
  const events = pages.flatMap((page) => page.events);
  const replaced = events.find((event) => rules.isReplaced(entries.get(event.id), event));
  if (replaced !== undefined && !acceptsReset) throw new Refusal('event_replaced', replaced.id);
  // A list without readable events stores none.
  const ids = events.length === 0 ? pages.flatMap(idsOf) : events.map(({ id }) => id);
  const isFamiliar = ids.some((id) => entries.has(id));
  const unknown = events.filter(({ id }) => !entries.has(id));
  const missing = isFamiliar && !acceptsReset ? joinPages(draft, pages).missing : [];
  // Some known events among many of another account.
  const isMixed = Math.min(missing.length, unknown.length) >= mixedEvents;
  if ((isFamiliar && !isMixed) || !rules.provesAccount) {
    storeList(draft, pages);
    return;
  }
  const isKnown = entries.size > 0 && !acceptsReset;
  if (isKnown && pages.some(({ origin }) => origin.isCached)) throw new Refusal('answer_outdated');
  // A list of another account has events that this key does not show. If it does show them, the
  // account of the key may have changed: then earlier events are gone.
  const candidates = isMixed ? unknown : events;
  const places = [
    0,
    ...(isMixed ? [Math.floor(candidates.length / 2)] : []),
    candidates.length - 1,
  ];
  const listed = new Set(places.flatMap((place) => candidates[place] ?? []));
  const newestFirst = [...entries.values()].sort((a, b) =>
    a.event.createdAt < b.event.createdAt ? 1 : -1,
  );
  const known = newestFirst.slice(0, isKnown && !isFamiliar ? 3 : 0);
  const probes = [
    ...[...listed].map((event) => ({ id: event.id, listed: event })),
    ...known.map(({ event }) => ({ id: event.id, listed: null })),
  ];
  setRun(draft, { pages });
  askProbe(draft, probes);
}

/** Requests the next event that proves the account, or stores the list after the last. */
function askProbe(draft: PlanState, probes: Run['probes']): void {
  setRun(draft, { probes });
  const [next] = probes;
  if (next === undefined) storeList(draft, currentRun(draft).pages);
  else requestEvent(draft, next.id);
}

/** Takes the answer to a probe; `event` is null if the upstream does not show it at present. */
export function takeProbe(draft: PlanState, event: StoredEvent | null): void {
  const { pages, probes } = currentRun(draft);
  const [probe, ...rest] = probes;
  if (probe === undefined) return;
  const { id, listed } = probe;
  if (listed !== null) {
    if (event === null || !haveSameValues(event, listed)) {
      const isFirst = draft.state.entries.size === 0;
      throw new Refusal(isFirst ? 'by_id_broken' : 'other_account', id);
    }
    askProbe(draft, rest);
  } else if (event !== null) {
    if (countEntries(pages) === 0) throw new Refusal('list_empty');
    askProbe(draft, []);
  } else if (rest.length === 0) {
    throw new Refusal('other_account');
  } else {
    askProbe(draft, rest);
  }
}

/** Compares events apart from `registrationOpen`, which an operation may leave out. */
function haveSameValues(a: StoredEvent, b: StoredEvent): boolean {
  return eventMembers.every((member) => member === 'registrationOpen' || a[member] === b[member]);
}

/** A list with all its pages. */
type WholeList = {
  readonly events: readonly StoredEvent[];
  /** The number of entries, with those that cannot be read. */
  readonly entries: number;
  /** The creation time of the last event that can be read; '' for an empty list. */
  readonly oldest: string;
  /** The creation time after which every entry is known; '' for all. */
  readonly readableTo: string;
  readonly asOf: number;
  readonly origin: AnswerOrigin;
  readonly hasLink: boolean;
  /** True for a walk through all pages, and for a list below the cap. */
  readonly isWhole: boolean;
  /** Known events that it should have. */
  readonly missing: readonly MirrorEntry[];
};

function joinPages(draft: PlanState, pages: readonly Page[]): WholeList {
  const { source, entries } = draft.state;
  const events = pages.flatMap((page) => page.events);
  const length = countEntries(pages);
  const asOf = Math.min(...pages.map((page) => page.asOf));
  const oldest = events.at(-1)?.createdAt ?? (length === 0 ? '' : latestTimestamp);
  // A file with one page lists everything, too.
  const hasLink = pages.length > 1 || draft.rules.isWholeState;
  const isWhole = hasLink || length < source.coverage.cap;
  const present = new Set(pages.flatMap(idsOf));
  const missing = [...entries.values()].filter(
    (entry) =>
      !present.has(entry.event.id) &&
      isNewer(draft, asOf, entry.event.id) &&
      (isWhole || entry.event.createdAt > oldest),
  );
  const origin = {
    isDated: pages.every((page) => page.origin.isDated),
    isCached: pages.some((page) => page.origin.isCached),
    localTime: Math.min(...pages.map((page) => page.origin.localTime)),
  };
  const readableTo = pages
    .flatMap(({ unreadable }) => unreadable)
    .filter(({ id }) => !entries.has(id))
    .map(({ createdAt }) => createdAt ?? latestTimestamp)
    .reduce((latest, each) => (each > latest ? each : latest), '');
  return { events, entries: length, oldest, readableTo, asOf, origin, hasLink, isWhole, missing };
}

/** Stores the events of a page, each with the time of its confirmation. */
function storePage(
  draft: PlanState,
  { events, asOf, confirmations }: Page,
): readonly ReceiptChange[] {
  if (confirmations === undefined) return storeEvents(draft, events, 'list', asOf);
  const timeOf = ({ id }: StoredEvent) => Math.min(confirmations.get(id) ?? asOf, draft.clock.now);
  const byTime = Map.groupBy(events, timeOf);
  return [...byTime].flatMap(([at, group]) => storeEvents(draft, group, 'list', at));
}

/** Stores a list in one transaction. */
function storeList(draft: PlanState, pages: readonly Page[]): void {
  const { state, rules } = draft;
  const { source } = state;
  const run = currentRun(draft);
  const [first] = pages;
  if (first === undefined) return;
  const others = pages.slice(1).flatMap((page) => page.events);
  const list = joinPages(draft, pages);
  requireNotRestored(draft, list);
  const { events, asOf } = list;
  const coverage = coverList(draft, list);
  for (const event of events) noteFalseNotFound(draft, event, asOf);
  const changes = pages.flatMap((page) => storePage(draft, page));
  suspectMissing(draft, list);
  const unreadable = pages.flatMap((page) => page.unreadable.map(({ id }) => id));
  for (const id of unreadable) clearSuspect(draft, id, asOf);
  const listed = new Set(pages.flatMap(idsOf));
  // Events that a whole list lacks are gone.
  const earlier = list.isWhole ? [] : source.unreadable.filter((id) => !listed.has(id));
  noteUnknownMembers(
    draft,
    pages.flatMap((page) => page.unknownMembers),
  );
  setSource(draft, {
    coverage,
    listed: first.events.map(({ id }) => id),
    listedAt: asOf,
    unreadable: [...earlier, ...unreadable].slice(0, maxUnreadable),
    // A digest of the first page only would prove a 304 that hides older events.
    etag: first.version === null || others.length === 0 ? null : first.etag,
  });
  const version = pages.at(-1)?.version ?? null;
  const isExact = version !== null && provesEntries(draft, version);
  writeReceipt(draft, isExact ? [...changes, ...removeHidden(draft)] : changes);
  setSource(draft, {
    // Revisions order the versions of a file.
    revision: version !== null && (isExact || rules.isWholeState) ? version.revision : null,
    ...(version?.club !== undefined && { club: version.club }),
  });
  const added = changes.filter(({ before }) => before === null).length;
  setRun(draft, {
    pages: [],
    changes: [],
    isProven: run.isProven || isExact,
    digest: isOneState(draft, pages) ? (version?.digest ?? null) : null,
    changed: new Set(changes.map(({ id }) => id)),
    missingFromList: list.isWhole ? list.missing.map(({ event }) => event.id) : [],
    unreadable,
    isBusy: source.listedAt !== null && added > first.events.length / 2,
  });
  startBatches(draft);
}

/** Returns true if pages show one state of the upstream, and no older one than the stored events. */
function isOneState(draft: PlanState, pages: readonly Page[]): boolean {
  const [first] = pages;
  return pages.every(
    ({ version, origin, events, asOf }) =>
      version?.digest === first?.version?.digest &&
      !origin.isCached &&
      events.every(({ id }) => isNewer(draft, asOf, id)),
  );
}

/** Returns true if an upstream of this version has the known events, apart from suspected ones. */
function provesEntries({ state, rules }: PlanState, version: UpstreamVersion): boolean {
  const { source, entries } = state;
  if (coveredSince(source.coverage) !== '') return false;
  const present = [...entries.values()].filter(({ suspect }) => suspect === null);
  const digest = digestOf(present.map((entry) => eventOf(entry, 'list')));
  return rules.provesEvents(version, digest, source.revision);
}

/** Refuses a list that lacks the newest events only: a backup of the upstream was restored. */
function requireNotRestored(draft: PlanState, { events, missing }: WholeList): void {
  const { acceptsReset, confirmsRemovals } = currentRun(draft);
  if (acceptsReset || confirmsRemovals) return;
  const newest = events[0]?.createdAt;
  if (newest === undefined) return;
  const newer = missing.filter(
    ({ event, suspect }) => event.createdAt > newest && suspect === null,
  );
  if (newer.length >= restoredEvents && !draft.rules.isWholeState)
    throw new Refusal('upstream_restored');
}

/** Makes a list without known events their first proof. */
function suspectMissing(
  draft: PlanState,
  { missing, asOf, origin, hasLink, oldest }: WholeList,
): void {
  for (const { event, suspect } of missing) {
    // Without `Link`, older events prove nothing: the upstream may cut its lists at this length.
    const isProof = hasLink || event.createdAt > oldest;
    if (isProof && draft.rules.judgeNotFound(suspect, asOf, false, origin) === 'first') {
      const first = { since: asOf, localSince: origin.localTime, by: 'list' } as const;
      add(draft, { kind: 'suspect', id: event.id, suspect: first });
    }
  }
}

/** Returns the coverage after a list. */
function coverList(draft: PlanState, list: WholeList): Coverage {
  const { rules, state } = draft;
  const { coverage, listedAt } = state.source;
  const { events, entries, oldest, missing, asOf, hasLink, isWhole } = list;
  const isLonger = !hasLink && entries > coverage.cap;
  const cap = isLonger ? Math.max(entries, rules.limits.cap) : coverage.cap;
  // Earlier lists should have had this event: it got a creation time before its real one.
  const isBackdated = ({ id, createdAt }: StoredEvent) =>
    !state.entries.has(id) && !state.notFound.has(id) && isProven(coverage, createdAt);
  const backdates = coverage.backdates || events.some(isBackdated);
  // Known older events are not on it: they were removed, or the list was cut.
  const lacksOlder = !hasLink && missing.some(({ event }) => event.createdAt <= oldest);
  // The upstream's clock may be ahead.
  const latest = Math.min(asOf, list.origin.localTime);
  const facts = { ...list, asOf: latest, isWhole: isWhole && !lacksOlder };
  // A clock that was set back says nothing about earlier lists.
  const isReset = backdates || (listedAt !== null && asOf < listedAt);
  const last = rules.proveList(facts);
  return { proven: rules.addProof(isReset ? [] : coverage.proven, last), last, cap, backdates };
}
