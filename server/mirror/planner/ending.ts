import { digestOf } from '../../../db/event-hash.ts';
import {
  coveredSince,
  eventOf,
  type MirrorProblem,
  type Question,
  type ReceiptChange,
  type RefusalCode,
} from '../../../db/mirror-model.ts';
import { dayMs } from '../../dates/units.ts';
import {
  add,
  currentRun,
  type PlanState,
  setRun,
  setSource,
  upstreamNow,
  writeReceipt,
} from './plan-state.ts';
import type { MirrorState, Run } from './state.ts';

/** Refusals that a person can overrule. */
const resets: ReadonlySet<string> = new Set<RefusalCode>([
  'event_replaced',
  'other_account',
  'upstream_restored',
  'file_other_club',
  'file_other_history',
  'file_jumped',
]);

/** Returns true if the upstream has other events than are known, by the digest of its list. */
function hasOtherEvents({ source, entries }: MirrorState, run: Run): boolean {
  const all = [...entries.values()];
  const isKnown =
    coveredSince(source.coverage) === '' &&
    run.held.length === 0 &&
    source.unreadable.length === 0 &&
    // An event that the list hides in part is asked for by its id.
    all.every(
      ({ suspect, registration: { list, byId } }) =>
        suspect === null && (list !== null || byId !== undefined),
    );
  if (run.digest === null || run.isProven || !isKnown) return false;
  // It can be of the events as they are, although the list hides a part of them.
  const forms = [all.map((entry) => eventOf(entry, 'list')), all.map(({ event }) => event)];
  return forms.every((events) => digestOf(events) !== run.digest);
}

/** Returns a problem, which began with the last one if that is the same. */
function problemOf(draft: PlanState, code: MirrorProblem['code'], id?: number): MirrorProblem {
  const { problem } = draft.state.source;
  const isSame = problem?.code === code && problem.id === id;
  const since = isSame ? problem.since : draft.clock.now;
  return { code, since, ...(id === undefined ? {} : { id }) };
}

/** Removes events with two proofs at the end of a sync, or holds them until a person answers. */
function removeProven(draft: PlanState): void {
  const { source, entries } = draft.state;
  const { proven, confirmsRemovals, missingFromList } = currentRun(draft);
  if (proven.length === 0) return;
  // The question is about all events that are missing, also those that wait for a proof.
  const notFound = new Set(missingFromList);
  const missing = [...entries.values()].filter(
    ({ event, confirmedAt, suspect }) =>
      suspect !== null || (notFound.has(event.id) && confirmedAt < (source.listedAt ?? 0)),
  );
  const reason = reasonToAsk(draft, missing.length);
  if (reason !== undefined && !confirmsRemovals) {
    const ids = missing.map(({ event }) => event.id);
    setRun(draft, { held: ids });
    setSource(draft, { question: { kind: 'removals', reason, ids } });
    return;
  }
  const changes: ReceiptChange[] = [];
  for (const { id, at } of proven) {
    const event = entries.get(id)?.event;
    if (event === undefined) continue;
    changes.push({ id, before: event, after: null });
    add(draft, { kind: 'remove', id, at });
  }
  writeReceipt(draft, changes);
  setSource(draft, {
    guard: { ...source.guard, removed: source.guard.removed + changes.length },
    listed: source.listed.filter((id) => entries.has(id)),
    unreadable: source.unreadable.filter((id) => !proven.some((each) => each.id === id)),
  });
}

/** Returns the reason to ask a person before a number of removals, if any. */
function reasonToAsk(draft: PlanState, removals: number) {
  const { source, entries } = draft.state;
  if (draft.rules.exceedsGuard(source.guard, removals, entries.size)) return 'guard';
  const { falseAbsenceAt } = source;
  const isRecent = falseAbsenceAt !== null && upstreamNow(draft) - falseAbsenceAt < 30 * dayMs;
  return isRecent ? 'false_absences' : undefined;
}

/** Ends a sync that got all its answers; what differs all the same is a problem. */
export function endWell(draft: PlanState): void {
  removeProven(draft);
  const isOther = hasOtherEvents(draft.state, currentRun(draft));
  const problem = isOther ? problemOf(draft, 'digest_differs') : null;
  const { source } = draft.state;
  const { clock, rules } = draft;
  const { now } = clock;
  const { confirmsRemovals, held, isBusy } = currentRun(draft);
  const delay = rules.delayAfter(0, 0, clock.random, rules.limits.interval);
  const nextAt = now + (isBusy ? delay / 2 : delay);
  const isGuardOver = confirmsRemovals || Math.abs(now - source.guard.since) >= 30 * dayMs;
  const question = held.length === 0 ? null : source.question;
  setSource(draft, {
    succeededAt: now,
    nextAt,
    quietUntil: 0,
    failures: 0,
    problem,
    question,
    ...(isGuardOver ? { guard: { since: now, removed: 0 } } : {}),
    ...(confirmsRemovals ? { falseAbsenceAt: null } : {}),
  });
  draft.state.run = null;
  if (question !== null) add(draft, { kind: 'ask', question });
  add(draft, { kind: 'wait', until: nextAt });
}

/** Ends a sync with a problem. No event changes, and nothing is proven. */
export function endWithProblem(
  draft: PlanState,
  code: MirrorProblem['code'],
  id: number | undefined,
  retryAfter: number,
): void {
  const { source } = draft.state;
  const { clock, rules } = draft;
  const { now } = clock;
  const problem = problemOf(draft, code, id);
  const failures = source.failures + 1;
  const nextAt = now + rules.delayAfter(failures, retryAfter, clock.random, rules.limits.interval);
  const question = questionOf(problem, now) ?? source.question;
  // The back-off is for the scheduler: a person waits only as long as the service asked.
  const quietUntil =
    retryAfter > 0 ? now + Math.min(retryAfter, rules.limits.longestRetryAfter) : 0;
  setSource(draft, { failures, nextAt, problem, question, quietUntil });
  draft.state.run = null;
  add(draft, { kind: 'stop', problem });
  if (question !== null) add(draft, { kind: 'ask', question });
  add(draft, { kind: 'wait', until: nextAt });
}

/** Returns the decision of a person that could end a problem. */
function questionOf({ code, since }: MirrorProblem, now: number): Question | undefined {
  if (resets.has(code)) return { kind: 'reset', code };
  const isOld = now - since >= dayMs;
  // The clock of the upstream was set back by more than a day, or the other computer has older data.
  return (code === 'answer_outdated' || code === 'file_older') && isOld
    ? { kind: 'reset', code }
    : undefined;
}
