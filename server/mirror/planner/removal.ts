import type { ReceiptChange } from '../../../db/mirror-model.ts';
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

/** Removes events with two proofs at the end of a sync, or holds them until a person answers. */
export function removeProven(draft: PlanState): void {
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
