import { confirmsRegistration, type MirrorEntry } from '../../../db/mirror-model.ts';
import { dayMs } from '../../dates/units.ts';
import { endWell } from './ending.ts';
import {
  add,
  currentRun,
  isNewer,
  type PlanState,
  Refusal,
  requestEvent,
  setRun,
  setSource,
  upstreamNow,
} from './plan-state.ts';
import type { Batch, NotFound } from './state.ts';

/** Far enough above the highest id that no event has the id yet. */
const impossibleDistance = 1_000_000_000;

/** Returns the urgency of a confirmation by id; 0 for an event that needs none. */
function urgencyOf(draft: PlanState, entry: MirrorEntry): number {
  const { confirmedAt, registration } = entry;
  const { round, isProven, changed } = currentRun(draft);
  if (isProven || entry.suspect !== null) return 0;
  const now = upstreamNow(draft);
  const isListed = confirmedAt >= (draft.state.source.listedAt ?? Number.POSITIVE_INFINITY);
  if (round === 'due' && isListed) {
    // The list has just confirmed the event, unless it leaves `registrationOpen` out.
    const { byId, list } = registration;
    const isChanged = changed.has(entry.event.id);
    if (list === null && (isChanged || byId === undefined)) {
      const unknown = { ...entry, registrationAt: now - dayMs };
      const urgency = Math.max(1, draft.rules.urgencyOf(unknown, now, round));
      // Other members changed: `registrationOpen` may have changed with them.
      return isChanged ? 1_000 * urgency : urgency;
    }
    if (confirmsRegistration(registration, 'list')) return 0;
  }
  return draft.rules.urgencyOf(entry, now, round);
}

/** Chooses the ids to request: missing and wanted ones, then the most urgent ones. */
function chooseIds(draft: PlanState): readonly number[] {
  const { source, entries } = draft.state;
  const { round, missingFromList, isAttended } = currentRun(draft);
  const { ids } = draft.rules.limits;
  const suspects = new Set(missingFromList);
  const due: { readonly id: number; readonly urgency: number }[] = [];
  for (const entry of entries.values()) {
    const { id } = entry.event;
    const urgency = urgencyOf(draft, entry);
    if (entry.suspect !== null) suspects.add(id);
    else if (urgency >= 1 && !suspects.has(id)) due.push({ id, urgency });
  }
  due.sort((a, b) => b.urgency - a.urgency);
  const wanted = source.wanted.filter((id) => !entries.has(id));
  const rest = [...wanted, ...due.map(({ id }) => id)];
  if (round !== 'due') return [...suspects, ...rest];
  // A person is asked once about all removals.
  const checked = isAttended ? [...suspects] : [...suspects].slice(0, ids);
  return [...checked, ...rest.slice(0, Math.max(0, ids - checked.length))];
}

/** Requests events by id after the list was stored. */
export function startBatches(draft: PlanState): void {
  const { source, entries } = draft.state;
  const { confirmsRemovals, acceptsReset } = currentRun(draft);
  const queue = chooseIds(draft);
  const canCalibrate = source.listed.length > 0 || (confirmsRemovals && acceptsReset);
  if (source.absenceShape === null && canCalibrate) {
    const highest = [...entries.keys()].reduce((a, b) => Math.max(a, b), 0);
    const impossibleId = Math.min(highest + impossibleDistance, Number.MAX_SAFE_INTEGER);
    setRun(draft, { impossibleId, queue: [impossibleId, ...queue] });
  } else {
    setRun(draft, { queue });
  }
  nextBatch(draft);
}

/** Begins the next batch, or ends the sync after the last. */
function nextBatch(draft: PlanState): void {
  const { source } = draft.state;
  const { queue } = currentRun(draft);
  const { limits, usesProbes } = draft.rules;
  if (queue.length === 0) {
    endWell(draft);
    return;
  }
  const probe = usesProbes ? (source.listed[0] ?? null) : null;
  const batch: Batch = {
    probe,
    phase: probe === null ? 'between' : 'before',
    queue: queue.slice(0, limits.ids),
    inFlight: [],
    notFound: [],
  };
  setRun(draft, { batch, queue: queue.slice(limits.ids) });
  if (probe === null) nextRequests(draft, batch);
  else requestEvent(draft, probe);
}

