import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readMirror, readSources, writeMirror } from '../../../db/mirror.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { createOutsideWork } from '../../../server/actions/outside-work.ts';
import type { Problem } from '../../../server/base/errors.ts';
import type { Home } from '../../../server/base/home.ts';
import { createMissedIds } from '../../../server/mirror/scheduler.ts';
import { withReader, withWriter } from '../../../server/store/store.ts';
import { callCommand, type Serving, startServe } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { fetchWithKey } from '../../support/service.ts';
import { serveUpstream, type TestUpstream } from '../../support/upstream.ts';

const key = 'a-key-that-nobody-shows';

function eventsUpTo(count: number): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    return makeEvent(index + 1, { createdAt, registrationOpen: true }) as StoredEvent;
  });
}

/** Makes the next sync due, as after the time between two syncs. */
async function makeDue(home: Home): Promise<void> {
  const values = { nextAt: 0, attemptedAt: Date.now() - 3_600_000 };
  await withWriter(home, (db) => {
    const [source] = readSources(db);
    writeMirror(db, source?.id ?? 0, [{ kind: 'source', values }], new Date().toISOString());
  });
}

/** Creates a club that copies an online service; its next sync is due. */
async function openClub(): Promise<{ home: Home; upstream: TestUpstream }> {
  // Without `Link`, the first 20 are on no list.
  const upstream = await serveUpstream({ events: eventsUpTo(220), keys: [key] });
  const home = makeTestHome();
  await addMember(home, 'Chess');
  const set = ['mirror', 'set', '--user', 'Chess', '--url', upstream.baseUrl];
  const { status } = await callCommand(['--home', home.directory, ...set], key);
  expect(status).toBe(0);
  await makeDue(home);
  return { home, upstream };
}

const serve = (home: Home) => startServe(['--home', home.directory, '--port', '0']);
const portOf = ({ firstLine }: Serving) => ({ port: Number(new URL(firstLine).port) });

/** Expects neither the output of a service nor its log to have the key. */
function expectNoKey(home: Home, services: readonly Serving[]): void {
  const logs = readdirSync(home.logs).map((name) => readFileSync(join(home.logs, name), 'utf8'));
  const texts = [...logs, ...services.flatMap(({ stdout, stderr }) => [stdout(), stderr()])];
  expect(logs.length).toBeGreaterThan(0);
  expect(texts.filter((text) => text.includes(key))).toEqual([]);
}

/** Starts a scheduler that looks every 50 ms, for the running test. */
function schedule(home: Home, missed = createMissedIds()) {
  const state = { looks: 0, warnings: [] as Problem[] };
  const minutes = () => {
    state.looks += 1;
    return 15;
  };
  const warn = (problem: Problem) => void state.warnings.push(problem);
  const scheduler = createOutsideWork({ home, missed, minutes, warn, firstAfter: 0, every: 50 });
  scheduler.run();
  onTestFinished(() => scheduler.stop());
  return state;
}

describe('a running service', () => {
  it('syncs after its start, and finds the ids that scripts missed', { tags: 'long' }, async () => {
    const { home, upstream } = await openClub();
    const event = upstream.events.get(220) as StoredEvent;
    upstream.events.set(220, { ...event, name: 'Renamed' });
    upstream.events.delete(8);
    const service = await serve(home);
    const read = async (id: number) => {
      const answer = await fetchWithKey(portOf(service), `/v1/events/${id}`, key);
      return answer.status === 200 ? (await answer.json()).event.name : answer.status;
    };
    // The first look is three seconds after the start.
    expect(await read(7)).toBe(404);
    expect(await read(8)).toBe(404);
    await expect.poll(() => read(220)).toBe('Renamed');
    await expect.poll(() => read(7)).toBe('Event 7');
    expect(await read(8)).toBe(404);
    expect(upstream.requests.filter(({ id }) => id === 8)).not.toEqual([]);
    expect(upstream.requests.filter(({ id }) => id === 9)).toEqual([]);
    expect(await service.end('SIGTERM')).toBe(0);
    expectNoKey(home, [service]);
  });
});

describe('the scheduler', () => {
  it('looks again at intervals, also for ids that scripts missed meanwhile', async () => {
    const { home, upstream } = await openClub();
    const missed = createMissedIds();
    const before = upstream.requests.length;
    const startedAt = Date.now();
    const state = schedule(home, missed);
    await expect.poll(() => upstream.requests.length).toBe(before + 1);
    // Its end stores the time of the next sync.
    const succeededAt = () =>
      withReader(home, (db) => readMirror(db, readSources(db)[0]?.id ?? 0).source.succeededAt);
    await expect.poll(succeededAt).toBeGreaterThan(startedAt);
    await makeDue(home);
    missed.note(1, 7);
    const asked = () => upstream.requests.filter(({ id }) => id === 7).length;
    await expect.poll(asked).toBe(1);
    expect(upstream.count('list')).toBeGreaterThan(1);
    expect(state.warnings).toEqual([]);
  });

  it('leaves the sync to one of two services, and shows no key when it fails', async () => {
    const { home, upstream } = await openClub();
    upstream.accounts.delete(key);
    const before = upstream.requests.length;
    const services = [schedule(home), schedule(home)];
    const warnings = () => services.flatMap((service) => service.warnings);
    await expect.poll(() => warnings().map(({ code }) => code)).toEqual(['sync_key_refused']);
    // Both look once more after the failure.
    const looks = services.map((service) => service.looks);
    const haveLooked = () => services.every((service, at) => service.looks > (looks[at] ?? 0) + 1);
    await expect.poll(haveLooked).toBe(true);
    expect(upstream.requests).toHaveLength(before + 1);
    expect(JSON.stringify(warnings())).not.toContain(key);
    expect(warnings()).toHaveLength(1);
  });
});
