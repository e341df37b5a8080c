import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { homeAt } from '../../../server/base/home.ts';
import {
  addEvents,
  addMember,
  type Member,
  makeEvent,
  makeFolder,
  removeFolder,
} from '../../support/home.ts';
import { fetchPage } from '../../support/list.ts';
import { requestRaw } from '../../support/raw.ts';
import { fetchWithKey, type RunningService, startTestService } from '../../support/service.ts';

const home = homeAt(makeFolder());
let service: RunningService;
let member: Member;
let other: Member;

beforeAll(async () => {
  member = await addMember(home, 'Chess', [
    makeEvent(1, { name: 'Straßenlauf', location: 'Łódź', status: 'draft' }),
    makeEvent(2, { name: 'Relay', description: 'Café “Zur Post”', eventType: null }),
    makeEvent(3, { name: '東京マラソン', date: '2026-06-01T00:00:00.000Z', eventType: 'national' }),
    makeEvent(4, { name: "O'Neil's night-relay", status: 'cancelled', eventType: 'international' }),
  ]);
  other = await addMember(home, 'Other', [makeEvent(1, { name: 'Secret relay' })]);
  service = await startTestService(home);
});

afterAll(async () => {
  await service.close();
  removeFolder(home.directory);
});

async function idsOf(query: string): Promise<number[]> {
  const { events } = await fetchPage(service, `/v1/events?${query}`, member.key);
  return events.map(({ id }: StoredEvent) => id).toSorted();
}

describe('a search', () => {
  it.each([
    ['strassenlauf', [1]],
    ['STRASSEN', [1]],
    ['straße', [1]],
    ['lodz', [1]],
    ['cafe', [2]],
    ['cafe%CC%81', [2]],
    ['post+zur', [2]],
    ['%E2%80%9Czur+post%E2%80%9D', [2]],
    ['relay', [2, 4]],
    ['rel+rela', [2, 4]],
    ['elay', []],
    ['relay+lodz', []],
    ["o'neil", [4]],
    ['night-relay', [4]],
    // A run of characters without spaces is one word.
    ['%E6%9D%B1%E4%BA%AC', [3]],
    ['%E3%83%9E%E3%83%A9%E3%82%BD%E3%83%B3', []],
    // Nothing in it is an operator.
    ['relay+OR+lodz', []],
    ['relay+NOT+night', []],
    ['name:relay', []],
    ['relay*', [2, 4]],
    ['"relay', [2, 4]],
    ['(relay)', [2, 4]],
    ['relay%00night', [4]],
    ['%FF', [1, 2, 3, 4]],
    // Without a word it asks for nothing in particular.
    ['', [1, 2, 3, 4]],
    ['+%22*-%00', [1, 2, 3, 4]],
  ])('a search for %s finds %j', async (q, ids) => {
    expect(await idsOf(`q=${q}`)).toEqual(ids);
  });

  it('reveals nothing about another user’s events', async () => {
    const missing = await fetchWithKey(service, '/v1/events?q=nothing', member.key);
    const secret = await fetchWithKey(service, '/v1/events?q=secret', member.key);
    expect(await secret.text()).toBe(await missing.text());
    expect(secret.headers.get('total-count')).toBe('0');
    expect(secret.headers.get('etag')).toBe(missing.headers.get('etag'));
    const { total } = await fetchPage(service, '/v1/events?q=relay', other.key);
    expect(total).toBe(1);
  });
});