/** Sends the next requests of a batch, or ends it after the last answer. */
function nextRequests(draft: PlanState, batch: Batch): void {
  const ids = batch.queue.slice(0, draft.rules.limits.atOnce - batch.inFlight.length);
  const inFlight = [...batch.inFlight, ...ids];
  const next = { ...batch, inFlight, queue: batch.queue.slice(ids.length) };
  setRun(draft, { batch: next });
  for (const id of ids) requestEvent(draft, id);
  if (inFlight.length === 0) endBatch(draft, next);
}

/** Ends a batch after its last answer, with a second probe if it had 404s. */
function endBatch(draft: PlanState, batch: Batch): void {
  const { confirmsRemovals, acceptsReset } = currentRun(draft);
  if (batch.notFound.length > 0 && batch.probe !== null) {
    setRun(draft, { batch: { ...batch, phase: 'after' } });
    requestEvent(draft, batch.probe);
    return;
  }
  // Without any event on the list there is no probe: a person decides.
  const isTrusted = !draft.rules.usesProbes || (confirmsRemovals && acceptsReset);
  judgeAll(draft, isTrusted ? batch.notFound : []);
}

/** Refuses an answer to a probe that does not prove that its event exists at present. */
export function requireProbe(draft: PlanState, id: number, exists: boolean): void {
  const { batch } = currentRun(draft);
  if (batch !== null && batch.phase !== 'between' && !exists) throw new Refusal('by_id_broken', id);
}

/** Continues after the answer to a request by id: a 404, or null for an event. */
export function finishRequest(draft: PlanState, id: number, notFound: NotFound | null): void {
  const { batch } = currentRun(draft);
  if (batch === null) return;
  if (batch.phase === 'between') {
    const { wanted } = draft.state.source;
    if (notFound === null && wanted.includes(id)) {
      setSource(draft, { wanted: wanted.filter((other) => other !== id) });
    }
    nextRequests(draft, {
      ...batch,
      inFlight: batch.inFlight.filter((other) => other !== id),
      notFound: notFound === null ? batch.notFound : [...batch.notFound, notFound],
    });
  } else if (batch.phase === 'before') {
    nextRequests(draft, { ...batch, phase: 'between' });
  } else {
    judgeAll(draft, batch.notFound);
  }
}

/** Judges the 404s of a batch and ends it. */
function judgeAll(draft: PlanState, notFound: readonly NotFound[]): void {
  const run = currentRun(draft);
  const proven: NotFound[] = [];
  const secondLooks: number[] = [];
  // The calibration first: it gives the shape of the others.
  const isCalibration = ({ id }: NotFound): number => Number(id === run.impossibleId);
  const ordered = notFound.toSorted((a, b) => isCalibration(b) - isCalibration(a));
  for (const answer of ordered) {
    const { id, at, origin } = answer;
    const verdict = judgeNotFound(draft, answer);
    if (verdict === 'proven') proven.push(answer);
    if (verdict !== 'first') continue;
    const suspect = { since: at, localSince: origin.localTime, by: 'byId' } as const;
    add(draft, { kind: 'suspect', id, suspect });
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

/** Judges a 404 between two probes; one about an unknown id is stored at once. */
function judgeNotFound(draft: PlanState, { id, at, origin, shape }: NotFound) {
  const { source, entries } = draft.state;
  const { impossibleId, isAttended, missingFromList, unreadable } = currentRun(draft);
  const { rules } = draft;
  if (id === impossibleId) {
    setSource(draft, { absenceShape: shape });
    return 'learnt';
  }
  if (!rules.isLearntNotFound(shape, source.absenceShape)) {
    // A proxy, or a new version of the upstream: the next sync learns the shape again.
    setSource(draft, { absenceShape: null });
    return 'other shape';
  }
  const entry = entries.get(id);
  if (entry === undefined) {
    add(draft, { kind: 'not_found', id, at });
    setSource(draft, { wanted: source.wanted.filter((wanted) => wanted !== id) });
    return 'unknown';
  }
  if (!isNewer(draft, at, id)) return 'outdated';
  // The list of this sync has the event: the upstream contradicts itself.
  const isMissing = entry.suspect?.by === 'list' || missingFromList.includes(id);
  const isConfirmed = entry.confirmedAt >= (source.listedAt ?? Number.POSITIVE_INFINITY);
  if ((isConfirmed || unreadable.includes(id)) && !isMissing) return 'contradicted';
  return rules.judgeNotFound(entry.suspect, at, isAttended, origin);
}
