import { confirmsRegistration, type MirrorEntry } from '../../../db/mirror-model.ts';
import { endWell } from './ending.ts';
import {
  add,
  currentRun,
  type Draft,
  isNewer,
  Refusal,
  requestEvent,
  setRun,
  setSource,
  upstreamNow,
} from './plan-state.ts';
import { removeProven } from './removal.ts';
import type { Absence, Batch } from './state.ts';

/** Far enough above the highest id that no event has the id yet. */
const impossibleDistance = 1_000_000_000;

/** Returns the share of the budget reserved for the confirmation of an event, if it is due. */
function groupOf(draft: Draft, item: MirrorEntry): 'upcoming' | 'others' | undefined {
  const { source } = draft.state;
  const { round, isProven, changed } = currentRun(draft);
  if (isProven) return undefined;
  const group = draft.rules.dueGroup(item, upstreamNow(draft), round);
  const isListed = item.confirmedAt >= (source.listedAt ?? Number.POSITIVE_INFINITY);
  if (round !== 'due' || !isListed) return group;
  // The list has just confirmed the event, unless it leaves `registrationOpen` out.
  const { byId, list } = item.registration;
  // Other members changed: `registrationOpen` may have changed with them.
  const isOutdated = byId === undefined || changed.has(item.event.id);
  if (list === null && isOutdated) return 'others';
  return confirmsRegistration(item.registration, 'list') ? undefined : group;
}

/** Chooses the ids to request, most urgent first. */
function chooseIds(draft: Draft): readonly number[] {
  const { source, items } = draft.state;
  const { round, absentFromList, isAttended } = currentRun(draft);
  const { limits } = draft.rules;
  const suspects = new Set(absentFromList);
  const upcoming: MirrorEntry[] = [];
  const others: MirrorEntry[] = [];
  for (const item of items.values()) {
    const group = groupOf(draft, item);
    if (item.suspicion !== null) suspects.add(item.event.id);
    else if (suspects.has(item.event.id)) continue;
    else if (group === 'upcoming') upcoming.push(item);
    else if (group === 'others') others.push(item);
  }
  const idsOf = (chosen: MirrorEntry[]): number[] =>
    chosen.sort((a, b) => a.confirmedAt - b.confirmedAt).map(({ event }) => event.id);
  const wanted = source.wanted.filter((id) => !items.has(id));
  const rest = [...wanted, ...idsOf(others)];
  // A round confirms all events of its kind, regardless of the budget.
  if (round !== 'due') return [...suspects, ...rest, ...idsOf(upcoming)];
  // A person is asked once about all removals.
  const checked = isAttended ? [...suspects] : [...suspects].slice(0, limits.others);
  return [
    ...checked,
    ...rest.slice(0, Math.max(0, limits.others - checked.length)),
    ...idsOf(upcoming).slice(0, limits.upcoming),
  ];
}

/** Requests events by id after the list was stored. */
export function startBatches(draft: Draft): void {
  const { source, items } = draft.state;
  const { confirmsRemovals, acceptsReset } = currentRun(draft);
  const queue = chooseIds(draft);
  const canCalibrate = source.listed.length > 0 || (confirmsRemovals && acceptsReset);
  if (source.absenceShape === null && canCalibrate) {
    const highest = [...items.keys()].reduce((a, b) => Math.max(a, b), 0);
    const impossibleId = Math.min(highest + impossibleDistance, Number.MAX_SAFE_INTEGER);
    setRun(draft, { impossibleId, queue: [impossibleId, ...queue] });
  } else {
    setRun(draft, { queue });
  }
  nextBatch(draft);
}

/** Begins the next batch, or ends the sync after the last. */
function nextBatch(draft: Draft): void {
  const { source } = draft.state;
  const { queue } = currentRun(draft);
  const { limits, usesControls } = draft.rules;
  if (queue.length === 0) {
    removeProven(draft);
    endWell(draft);
    return;
  }
  const control = usesControls ? (source.listed[0] ?? null) : null;
  const batch: Batch = {
    control,
    phase: control === null ? 'between' : 'before',
    queue: queue.slice(0, limits.batch),
    inFlight: [],
    absences: [],
  };
  setRun(draft, { batch, queue: queue.slice(limits.batch) });
  if (control === null) nextRequests(draft, batch);
  else requestEvent(draft, control);
}

