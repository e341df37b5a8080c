import { type Item, isCovered } from '../../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../../db/model.ts';
import { finishRequest } from './batches.ts';
import { takeChanges, takeFirstPage, takeNotModified, takeWithoutChanges } from './changes.ts';
import {
  add,
  beginDraft,
  currentRun,
  type Draft,
  isNewer,
  noteFalseAbsence,
  noteUnknownMembers,
  Refusal,
  setSource,
  storeEvents,
  upstreamNow,
  writeReceipt,
} from './draft.ts';
import { endWithProblem } from './ending.ts';
import { takePage, takeProbe } from './list.ts';
import { clockTolerance, day, minute, type Rules, standardRules } from './rules.ts';
import type { Action, Answer, Clock, Input, MirrorState, Run, Timing } from './state.ts';

/** Differences of the clocks that are not worth a write: `Date` has whole seconds. */
const clockNoise = 2_000;

/**
 * Decides the next actions of a mirror. Pure: time and randomness come in with the clock. The
 * caller stores all writes in one transaction, then sends the requests. A sync that is interrupted
 * begins again from the stored state.
 */
export function plan(
  state: MirrorState,
  input: Input,
  clock: Clock,
  rules: Rules = standardRules,
): readonly Action[] {
  const draft = beginDraft(state, clock, rules);
  try {
    handle(draft, input);
    return draft.actions;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The writes before the refusal are discarded with their draft, apart from the clocks.
    const ending = beginDraft(state, clock, rules);
    const { clockOffset } = draft.state.source;
    if (clockOffset !== state.source.clockOffset) setSource(ending, { clockOffset });
    endWithProblem(ending, error.code, error.id, 0);
    return ending.actions;
  }
}

function handle(draft: Draft, input: Input): void {
  const { source, run, items, absent } = draft.state;
  switch (input.kind) {
    case 'tick':
      if (run === null) tick(draft, input.isWake ?? false);
      break;
    case 'sync':
      if (run === null) syncNow(draft, input);
      break;
    case 'skip':
      setSource(draft, { skipped: [...new Set([...source.skipped, input.id])], question: null });
      break;
    case 'want': {
      const isRecentlyAbsent = (id: number): boolean =>
        upstreamNow(draft) - (absent.get(id) ?? Number.NEGATIVE_INFINITY) < day;
      const isUnknown = (id: number): boolean => !items.has(id) && !isRecentlyAbsent(id);
      const ids = new Set([...source.wanted, ...input.ids].filter(isUnknown));
      setSource(draft, { wanted: [...ids].slice(0, draft.rules.limits.wanted) });
      break;
    }
    case 'exhausted': {
      const { coverage } = source;
      // A back-dated event proves that ids and creation times have no common order.
      if (run === null) setSource(draft, { coverage: { ...coverage, horizon: '', holes: [] } });
      break;
    }
    default:
      // Answers to a sync that has ended are discarded.
      if (run?.id === input.request.run) takeAnswer(draft, input);
  }
}

/** Begins a sync if it is due. */
function tick(draft: Draft, isWake: boolean): void {
  const { attemptedAt, nextAt, quietUntil } = draft.state.source;
  const { now } = draft.clock;
  const isClockSetBack = attemptedAt !== null && now < attemptedAt - minute;
  const hasRested = attemptedAt === null || now - attemptedAt >= minute;
  const isWakeDue = isWake && hasRested && now >= quietUntil;
  if (isClockSetBack && quietUntil > 0) {
    // The time that the upstream asked for begins again, rather than ends early.
    const until = now + quietUntil - attemptedAt;
    setSource(draft, { attemptedAt: now, nextAt: until, quietUntil: until });
    add(draft, { kind: 'wait', until });
  } else if (now >= nextAt || isClockSetBack || isWakeDue) {
    begin(draft, { round: 'due', isAttended: false, confirmsRemovals: false, acceptsReset: false });
  } else {
    add(draft, { kind: 'wait', until: nextAt });
  }
}

/** Begins a sync that a person asked for, unless the upstream asked for time. */
function syncNow(draft: Draft, input: Extract<Input, { kind: 'sync' }>): void {
  const { attemptedAt, quietUntil } = draft.state.source;
  const { now } = draft.clock;
  if (now < quietUntil && now >= (attemptedAt ?? 0)) {
    add(draft, { kind: 'wait', until: quietUntil });
    return;
  }
  const { round, confirmsRemovals = false, acceptsReset = false } = input;
  begin(draft, { round, isAttended: true, confirmsRemovals, acceptsReset });
}

function begin(
  draft: Draft,
  options: Pick<Run, 'round' | 'isAttended' | 'confirmsRemovals' | 'acceptsReset'>,
): void {
  const { unconditionalAt, etag, etagLies, listed, attemptedAt, succeededAt, clockOffset } =
    draft.state.source;
  const { now } = draft.clock;
  // A clock that was set back must not make new answers older than the stored ones.
  const latest = Math.max(attemptedAt ?? now, succeededAt ?? now);
  if (now < latest) setSource(draft, { clockOffset: clockOffset + latest - now });
  const run: Run = {
    ...options,
    id: now,
    pages: [],
    changes: [],
    isUnchanged: false,
    mustWalk: false,
    isProven: false,
    probes: [],
    queue: [],
    secondLooks: [],
    batch: null,
    brokenControls: 0,
    impossibleId: null,
    absentFromList: [],
    listLength: 0,
    isBusy: false,
    held: [],
  };
  // Once a day in full, to notice a cache that always sends a 304.
  const isFullDue =
    unconditionalAt === null || Math.abs(upstreamNow(draft) - unconditionalAt) >= day;
  // A round proves what a wrong 304 would hide.
  // An empty list is as short as a 304, which says nothing about the account then.
  const isConditional = !isFullDue && !etagLies && listed.length > 0 && options.round === 'due';
  const request = { run: run.id, operation: 'list', etag: isConditional ? etag : null } as const;
  // Until the end of the sync: one that is killed again and again must not ask without pause.
  const nextAt =
    now + draft.rules.delayAfter(0, 0, draft.clock.random, draft.rules.limits.interval);
  setSource(draft, { attemptedAt: now, nextAt });
  add(draft, { kind: 'run', run }, { kind: 'request', request });
}

