import { digestOf, formatDigest, hashEvent } from '../../../db/event-hash.ts';
import type { FailureCode, Operation } from '../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { dayMs as day, hourMs as hour, minuteMs as minute } from '../../../server/dates/units.ts';
import type {
  Answer,
  Request,
  Timing,
  UpstreamVersion,
} from '../../../server/mirror/planner/state.ts';
import type { Random } from '../../support/random.ts';

export const baseUrl = 'https://club.example/api/v1/';
export const second = 1_000;

/** The shape of a 404 of the upstream itself. */
export const realNotFound = '404 application/json error';

/** The true time, which the upstream's clock shows. */
export type Time = { now: number };

/** `Events-Revision`, `Events-Digest` and `since` of another Club Events service, and lies in them. */
const versionings = [
  'right',
  'wrong digest',
  'digest of the page',
  'constant revision',
  'revisions repeated after a restore',
  'forgotten changes',
  'false removals',
] as const;
type Versioning = (typeof versionings)[number] | 'none';

/** Changes are kept for this number of revisions. */
const recordedRevisions = 30;

/** Properties of an upstream that do not change. */
export type Habits = {
  readonly cap: number;
  /** False if the planner has to learn the cap. */
  readonly isCapKnown: boolean;
  readonly hasLink: boolean;
  readonly hasEtag: boolean;
  readonly sendsDate: boolean;
  /** The lists and answers by id that have `registrationOpen`. */
  readonly list: 'always' | 'never' | 'sometimes';
  readonly byId: 'always' | 'never';
  readonly hasRandomTies: boolean;
  /** True if it loses a few events before every sync. */
  readonly erodes: boolean;
  readonly versioning: Versioning;
};

export function chooseHabits(random: Random): Habits {
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const erodes = random(25) === 0;
  const hasVersions = random(3) === 0;
  const hasLink = !erodes && (hasVersions || random(3) === 0);
  return {
    // Small, so that a few events exceed them.
    cap: erodes ? 40 : pick([3, 5, 8, 12]),
    isCapKnown: random(4) > 0,
    hasLink,
    hasEtag: random(2) === 0,
    sendsDate: random(10) > 0,
    list: pick(hasVersions ? ['always', 'always', 'never'] : ['always', 'never', 'sometimes']),
    byId: pick(['always', 'always', 'always', 'never']),
    // A cursor needs a stable order.
    hasRandomTies: !hasLink && random(3) === 0,
    erodes,
    versioning: hasVersions ? pick(['right', 'right', 'right', ...versionings]) : 'none',
  };
}

/** Returns true for an upstream that proves that a `registrationOpen` is no longer given. */
export const takesRegistration = ({ versioning, list, byId }: Habits) =>
  versioning === 'right' && list === 'always' && byId === 'always';

/** Faults of a single sync. */
export const faults = [
  'failure',
  'shuffled',
  'repeated',
  'empty',
  'other account',
  'list of another account',
  'by id broken',
  'false 404s',
  'other 404',
  'stale',
  'unreadable events',
  'foreign link',
  'clock jump',
  'upstream clock jump',
  'kill',
  'future',
] as const;
export type Fault = (typeof faults)[number];

const failureCodes: readonly FailureCode[] = [
  'unreachable',
  'timeout',
  'not_trusted',
  'redirected',
  'not_json',
  'too_large',
  'truncated',
  'key_refused',
  'forbidden',
  'too_many_requests',
  'server_failed',
];

/** A version of an event; null while it does not exist. */
type Version = { readonly from: number; readonly event: StoredEvent | null };

export type Upstream = ReturnType<typeof createUpstream>;

