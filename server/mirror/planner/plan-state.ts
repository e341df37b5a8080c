import {
  confirmsRegistration,
  type MirrorEntry,
  type Operation,
  type ReceiptChange,
  type RefusalCode,
  type Source,
  suspectAfter,
} from '../../../db/mirror-model.ts';
import { eventMembers, type StoredEvent } from '../../../db/model.ts';
import type { Rules } from './rules.ts';
import {
  type Action,
  applyWrite,
  type Clock,
  isWrite,
  type MirrorState,
  type Run,
} from './state.ts';

/** A contradiction in valid answers. It ends the sync, and the answer changes nothing. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly id: number | undefined;

  constructor(code: RefusalCode, id?: number) {
    super(code);
    this.code = code;
    this.id = id;
  }
}

/** One call of the planner: the state that it changes, and the actions so far. */
export type PlanState = {
  readonly state: MirrorState;
  readonly actions: Action[];
  readonly clock: Clock;
  readonly rules: Rules;
};

/** Adds actions, and applies those that change the state. */
export function add(draft: PlanState, ...actions: readonly Action[]): void {
  for (const action of actions) {
    draft.actions.push(action);
    if (isWrite(action)) applyWrite(draft.state, action);
  }
}

export function setSource(draft: PlanState, values: Partial<Source>): void {
  add(draft, { kind: 'source', values });
}

export function setRun(draft: PlanState, values: Partial<Run>): void {
  draft.state.run = { ...currentRun(draft), ...values };
}

export function currentRun(draft: PlanState): Run {
  const { run } = draft.state;
  if (run === null) throw new TypeError('no sync is in progress');
  return run;
}

export function requestEvent(draft: PlanState, id: number): void {
  const request = { run: currentRun(draft).id, operation: 'byId', id } as const;
  add(draft, { kind: 'request', request });
}

/** Writes changes to the history; several of one event are one. */
export function writeReceipt(draft: PlanState, all: readonly ReceiptChange[]): void {
  const byId = new Map<number, ReceiptChange>();
  for (const each of all)
    byId.set(each.id, { ...each, before: (byId.get(each.id) ?? each).before });
  const changes = [...byId.values()];
  if (changes.length > 0) add(draft, { kind: 'receipt', run: currentRun(draft).id, changes });
}

/** Returns the present time of the upstream, in ms. */
export function upstreamNow({ state, clock }: PlanState): number {
  return clock.now + state.source.clockOffset;
}

/** Returns true if an answer is at least as new as the stored knowledge of an event. */
export function isNewer(draft: PlanState, asOf: number, id: number): boolean {
  const { entries, notFound } = draft.state;
  // A person accepts that the clock of the upstream was set back; a file has one time for all events.
  if (currentRun(draft).acceptsReset || draft.rules.isWholeState) return true;
  return asOf >= (notFound.get(id) ?? asOf) && draft.rules.isNewer(asOf, entries.get(id));
}

/** Returns true if an operation would send an event as it is stored. */
function isShownAs(entry: MirrorEntry, operation: Operation, sent: StoredEvent): boolean {
  const known = entry.registration[operation];
  if (known === undefined || (known === null) !== (sent.registrationOpen === undefined))
    return false;
  return eventMembers.every(
    (member) =>
      (member === 'registrationOpen' && known === null) || entry.event[member] === sent[member],
  );
}

/** Returns the entry after an operation sent its event. */
function updateEntry(
  rules: Rules,
  before: MirrorEntry | undefined,
  sent: StoredEvent,
  operation: Operation,
  asOf: number,
): MirrorEntry {
  const registration = rules.rememberRegistration(
    before?.registration ?? {},
    operation,
    sent.registrationOpen,
  );
  const { registrationOpen: _, createdAt, ...rest } = sent;
  // An omission hides the value. It is not a change.
  const value =
    Object.values(registration).find((each) => typeof each === 'boolean') ??
    before?.event.registrationOpen;
  const event: StoredEvent =
    value === undefined ? { ...rest, createdAt } : { ...rest, registrationOpen: value, createdAt };
  const isConfirmed = before === undefined || confirmsRegistration(registration, operation);
  return {
    event,
    registration,
    confirmedAt: asOf,
    registrationAt: isConfirmed ? asOf : before.registrationAt,
    suspect: suspectAfter(before?.suspect ?? null, asOf),
  };
}

/**
 * Removes each `registrationOpen` that the list leaves out, as a digest proves that it is not given;
 * returns the changes.
 */
export function removeHidden(draft: PlanState): readonly ReceiptChange[] {
  return [...draft.state.entries.values()].flatMap((entry) => {
    const { registrationOpen, ...event } = entry.event;
    const isProven = entry.suspect === null && entry.registration.list === null;
    if (registrationOpen === undefined || !isProven) return [];
    const registration = { list: null };
    add(draft, { kind: 'store', entry: { ...entry, event, registration } });
    return { id: event.id, before: entry.event, after: event };
  });
}

/** Stores and confirms the events of an answer; returns their changes. */
export function storeEvents(
  draft: PlanState,
  events: readonly StoredEvent[],
  operation: Operation,
  asOf: number,
): readonly ReceiptChange[] {
  const { state, rules } = draft;
  const changes: ReceiptChange[] = [];
  const writes: Action[] = [];
  const unchanged: number[] = [];
  for (const sent of events) {
    const before = state.entries.get(sent.id);
    if (!isNewer(draft, asOf, sent.id)) continue;
    if (before !== undefined && isShownAs(before, operation, sent)) {
      unchanged.push(sent.id);
      continue;
    }
    const entry = updateEntry(rules, before, sent, operation, asOf);
    writes.push({ kind: 'store', entry });
    const isSame =
      before !== undefined &&
      eventMembers.every((member) => before.event[member] === entry.event[member]);
    if (!isSame) changes.push({ id: sent.id, before: before?.event ?? null, after: entry.event });
  }
  if (unchanged.length > 0) {
    writes.push({ kind: 'confirm', ids: unchanged, at: asOf, operation });
  }
  add(draft, ...writes);
  return changes;
}

/** Notes 404s that the presence of an event disproves. Call it before storing the event. */
export function noteFalseNotFound(
  draft: PlanState,
  { id, createdAt }: StoredEvent,
  asOf: number,
): void {
  const { entries, notFound } = draft.state;
  const suspect = entries.get(id)?.suspect ?? null;
  const wasFalse = suspect?.by === 'byId' && suspectAfter(suspect, asOf) === null;
  const notFoundAt = notFound.get(id);
  const wasRemoved =
    notFoundAt !== undefined &&
    asOf >= notFoundAt &&
    createdAt < new Date(notFoundAt).toISOString();
  // In a file, an event can come back by an undo.
  const isFalse = (wasFalse || wasRemoved) && !draft.rules.isWholeState;
  if (isFalse) setSource(draft, { falseAbsenceAt: asOf });
}

export function noteUnknownMembers(draft: PlanState, names: readonly string[]): void {
  const { unknownMembers } = draft.state.source;
  const isKnown = names.every((name) => unknownMembers.includes(name));
  if (isKnown) return;
  setSource(draft, { unknownMembers: [...new Set([...unknownMembers, ...names])].slice(0, 20) });
}

/** Clears a suspect event that the upstream has, although it cannot be read. */
export function clearSuspect(draft: PlanState, id: number, asOf: number): void {
  const suspect = draft.state.entries.get(id)?.suspect ?? null;
  if (suspect !== null && suspectAfter(suspect, asOf) === null) {
    add(draft, { kind: 'suspect', id, suspect: null });
  }
}