/** Returns the upstream's time of an answer, in ms, and learns the difference of the clocks. */
function readTime(draft: Draft, { date, age }: Timing): number {
  const now = upstreamNow(draft);
  if (date === null) return now - age;
  const { clockOffset } = draft.state.source;
  const offset = date + age - draft.clock.now;
  if (Math.abs(offset - clockOffset) > clockNoise) setSource(draft, { clockOffset: offset });
  // Some caches replace `Date`; then only `Age` is true.
  return age > 0 ? Math.min(date, now - age) : date;
}

function takeAnswer(draft: Draft, input: Answer): void {
  if (input.kind === 'failure') {
    const { failures } = draft.state.source;
    // The list may still work.
    if (input.request.operation === 'changes' && failures > 0) setSource(draft, { revision: null });
    endWithProblem(draft, input.code, undefined, input.retryAfter ?? 0);
    return;
  }
  const { request, timing } = input;
  const asOf = readTime(draft, timing);
  const origin = { isDated: timing.date !== null, isCached: timing.age > 0 };
  if (request.operation === 'byId') {
    const { id } = request;
    const isProbe = currentRun(draft).probes[0] === id;
    if (input.kind === 'event') takeEvent(draft, id, input, asOf);
    else if (input.kind !== 'absence') throw new Refusal('wrong_answer', id);
    else if (isProbe) takeProbe(draft, false);
    else finishRequest(draft, id, { id, at: asOf, origin, shape: input.shape });
  } else if (input.kind === 'page') {
    const page = { ...input.page, asOf, origin };
    if (request.operation === 'list') takeFirstPage(draft, page);
    else takePage(draft, page);
  } else if (input.kind === 'unchanged' && request.operation === 'list') {
    takeNotModified(draft, { version: input.version, asOf, origin });
  } else if (input.kind === 'changes') {
    takeChanges(draft, { ...input.changes, asOf, origin });
  } else if (input.kind === 'gone') {
    takeWithoutChanges(draft);
  } else {
    throw new Refusal('wrong_answer');
  }
}

/** Takes an event that was requested by its id. */
function takeEvent(
  draft: Draft,
  id: number,
  { event, unknownMembers, timing }: Extract<Input, { kind: 'event' }>,
  asOf: number,
): void {
  const { items, source } = draft.state;
  const { probes, impossibleId, acceptsReset } = currentRun(draft);
  const answer = timing.age > 0 ? 'cached' : 'exists';
  const item = items.get(id);
  if (event === null) {
    if (!source.skipped.includes(id)) throw new Refusal('event_invalid', id);
    finishRequest(draft, id, answer);
    return;
  }
  if (event.id !== id || id === impossibleId) throw new Refusal('wrong_answer', id);
  if (draft.rules.isReplaced(item, event) && !acceptsReset) throw new Refusal('event_replaced', id);
  if (probes[0] === id) {
    takeProbe(draft, answer === 'exists');
    return;
  }
  if (isNewer(draft, asOf, id)) {
    noteFalseAbsence(draft, event, asOf);
    const changes = storeEvents(draft, [event], 'byId', asOf);
    writeReceipt(draft, changes);
    // A cached event may be gone by now.
    if (answer === 'exists') correctCoverage(draft, event, item);
    // A 304 would confirm the values of the list, which are older.
    if (changes.length > 0 && source.listed.includes(id)) setSource(draft, { etag: null });
  }
  noteUnknownMembers(draft, unknownMembers);
  finishRequest(draft, id, answer);
}

/** Corrects the coverage that an event by id disproves. */
function correctCoverage(
  draft: Draft,
  { id, createdAt }: StoredEvent,
  before: Item | undefined,
): void {
  const { source, items } = draft.state;
  const { coverage, unconditionalAt, listed } = source;
  const { absentFromList, listLength } = currentRun(draft);
  if (absentFromList.includes(id) && createdAt <= coverage.oldestListed && listLength > 0) {
    // The list was not complete: the upstream cuts its lists at this length.
    const oldest = items.get(listed.at(-1) ?? id)?.event.createdAt ?? createdAt;
    const horizon = coverage.horizon === '' ? oldest : coverage.horizon;
    setSource(draft, { coverage: { ...coverage, cap: listLength, horizon } });
    return;
  }
  if (before !== undefined || unconditionalAt === null || !isCovered(coverage, createdAt)) return;
  const isNewerThanList = createdAt >= new Date(unconditionalAt - clockTolerance).toISOString();
  if (isNewerThanList) return;
  // All events created then should be known: this one got a creation time before its real one.
  const horizon = coverage.oldestListed === '' ? createdAt : coverage.oldestListed;
  setSource(draft, { coverage: { ...coverage, horizon, holes: [], backdates: true } });
}