/** Creates a model of an online service with its whole past, and faults on the way to it. */
export function createUpstream(random: Random, time: Time, habits: Habits) {
  const chance = (percent: number): boolean => random(100) < percent;
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const history = new Map<number, Version[]>();
  const alive = new Map<number, StoredEvent>();
  /** Events with a creation time before their real one. */
  const backdated = new Set<number>();
  const otherAccount = new Map<number, StoredEvent>();
  let active: ReadonlySet<Fault> = new Set();
  let falseIds: ReadonlySet<number> = new Set();
  /** The error of its clock, in ms. */
  let clockError = 0;
  let nextId = 1 + random(50);
  let version = 1;
  let epoch = 1;
  let number = 0;
  let sum = 0n;
  /** The number of the last change of each event. */
  const numbers = new Map<number, number>();
  /** The versions of all events together, oldest first. */
  const clubVersions: { readonly from: number; readonly version: UpstreamVersion }[] = [];
  let orders = 0;

  function put(id: number, event: StoredEvent | null): void {
    const before = alive.get(id);
    history.set(id, [...(history.get(id) ?? []), { from: time.now, event }]);
    if (event === null) alive.delete(id);
    else alive.set(id, event);
    version += 1;
    if (habits.versioning !== 'none') noteVersion(id, before, event);
  }

  function noteVersion(id: number, before: StoredEvent | undefined, after: StoredEvent | null) {
    number += 1;
    numbers.set(id, number);
    if (before !== undefined) sum -= hashEvent(before);
    if (after !== null) sum += hashEvent(after);
    const revision = habits.versioning === 'constant revision' ? '1.1' : `${epoch}.${number}`;
    const digest = habits.versioning === 'wrong digest' ? formatDigest(1n) : formatDigest(sum);
    clubVersions.push({ from: time.now, version: { revision, digest } });
  }

  /** Returns the version at a time, of an answer with these events. */
  function versionAt(then: number, events: readonly StoredEvent[]): UpstreamVersion | null {
    const isOther = active.has('other account') || active.has('list of another account');
    const sent = isOther
      ? { revision: `${epoch}.9`, digest: digestOf(otherAccount.values()) }
      : (clubVersions.findLast(({ from }) => from <= then)?.version ?? null);
    if (sent === null || habits.versioning === 'none') return null;
    return habits.versioning === 'digest of the page'
      ? { ...sent, digest: digestOf(events) }
      : sent;
  }

  function create(createdAt = new Date(time.now).toISOString()): number {
    const id = nextId;
    nextId += 1 + (chance(30) ? random(5) : 0);
    return createWithId(id, createdAt);
  }

  function createWithId(id: number, createdAt: string): number {
    put(id, {
      id,
      name: `Event ${id}`,
      date: new Date(time.now + (random(100) - 30) * day + random(24) * hour).toISOString(),
      location: chance(50) ? 'Bern' : '',
      description: chance(30) ? 'Text' : null,
      status: 'active',
      eventType: chance(50) ? 'club' : null,
      registrationOpen: chance(50),
      createdAt,
    });
    return id;
  }

  function bulkImport(): void {
    const createdAt = new Date(time.now).toISOString();
    const count = 2 + random(habits.cap * 2);
    for (let index = 0; index < count; index++) create(createdAt);
  }

  /** Restores the state of some hours ago; later ids are given again. */
  function restore(): void {
    const madeAt = time.now - (1 + random(48)) * hour;
    for (const id of history.keys()) {
      const event = versionsBetween(id, madeAt, madeAt).at(-1) ?? null;
      if (event === (alive.get(id) ?? null)) continue;
      const isSame = event?.createdAt === alive.get(id)?.createdAt;
      if (event !== null && !isSame) backdated.add(id);
      put(id, event);
    }
    nextId = Math.max(0, ...alive.keys()) + 1;
    if (habits.versioning === 'revisions repeated after a restore') number -= random(number);
    else epoch += 1;
  }

  /** Makes a random change. */
  function change(): string {
    const event = alive.get(pick([...alive.keys()]));
    const dice = random(100);
    if (dice < 35 || event === undefined) return `created ${create()}`;
    const { id } = event;
    if (dice < 60) {
      put(id, { ...event, name: `Name ${random(1000)}`, status: pick(['active', 'cancelled']) });
      return `changed ${id}`;
    }
    if (dice < 70) {
      const { registrationOpen, ...others } = event;
      const isTaken = takesRegistration(habits) && chance(40);
      put(id, isTaken ? others : { ...event, registrationOpen: !registrationOpen });
      return `changed registrationOpen of ${id}`;
    }
    if (dice < 85) {
      put(id, null);
      return `removed ${id}`;
    }
    if (dice < 92) {
      bulkImport();
      return 'bulk import';
    }
    if (dice < 95) {
      const other = create(new Date(time.now - random(400) * day).toISOString());
      backdated.add(other);
      return `back-dated ${other}`;
    }
    if (dice < 97) {
      restore();
      return 'restored';
    }
    const removedIds = [...history.keys()].filter((each) => each < nextId && !alive.has(each));
    if (dice < 98 && removedIds.length > 0) {
      return `reused ${createWithId(pick(removedIds), new Date(time.now).toISOString())}`;
    }
    const count = random(alive.size);
    removeOldest(count);
    return `removed ${count} events`;
  }

  function removeOldest(count: number): void {
    for (const id of [...alive.keys()].slice(0, count)) put(id, null);
  }

  /** Returns the versions that an event had within a time, oldest first. */
  function versionsBetween(id: number, from: number, to: number): readonly (StoredEvent | null)[] {
    const versions = history.get(id) ?? [];
    const isWithin = (each: Version, index: number): boolean =>
      each.from <= to && (versions[index + 1]?.from ?? Number.POSITIVE_INFINITY) >= from;
    return versions.filter(isWithin).map(({ event }) => event);
  }

  function sort(events: Iterable<StoredEvent>): StoredEvent[] {
    orders += 1;
    const order = orders;
    const tie = ({ id }: StoredEvent): number =>
      habits.hasRandomTies ? (id * 7919 * order) % 1009 : id;
    return [...events].sort((a, b) => {
      if (a.createdAt === b.createdAt) return tie(b) - tie(a);
      return a.createdAt < b.createdAt ? 1 : -1;
    });
  }

  function asSent(event: StoredEvent, operation: Operation): StoredEvent {
    const habit = habits[operation];
    if (habit === 'always' || (habit === 'sometimes' && chance(50))) return event;
    const { registrationOpen: _, ...rest } = event;
    return rest;
  }

  /** Returns the headers of an answer that a cache has kept for some time. */
  function timing(age = 0): Timing {
    const date = Math.floor((time.now + clockError - age) / second) * second;
    return { date: habits.sendsDate ? date : null, age };
  }

  /** Returns the ETag of a list; with versions, only changes of its own events change it. */
  function etagOf(events: readonly StoredEvent[]): string {
    return `"${habits.versioning === 'none' ? version : digestOf(events)}"`;
  }

  /** Every fourth event, and most new ones. */
  function isUnreadable({ id }: StoredEvent): boolean {
    return active.has('unreadable events') && (id % 4 === 0 || (id >= nextId - 3 && id % 3 > 0));
  }

  function answerList(request: Request, cursor: string): Answer {
    const place = ({ createdAt, id }: StoredEvent): string => `${createdAt}~${10_000 + id}`;
    const age = active.has('stale') ? (1 + random(300)) * minute : 0;
    const then = time.now - age;
    const past = (): StoredEvent[] =>
      [...history.keys()].flatMap((id) => versionsBetween(id, then, then).at(-1) ?? []);
    const isOther = active.has('other account') || active.has('list of another account');
    const present = isOther ? otherAccount.values() : alive.values();
    const all = sort(age > 0 && !isOther ? past() : present);
    const rest = all.filter((event) => cursor === '' || place(event) < cursor);
    const events = rest.slice(0, active.has('empty') ? 0 : habits.cap);
    const last = events.at(-1);
    const hasNext = habits.hasLink && rest.length > habits.cap && last !== undefined;
    const etag = etagOf(events);
    if (active.has('shuffled')) events.reverse();
    if (active.has('repeated') && events[0] !== undefined) events.push(events[0]);
    const readable = events.filter((event) => !isUnreadable(event));
    const unreadable = events
      .filter(isUnreadable)
      .map(({ id, createdAt }) => ({ id, createdAt: id % 2 === 0 ? createdAt : null }));
    const page = {
      events: readable.map((event) => asSent(event, 'list')),
      unreadable,
      unknownMembers: [],
      next: hasNext ? `${baseUrl}events?cursor=${place(last)}` : null,
      etag: habits.hasEtag && active.size === 0 ? etag : null,
      version: versionAt(then, events),
    };
    if (active.has('foreign link')) page.next = 'https://evil.example/events?cursor=';
    return { kind: 'page', request, timing: timing(age), page };
  }

  /** Answers with the changes after a revision, and after a position among them. */
  function answerChanges(request: Request, since: string, position: number): Answer {
    const age = active.has('stale') ? (1 + random(300)) * minute : 0;
    const [sinceEpoch, first] = since.split('.').map(Number) as [number, number];
    const isKept = first <= number && number - first <= recordedRevisions;
    if (sinceEpoch !== epoch || !isKept) {
      return { kind: 'gone', request, timing: timing(age) };
    }
    const isHonest = (): boolean => habits.versioning !== 'forgotten changes' || chance(50);
    const isOther = active.has('other account');
    const changed = [...numbers]
      .filter((change) => change[1] > Math.max(first, position))
      .sort((a, b) => a[1] - b[1]);
    const shown = isOther ? [] : changed.slice(0, habits.cap);
    const events: StoredEvent[] = isOther ? [...otherAccount.values()] : [];
    const removed: number[] = [];
    const changedEvents = shown.flatMap(([id]) => alive.get(id) ?? []);
    if (changedEvents.some(isUnreadable)) return { kind: 'gone', request, timing: timing(age) };
    for (const [id] of shown.filter(isHonest)) {
      const event = versionsBetween(id, time.now - age, time.now - age).at(-1) ?? null;
      if (event === null) removed.push(id);
      else events.push(asSent(event, 'list'));
    }
    if (habits.versioning === 'false removals') removed.push(pick([...alive.keys()]) ?? 1);
    const last = shown.at(-1)?.[1];
    const origin = active.has('foreign link') ? 'https://evil.example/' : baseUrl;
    const next =
      changed.length > shown.length ? `${origin}events?since=${since}&after=${last}` : null;
    const version = versionAt(time.now - age, events);
    const changes = { events, removed, unknownMembers: [], next, version };
    return { kind: 'changes', request, timing: timing(age), changes };
  }

  function answerById(request: Request, id: number): Answer {
    const age = active.has('stale') && chance(40) ? (1 + random(300)) * minute : 0;
    const then = time.now - age;
    const present = active.has('other account') ? otherAccount.get(id) : alive.get(id);
    const event = age > 0 ? versionsBetween(id, then, then).at(-1) : present;
    const isFalse = active.has('by id broken') || (active.has('false 404s') && falseIds.has(id));
    const isOther = active.has('other 404') && id < 1_000_000_000 && chance(50);
    if (event === undefined || event === null || isFalse || isOther) {
      const shape = isOther ? '404 text/html' : realNotFound;
      return { kind: 'not_found', request, timing: timing(age), shape };
    }
    const sent = isUnreadable(event) ? null : asSent(event, 'byId');
    return { kind: 'event', request, timing: timing(age), event: sent, unknownMembers: [] };
  }

  /** Answers a request after some time. */
  function answer(request: Request): Answer {
    time.now += 20 + random(1500);
    if (active.has('failure') && chance(20)) {
      const code = pick(failureCodes);
      const retryAfter = code === 'too_many_requests' ? random(7200) * second : null;
      return { kind: 'failure', request, code, retryAfter };
    }
    if (request.operation === 'byId') return answerById(request, request.id);
    if (request.operation === 'page') {
      return answerList(request, new URL(request.url).searchParams.get('cursor') ?? '');
    }
    if (request.operation === 'changes') {
      const position = new URL(request.url ?? baseUrl).searchParams.get('after');
      return answerChanges(request, request.since, Number(position));
    }
    const events = sort(alive.values()).slice(0, habits.cap);
    const isSame = request.etag !== null && request.etag === etagOf(events);
    if (isSame) {
      const sent = versionAt(time.now, events);
      return { kind: 'unchanged', request, timing: timing(), version: sent };
    }
    return answerList(request, '');
  }

  function fillOtherAccount(): void {
    const count = 1 + random(habits.cap * 2);
    // Ids of its own, or some that this account has, too.
    const first = chance(70) ? 5_000 : 1;
    for (let id = first; id < first + count; id++) {
      const createdAt = new Date(time.now - (id - first + 1) * day).toISOString();
      otherAccount.set(id, {
        id,
        name: `Other ${id}`,
        date: createdAt,
        location: '',
        description: null,
        status: 'active',
        eventType: null,
        registrationOpen: true,
        createdAt,
      });
    }
  }

  /** Creates the events of the months before the simulation. */
  function fill(): void {
    const count = habits.erodes ? 30 : random(habits.cap * 3);
    const present = time.now;
    time.now -= 300 * day;
    for (let index = 0; index < count; index++) {
      time.now += Math.floor((200 * day) / count);
      create();
    }
    time.now = present;
  }

  fill();
  fillOtherAccount();
  return {
    alive: alive as ReadonlyMap<number, StoredEvent>,
    backdated: backdated as ReadonlySet<number>,
    history: history as ReadonlyMap<number, readonly Version[]>,
    setFaults(next: ReadonlySet<Fault>, knownIds: Iterable<number>): void {
      active = next;
      falseIds = new Set([...knownIds].filter(() => chance(30)));
      if (active.has('future')) create('2099-01-01T00:00:00.000Z');
      clockError = active.has('upstream clock jump') ? (random(49) - 24) * hour : 0;
    },
    /** Returns an id that may exist. */
    chooseId: () => 1 + random(nextId),
    answer,
    change,
    removeOldest,
    sort,
    versionsBetween,
  };
}
