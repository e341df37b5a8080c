import { describe, expect, it } from 'vitest';
import { eachEvent } from '../../../../db/event-list.ts';
import type { StoredEvent } from '../../../../db/model.ts';
import { catalogue } from '../../../../server/actions/catalogue.ts';
import { thisMachine } from '../../../../server/actions/tools.ts';
import type { Home } from '../../../../server/home.ts';
import { withReader } from '../../../../server/store.ts';
import { conferencesNow, readConferences } from '../../../support/conferences.ts';
import { addMember, makeTestHome } from '../../../support/home.ts';
import { serveUpstream, type UpstreamOptions } from '../../../support/upstream.ts';

const conferences = readConferences();
const clock = Date.parse(conferencesNow);

/** Starts the conferences as an online service, and a data directory with an empty club. */
async function openMirror(options: UpstreamOptions = {}) {
  const started = Date.now();
  const now = () => clock + Date.now() - started;
  const upstream = await serveUpstream({ events: conferences, now, ...options });
  const home = makeTestHome();
  const { userId } = await addMember(home, 'Chess');
  const tools = {
    ...thisMachine,
    now: () => new Date(now()),
    home,
    write: async () => undefined,
    onProgress: () => undefined,
  };
  const { baseUrl: url, key } = upstream;
  return {
    upstream,
    home,
    perform: <Name extends keyof typeof catalogue>(name: Name, args: object) =>
      catalogue[name].perform({ user: 'Chess', ...args }, tools) as ReturnType<
        (typeof catalogue)[Name]['perform']
      >,
    connection: { url, key },
    stored: () => readStored(home, userId),
  };
}

function readStored(home: Home, userId: number): Promise<Map<number, StoredEvent>> {
  return withReader(
    home,
    (db) =>
      new Map([...eachEvent(db, userId)].map(({ sourceKey: _, ...event }) => [event.id, event])),
  );
}

describe('a mirror of 6,831 conferences', () => {
  it('with Link has all after the first sync, in at most 35 list requests', async () => {
    const { upstream, perform, connection, stored } = await openMirror({ hasLink: true });
    const { status, added } = await perform('mirror set', connection);
    expect(upstream.count('list') + upstream.count('page')).toBeLessThanOrEqual(35);
    expect(added).toBe(6_831);
    expect(status.coverage).toEqual({ since: null, older: 0, holes: [] });
    expect(await stored()).toEqual(new Map(conferences.map((event) => [event.id, event])));
  });

  it('without Link has all 53 upcoming ones after at most 400 requests by id', async () => {
    const { upstream, perform, connection, stored } = await openMirror();
    const { status } = await perform('mirror set', connection);
    expect(status.coverage.since).not.toBeNull();
    const before = upstream.count('byId');
    await perform('mirror search-ids', { start: true, rate: 50, requests: 340 });
    const found = [...(await stored()).values()].filter(({ date }) => date >= conferencesNow);
    const upcoming = conferences.filter(({ date }) => date >= conferencesNow);
    expect([found.length, upcoming.length]).toEqual([53, 53]);
    expect(upstream.count('byId') - before).toBeLessThanOrEqual(400);
  });
});
