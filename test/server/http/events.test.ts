import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginEventImport } from '../../../db/event-import.ts';
import { prepareUserReads } from '../../../db/users.ts';
import { homeAt } from '../../../server/base/home.ts';
import { withWriter } from '../../../server/store/store.ts';
import {
  addMember,
  createdAt,
  type Member,
  makeEvent,
  makeFolder,
  removeFolder,
} from '../../support/home.ts';
import { fetchWithKey, type RunningService, startTestService } from '../../support/service.ts';

const home = homeAt(makeFolder());
let service: RunningService;
let member: Member;
let empty: Member;

beforeAll(async () => {
  const events = Array.from({ length: 250 }, (_, at) => {
    // Ten events share each moment of creation, so that ties are many.
    const minute = String(Math.floor(at / 10)).padStart(2, '0');
    return makeEvent(1000 + ((at * 37) % 250), { createdAt: `2026-01-01T00:${minute}:00.000Z` });
  });
  member = await addMember(home, 'Chess', events);
  empty = await addMember(home, 'Empty');
  service = await startTestService(home);
});

afterAll(async () => {
  await service.close();
  removeFolder(home.directory);
});

async function list(key: string): Promise<{ id: number; createdAt: string }[]> {
  const { events } = (await (await fetchWithKey(service, '/v1/events', key)).json()) as {
    events: { id: number; createdAt: string }[];
  };
  return events;
}

describe('the list', () => {
  it('contains the newest 200 events, ordered by id for equal times', async () => {
    const events = await list(member.key);
    expect(events).toHaveLength(200);
    const sorted = events.toSorted(
      (left, right) => right.createdAt.localeCompare(left.createdAt) || right.id - left.id,
    );
    expect(events).toEqual(sorted);
    expect(events[0]?.createdAt).toBe('2026-01-01T00:24:00.000Z');
    expect(events.at(-1)?.createdAt).toBe('2026-01-01T00:05:00.000Z');
  });

  it('the list names the calendar for the page alone', async () => {
    const uidBase = await withWriter(home, (db) => prepareUserReads(db).uidBase(member.userId));
    const page = { 'Club-Events-Page': '1' };
    // From the database, then from the cache.
    for (const [headers, name, base] of [
      [{}, null, null],
      [page, 'Chess', uidBase],
      [{}, null, null],
    ] as const) {
      const answer = await fetchWithKey(service, '/v1/events?limit=1', member.key, headers);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Calendar-Name')).toBe(name);
      expect(answer.headers.get('Calendar-Uid-Base')).toBe(base);
      const event = await fetchWithKey(service, '/v1/events/1000', member.key, headers);
      expect(event.headers.get('Calendar-Name')).toBeNull();
    }
  });

  it('the list is empty for a user without events', async () => {
    const answer = await fetchWithKey(service, '/v1/events', empty.key);
    expect(await answer.text()).toBe('{"events":[]}');
  });
});

describe('an event', () => {
  const whole = {
    id: 1,
    name: 'Frühlingslauf 🏃 „quotes“ <b>&</b>',
    date: '0001-01-01T00:00:00.000Z',
    location: '',
    description: 'line\nline\ttab "quoted" \\ \u2028 \u0001',
    status: 'cancelled',
    eventType: null,
    registrationOpen: false,
    createdAt: '9999-12-31T23:59:59.999Z',
  } as const;

  it('contains exactly its members, in order', async () => {
    const { registrationOpen, ...withoutOpen } = whole;
    const guest = await addMember(home, 'Exact', [whole, { ...withoutOpen, id: 2 }]);
    const first = await (await fetchWithKey(service, '/v1/events/1', guest.key)).text();
    expect(first).toBe(JSON.stringify({ event: whole }));
    const second = await (await fetchWithKey(service, '/v1/events/2', guest.key)).text();
    expect(second).toBe(JSON.stringify({ event: { ...withoutOpen, id: 2 } }));
  });

  it('an event is visible once another process has committed it', async () => {
    const guest = await addMember(home, 'Fresh', []);
    expect(await list(guest.key)).toEqual([]);
    await withWriter(home, (db) => {
      const batch = beginEventImport(db, { userId: guest.userId, now: createdAt, source: 'test' });
      batch.apply(makeEvent(5));
      batch.commit();
    });
    expect((await list(guest.key)).map(({ id }) => id)).toEqual([5]);
    expect((await fetchWithKey(service, '/v1/events/5', guest.key)).status).toBe(200);
  });

  it('an event is sent as private UTF-8 JSON that must be revalidated', async () => {
    const answer = await fetchWithKey(service, '/v1/events/1000', member.key);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    expect(answer.headers.get('vary')).toBe('Authorization');
    expect(answer.headers.get('last-modified')).toBeNull();
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{43}"$/);
  });
});