/** Sends the next requests of a batch, or ends it after the last answer. */
function nextRequests(draft: Draft, batch: Batch): void {
  const ids = batch.queue.slice(0, draft.rules.limits.atOnce - batch.inFlight.length);
  const inFlight = [...batch.inFlight, ...ids];
  const next = { ...batch, inFlight, queue: batch.queue.slice(ids.length) };
  setRun(draft, { batch: next });
  for (const id of ids) requestEvent(draft, id);
  if (inFlight.length === 0) endBatch(draft, next);
}

/** Ends a batch after its last answer, with a second control if it had 404s. */
function endBatch(draft: Draft, batch: Batch): void {
  const { confirmsRemovals, acceptsReset } = currentRun(draft);
  if (batch.absences.length > 0 && batch.control !== null) {
    setRun(draft, { batch: { ...batch, phase: 'after' } });
    requestEvent(draft, batch.control);
    return;
  }
  // Without any event on the list there is no control: a person decides.
  const isTrusted = !draft.rules.usesControls || (confirmsRemovals && acceptsReset);
  judgeAbsences(draft, isTrusted ? batch.absences : []);
}

/** Refuses an answer to a control that does not prove that its event exists at present. */
export function requireControl(draft: Draft, id: number, exists: boolean): void {
  const { batch } = currentRun(draft);
  if (batch !== null && batch.phase !== 'between' && !exists) throw new Refusal('by_id_broken', id);
}

/** Continues after the answer to a request by id: a 404, or null for an event. */
export function finishRequest(draft: Draft, id: number, absence: Absence | null): void {
  const { batch } = currentRun(draft);
  if (batch === null) return;
  if (batch.phase === 'between') {
    const { wanted } = draft.state.source;
    if (absence === null && wanted.includes(id)) {
      setSource(draft, { wanted: wanted.filter((other) => other !== id) });
    }
    nextRequests(draft, {
      ...batch,
      inFlight: batch.inFlight.filter((other) => other !== id),
      absences: absence === null ? batch.absences : [...batch.absences, absence],
    });
  } else if (batch.phase === 'before') {
    nextRequests(draft, { ...batch, phase: 'between' });
  } else {
    judgeAbsences(draft, batch.absences);
  }
}

/** Judges the 404s of a batch and ends it. */
function judgeAbsences(draft: Draft, absences: readonly Absence[]): void {
  const run = currentRun(draft);
  const proven: Absence[] = [];
  const secondLooks: number[] = [];
  // The calibration first: it gives the shape of the others.
  const isCalibration = ({ id }: Absence): number => Number(id === run.impossibleId);
  const ordered = absences.toSorted((a, b) => isCalibration(b) - isCalibration(a));
  for (const absence of ordered) {
    const { id, at, origin } = absence;
    const verdict = judgeAbsence(draft, absence);
    if (verdict === 'proven') proven.push(absence);
    if (verdict !== 'first') continue;
    const suspicion = { since: at, localSince: origin.localTime, by: 'byId' } as const;
    add(draft, { kind: 'suspect', id, suspicion });
    // A person waits: the second proof follows at once.
    if (run.isAttended && !run.secondLooks.includes(id)) secondLooks.push(id);
  }
  setRun(draft, {
    batch: null,
    queue: [...run.queue, ...secondLooks],
    secondLooks: [...run.secondLooks, ...secondLooks],
    proven: [...run.proven, ...proven],
  });
  nextBatch(draft);
}

/** Judges a 404 between two controls; one about an unknown id is stored at once. */
function judgeAbsence(draft: Draft, { id, at, origin, shape }: Absence) {
  const { source, items } = draft.state;
  const { impossibleId, isAttended, absentFromList, unreadable } = currentRun(draft);
  const { rules } = draft;
  if (id === impossibleId) {
    setSource(draft, { absenceShape: shape });
    return 'learnt';
  }
  if (!rules.isLearntAbsence(shape, source.absenceShape)) {
    // A proxy, or a new version of the upstream: the next sync learns the shape again.
    setSource(draft, { absenceShape: null });
    return 'other shape';
  }
  const item = items.get(id);
  if (item === undefined) {
    add(draft, { kind: 'absent', id, at });
    setSource(draft, { wanted: source.wanted.filter((wanted) => wanted !== id) });
    return 'unknown';
  }
  if (!isNewer(draft, at, id)) return 'outdated';
  // The list of this sync has the event: the upstream contradicts itself.
  const isMissing = item.suspicion?.by === 'list' || absentFromList.includes(id);
  const isConfirmed = item.confirmedAt >= (source.listedAt ?? Number.POSITIVE_INFINITY);
  if ((isConfirmed || unreadable.includes(id)) && !isMissing) return 'contradicted';
  return rules.judgeAbsence(item.suspicion, at, isAttended, origin);
}
