import { coveredSince, eventOf, isProven } from '../../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../../db/model.ts';
import { minuteMs as minute } from '../../../../server/dates/units.ts';
import { limits } from '../../../../server/mirror/planner/rules.ts';
import type {
  Action,
  Input,
  MirrorState,
  Request,
} from '../../../../server/mirror/planner/state.ts';
import {
  baseUrl,
  type Fault,
  type Habits,
  realNotFound,
  second,
  type Time,
  takesRegistration,
  type Upstream,
} from '../upstream.ts';

type Invariant =
  | 'removal without two proofs'
  | 'value that the upstream never had'
  | 'false claim of complete coverage'
  | 'history entry without a change'
  | 'request to another origin'
  | 'too many requests'
  | 'difference after the faults';

/** A violated invariant. */
export class Violation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
  }
}

/** A simulated sync asks for a tenth of the ids of a real one. */
export const limitDivisor = 10;

/** The longest time that four requests take, and the seconds that `Date` rounds off. */
const longestAnswers = 4 * 1_600 + 2 * second;

function isSameApartFromRegistration(a: StoredEvent, b: StoredEvent): boolean {
  return (
    a.name === b.name &&
    a.date === b.date &&
    a.status === b.status &&
    a.location === b.location &&
    a.description === b.description &&
    a.eventType === b.eventType &&
    a.createdAt === b.createdAt
  );
}