describe('If-Match', () => {
  const paths = ['/v1/events', '/v1/events/1000', '/openapi.json', '/'] as const;

  it.each(paths)('If-Match is evaluated for %s, before If-None-Match', async (path) => {
    const ask = (headers: Record<string, string>) =>
      fetchWithKey(service, path, member.key, headers);
    const etag = (await ask({})).headers.get('etag') ?? '';
    for (const value of [etag, '*', ` * `, `"x", ${etag}`, `W/"y" ,${etag}`]) {
      expect((await ask({ 'If-Match': value })).status, value).toBe(200);
      const both = { 'If-Match': value, 'If-None-Match': etag };
      expect((await ask(both)).status, value).toBe(304);
    }
    for (const value of ['"zzz"', `W/${etag}`, etag.slice(1, -1), '']) {
      for (const headers of [{ 'If-Match': value }, { 'If-Match': value, 'If-None-Match': etag }]) {
        const answer = await ask(headers);
        expect(answer.status, value).toBe(412);
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('etag')).toBeNull();
        expect(await answer.json()).toMatchObject({ code: 'precondition_failed' });
      }
    }
  });

  it('If-Match is ignored without content', async () => {
    for (const value of ['*', '"x"']) {
      const headers = { 'If-Match': value };
      const missing = await fetchWithKey(service, '/v1/events/1', member.key, headers);
      expect(missing.status).toBe(404);
      expect((await fetchWithKey(service, '/v1/events', 'wrong', headers)).status).toBe(401);
    }
  });
});

describe('If-None-Match', () => {
  const paths = ['/v1/events', '/v1/events/1000'] as const;

  async function etagOf(path: string): Promise<string> {
    return (await fetchWithKey(service, path, member.key)).headers.get('etag') ?? '';
  }

  it.each(paths)('returns 304 for unchanged content of %s', async (path) => {
    const etag = await etagOf(path);
    for (const value of [etag, `W/${etag}`, `"x", ${etag}`, `"a,b",W/${etag} , "c"`, '*']) {
      const answer = await fetchWithKey(service, path, member.key, { 'If-None-Match': value });
      expect(answer.status, value).toBe(304);
      expect(answer.headers.get('etag')).toBe(etag);
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      const vary = path === '/v1/events' ? 'Authorization, Accept' : 'Authorization';
      expect(answer.headers.get('vary')).toBe(vary);
      expect(await answer.text()).toBe('');
    }
  });

  it.each(paths)('returns 200 for changed content of %s', async (path) => {
    const etag = await etagOf(path);
    for (const value of ['"x"', etag.slice(1, -1), `"${etag.slice(1, -2)}"`, 'W/"*"', '']) {
      const answer = await fetchWithKey(service, path, member.key, { 'If-None-Match': value });
      expect(answer.status, value).toBe(200);
    }
  });

  it('takes precedence over If-Modified-Since', async () => {
    const headers = { 'If-Modified-Since': new Date().toUTCString() };
    const etag = await etagOf(paths[0]);
    const both = { ...headers, 'If-None-Match': etag };
    expect((await fetchWithKey(service, paths[0], member.key, both)).status).toBe(304);
    expect((await fetchWithKey(service, paths[0], member.key, headers)).status).toBe(200);
  });

  it('If-None-Match does not reveal events without a key or of another user', async () => {
    const star = { 'If-None-Match': '*' };
    expect((await fetchWithKey(service, '/v1/events/1000', 'wrong', star)).status).toBe(401);
    expect((await fetchWithKey(service, '/v1/events/1000', empty.key, star)).status).toBe(404);
  });

  it('changes with the content, but not with another user’s events', async () => {
    const guest = await addMember(home, 'Tag', [makeEvent(1)]);
    const tag = async () =>
      (await fetchWithKey(service, '/v1/events', guest.key)).headers.get('etag');
    const before = await tag();
    await addMember(home, 'Other', [makeEvent(1)]);
    expect(await tag()).toBe(before);
    await withWriter(home, (db) => {
      const batch = beginEventImport(db, { userId: guest.userId, now: createdAt, source: 'test' });
      batch.apply({ ...makeEvent(1), location: 'Elsewhere' });
      batch.commit();
    });
    expect(await tag()).not.toBe(before);
  });
});
