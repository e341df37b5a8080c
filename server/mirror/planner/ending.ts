import type { MirrorProblem, Question, RefusalCode } from '../../../db/mirror-model.ts';
import { dayMs } from '../../dates/units.ts';
import { add, currentRun, type PlanState, setSource } from './plan-state.ts';

/** Refusals that a person can overrule. */
const resets: ReadonlySet<string> = new Set<RefusalCode>([
  'event_replaced',
  'other_account',
  'upstream_restored',
  'file_other_club',
  'file_other_history',
  'file_jumped',
]);

/** Ends a sync that got all its answers. */
export function endWell(draft: PlanState): void {
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
    problem: null,
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
  const isSame = source.problem?.code === code && source.problem.id === id;
  const since = isSame ? (source.problem?.since ?? now) : now;
  const problem: MirrorProblem = { code, since, ...(id === undefined ? {} : { id }) };
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
