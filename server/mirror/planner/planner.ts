import { coveredSince, isProven, type MirrorEntry } from '../../../db/mirror-model.ts';
import { dayMs, minuteMs } from '../../dates/units.ts';
import { finishRequest, requireProbe } from './batches.ts';
import { takeChanges, takeFirstPage, takeNotModified, takeWithoutChanges } from './changes.ts';
import { endWithProblem } from './ending.ts';
import { takePage, takeProbe } from './list.ts';
import {
  add,
  clearSuspect,
  currentRun,
  isNewer,
  noteFalseNotFound,
  noteUnknownMembers,
  type PlanState,
  Refusal,
  setRun,
  setSource,
  storeEvents,
  upstreamNow,
  writeReceipt,
} from './plan-state.ts';
import { type Rules, standardRules } from './rules.ts';
import type { Action, Answer, Clock, Input, MirrorState, Run, Timing } from './state.ts';

/** Differences of the clocks that are not worth a write: `Date` has whole seconds. */
const clockNoise = 2_000;

/**
 * Decides the next actions of a mirror, and changes its state. Time and randomness come in with the
 * clock. The caller stores all writes in one transaction, then sends the requests. A sync that is
 * interrupted begins again from the stored state.
 */
export function plan(
  state: MirrorState,
  input: Input,
  clock: Clock,
  rules: Rules = standardRules,
): readonly Action[] {
  const { source, run } = state;
  const draft: PlanState = { state, actions: [], clock, rules };
  try {
    handle(draft, input);
    return draft.actions;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refuse(draft, { source, run }, error);
  }
}

/** Ends a sync whose answer is refused: the answer changes nothing, apart from the clocks. */
function refuse(
  { state, actions, clock, rules }: PlanState,
  before: Pick<MirrorState, 'source' | 'run'>,
  { code, id }: Refusal,
): readonly Action[] {
  const isUndone = actions.every(({ kind }) => kind === 'source' || kind === 'request');
  if (!isUndone) throw new TypeError('an answer was refused after a write');
  const { clockOffset } = state.source;
  Object.assign(state, before);
  const ending: PlanState = { state, actions: [], clock, rules };
  if (clockOffset !== before.source.clockOffset) setSource(ending, { clockOffset });
  endWithProblem(ending, code, id, 0);
  return ending.actions;
}

function handle(draft: PlanState, input: Input): void {
  const { source, run, entries, notFound } = draft.state;
  switch (input.kind) {
    case 'tick':
      if (run === null) tick(draft, input);
      break;
    case 'sync':
      if (run === null) syncNow(draft, input);
      break;
    case 'want': {
      const isRecentlyAbsent = (id: number): boolean =>
        upstreamNow(draft) - (notFound.get(id) ?? Number.NEGATIVE_INFINITY) < dayMs;
      const isUnknown = (id: number): boolean => !entries.has(id) && !isRecentlyAbsent(id);
      const ids = new Set([...source.wanted, ...input.ids].filter(isUnknown));
      setSource(draft, { wanted: [...ids].slice(0, draft.rules.limits.wanted) });
      break;
    }
    case 'exhausted': {
      const { coverage } = source;
      // A back-dated event proves that ids and creation times have no common order.
      const until = coverage.proven.at(-1)?.until ?? '';
      const proven = [{ after: '', until }];
      if (run === null) setSource(draft, { coverage: { ...coverage, proven } });
      break;
    }
    default:
      // Answers to a sync that has ended are discarded.
      if (run?.id === input.request.run) takeAnswer(draft, input);
  }
}

