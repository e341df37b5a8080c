import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { type MirrorSource, readSources } from '../../db/mirror.ts';
import { coveredSince, labelOfSource, type MirrorEntry } from '../../db/mirror-model.ts';
import { explain, type Problem, packProblem, problem } from '../base/errors.ts';
import { backUp, proveNewestBackup } from '../club/backup.ts';
import type { ActionTools } from '../club/tools.ts';
import { UserName } from '../club/user-actions.ts';
import { minuteMs } from '../dates/units.ts';
import { askService } from '../service/health.ts';
import { findService } from '../service/registration.ts';
import { withReader } from '../store/store.ts';
import { requireUpstreamKey } from '../store/upstream-keys.ts';
import { costOf, nextUpcomingIds, searchRate } from './planner/search.ts';
import type { MirrorState } from './planner/state.ts';
import type { ReadyReport } from './status.ts';
import { lockForPerson, problemOf, requireSource, withSource } from './sync-session.ts';

export const Ready = z.strictObject({
  user: UserName.optional(),
});

type Check = ReadyReport['checks'][number];

/** Free space in bytes that a trip needs. */
const neededSpace = 100_000_000;

/** The greatest error of the local clock in ms, at which the times of events are right. */
const clockTolerance = 5 * minuteMs;

/** Returns the upcoming events of a mirror by the upstream's clock, soonest first. */
function upcomingItems({ entries, source }: MirrorState, now: number): MirrorEntry[] {
  const here = new Date(now + source.clockOffset).toISOString();
  return [...entries.values()]
    .filter(({ event }) => event.date >= here)
    .toSorted((a, b) => (a.event.date < b.event.date ? -1 : 1));
}

/**
 * Judges a mirror after a sync of all upcoming events that began at `startedAt`, by the local clock
 * in ms. Returns the problems that leave something unproven about the events of the covered time.
 */
export function findUnproven(state: MirrorState, startedAt: number): Problem[] {
  const { source } = state;
  const failure = problemOf(state);
  const isFile = source.club !== null;
  // The file was read now; nobody can confirm more than it says.
  const begin = isFile ? Number.NEGATIVE_INFINITY : startedAt + source.clockOffset;
  const old = upcomingItems(state, startedAt).filter(
    // `Date` has whole seconds.
    ({ confirmedAt, registrationAt }) => Math.min(confirmedAt, registrationAt) < begin - 1_000,
  );
  // A list from a cache lacks the newest events.
  const isListOld = (source.listedAt ?? 0) < begin - 1_000;
  return [
    ...(failure === undefined ? [] : [failure]),
    ...(isListOld && failure === undefined
      ? [problem('sync_answer_outdated', { url: labelOfSource(source.baseUrl) })]
      : []),
    ...(source.question === null ? [] : [problem('ready_question')]),
    ...(old.length === 0 ? [] : [problem('ready_unconfirmed', { count: old.length })]),
    ...(source.wanted.length === 0
      ? []
      : [problem('ready_unknown', { count: source.wanted.length })]),
  ];
}

function check(name: Check['name'], found: Problem | undefined): Check {
  if (found === undefined) return { name, isFine: true };
  return { name, isFine: false, problem: packProblem(found) };
}

/** Returns the problem that an action throws, if any. */
async function problemIn(attempt: () => Promise<unknown>): Promise<Problem | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    const explained = explain(error);
    if (explained === undefined || explained.code === 'cancelled') throw error;
    return explained;
  }
}

async function requireSpace({ home }: ActionTools): Promise<void> {
  const { bavail, bsize } = await statfs(home.directory);
  const megabytes = Math.floor((bavail * bsize) / 1_000_000);
  if (bavail * bsize < neededSpace) throw problem('ready_disk', { megabytes });
}

/** Throws unless a running service answers the key of a mirror. */
async function requireService(source: MirrorSource, tools: ActionTools): Promise<void> {
  const service = await findService(tools.home.registration);
  if (service === undefined) throw problem('ready_no_service');
  // A file brings no key: scripts have keys of this computer.
  if (source.kind === 'file') return;
  const headers = { Authorization: `Bearer ${requireUpstreamKey(source, tools).key}` };
  const url = new URL('/v1/events?limit=1', service.localUrl);
  const reply = await askService(url, headers);
  if (reply.kind === 'failure') throw problem('ready_no_service');
  const { status } = reply;
  if (status !== 200) throw problem('ready_key', { url: service.baseUrl, status });
}

async function checkSource(source: MirrorSource, tools: ActionTools): Promise<ReadyReport> {
  const startedAt = tools.now().getTime();
  const { state } = await lockForPerson(tools, () =>
    withSource(source, tools, {}, ({ sync }) => sync({ kind: 'sync', round: 'upcoming' })),
  );
  const unproven = findUnproven(state, startedAt);
  const named = (...codes: Problem['code'][]) => unproven.find(({ code }) => codes.includes(code));
  const others = unproven.find(
    ({ code }) => !['ready_unconfirmed', 'ready_unknown'].includes(code),
  );
  const upcoming = upcomingItems(state, startedAt);
  const since = coveredSince(state.source.coverage);
  const idsLeft = since === '' ? 0 : nextUpcomingIds(state, startedAt).length;
  const minutes = Math.round(Math.abs(state.source.clockOffset) / minuteMs);
  const isClockWrong = Math.abs(state.source.clockOffset) > clockTolerance;
  const checks = [
    check('sync', others),
    check('confirmed', named('ready_unconfirmed')),
    check('unknown', named('ready_unknown')),
    check('clock', isClockWrong ? problem('ready_clock', { minutes }) : undefined),
    check('disk', await problemIn(() => requireSpace(tools))),
    check('service', await problemIn(() => requireService(source, tools))),
  ];
  const confirmed = upcoming.map((entry) => Math.min(entry.confirmedAt, entry.registrationAt));
  return {
    user: source.user,
    timeZone: source.zone || tools.systemTimeZone(),
    isReady: checks.every(({ isFine }) => isFine),
    missingBefore: since === '' ? null : since,
    search: idsLeft === 0 ? null : costOf(idsLeft, searchRate),
    upcoming: upcoming.length,
    until: upcoming.at(-1)?.event.date ?? null,
    confirmedAt: confirmed.length === 0 ? null : new Date(Math.min(...confirmed)).toISOString(),
    checks,
  };
}

/**
 * Prepares a mirror for weeks without a connection: confirms all upcoming events, makes and proves a
 * backup, and checks this computer. Throws `ready_no_mirror` if there is no mirror.
 */
export async function getReady(
  { user }: z.output<typeof Ready>,
  tools: ActionTools,
): Promise<{ reports: ReadyReport[] }> {
  const sources = await withReader(tools.home, (db) =>
    user === undefined ? readSources(db) : [requireSource(db, user)],
  );
  if (sources.length === 0) throw problem('ready_no_mirror');
  const reports: ReadyReport[] = [];
  for (const source of sources) reports.push(await checkSource(source, tools));
  const failed = await problemIn(async () => {
    await backUp({}, tools);
    await proveNewestBackup({ always: true }, tools);
  });
  const proof = check('backup', failed);
  return {
    reports: reports.map((report) => ({
      ...report,
      isReady: report.isReady && proof.isFine,
      checks: [...report.checks, proof],
    })),
  };
}
