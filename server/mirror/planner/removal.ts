import type { ReceiptChange } from '../../../db/mirror-model.ts';
import {
  add,
  currentRun,
  type Draft,
  setRun,
  setSource,
  upstreamNow,
  writeReceipt,
} from './plan-state.ts';
import { day } from './rules.ts';

/** Removes events with two proofs at the end of a sync, or holds them until a person answers. */
export function removeProven(draft: Draft): void {
  const { source, items } = draft.state;
  const { proven, confirmsRemovals, absentFromList } = currentRun(draft);
  if (proven.length === 0) return;
  // The question is about all events that are missing, also those that wait for a proof.
  const absent = new Set(absentFromList);
  const missing = [...items.values()].filter(
    ({ event, confirmedAt, suspicion }) =>
      suspicion !== null || (absent.has(event.id) && confirmedAt < (source.listedAt ?? 0)),
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
    const event = items.get(id)?.event;
    if (event === undefined) continue;
    changes.push({ id, before: event, after: null });
    add(draft, { kind: 'remove', id, at });
  }
  writeReceipt(draft, changes);
  setSource(draft, {
    guard: { ...source.guard, removed: source.guard.removed + changes.length },
    listed: source.listed.filter((id) => items.has(id)),
    unreadable: source.unreadable.filter((id) => !proven.some((each) => each.id === id)),
  });
}

/** Returns the reason to ask a person before a number of removals, if any. */
function reasonToAsk(draft: Draft, removals: number) {
  const { source, items } = draft.state;
  if (draft.rules.exceedsGuard(source.guard, removals, items.size)) return 'guard';
  const { falseAbsenceAt } = source;
  const isRecent = falseAbsenceAt !== null && upstreamNow(draft) - falseAbsenceAt < 30 * day;
  return isRecent ? 'false_absences' : undefined;
}
