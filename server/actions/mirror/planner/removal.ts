import type { ReceiptChange } from '../../../../db/mirror-model.ts';
import {
  add,
  currentRun,
  type Draft,
  setRun,
  setSource,
  upstreamNow,
  writeReceipt,
} from './draft.ts';
import { day } from './rules.ts';
import type { Absence } from './state.ts';

/** A known event with two proofs that it is gone, and the time of the second. */
type ProvenAbsence = Pick<Absence, 'id' | 'at'>;

/** Removes events with two proofs, or holds them until a person answers. */
export function removeProven(draft: Draft, proven: readonly ProvenAbsence[]): void {
  if (proven.length === 0) return;
  const { source, items } = draft.state;
  const { held, confirmsRemovals } = currentRun(draft);
  const reason = reasonToAsk(draft, proven.length);
  if (reason !== undefined && !confirmsRemovals) {
    const ids = [...new Set([...held, ...proven.map(({ id }) => id)])];
    setRun(draft, { held: ids });
    setSource(draft, { question: { kind: 'removals', reason, ids } });
    return;
  }
  const changes: ReceiptChange[] = [];
  for (const { id, at } of proven) {
    const event = items.get(id)?.event;
    if (event === undefined) continue;
    changes.push({ id, before: event, after: null });
    add(draft, { kind: 'remove', id, at });
  }
  writeReceipt(draft, changes);
  setSource(draft, {
    guard: { ...source.guard, removed: source.guard.removed + changes.length },
    listed: source.listed.filter((id) => draft.state.items.has(id)),
  });
}

/** Returns the reason to ask a person before a number of removals, if any. */
function reasonToAsk(draft: Draft, removals: number) {
  const { source, items } = draft.state;
  const { rules } = draft;
  if (rules.exceedsGuard(source.guard, removals, items.size)) return 'guard';
  if (rules.hasManyAbsences(source.recentAbsences)) return 'many_missing';
  const { falseAbsenceAt } = source;
  const isRecent = falseAbsenceAt !== null && upstreamNow(draft) - falseAbsenceAt < 30 * day;
  return isRecent ? 'false_absences' : undefined;
}
