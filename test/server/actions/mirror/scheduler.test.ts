import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources, writeMirror } from '../../../../db/mirror.ts';
import type { StoredEvent } from '../../../../db/model.ts';
import type { Home } from '../../../../server/home.ts';
import { withWriter } from '../../../../server/store.ts';
import { callCommand, type Serving, startServe } from '../../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { fetchWithKey } from '../../../support/service.ts';
import { serveUpstream, type TestUpstream } from '../../../support/upstream.ts';

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

describe('a running service', () => {
  it('syncs after its start, and finds the ids that scripts missed', async () => {
    const { home, upstream } = await openClub();
    const event = upstream.events.get(220) as StoredEvent;
    upstream.events.set(220, { ...event, name: 'Renamed' });
    const service = await serve(home);
    const read = async (id: number) => {
      const answer = await fetchWithKey(portOf(service), `/v1/events/${id}`, key);
      return answer.status === 200 ? (await answer.json()).event.name : answer.status;
    };
    const patience = { timeout: 20_000 };
    await expect.poll(() => read(220), patience).toBe('Renamed');
    expect(await read(7)).toBe(404);
    expect(await read(8)).toBe(404);
    upstream.events.delete(8);
    // The next look is half a minute later.
    await makeDue(home);
    await expect.poll(() => read(7), { timeout: 60_000 }).toBe('Event 7');
    expect(await read(8)).toBe(404);
    expect(upstream.requests.filter(({ id }) => id === 9)).toEqual([]);
    expect(await service.end('SIGTERM')).toBe(0);
    expectNoKey(home, [service]);
  });

  it('leaves the sync to one of two services, and shows no key when it fails', async () => {
    const { home, upstream } = await openClub();
    upstream.accounts.delete(key);
    const before = upstream.requests.length;
    const services = [await serve(home), await serve(home)];
    await expect.poll(() => upstream.requests.length, { timeout: 20_000 }).toBeGreaterThan(before);
    const refusals = () => services.map(({ stderr }) => stderr()).join('');
    await expect.poll(refusals, { timeout: 10_000 }).toMatch(/does not accept the key/);
    // The second one looks at the same time.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(upstream.requests).toHaveLength(before + 1);
    for (const service of services) expect(await service.end('SIGTERM')).toBe(0);
    expectNoKey(home, services);
  });
});
