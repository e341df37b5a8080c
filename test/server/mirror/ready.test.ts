import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { coveredSince, eventOf } from '../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { dayMs as day, hourMs as hour, minuteMs as minute } from '../../../server/dates/units.ts';
import { plan } from '../../../server/mirror/planner/planner.ts';
import { standardRules } from '../../../server/mirror/planner/rules.ts';
import { createState, type Input, type Request } from '../../../server/mirror/planner/state.ts';
import { findUnproven } from '../../../server/mirror/ready.ts';
import { startServe } from '../../support/command.ts';
import { generateConferences } from '../../support/conferences.ts';
import { choose } from '../../support/long.ts';
import { openMirror } from '../../support/mirror.ts';
import { requirePlace } from '../../support/place.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';
import { faults as answers } from '../../support/upstream.ts';
import { baseUrl, chooseHabits, createUpstream, type Fault, faults } from './upstream.ts';

describe('mirror ready', () => {
  const upcoming = choose(500, 12);
  const rate = 10;

  it(`confirms ${upcoming} upcoming events at ${rate} requests a second`, {
    tags: 'long',
  }, async () => {
    const [base] = generateConferences() as [StoredEvent];
    const events = Array.from({ length: upcoming + 100 }, (_, index): StoredEvent => {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
      // Also by the clock of this computer, which the service has.
      const date = index < upcoming ? `2099-0${1 + (index % 9)}-01T09:00:00.000Z` : base.date;
      return { ...base, id: index + 1, createdAt, date };
    });
    const mirror = await openMirror({ events, hasLink: true });
    const { upstream, perform, connection, home, time } = mirror;
    await perform('mirror set', connection);
    const service = await serveForTest(home);
    expect((await fetchWithKey(service, '/v1/events', upstream.key)).status).toBe(200);
    time.offset += day;
    // Answers take their turn, ten in a second.
    const answered = upstream.requests.length;
    let free = performance.now();
    const { fault } = upstream;
    upstream.fault = (request) => {
      const now = performance.now();
      free = Math.max(free, now) + 1_000 / rate;
      upstream.latency = free - now;
      return fault(request);
    };
    const start = performance.now();
    const { reports } = await perform('mirror ready');
    const seconds = (performance.now() - start) / 1_000;
    const requests = upstream.requests.length - answered;
    printFigure(`${upcoming} upcoming events: ${requests} requests in ${seconds.toFixed(1)} s`);
    expect(reports).toMatchObject([{ isReady: true, upcoming }]);
    // The pages of the list and the probes, beside the events.
    expect(requests).toBeLessThanOrEqual(upcoming * 1.03 + 5);
  });

  it('mirror ready is not ready if a request fails', async () => {
    const mirror = await openMirror({ events: generateConferences().slice(-100) });
    const { upstream, perform, connection, home } = mirror;
    await perform('mirror set', connection);
    await serveForTest(home);
    upstream.fault = () => answers['500'];
    const { reports } = await perform('mirror ready');
    expect(reports).toMatchObject([{ isReady: false }]);
    const sync = reports[0]?.checks.find(({ name }) => name === 'sync');
    expect(sync).toMatchObject({ isFine: false, problem: { code: 'sync_server_failed' } });
  });

  it('is not ready if the service does not answer', { tags: 'long' }, async (context) => {
    requirePlace(context, 'signals');
    const { perform, connection, home } = await openMirror({ events: [] });
    await perform('mirror set', connection);
    const { pid, firstLine: url } = await startServe(['--home', home.directory, '--port', '0']);
    process.kill(pid, 'SIGSTOP');
    const { reports } = await perform('mirror ready');
    const service = reports[0]?.checks.find(({ name }) => name === 'service');
    expect(service?.problem).toEqual({ code: 'service_silent', values: { url, pid } });
  });
});

type Morning = { readonly isReady: boolean; readonly flaw: string | undefined };