/** Creates the checks of a simulation. They keep their own evidence and trust no action. */
export function createInvariants(time: Time, upstream: Upstream, habits: Habits) {
  type MissingTimes = ReadonlyMap<
    number,
    readonly { readonly at: number; readonly isById: boolean }[]
  >;
  /** Times at which an event was missing since an event was last present. */
  let missingTimes: MissingTimes = new Map();
  /** The same before the list of this sync. */
  let missingBeforeList = missingTimes;
  /** True after the mirror took the list of this sync. */
  let isListTaken = false;
  /** Times of answers by id for events on the list of this sync. */
  let probes: number[] = [];
  let listed = new Set<number>();
  let requests = 0;
  let retryAt = 0;
  /** The true time of the last list: the upstream's clock may be ahead. */
  let listedBy = Number.NEGATIVE_INFINITY;
  /** The same of the oldest page in this sync. */
  let pagesBy = listedBy;
  let removals = 0;
  let knownAtAnswer = 0;
  let hasLied = false;
  let active: ReadonlySet<Fault> = new Set();
  /**
   * The longest time by which cached answers may be newer than their confirmation says, in ms: their
   * age is counted back from a local clock that was set back since the last answer.
   */
  let understated = 0;
  /** The input that began the sync. */
  let begin: Input = { kind: 'tick' };

  // Without `Date`, confirmations have the time of the local clock.
  let slack = habits.sendsDate ? longestAnswers : Number.POSITIVE_INFINITY;

  function noteMissing(id: number, at: number, isById: boolean): void {
    missingTimes = new Map(missingTimes).set(id, [...(missingTimes.get(id) ?? []), { at, isById }]);
  }

  function notePresence({ id, createdAt }: StoredEvent, { entries }: MirrorState): void {
    // After a restore of the upstream, another event may have the id.
    const known = entries.get(id)?.event.createdAt ?? createdAt;
    if (createdAt !== known || !missingTimes.has(id)) return;
    missingTimes = new Map([...missingTimes].filter(([other]) => other !== id));
  }

  /** Notes the proofs in an answer. */
  function observe(answer: Input, state: MirrorState): void {
    if (answer.kind === 'failure' && answer.retryAfter !== null) {
      retryAt = time.now + answer.retryAfter;
    }
    if (answer.kind === 'page') {
      const { events, unreadable, next } = answer.page;
      const { age } = answer.timing;
      if (answer.request.operation === 'list') listed = new Set();
      for (const { id } of [...events, ...unreadable]) listed.add(id);
      if (active.has('other account') || active.has('list of another account')) return;
      const last = events.at(-1)?.createdAt ?? '';
      const entries = events.length + unreadable.length;
      const isCut = habits.hasLink ? next !== null : entries >= habits.cap;
      for (const { event } of state.entries.values()) {
        const isMissing = !listed.has(event.id) && (!isCut || event.createdAt > last);
        if (isMissing) noteMissing(event.id, time.now - age, false);
      }
      if (age === 0) for (const event of events) notePresence(event, state);
    }
    if (answer.kind === 'changes') {
      const { events, removed } = answer.changes;
      const { age } = answer.timing;
      for (const id of removed) noteMissing(id, time.now - age, false);
      if (age === 0) for (const event of events) notePresence(event, state);
    }
    if (answer.kind === 'event' && answer.request.operation === 'byId' && answer.timing.age === 0) {
      const { id } = answer.request;
      if (answer.event !== null) notePresence(answer.event, state);
      if (listed.has(id) || state.source.listed.includes(id)) probes.push(time.now);
    }
    if (answer.kind === 'not_found' && answer.request.operation === 'byId') {
      const isReal = answer.shape === realNotFound;
      if (isReal) noteMissing(answer.request.id, time.now - answer.timing.age, true);
    }
  }

  function isAttended(): boolean {
    return begin.kind === 'sync';
  }

  function hasConsent(): boolean {
    return begin.kind === 'sync' && begin.confirmsRemovals === true;
  }

  function checkRemoval(id: number, state: MirrorState): void {
    const violation = (detail: string): Violation =>
      new Violation('removal without two proofs', `event ${id} ${detail}`);
    const proofs = missingTimes.get(id) ?? [];
    const [first] = proofs;
    const last = proofs.findLast(({ isById }) => isById);
    if (first === undefined || last === undefined || first === last) {
      throw violation('');
    }
    const gap = last.at - first.at;
    if (!isAttended() && gap < 10 * minute - 2 * second) throw violation(`after ${gap} ms`);
    const isBetween = probes.some((at) => at < last.at) && probes.some((at) => at > last.at);
    if (!isBetween && !hasConsent()) throw violation('without probes');
    const atProof = upstream.versionsBetween(id, last.at, last.at);
    const existed = atProof.length > 0 && !atProof.includes(null);
    if (existed && !active.has('false 404s') && !hasConsent()) throw violation('exists');
    removals += 1;
    const known = Math.max(knownAtAnswer, state.entries.size + removals);
    // A batch may begin with one event less.
    const isOverGuard = removals > 10 && removals > 0.2 * known + 1;
    if (isOverGuard && !hasConsent()) throw violation(`is one of ${removals} without an answer`);
  }

  function checkValues(id: number, state: MirrorState): void {
    const entry = state.entries.get(id);
    if (entry === undefined) return;
    const fail = (detail: string): never => {
      throw new Violation('value that the upstream never had', `event ${id} ${detail}`);
    };
    const { event, confirmedAt, registrationAt, registration } = entry;
    const late = slack + understated;
    const versions = upstream.versionsBetween(id, confirmedAt - slack, confirmedAt + late);
    if (!versions.some((each) => each !== null && isSameApartFromRegistration(each, event)))
      fail('');
    for (const operation of ['list', 'byId'] as const) {
      const value = eventOf(entry, operation).registrationOpen;
      const habit = registration[operation] === undefined ? undefined : habits[operation];
      const isGiven = !versions.some(
        (each) => each !== null && each.registrationOpen === undefined,
      );
      if (habit === 'always' && value === undefined && isGiven) fail('without registrationOpen');
      if (habit === 'never' && value !== undefined) fail('with registrationOpen');
      if (value === undefined) continue;
      const then = upstream.versionsBetween(id, registrationAt - slack, registrationAt + late);
      if (!then.some((each) => each?.registrationOpen === value))
        fail('with wrong registrationOpen');
    }
  }

  function checkOrder(ids: readonly number[], at: number, state: MirrorState): void {
    const isReset = begin.kind === 'sync' && begin.acceptsReset === true;
    for (const id of isReset ? [] : ids) {
      if (at < (state.entries.get(id)?.confirmedAt ?? 0)) {
        throw new Violation('value that the upstream never had', `event ${id} went back`);
      }
    }
  }

  function checkReceipt(
    { changes }: Extract<Action, { kind: 'receipt' }>,
    { entries }: MirrorState,
  ): void {
    for (const { id, before, after } of changes) {
      const fail = (detail: string): never => {
        throw new Violation('history entry without a change', `event ${id} ${detail}`);
      };
      const text = JSON.stringify(before);
      if (JSON.stringify(entries.get(id)?.event ?? null) !== text) fail('was different');
      if (JSON.stringify(after) === text) fail('is the same');
      if (before === null || after === null) continue;
      if (!isSameApartFromRegistration(before, after) || before.registrationOpen === undefined)
        continue;
      const versions = upstream.history.get(id) ?? [];
      const values = new Set(versions.map(({ event }) => event?.registrationOpen));
      const isLost = after.registrationOpen === undefined && !values.has(undefined);
      if (isLost || values.size < 2) fail('lost registrationOpen');
    }
  }

  function checkCoverage({ source, entries, notFound }: MirrorState): void {
    const { coverage, listedAt } = source;
    if (listedAt === null || !habits.sendsDate) return;
    // Until an event proves it, nothing shows that the upstream cuts lists at a lower length.
    if (!habits.hasLink && coverage.cap > habits.cap) return;
    for (const { id, createdAt } of upstream.alive.values()) {
      const isFirst = (index: number): boolean =>
        index === 0 || upstream.history.get(id)?.[index - 1]?.event === null;
      const created = upstream.history.get(id)?.findLast((_, index) => isFirst(index));
      const isEarlier = (created?.from ?? 0) < Math.min(listedAt, listedBy) - longestAnswers;
      const isCovered = createdAt > coveredSince(coverage) || isProven(coverage, createdAt);
      const isExpected = isEarlier && isCovered;
      // A back-dated event below the list is beyond discovery.
      const isUndetectable = upstream.backdated.has(id) || (hasLied && notFound.has(id));
      if (!isExpected || entries.has(id) || isUndetectable) continue;
      const since = coveredSince(coverage);
      throw new Violation('false claim of complete coverage', `event ${id}, since ${since}`);
    }
  }

  function checkRequest(request: Request, inFlight: number): void {
    const url = 'url' in request ? request.url : null;
    if (url !== null && !url.startsWith(baseUrl)) {
      throw new Violation('request to another origin', url);
    }
    const isEarly = request.operation === 'list' && time.now < retryAt;
    if (isEarly) throw new Violation('too many requests', 'before Retry-After');
    if (inFlight > limits.atOnce) throw new Violation('too many requests', `${inFlight} at once`);
    if (request.operation !== 'byId') return;
    requests += 1;
    const isRound = begin.kind === 'sync' && begin.round !== 'due';
    // With probes of lists and batches, the calibration, and second looks for a person.
    const most = limits.ids / limitDivisor + 12;
    // For a person, all missing events of a list are proven at once.
    if (!isRound && !isAttended() && requests > most)
      throw new Violation('too many requests', `${requests}`);
  }

  return {
    beginSync(next: Input, nextFaults: ReadonlySet<Fault>): void {
      begin = next;
      active = nextFaults;
      probes = [];
      missingBeforeList = missingTimes;
      isListTaken = false;
      listed = new Set();
      requests = 0;
      if (active.has('false 404s')) hasLied = true;
      if (active.has('upstream clock jump')) slack = Number.POSITIVE_INFINITY;
      // Nobody can keep a time by a clock that jumps forward.
      if (active.has('clock jump')) retryAt = 0;
    },
    endSync(state: MirrorState): void {
      checkCoverage(state);
      if (!hasConsent() && knownAtAnswer > 0) return;
      removals = 0;
      knownAtAnswer = state.entries.size;
    },
    /** Checks actions before they are applied. `behind` is the error of the mirror's time, in ms. */
    before(next: Input, actions: readonly Action[], state: MirrorState, behind: number): void {
      const isCached = 'timing' in next && next.timing.age > 0;
      if (isCached) understated = Math.max(understated, behind);
      // A refused answer is no evidence, nor are the pages before it.
      const isRefused = actions.some(({ kind }) => kind === 'stop');
      if (!isRefused || next.kind === 'failure') observe(next, state);
      const isOfList = 'request' in next && next.request.operation !== 'byId';
      if (isRefused && (isOfList || !isListTaken)) missingTimes = missingBeforeList;
      for (const action of actions) {
        if (action.kind === 'receipt') checkReceipt(action, state);
        if (action.kind === 'store') {
          checkOrder([action.entry.event.id], action.entry.confirmedAt, state);
        }
        if (action.kind === 'confirm') checkOrder(action.ids, action.at, state);
      }
    },
    /** Checks actions after they were applied. */
    after(input: Input, actions: readonly Action[], state: MirrorState): void {
      if ('request' in input && input.request.operation !== 'byId' && 'timing' in input) {
        const sentBy = time.now - input.timing.age;
        pagesBy = input.request.operation === 'list' ? sentBy : Math.min(pagesBy, sentBy);
      }
      for (const action of actions) {
        if (action.kind === 'source' && 'listedAt' in action.values) {
          listedBy = pagesBy;
          isListTaken = true;
        }
        if (action.kind === 'remove') checkRemoval(action.id, state);
        if (action.kind === 'store') checkValues(action.entry.event.id, state);
        if (action.kind === 'confirm') {
          for (const id of action.ids) checkValues(id, state);
        }
      }
    },
    checkRequest,
    /** Checks that the mirror equals its upstream, as far as it can know. */
    checkEquality({ source, entries }: MirrorState): void {
      const fail = (detail: string): never => {
        throw new Violation('difference after the faults', detail);
      };
      // A list that seems to be whole, or a digest of other events or of values that it never sends.
      const isWrong =
        (!habits.hasLink && source.coverage.cap > habits.cap) ||
        ['wrong digest', 'digest of the page'].includes(habits.versioning) ||
        [habits.list, habits.byId].every((each) => each === 'never');
      const isNamed = isWrong && source.problem?.code === 'digest_differs';
      if (source.problem !== null && !isNamed) fail(JSON.stringify(source.problem));
      // Without a complete list, a digest proves nothing.
      const isExact = takesRegistration(habits) && coveredSince(source.coverage) === '';
      for (const [id, { event }] of entries) {
        const real = upstream.alive.get(id);
        if (real === undefined) fail(`event ${id} is gone`);
        else if (!isSameApartFromRegistration(real, event)) fail(`event ${id}`);
        else if (isExact && real.registrationOpen !== event.registrationOpen)
          fail(`registrationOpen of event ${id}`);
      }
      const all = upstream.sort(upstream.alive.values());
      const newest = all.slice(0, habits.cap);
      const last = newest.at(-1)?.createdAt;
      // Any of several events with the same creation time may be the last on a list.
      const hasTie = habits.hasRandomTies && all[habits.cap]?.createdAt === last;
      for (const { id, createdAt } of habits.hasLink ? all : newest) {
        const isExpected = !(hasTie && createdAt === last);
        if (isExpected && !entries.has(id)) fail(`event ${id} is unknown`);
      }
      // A single page as long as the learnt length may be cut.
      const { cap } = source.coverage;
      const mayBeCut = all.length <= habits.cap && all.length >= cap;
      const isComplete = coveredSince(source.coverage) === '' || mayBeCut;
      if (habits.hasLink && !isComplete) fail(`coverage ${JSON.stringify(source.coverage)}`);
    },
  };
}
