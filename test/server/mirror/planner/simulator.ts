import {
  dayMs as day,
  hourMs as hour,
  minuteMs as minute,
} from '../../../../server/dates/units.ts';
import { plan } from '../../../../server/mirror/planner/planner.ts';
import { type Rules, standardRules } from '../../../../server/mirror/planner/rules.ts';
import {
  type Action,
  createState,
  type Input,
  type MirrorState,
  type Request,
} from '../../../../server/mirror/planner/state.ts';
import { createRandom } from '../../../support/random.ts';
import {
  baseUrl,
  chooseHabits,
  createUpstream,
  type Fault,
  faults,
  type Habits,
} from '../upstream.ts';
import { createInvariants, limitDivisor } from './invariants.ts';

const start = Date.parse('2026-11-22T12:00:00.000Z');

type Options = {
  /** The rules of the planner, with a mistake for tests of the simulator. */
  readonly rules?: Rules;
  /** Receives the state at the start, and then the actions of each plan with the state after them. */
  readonly onPlan?: ((actions: readonly Action[], state: MirrorState) => void) | undefined;
  /** Receives the course of the simulation, for the search of a mistake. */
  readonly log?: ((text: string) => void) | undefined;
};

type Outcome = { readonly syncs: number; readonly requests: number; readonly removals: number };

/** Returns the limits of the planner for a small upstream. */
function scaleRules(rules: Rules, { cap, isCapKnown }: Habits): Rules {
  const { limits } = rules;
  return {
    ...rules,
    limits: {
      ...limits,
      cap: isCapKnown ? cap : cap * 2,
      ids: limits.ids / limitDivisor,
    },
  };
}

function createEmptyMirror(now: number, cap: number): MirrorState {
  const state = createState(baseUrl, now);
  state.source = { ...state.source, coverage: { ...state.source.coverage, cap } };
  return state;
}

/**
 * Simulates a mirror and its upstream for a few days with faults, then without, all from one seed.
 * Checks the invariants after every step. Throws a `Violation`.
 */
export function simulate(
  seed: number,
  { rules: given = standardRules, onPlan, log }: Options = {},
): Outcome {
  const random = createRandom(seed);
  const chance = (percent: number): boolean => random(100) < percent;
  const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
  const time = { now: start };
  const habits = chooseHabits(random);
  const rules = scaleRules(given, habits);
  const upstream = createUpstream(random, time, habits);
  const invariants = createInvariants(time, upstream, habits);
  const outcome = { syncs: 0, requests: 0, removals: 0 };
  const state = createEmptyMirror(time.now, rules.limits.cap);
  let active: ReadonlySet<Fault> = new Set();
  /** The error of the local clock, in ms. */
  let clockError = 0;
  let waitUntil = 0;
  onPlan?.([], state);

  /** Applies a plan in one transaction. A kill loses the answer and the sync in progress. */
  function step(input: Input, pending: Request[]): void {
    if (active.has('kill') && chance(3)) {
      state.run = null;
      pending.length = 0;
      return;
    }
    const clock = { now: time.now + clockError, random: random(1000) / 1000 };
    const behind = time.now - clock.now - state.source.clockOffset;
    const before = { ...state, entries: new Map(state.entries), notFound: new Map(state.notFound) };
    const actions = plan(state, input, clock, rules);
    invariants.before(input, actions, before, behind);
    invariants.after(input, actions, state);
    onPlan?.(actions, state);
    for (const action of actions) {
      if (action.kind === 'remove') outcome.removals += 1;
      if (action.kind === 'wait') waitUntil = action.until;
      if (action.kind === 'stop') log?.(`  stop ${JSON.stringify(action.problem)}`);
      if (action.kind === 'ask') log?.(`  ask ${JSON.stringify(action.question)}`);
      if (action.kind !== 'request') continue;
      pending.push(action.request);
      invariants.checkRequest(action.request, pending.length);
    }
    if (state.run === null) pending.length = 0;
  }

  function sync(input: Input): void {
    outcome.syncs += 1;
    log?.(
      `${JSON.stringify(input)} ${[...active]}: ${state.entries.size} of ${upstream.alive.size}`,
    );
    invariants.beginSync(input, active);
    const pending: Request[] = [];
    step(input, pending);
    while (pending.length > 0) {
      const [request] = pending.splice(random(pending.length), 1);
      if (request === undefined) break;
      outcome.requests += 1;
      if (active.size > 0 && chance(2)) upstream.change();
      const answer = upstream.answer(request);
      log?.(`  ${JSON.stringify(request)}: ${answer.kind}`);
      step(answer, pending);
    }
    invariants.endSync(state);
  }

  /** Changes the upstream, lets some time pass, and syncs with faults. */
  function passTime(): void {
    const changes = chance(60) ? random(5) : 0;
    for (let index = 0; index < changes; index++) {
      time.now += random(10 * minute);
      const change = upstream.change();
      log?.(`upstream ${change}`);
    }
    if (habits.erodes) upstream.removeOldest(4);
    time.now += chance(80) ? 16 * minute + random(hour) : random(3 * day);
    const hasFaults = chance(habits.erodes ? 10 : 50);
    const chosen = [pick(faults), ...(chance(20) ? [pick(faults)] : [])];
    // Events stay unreadable for some time.
    const isStill = active.has('unreadable events') && chance(60);
    // An empty mirror has nothing to recognise its account by.
    active = new Set([
      ...(hasFaults && state.entries.size > 0 ? chosen : []),
      ...(isStill ? (['unreadable events'] as const) : []),
    ]);
    upstream.setFaults(active, state.entries.keys());
    if (active.has('clock jump')) clockError = (random(13) - 6) * hour;
    // Nothing shows the time if both clocks are ahead.
    if (active.has('upstream clock jump')) clockError = Math.min(0, clockError);
    if (chance(10)) {
      const ids = Array.from({ length: 3 }, () => upstream.chooseId());
      step({ kind: 'want', ids }, []);
    }
    const isDue = time.now + clockError >= waitUntil || active.has('clock jump');
    const isWake = !isDue || chance(20);
    sync(chance(80) ? { kind: 'tick', isWake } : { kind: 'sync', round: 'due' });
  }

  /** Syncs without faults: three times, and a round of confirmations; a person answers. */
  function recover(): void {
    active = new Set();
    upstream.setFaults(active, []);
    time.now += 2 * day;
    for (let index = 0; index < 3; index++) {
      time.now += hour + day;
      sync({ kind: 'tick' });
    }
    time.now += hour;
    sync({ kind: 'sync', round: 'all' });
    if (state.source.question !== null) {
      time.now += hour;
      sync({ kind: 'sync', round: 'all', confirmsRemovals: true, acceptsReset: true });
    }
    time.now += hour;
    sync({ kind: 'tick' });
  }

  sync({ kind: 'tick' });
  const steps = 3 + random(7);
  for (let index = 0; index < steps; index++) passTime();
  recover();
  invariants.checkEquality(state);
  return outcome;
}
