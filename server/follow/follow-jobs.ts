import { readCalendarIds } from '../../db/calendars.ts';
import type { Home } from '../base/home.ts';
import type { JobSource, JobTools } from '../outside/reconciler.ts';
import { withReader } from '../store/store.ts';
import { isDue } from './schedule.ts';

type FollowJobsOptions = {
  readonly home: Home;
  /** Performs `follow tick` on a thread. */
  readonly tick: (args: object, tools: JobTools) => Promise<{ readonly read: number }>;
};

/** Failures that sleep or a new network may have ended. */
const ofNetwork = /^web_/;

/** Creates the source of readings of followed calendars: those that are due, one after the other. */
export function createFollowJobs({ home, tick }: FollowJobsOptions): JobSource {
  /** The calendars of the last look; undefined before it. */
  let known: readonly number[] | undefined;
  return async ({ isWake }) => {
    const readIds = () => withReader(home, readCalendarIds);
    const ids = await readIds();
    const isTidy = known?.every((id) => ids.includes(id)) === true;
    known = ids;
    if (ids.length === 0 && isTidy) return { jobs: [] };
    // Loaded late: zod, which checks the states, would delay the first answer of the service.
    const { readFollowStates, stateOf, tidyAddresses } = await import('./addresses.ts');
    if (!isTidy) await tidyAddresses(home, readIds);
    const states = readFollowStates(home);
    const now = Date.now();
    const jobs = ids.flatMap((id) => {
      const state = stateOf(states, id);
      const isAgain = isWake && ofNetwork.test(state.failure?.code ?? '');
      if (!isDue(state, now) && !isAgain) return [];
      const run = (tools: JobTools) => tick({ id, isWake: isAgain }, tools);
      return [{ key: `follow ${id}`, resource: 'calendars', run }];
    });
    return { jobs };
  };
}