describe('a filter', () => {
  it.each([
    ['status=draft', [1]],
    ['status=draft,cancelled', [1, 4]],
    ['status=draft&status=cancelled,draft', [1, 4]],
    ['eventType=none', [2]],
    ['eventType=national', [3]],
    ['eventType=none,international', [2, 4]],
    ['eventType=club&status=active', []],
    ['from=2026-06-01', [3]],
    ['to=2026-06-01', [1, 2, 4]],
    ['from=2026-05-01T18:00:00Z&to=2026-05-01T18:00:00.001Z', [1, 2, 4]],
    ['from=2026-05-01T18:00:00.0001Z&to=2026-06-01', []],
    ['to=2026-05-01T18:00:00.0001Z', [1, 2, 4]],
    ['from=2026-05-01T20:00:00%2B02:00&to=2026-06-01', [1, 2, 4]],
    ['from=2026-05-01T20:00:00+02:00&to=2026-06-01', [1, 2, 4]],
    ['from=2026-05-01T20:00:00.001+02:00&to=2026-06-01', []],
    ['from=2026-05-01t18:00:00z&to=2026-05-01t18:00:00.001z', [1, 2, 4]],
    ['from=2026-05-01T18:00Z&to=2026-05-01T18:01Z', [1, 2, 4]],
    ['from=2026-05-01T20:00+02:00&to=2026-05-01t20:01%2B02:00', [1, 2, 4]],
    // A leap second is the second after it: the first one of June has event 3.
    ['from=2026-05-31T23:59:60Z', [3]],
    ['to=2026-05-31T23:59:60Z', [1, 2, 4]],
    ['from=2026-05-31T23:59:60.001Z', []],
    ['from=2026-06-01T05:29:60%2B05:30', [3]],
    ['to=9999-12-31T23:59:60Z', [1, 2, 3, 4]],
    ['from=0000-01-01T00:00:00%2B01:00', [1, 2, 3, 4]],
    ['from=9999-12-31T23:59:59-01:00', []],
    ['to=9999-12-31T23:59:59-01:00', [1, 2, 3, 4]],
    // Nothing is in a time that ends before it begins.
    ['from=2026-06-01&to=2026-05-01', []],
    ['Status=draft&x=1&q[]=none', [1, 2, 3, 4]],
  ])('a filter %s leaves %j', async (query, ids) => {
    expect(await idsOf(query)).toEqual(ids);
  });

  it('sorts in descending order by default', async () => {
    const first = async (query: string) => {
      const page = await fetchPage(service, `/v1/events?limit=1&${query}`, member.key);
      return page.events[0]?.id;
    };
    expect(await first('sort=createdAt')).toBe(4);
    expect(await first('order=asc')).toBe(1);
    expect(await first('sort=date')).toBe(3);
    expect(await first('sort=date&order=asc')).toBe(1);
  });
});

describe('a bad value', () => {
  const long = 'x'.repeat(201);
  it.each([
    ['q', [`q=${long}`, 'q=a&q=b', 'q=a+b+c+d+e+f+g+h+i+j+k']],
    [
      'status',
      ['status=', 'status=open', 'status=draft,', 'status=Draft', 'status=draft,%20active'],
    ],
    [
      'eventType',
      ['eventType=', 'eventType=null', 'eventType=club,none,x', 'eventType=club&eventType='],
    ],
    [
      'from',
      [
        ...[
          'from=',
          'from=today',
          'from=2026-02-30',
          'from=2026-5-1',
          'from=2026',
          'from=1767225600',
        ],
        ...['from=2026-05-01T18:00:00', 'from=2026-05-01T18:00', 'from=2026-05-01T24:00:00Z'],
        ...['from=2026-05-01T18:00:60Z', 'from=2016-12-31T23:59:61Z', 'from=2026-05-01T24:00Z'],
        ...['from=2016-12-31T23:59:60', 'from=2026-05-01TT18:00:00Z', 'from=2026-05-01T18Z'],
        ...['from=2026-05-01&from=2026-05-01', 'from=%002026-05-01', 'from=2026-05-01%0A'],
      ],
    ],
    ['to', ['to=', 'to=2026-13-01', 'to=%2B010000-01-01', 'to=2026-05-01&to=2026-05-02']],
    ['sort', ['sort=', 'sort=name', 'sort=Date', 'sort=date&sort=date', 'sort=date,createdAt']],
    ['order', ['order=', 'order=up', 'order=ASC', 'order=asc&order=asc']],
    [
      'limit',
      ['limit=', 'limit=0', 'limit=201', 'limit=-1', 'limit=01', 'limit=1.0', 'limit=1e2'].concat(
        'limit=%2B5',
        'limit=+5',
        'limit=5&limit=5',
        'limit=99999999999999999999',
        'limit=٣',
      ),
    ],
    ['cursor', ['cursor=', 'cursor=x', 'cursor=a&cursor=b', `cursor=${long}`, 'cursor=%00']],
  ])('a bad value of %s is refused with its name and the remedy', async (name, queries) => {
    const bodies = new Set<string>();
    for (const query of queries) {
      const answer = await fetchWithKey(service, `/v1/events?${query}`, member.key);
      expect(answer.status, query).toBe(400);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      bodies.add(await answer.text());
    }
    expect(bodies.size).toBe(1);
    const problem = JSON.parse([...bodies][0] ?? '');
    const detail = expect.stringMatching(new RegExp(`^The parameter "${name}" `));
    const code = 'invalid_parameter';
    const [type, title, status, parameter] = ['about:blank', 'Bad Request', 400, name];
    expect(problem).toEqual({ type, title, status, detail, code, parameter });
  });

  it('a bad value is reported only with a valid key', async () => {
    expect((await fetchWithKey(service, '/v1/events?limit=0', 'wrong')).status).toBe(401);
  });

  it('a bad value of a parameter of the list is ignored elsewhere', async () => {
    expect((await fetchWithKey(service, '/v1/events/1?limit=0', member.key)).status).toBe(200);
  });
});

