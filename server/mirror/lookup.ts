import { z } from 'zod';
import { type MirrorSource, readMirror } from '../../db/mirror.ts';
import { labelOfSource } from '../../db/mirror-model.ts';
import { problem } from '../base/errors.ts';
import type { ActionTools } from '../club/tools.ts';
import { UserName } from '../club/user-actions.ts';
import type { ProblemCode } from '../messages/message.ts';
import { withReader } from '../store/store.ts';
import { readIds } from './ids.ts';
import { limits } from './planner/rules.ts';
import {
  costOf,
  estimateSearch,
  nextIds,
  nextUpcomingIds,
  type SearchEstimate,
  searchRate,
} from './planner/search.ts';
import type { MirrorState } from './planner/state.ts';
import type { SyncOutcome } from './runner.ts';
import type { SyncResult } from './status.ts';
import {
  lockForPerson,
  problemOf,
  requireNoPause,
  requireSourceOf,
  resultOf,
  withSource,
} from './sync-session.ts';

type Portion = {
  readonly outcome: SyncOutcome;
  /** The number of ids that were asked for. */
  readonly asked: number;
};

/**
 * Looks up the ids that `choose` returns, in syncs of their own, until there are none. Other syncs of
 * this data directory can run after each. Throws the problem of a sync that fails; what it found
 * before stays.
 */
async function lookUp(
  source: MirrorSource,
  tools: ActionTools,
  choose: (state: MirrorState, limit: number) => readonly number[],
  rate?: number,
): Promise<Portion[]> {
  const options = rate === undefined ? {} : { rate };
  const portions: Portion[] = [];
  for (;;) {
    const portion = await lockForPerson(tools, () =>
      withSource(source, tools, options, async (session) => {
        const ids = choose(session.state(), limits.ids);
        if (ids.length === 0) return undefined;
        requireNoPause(session, source, tools);
        await session.sync({ kind: 'want', ids });
        const outcome = await session.sync({ kind: 'sync', round: 'wanted' });
        return { outcome, asked: ids.length };
      }),
    );
    if (portion === undefined) return portions;
    portions.push(portion);
    const failure = problemOf(portion.outcome.state);
    if (failure !== undefined) throw failure;
  }
}

const outcomesOf = (portions: readonly Portion[]) => portions.map(({ outcome }) => outcome);

export const AddIds = z.strictObject({
  user: UserName,
  /** Ids, ranges of ids such as `100-200`, and files with ids. */
  ids: z.array(z.string()).min(1),
});

type Lookup = SyncResult & { readonly wanted: number; readonly found: number };

/** Looks up ids at the service that a person knows. Only ids are taken from files, no values. */
export async function addIds(
  { user, ids }: z.output<typeof AddIds>,
  tools: ActionTools,
): Promise<Lookup> {
  const source = await requireSourceOf(user, tools);
  const wanted = await readIds(ids);
  const waiting = new Set(wanted);
  const portions = await lookUp(source, tools, ({ entries }, limit) => {
    const unknown = [...waiting].filter((id) => !entries.has(id)).slice(0, limit);
    for (const id of unknown) waiting.delete(id);
    return unknown;
  });
  const { entries } = await withReader(tools.home, (db) => readMirror(db, source.id));
  const found = wanted.filter((id) => entries.has(id)).length;
  return {
    ...(await resultOf(source, outcomesOf(portions), tools)),
    wanted: wanted.length,
    found,
  };
}

export const SearchIds = z.strictObject({
  user: UserName,
  /** True to look for upcoming events only, near the newest ids. */
  upcoming: z.boolean().default(false),
  /** False for the estimate alone. */
  start: z.boolean().default(false),
  /** Requests in a second. */
  rate: z
    .number({ error: 'mirror_rate_invalid' satisfies ProblemCode })
    .min(0.1, { error: 'mirror_rate_invalid' satisfies ProblemCode })
    .max(50, { error: 'mirror_rate_invalid' satisfies ProblemCode })
    .default(searchRate),
  /** Most ids to ask for. */
  requests: z
    .int({ error: 'mirror_rate_invalid' satisfies ProblemCode })
    .min(1, { error: 'mirror_rate_invalid' satisfies ProblemCode })
    .optional(),
});

type Search = SyncResult & {
  readonly estimate: SearchEstimate;
  /** The number of ids that the service was asked for. */
  readonly asked: number;
};

/**
 * Searches for older events by their ids, or only for upcoming ones, after a person saw the
 * estimate. It can be cancelled and goes on where it ended; it ends if the service refuses a request.
 */
export async function searchIds(
  { user, upcoming, start, rate, requests = Number.POSITIVE_INFINITY }: z.output<typeof SearchIds>,
  tools: ActionTools,
): Promise<Search> {
  const source = await requireSourceOf(user, tools);
  const stored = await withReader(tools.home, (db) => readMirror(db, source.id));
  const now = tools.now().getTime();
  const estimate = upcoming
    ? { ...costOf(nextUpcomingIds(stored, now).length, rate), isTooSparse: false }
    : estimateSearch(stored, rate);
  if (!start) return { ...(await resultOf(source, [], tools)), estimate, asked: 0 };
  if (estimate.isTooSparse) {
    throw problem('mirror_search_sparse', {
      url: labelOfSource(source.baseUrl),
      requests: estimate.requests,
    });
  }
  let left = requests;
  // An answer that proves nothing leaves its id open; the same search does not repeat it.
  const tried = new Map<number, number>();
  const portions = await lookUp(
    source,
    tools,
    ({ entries, notFound, source: known }, limit) => {
      const open = { entries, notFound: new Map([...notFound, ...tried]), source: known };
      const most = Math.min(limit, left);
      const ids = upcoming ? nextUpcomingIds(open, now).slice(0, most) : nextIds(open, most);
      left -= ids.length;
      for (const id of ids) tried.set(id, 0);
      return ids;
    },
    rate,
  );
  await noteExhausted(source, tools);
  const asked = portions.reduce((sum, portion) => sum + portion.asked, 0);
  return { ...(await resultOf(source, outcomesOf(portions), tools)), estimate, asked };
}

/** Notes that all events are known, if no id is left to ask for. */
async function noteExhausted(source: MirrorSource, tools: ActionTools): Promise<void> {
  await lockForPerson(tools, () =>
    withSource(source, tools, {}, async (session) => {
      if (nextIds(session.state(), 1).length === 0) await session.sync({ kind: 'exhausted' });
    }),
  );
}