/** Begins a sync if it is due. */
function tick(
  draft: PlanState,
  { isWake = false, isChanged = false }: Extract<Input, { kind: 'tick' }>,
): void {
  const { attemptedAt, nextAt, quietUntil } = draft.state.source;
  const { now } = draft.clock;
  const isClockSetBack = attemptedAt !== null && now < attemptedAt - minuteMs;
  const hasRested = attemptedAt === null || now - attemptedAt >= minuteMs;
  const isWakeDue = (isChanged || (isWake && hasRested)) && now >= quietUntil;
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
function syncNow(draft: PlanState, input: Extract<Input, { kind: 'sync' }>): void {
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
  draft: PlanState,
  options: Pick<Run, 'round' | 'isAttended' | 'confirmsRemovals' | 'acceptsReset'>,
): void {
  const { etag, attemptedAt, succeededAt, clockOffset } = draft.state.source;
  const { now } = draft.clock;
  // A clock that was set back must not make new answers older than the stored ones.
  const latest = Math.max(attemptedAt ?? now, succeededAt ?? now);
  if (now < latest) setSource(draft, { clockOffset: clockOffset + latest - now });
  const run: Run = {
    ...options,
    id: now,
    pages: [],
    changes: [],
    mustWalk: false,
    isProven: false,
    digest: null,
    probes: [],
    queue: [],
    secondLooks: [],
    batch: null,
    proven: [],
    impossibleId: null,
    missingFromList: [],
    changed: new Set(),
    unreadable: [],
    isBusy: false,
    held: [],
  };
  const request = { run: run.id, operation: 'list', etag } as const;
  // Until the end of the sync: one that is killed again and again must not ask without pause.
  const nextAt =
    now + draft.rules.delayAfter(0, 0, draft.clock.random, draft.rules.limits.interval);
  setSource(draft, { attemptedAt: now, nextAt });
  draft.state.run = run;
  add(draft, { kind: 'request', request });
}

function noteAhead(draft: PlanState, offset: number): void {
  const ahead = Math.max(0, offset);
  if (Math.abs(ahead - draft.state.source.ahead) > clockNoise) setSource(draft, { ahead });
}

/** Returns the upstream's time of an answer, in ms, and learns the difference of the clocks. */
function readTime(draft: PlanState, { date, age, asOf }: Timing): number {
  if (asOf !== undefined) {
    noteAhead(draft, asOf - draft.clock.now);
    return Math.min(asOf, draft.clock.now);
  }
  const now = upstreamNow(draft);
  if (date === null) return now - age;
  const { clockOffset } = draft.state.source;
  const offset = date + age - draft.clock.now;
  noteAhead(draft, offset);
  if (Math.abs(offset - clockOffset) > clockNoise) setSource(draft, { clockOffset: offset });
  // Some caches replace `Date`; then only `Age` is true.
  return age > 0 ? Math.min(date, now - age) : date;
}

function takeAnswer(draft: PlanState, input: Answer): void {
  if (input.kind === 'failure') {
    const { failures } = draft.state.source;
    // The list may still work.
    if (input.request.operation === 'changes' && failures > 0) setSource(draft, { revision: null });
    endWithProblem(draft, input.code, undefined, input.retryAfter ?? 0);
    return;
  }
  const { request, timing } = input;
  const asOf = readTime(draft, timing);
  const origin = {
    isDated: timing.date !== null,
    isCached: timing.age > 0,
    localTime: draft.clock.now - timing.age,
  };
  if (request.operation === 'byId') {
    const { id } = request;
    const isProbe = currentRun(draft).probes[0]?.id === id;
    if (input.kind === 'event') {
      takeEvent(draft, id, input, asOf);
    } else if (input.kind !== 'not_found') {
      throw new Refusal('wrong_answer', id);
    } else if (isProbe) {
      takeProbe(draft, null);
    } else {
      requireProbe(draft, id, false);
      finishRequest(draft, id, { id, at: asOf, origin, shape: input.shape });
    }
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
  draft: PlanState,
  id: number,
  { event, unknownMembers, timing }: Extract<Input, { kind: 'event' }>,
  asOf: number,
): void {
  const { probes, impossibleId, acceptsReset } = currentRun(draft);
  const entry = draft.state.entries.get(id);
  // A cached event may be gone by now.
  const exists = timing.age === 0;
  if (id === impossibleId || (event !== null && event.id !== id)) {
    throw new Refusal('wrong_answer', id);
  }
  const isReplaced = event !== null && draft.rules.isReplaced(entry, event);
  if (isReplaced && !acceptsReset) throw new Refusal('event_replaced', id);
  if (probes[0]?.id === id) {
    takeProbe(draft, exists ? event : null);
    return;
  }
  requireProbe(draft, id, exists);
  if (event !== null && isNewer(draft, asOf, id)) {
    noteFalseNotFound(draft, event, asOf);
    const changes = storeEvents(draft, [event], 'byId', asOf);
    writeReceipt(draft, changes);
    // The state of the list is over.
    if (changes.length > 0) setRun(draft, { digest: null });
    if (exists) correctCoverage(draft, event, entry);
  } else if (event === null && exists) {
    clearSuspect(draft, id, asOf);
    correctCoverage(draft, { id, createdAt: entry?.event.createdAt }, entry);
  }
  const { unreadable } = draft.state.source;
  if (unreadable.includes(id) !== (event === null)) {
    const others = unreadable.filter((other) => other !== id);
    setSource(draft, { unreadable: event === null ? [...others, id] : others });
  }
  noteUnknownMembers(draft, unknownMembers);
  finishRequest(draft, id, null);
}

/** Corrects the coverage that the existence of an event disproves. */
function correctCoverage(
  draft: PlanState,
  { id, createdAt }: { readonly id: number; readonly createdAt: string | undefined },
  before: MirrorEntry | undefined,
): void {
  const { coverage } = draft.state.source;
  const { last } = coverage;
  if (last === null) return;
  const { oldest, until, entries } = last;
  const isMissing = currentRun(draft).missingFromList.includes(id);
  const isOlder = createdAt !== undefined && createdAt <= oldest && createdAt <= last.after;
  if (isMissing && isOlder && entries > 0) {
    // The list was not complete: the upstream cuts its lists at this length.
    const others = coverage.proven.filter(({ after }) => after !== '');
    const proven = draft.rules.addProof(others, last);
    setSource(draft, { coverage: { ...coverage, proven, cap: entries } });
    return;
  }
  if (before !== undefined) return;
  if (createdAt === undefined) {
    // An event of any time that no list had.
    if (coveredSince(coverage) === '') setSource(draft, { coverage: { ...coverage, proven: [] } });
    return;
  }
  if (!isProven(coverage, createdAt)) return;
  // All events created then should be known: this one got a creation time before its real one.
  const after = last.after === '' ? createdAt : last.after;
  const proven = [{ after, until: until > after ? until : after }];
  setSource(draft, { coverage: { ...coverage, proven, backdates: true } });
}