describe('a cursor', () => {
  const list = '/v1/events?limit=1&q=relay';

  async function cursorOf(path: string, key: string): Promise<string> {
    const { next } = await fetchPage(service, path, key);
    return new URLSearchParams(next?.split('?')[1]).get('cursor') ?? '';
  }

  async function statusOf(path: string, cursor: string, key = member.key): Promise<number> {
    const separator = path.includes('?') ? '&' : '?';
    return (await fetchWithKey(service, `${path}${separator}cursor=${cursor}`, key)).status;
  }

  it('continues its list with any limit', async () => {
    const cursor = await cursorOf(list, member.key);
    expect(await statusOf(list, cursor)).toBe(200);
    expect(await statusOf('/v1/events?q=relay&order=desc', cursor)).toBe(200);
  });

  it('a cursor that was tampered with is refused', async () => {
    const cursor = await cursorOf(list, member.key);
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = cursor[at] === 'A' ? 'B' : 'A';
      const tampered = cursor.slice(0, at) + changed + cursor.slice(at + 1);
      expect(await statusOf(list, tampered), tampered).toBe(400);
    }
    for (const wrong of [cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}%3D`]) {
      expect(await statusOf(list, wrong), wrong).toBe(400);
    }
  });

  it('a cursor of another list or another user is refused', async () => {
    const cursor = await cursorOf(list, member.key);
    for (const path of [
      '/v1/events',
      '/v1/events?q=rela',
      '/v1/events?q=relay&order=asc',
      '/v1/events?q=relay&sort=date',
      '/v1/events?q=relay&status=active',
      '/v1/events?q=relay&from=2026-05-01',
    ]) {
      expect(await statusOf(path, cursor), path).toBe(400);
    }
    expect(await statusOf(list, cursor, other.key)).toBe(400);
  });
});

describe('the headers of a list', () => {
  it('the headers of a list are the same for HEAD, 304 and 200', async () => {
    const path = '/v1/events?limit=2&status=active,active&q=%3E%3Brelay%22&order=asc';
    const host = `Host: localhost:${service.port}`;
    const bearer = `Authorization: Bearer ${member.key}`;
    const whole = await requestRaw(service.port, `GET ${path}`, [host, bearer]);
    const head = await requestRaw(service.port, `HEAD ${path}`, [host, bearer]);
    const tag = whole.headers.get('etag') ?? '';
    const same = await requestRaw(service.port, `GET ${path}`, [
      host,
      bearer,
      `If-None-Match: ${tag}`,
    ]);
    expect([whole.status, head.status, same.status]).toEqual([200, 200, 304]);
    for (const name of ['total-count', 'link', 'etag', 'vary', 'cache-control']) {
      expect(head.headers.get(name), name).toBe(whole.headers.get(name));
      expect(same.headers.get(name), name).toBe(whole.headers.get(name));
    }
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
  });

  it('the headers of a list link to the next page with the same host and parameters', async () => {
    const path = '/v1/events?limit=1&eventType=club,none&eventType=club&q=a%26b+relay&x=1';
    const answer = await requestRaw(service.port, `GET http://localhost:${service.port}${path}`, [
      `Host: localhost:${service.port}`,
      `Authorization: Bearer ${member.key}`,
    ]);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('link')).toBeUndefined();
    const more = await requestRaw(service.port, 'GET /v1/events?x=1&limit=1&q=%3Erelay%22', [
      `Host: LocalHost:${service.port}`,
      `Authorization: Bearer ${member.key}`,
    ]);
    expect(more.headers.get('link')).toMatch(
      new RegExp(
        `^<http://localhost:${service.port}/v1/events\\?q=%3Erelay%22&limit=1&cursor=[\\w-]+>; rel="next"$`,
      ),
    );
  });

  it('the headers of a list change the ETag if there are more matches', async () => {
    const guest = await addMember(home, 'Growing', [makeEvent(5)]);
    const before = await fetchWithKey(service, '/v1/events?limit=1', guest.key);
    expect(before.headers.get('link')).toBeNull();
    await addEvents(home, guest.userId, [makeEvent(4)]);
    const tag = { 'If-None-Match': before.headers.get('etag') ?? '' };
    const after = await fetchWithKey(service, '/v1/events?limit=1', guest.key, tag);
    expect(after.status).toBe(200);
    expect(after.headers.get('total-count')).toBe('2');
    expect(after.headers.get('link')).not.toBeNull();
    expect(await after.text()).toBe(await before.text());
  });

  it('the headers of a list do not change the body of a request without parameters', async () => {
    const plain = await fetchWithKey(service, '/v1/events', member.key);
    const ignored = await fetchWithKey(service, '/v1/events?utm=x', member.key);
    expect(await ignored.text()).toBe(await plain.text());
    expect(plain.headers.get('total-count')).toBe('4');
    expect(plain.headers.get('link')).toBeNull();
  });
});