/** Simulates some days with faults, and then `mirror ready`, perhaps with faults too. */
function simulateMorning(seed: number): Morning {
  const random = createRandom(seed);
  const chance = (percent: number) => random(100) < percent;
  const time = { now: Date.parse('2026-11-22T12:00:00.000Z') };
  const habits = chooseHabits(random);
  const { limits } = standardRules;
  const cap = habits.isCapKnown ? habits.cap : habits.cap * 2;
  const rules = { ...standardRules, limits: { ...limits, cap, ids: 6 } };
  const upstream = createUpstream(random, time, habits);
  const state = createState(baseUrl, time.now);
  state.source = { ...state.source, coverage: { ...state.source.coverage, cap } };
  let active: ReadonlySet<Fault> = new Set();
  let clockError = 0;

  function step(input: Input, pending: Request[]): void {
    const clock = { now: time.now + clockError, random: 0 };
    const actions = plan(state, input, clock, rules);
    for (const action of actions) if (action.kind === 'request') pending.push(action.request);
    if (state.run === null) pending.length = 0;
  }

  function sync(input: Input): void {
    const pending: Request[] = [];
    step(input, pending);
    while (pending.length > 0) {
      const [request] = pending.splice(random(pending.length), 1);
      if (request !== undefined) step(upstream.answer(request), pending);
    }
  }

  function chooseFaults(percent: number): void {
    const chosen = chance(percent) ? [faults[random(faults.length)] as Fault] : [];
    active = new Set(state.entries.size > 0 ? chosen : []);
    upstream.setFaults(active, state.entries.keys());
    if (active.has('clock jump')) clockError = (random(13) - 6) * hour;
  }

  sync({ kind: 'tick' });
  for (let round = random(5); round > 0; round -= 1) {
    for (let changes = random(4); changes > 0; changes -= 1) {
      time.now += random(10 * minute);
      upstream.change();
    }
    time.now += 16 * minute + random(chance(70) ? hour : 2 * day);
    chooseFaults(40);
    sync({ kind: 'tick', isWake: true });
  }
  time.now += 2 * minute + random(day);
  chooseFaults(40);
  const startedAt = time.now;
  sync({ kind: 'sync', round: 'upcoming' });
  const isReady = findUnproven(state, startedAt + clockError).length === 0;
  return { isReady, flaw: isReady ? findFlaw(startedAt) : undefined };

  function withoutRegistration({ registrationOpen: _, ...event }: StoredEvent): StoredEvent {
    return event;
  }

  /** Returns a difference of the upcoming events from those of the upstream, if any. */
  function findFlaw(at: number): string | undefined {
    const now = new Date(at).toISOString();
    const since = coveredSince(state.source.coverage);
    // Until an event proves it, nothing shows that the upstream cuts lists at a lower length.
    if (!habits.hasLink && state.source.coverage.cap > habits.cap) return undefined;
    for (const event of upstream.alive.values()) {
      // Nothing shows an event that was back-dated below all lists.
      if (event.date < now || upstream.backdated.has(event.id)) continue;
      const entry = state.entries.get(event.id);
      // The report says so, or the upstream said twice that the event is gone, which no list denies.
      const isNamed = event.createdAt <= since || (since !== '' && state.notFound.has(event.id));
      // An event of the past may have had its id.
      if (isNamed && entry?.event.createdAt !== event.createdAt) continue;
      if (entry === undefined) return `event ${event.id} is missing`;
      for (const operation of ['list', 'byId'] as const) {
        const here = eventOf(entry, operation);
        const { registrationOpen } = here;
        // An operation may leave it out.
        const there = registrationOpen === undefined ? withoutRegistration(event) : event;
        if (!isDeepStrictEqual({ ...here }, { ...there })) return `event ${event.id} differs`;
      }
    }
    for (const { event } of state.entries.values()) {
      const isGone = event.date >= now && !upstream.alive.has(event.id);
      if (isGone) return `event ${event.id} is gone`;
    }
    return undefined;
  }
}

describe('the proof of being ready', () => {
  const mornings = choose(10_000, 200);

  it(`the proof of being ready is never false in ${mornings} simulated mornings`, () => {
    const flaws: string[] = [];
    let ready = 0;
    for (let seed = 1; seed <= mornings; seed += 1) {
      const { isReady, flaw } = simulateMorning(seed);
      if (isReady) ready += 1;
      if (flaw !== undefined) flaws.push(`morning ${seed}: ${flaw}`);
    }
    printFigure(`${mornings} mornings: ${ready} ready, ${flaws.length} falsely`);
    expect(ready).toBeGreaterThan(mornings / 10);
    expect(flaws).toEqual([]);
  });
});
