import { describe, expect, it } from 'vitest';
import { conferencesNow, readConferences } from '../../support/conferences.ts';
import { openMirror } from '../../support/mirror.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

const conferences = readConferences();
const upcoming = conferences.filter(({ date }) => date >= conferencesNow);

type Answer = { readonly status: number; readonly body: unknown };

async function read(answer: Promise<Response>): Promise<Answer> {
  const { status, ...response } = await answer.then(async (each) => ({
    status: each.status,
    text: await each.text(),
  }));
  return { status, body: status === 200 ? JSON.parse(response.text) : null };
}

describe('a mirror of 6,831 conferences', () => {
  it('a mirror of 6,831 conferences with Link has all after the first sync, and answers as the service does', async () => {
    const mirror = await openMirror({ events: conferences, hasLink: true });
    const { upstream, perform, connection, stored, home } = mirror;
    const { status, added } = await perform('mirror set', connection);
    expect(upstream.count('list') + upstream.count('page')).toBeLessThanOrEqual(35);
    expect(added).toBe(6_831);
    expect(status.coverage).toEqual({ since: null, older: 0, holes: [] });
    expect(await stored()).toEqual(new Map(conferences.map((event) => [event.id, event])));
    const service = await serveForTest(home);
    const ids = conferences.map(({ id }) => id);
    const missing = [-1, 0, 1, 2, 999, 99_999_999];
    for (const path of ['', ...[...ids, ...missing].map((id) => `/${id}`)]) {
      const [here, there] = await Promise.all([
        read(fetchWithKey(service, `/v1/events${path}`, upstream.key)),
        read(fetchWithKey(upstream, `/v1/events${path}`, upstream.key)),
      ]);
      expect(here, path).toEqual(there);
    }
    const { differences, checked } = await perform('mirror verify');
    expect([differences, checked]).toEqual([[], 6_831]);
  });

  it('a mirror of 6,831 conferences without Link has all 53 upcoming ones after at most 400 requests by id', async () => {
    const { upstream, perform, connection, stored } = await openMirror({ events: conferences });
    const { status } = await perform('mirror set', connection);
    expect(status.coverage.since).not.toBeNull();
    await perform('mirror search-ids', { start: true, rate: 50, requests: 340 });
    const found = [...(await stored()).values()].filter(({ date }) => date >= conferencesNow);
    expect(found.map(({ id }) => id)).toEqual(upcoming.map(({ id }) => id));
    expect(found).toHaveLength(53);
    expect(upstream.count('byId')).toBeLessThanOrEqual(400);
  });
});
