import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import {
  addMember,
  type Member,
  makeEvent,
  makeFolder,
  makeTestHome,
  removeFolder,
  revokeKeysOf,
} from '../../support/home.ts';
import { openRaw, type RawAnswer, requestRaw, sendRaw } from '../../support/raw.ts';
import { type RunningService, serveForTest, startTestService } from '../../support/service.ts';

const folder = makeFolder();
const home = homeAt(folder);
let service: RunningService;
let member: Member;
let expired: Member;
let host: string;

beforeAll(async () => {
  member = await addMember(home, 'Chess', [
    makeEvent(7),
    makeEvent(-3),
    makeEvent(Number.MAX_SAFE_INTEGER),
  ]);
  expired = await addMember(home, 'Expired', [], { expiresAt: '2020-01-01T00:00:00.000Z' });
  service = await startTestService(home);
  host = `Host: 127.0.0.1:${service.port}`;
});

afterAll(async () => {
  await service.close();
  removeFolder(folder);
});

const bearer = () => `Authorization: Bearer ${member.key}`;

function get(path: string, ...lines: string[]): Promise<RawAnswer> {
  return requestRaw(service.port, `GET ${path}`, [host, ...lines]);
}

/** Checks the parts that all error responses share. */
function expectProblem(answer: RawAnswer, status: number): void {
  expect(answer.status, answer.head).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expectCommonHeaders(answer);
  const problem = JSON.parse(answer.body);
  const { parameter, ...members } = problem;
  expect(Object.keys(members)).toEqual(['type', 'title', 'status', 'detail', 'code']);
  expect(problem.status).toBe(status);
  expect(problem.code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  expect(parameter === undefined).toBe(problem.code !== 'invalid_parameter');
}

function expectCommonHeaders({ headers }: RawAnswer): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
}

describe('content', () => {
  it.each(['/v1/events', '/v1/events/7', '/openapi.json', '/'])(
    'content of %s has the common headers, also if it is not modified',
    async (path) => {
      const whole = await get(path, bearer());
      const same = await get(path, bearer(), `If-None-Match: ${whole.headers.get('etag')}`);
      expect([whole.status, same.status]).toEqual([200, 304]);
      expectCommonHeaders(whole);
      expectCommonHeaders(same);
    },
  );
});

describe('authentication', () => {
  const realm = 'Bearer realm="club-events"';

  it.each([
    ['no Authorization', []],
    ['an empty Authorization', ['Authorization: ']],
    ['another scheme', ['Authorization: Basic Y2hlc3M6c2VjcmV0']],
    ['a scheme that only begins like it', ['Authorization: Bearerx abc']],
    ['a key in the body alone', ['Content-Length: 16', 'Content-Type: application/json']],
  ])('answers %s with 401 and no error code', async (_, lines) => {
    const answer = await get('/v1/events', ...lines);
    expectProblem(answer, 401);
    expect(answer.headers.get('www-authenticate')).toBe(realm);
  });

  it('answers malformed, unknown, expired and revoked keys with identical bytes', async () => {
    const revoked = await addMember(home, 'Revoked', [makeEvent(7)]);
    const before = await get('/v1/events', `Authorization: Bearer ${revoked.key}`);
    expect(before.status).toBe(200);
    await revokeKeysOf(home, 'Revoked');
    const unknown = 'ce_000000000000000000000000000000000000';
    const keys = ['x', 'two words', unknown, expired.key, revoked.key, `${member.key} x`, '%00'];
    const answers = await Promise.all(
      keys.map((key) => get('/v1/events', `Authorization: Bearer ${key}`)),
    );
    for (const answer of answers) expectProblem(answer, 401);
    const withoutDate = answers.map(({ head, body }) => head.replace(/^Date:.*$/m, '') + body);
    expect(new Set(withoutDate).size).toBe(1);
    expect(answers[0]?.headers.get('www-authenticate')).toBe(`${realm}, error="invalid_token"`);
  });

  it.each([
    ['Bearer without a key', '/v1/events', ['Authorization: Bearer']],
    ['Bearer with blanks only', '/v1/events', ['Authorization: Bearer    ']],
    ['two Authorization headers', '/v1/events', ['@', '@']],
    ['a second, empty Authorization', '/v1/events', ['@', 'Authorization:']],
    ['a second header in another case', '/v1/events', ['@', 'AUTHORIZATION: Bearer x']],
    ['access_token in the query', '/v1/events?access_token=KEY', []],
    ['access_token beside a header', '/v1/events?access_token=KEY', ['@']],
    ['an encoded access_token', '/v1/events?a=1&%61ccess_token=KEY', ['@']],
    ['an access_token given twice', '/v1/events?access_token=KEY&access_token=KEY', []],
    ['an empty access_token', '/v1/events/7?access_token', ['@']],
  ])('answers %s with 400', async (_, path, lines) => {
    const sent = lines.map((line) => (line === '@' ? bearer() : line));
    const answer = await get(path.replace('KEY', member.key), ...sent);
    expectProblem(answer, 400);
    expect(answer.headers.get('www-authenticate')).toBe(`${realm}, error="invalid_request"`);
  });

  it.each(['bearer KEY', 'BEARER KEY', 'bEaReR KEY', 'Bearer  KEY', 'Bearer      KEY   '])(
    'takes "%s"',
    async (value) => {
      const answer = await get(
        '/v1/events/7',
        `Authorization: ${value.replace('KEY', member.key)}`,
      );
      expect(answer.status).toBe(200);
    },
  );

  it('refuses a revoked key from the next request on', async () => {
    const brief = await addMember(home, 'Brief', []);
    const line = `Authorization: Bearer ${brief.key}`;
    expect((await get('/v1/events', line)).status).toBe(200);
    await revokeKeysOf(home, 'Brief');
    expect((await get('/v1/events', line)).status).toBe(401);
  });

  it('refuses a key once it has expired', async () => {
    const ownHome = makeTestHome();
    const guest = await addMember(ownHome, 'Guest', [], { expiresAt: '2026-06-01T12:00:00.000Z' });
    let now = '2026-06-01T11:59:59.999Z';
    const clocked = await serveForTest(ownHome, {}, () => new Date(now));
    const ask = () =>
      requestRaw(clocked.port, 'GET /v1/events', [
        `Host: 127.0.0.1:${clocked.port}`,
        `Authorization: Bearer ${guest.key}`,
      ]);
    expect((await ask()).status).toBe(200);
    now = '2026-06-01T12:00:00.000Z';
    expect((await ask()).status).toBe(401);
  });
});

describe('Host', () => {
  const ask = (...lines: string[]) => requestRaw(service.port, 'GET /v1/events', lines);
  const own = (name: string) => `Host: ${name}:${service.port}`;

  it.each(['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])('accepts %s', async (name) => {
    expect((await ask(own(name), bearer())).status).toBe(200);
  });

  it.each([
    ['another name', () => own('evil.com')],
    ['the right name without its port', () => 'Host: 127.0.0.1'],
    ['another port', () => 'Host: 127.0.0.1:1'],
    ['an empty port', () => 'Host: 127.0.0.1:'],
    ['a trailing dot', () => own('localhost.')],
    ['a longer name', () => own('127.0.0.1.evil.com')],
    ['another spelling of the address', () => own('127.1')],
    ['another address', () => own('[::2]')],
  ])('answers %s with 421, before routing', async (_, line) => {
    expectProblem(await ask(line(), bearer()), 421);
    const unknownPath = await requestRaw(service.port, 'GET /nowhere', [line()]);
    expectProblem(unknownPath, 421);
  });

  it.each([
    ['a missing one', () => []],
    ['an empty one', () => ['Host:']],
    ['two of them', () => [own('127.0.0.1'), own('127.0.0.1')]],
    ['a second, empty one', () => [own('127.0.0.1'), 'Host:']],
    ['a user before the name', () => [`Host: evil.com:x@127.0.0.1:${service.port}`]],
    ['a path behind it', () => [`Host: 127.0.0.1:${service.port}/v1`]],
    ['a blank in it', () => [`Host: 127.0.0.1 :${service.port}`]],
    ['a port that is no number', () => ['Host: 127.0.0.1:http']],
    ['several names', () => [`Host: evil.com, 127.0.0.1:${service.port}`]],
  ])('answers %s with 400', async (_, lines) => {
    expectProblem(await ask(...lines(), bearer()), 400);
  });

  it('answers HTTP/1.0 without a Host with 400', async () => {
    const target = 'GET /openapi.json HTTP/1.0\r\n\r\n';
    expect(await sendRaw(service.port, target)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each(['/health', '/ready'])('answers %s for any Host, without a proof', async (path) => {
    const challenge = `Club-Events-Challenge: ${'a'.repeat(43)}`;
    const ask = (...lines: string[]) => requestRaw(service.port, `GET ${path}`, lines);
    const own = await ask(host, challenge);
    for (const lines of [
      ['Host: balancer.internal:9000'],
      ['Host: 10.0.0.5:28470'],
      ['Host: a b'],
    ]) {
      const answer = await ask(...lines, challenge);
      expect([answer.status, answer.body]).toEqual([200, own.body]);
      expect(answer.head).not.toMatch(/proof/i);
    }
    const older = await sendRaw(service.port, `GET ${path} HTTP/1.0\r\n\r\n`);
    expect(older).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('checks the authority of a target in absolute form', async () => {
    const target = (authority: string) =>
      requestRaw(service.port, `GET http://${authority}/v1/events/7`, [host, bearer()]);
    expect((await target(`127.0.0.1:${service.port}`)).status).toBe(200);
    expectProblem(await target('evil.com'), 421);
    expectProblem(await target(`evil.com:x@127.0.0.1:${service.port}`), 400);
  });

  it('accepts the configured name and no other', async () => {
    const publicUrl = new URL('http://events.club.example:8080');
    const { port } = await serveForTest(makeTestHome(), { publicUrl });
    const status = async (line: string) =>
      (await requestRaw(port, 'GET /openapi.json', [`Host: ${line}`])).status;
    expect(await status('events.club.example:8080')).toBe(200);
    expect(await status(`127.0.0.1:${port}`)).toBe(200);
    expect(await status(`events.club.example:${port}`)).toBe(421);
    expect(await status('club.example:8080')).toBe(421);
  });

  it('accepts the configured name behind an https proxy', async () => {
    const publicUrl = new URL('https://events.club.example');
    const { port } = await serveForTest(makeTestHome(), { publicUrl });
    const status = async (line: string) =>
      (await requestRaw(port, 'GET /openapi.json', [`Host: ${line}`])).status;
    expect(await status('events.club.example')).toBe(200);
    expect(await status('events.club.example:443')).toBe(200);
    expect(await status('events.club.example:8443')).toBe(421);
  });
});

describe('pages of other origins', () => {
  const own = () => `http://127.0.0.1:${service.port}`;

  it.each([
    'Origin: https://evil.com',
    'Origin: null',
    'Origin: http://127.0.0.1',
    'Origin: http://localhost:1',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Site: same-site',
  ])('pages of other origins are refused with 403 and no CORS header: %s', async (line) => {
    const answer = await get('/v1/events', bearer(), line);
    expectProblem(answer, 403);
    expect(answer.head).not.toMatch(/access-control/i);
  });

  it('pages of other origins are refused on unknown paths and on preflights', async () => {
    expectProblem(await get('/v1/nothing', 'Origin: https://evil.com'), 403);
    const preflight = await requestRaw(service.port, 'OPTIONS /v1/events', [
      host,
      'Origin: https://evil.com',
      'Access-Control-Request-Method: GET',
    ]);
    expectProblem(preflight, 403);
  });

  it('pages of other origins are allowed outside /v1', async () => {
    const answer = await get('/health', 'Origin: https://evil.com', 'Sec-Fetch-Site: cross-site');
    expect(answer.status).toBe(200);
    expect(answer.head).not.toMatch(/access-control/i);
  });

  it('pages of other origins are distinguished from the own origin', async () => {
    for (const line of [`Origin: ${own()}`, `Origin: http://localhost:${service.port}`]) {
      const answer = await get('/v1/events', bearer(), line, 'Sec-Fetch-Site: same-origin');
      expect(answer.status).toBe(200);
      expect(answer.head).not.toMatch(/access-control/i);
    }
    expect((await get('/v1/events', bearer(), 'Sec-Fetch-Site: none')).status).toBe(200);
  });

  it('pages of other origins may read if their origin is configured', async () => {
    const ownHome = makeTestHome();
    const reader = await addMember(ownHome, 'Reader', [makeEvent(1)]);
    const origin = 'https://club.example';
    const { port } = await serveForTest(ownHome, { allowedOrigins: [origin] });
    const ask = (method: string, from: string, ...lines: string[]) =>
      requestRaw(port, `${method} /v1/events`, [
        `Host: 127.0.0.1:${port}`,
        `Origin: ${from}`,
        'Sec-Fetch-Site: cross-site',
        ...lines,
      ]);
    const answer = await ask('GET', origin, `Authorization: Bearer ${reader.key}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('vary')).toBe('Origin, Authorization, Accept');
    expect(answer.headers.has('access-control-allow-credentials')).toBe(false);

    const preflight = await ask('OPTIONS', origin, 'Access-Control-Request-Method: GET');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Authorization/);

    for (const path of ['/health', '/openapi.json']) {
      const lines = [`Host: 127.0.0.1:${port}`, `Origin: ${origin}`, 'Sec-Fetch-Site: cross-site'];
      const open = await requestRaw(port, `GET ${path}`, lines);
      expect(open.status).toBe(200);
      expect(open.headers.get('access-control-allow-origin')).toBe(origin);
      expect(open.headers.get('vary')).toBe('Origin');
      lines[1] = 'Origin: https://evil.example';
      const closed = await requestRaw(port, `GET ${path}`, lines);
      expect([closed.status, closed.headers.get('vary')]).toEqual([200, 'Origin']);
      expect(closed.head).not.toMatch(/access-control/i);
    }

    const refused = await ask('GET', 'https://evil.example', `Authorization: Bearer ${reader.key}`);
    expectProblem(refused, 403);
    expect(refused.head).not.toMatch(/access-control/i);
  });
});

describe('methods', () => {
  it.each(['/v1/events', '/v1/events/7', '/health', '/openapi.json'])(
    'answers HEAD %s as GET, without the body',
    async (path) => {
      const headOf = ({ head }: RawAnswer) =>
        head
          .replace(/^Date:.*$/m, '')
          .split('\r\n')
          .sort();
      const whole = await get(path, bearer());
      const head = await requestRaw(service.port, `HEAD ${path}`, [host, bearer()]);
      expect(whole.status).toBe(200);
      expect(headOf(head)).toEqual(headOf(whole));
      expect(head.headers.get('content-length')).toBe(
        String(Buffer.byteLength(whole.body, 'latin1')),
      );
      expect(head.body).toBe('');
    },
  );

  it('answers HEAD with the status and length of an error', async () => {
    const head = await requestRaw(service.port, 'HEAD /v1/events', [host]);
    const whole = await get('/v1/events');
    expect(head.status).toBe(401);
    expect(head.body).toBe('');
    expect(head.headers.get('content-length')).toBe(String(whole.body.length));
  });

  it.each(['/v1/events', '/v1/events/7', '/health', '/openapi.json', '*'])(
    'answers OPTIONS %s with 204, without a key',
    async (path) => {
      const answer = await requestRaw(service.port, `OPTIONS ${path}`, [host]);
      expect(answer.status).toBe(204);
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect(answer.body).toBe('');
      expectCommonHeaders(answer);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'LINK'])(
    'answers %s on a known path with 405',
    async (method) => {
      for (const path of ['/v1/events', '/v1/events/7', '/health', '/openapi.json']) {
        const answer = await requestRaw(service.port, `${method} ${path}`, [host, bearer()]);
        expectProblem(answer, 405);
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      }
    },
  );

  it.each([
    'CONNECT',
    'FROB',
    'BREW',
    'LIST',
    'TRACK',
    'DESCRIBE',
    'GETX',
    'get',
    "A!#$%&'*+.^_`|~",
  ])('answers %s, which Node does not pass on, with 405', async (method) => {
    const answer = await requestRaw(service.port, `${method} /v1/events`, [host]);
    expectProblem(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('answers an unknown method after a valid request with 405', async () => {
    const good = `GET /health HTTP/1.1\r\n${host}\r\n\r\n`;
    const answers = await sendRaw(
      service.port,
      `${good}BREW /v1/events HTTP/1.1\r\n${host}\r\n\r\n`,
    );
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*HTTP\/1\.1 405 Method Not Allowed/);
  });

  it('answers any method on an unknown path with 404', async () => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE']) {
      expectProblem(await requestRaw(service.port, `${method} /nowhere`, [host]), 404);
    }
  });
});

describe('paths', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v1/events/',
    '/v1/events/7/',
    '/v1/events/7/x',
    '/V1/events',
    '/v1/Events',
    '/v1/events//7',
    '//v1/events',
    '//evil.com/v1/events',
    '/v1//events',
    '/v1%2Fevents',
    '/v1/%65vents',
    '/v1/events;x=1',
    '/./v1/events',
    '/v1/../v1/events',
    '/Health',
    '/openapi.json/',
  ])('answers %s with 404', async (path) => {
    const answer = await get(path, bearer());
    expectProblem(answer, 404);
    const { code, detail } = JSON.parse(answer.body);
    expect(code).toBe('not_found');
    expect(detail).toMatch(/\/v1\/events.*\/openapi\.json/);
  });

  it('refuses bytes that no URL contains', async () => {
    expectProblem(await get('/v1/events\xa0', bearer()), 400);
    expectProblem(await get('/v1/events#x', bearer()), 400);
    expectProblem(await get('v1/events', bearer()), 400);
  });

  it('ignores and lists unknown query parameters', async () => {
    const ignored = async (query: string, path = '/v1/events') => {
      const answer = await get(`${path}?${query}`, bearer());
      expect(answer.status, query).toBe(200);
      return answer.headers.get('ignored-parameters');
    };
    expect(await ignored('pretty=1&%zz&status=nonsense', '/v1/events/7')).toBe(
      'pretty, %25zz, status',
    );
    expect(await ignored('status[]=draft&status[]=active&Limit=1&limit=1&=x')).toBe(
      'status%5B%5D, Limit',
    );
    expect(await ignored('a,b%0d%0aX:1=1&%C3%A9')).toBe('a%2Cb%0D%0AX%3A1, %C3%A9');
    expect(await ignored('limit=1&q=relay')).toBeUndefined();
    expect(await ignored('&')).toBeUndefined();
    const many = Array.from({ length: 12 }, (_, at) => `p${at}`);
    expect(await ignored(many.join('&'))).toBe(many.slice(0, 10).join(', '));
    expect((await ignored(`${'%F0%9F%8F%83'.repeat(300)}x`))?.length).toBeLessThan(1_000);
    const [plain, other] = [await get('/v1/events', bearer()), await get('/v1/events?x', bearer())];
    expect(other.headers.get('etag')).toBe(plain.headers.get('etag'));
    const tag = `If-None-Match: ${plain.headers.get('etag')}`;
    const same = await get('/v1/events?x', bearer(), tag);
    expect([same.status, same.headers.get('ignored-parameters')]).toEqual([304, 'x']);
    expect((await get('/v1/events?x')).headers.has('ignored-parameters')).toBe(false);
  });
});

describe('ids', () => {
  it.each([
    '0',
    '-1',
    '8',
    '9007199254740992',
    '9007199254740993',
    '9223372036854775807',
    '9223372036854775808',
    '-9223372036854775809',
    '1'.repeat(400),
  ])('answers the canonical integer %s without an event with 404', async (id) => {
    expectProblem(await get(`/v1/events/${id}`, bearer()), 404);
  });

  it.each([
    'abc',
    '1.5',
    '01',
    '007',
    '-0',
    '+7',
    '1e3',
    '0x7',
    '%31',
    '%37',
    '%00',
    '%zz',
    '%',
    '7%20',
    '7;x',
    '7,8',
    '--7',
    '-',
    '1_000',
    '٧',
    '7%0a',
    'NaN',
    'Infinity',
    '7.0',
    '7n',
    'null',
  ])('answers %s, which is not a canonical integer, with 400', async (id) => {
    const answer = await get(`/v1/events/${id}`, bearer());
    expectProblem(answer, 400);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'invalid_parameter', parameter: 'id' });
  });

  it('returns the same 404 for a missing event and another user’s event', async () => {
    await addMember(home, 'Neighbour', [makeEvent(88)]);
    const bytes = async (id: number) => {
      const { head, body } = await get(`/v1/events/${id}`, bearer());
      return head.replace(/^Date:.*$/m, '') + body;
    };
    expect(await bytes(88)).toBe(await bytes(89));
    const { code, detail } = JSON.parse((await get('/v1/events/88', bearer())).body);
    expect({ code, detail }).toEqual({
      code: 'event_not_found',
      detail: 'There is no event with this id.',
    });
  });

  it('checks the key before the id', async () => {
    expectProblem(await get('/v1/events/abc'), 401);
    expectProblem(await get('/v1/events/abc', 'Authorization: Bearer x'), 401);
  });

  it('finds a negative id', async () => {
    expect(JSON.parse((await get('/v1/events/-3', bearer())).body).event.id).toBe(-3);
  });
});

describe('a body on GET', () => {
  it('a body on GET is ignored, and closes the connection', async () => {
    const whole = await get('/v1/events/7', bearer());
    const keepAlive = [host, bearer(), 'Content-Length: 9'];
    const head = ['GET /v1/events/7 HTTP/1.1', ...keepAlive].join('\r\n');
    const answer = await sendRaw(service.port, `${head}\r\n\r\n{"x": 1}\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toMatch(/\r\nConnection: close\r\n/);
    expect(answer.endsWith(whole.body)).toBe(true);
  });

  it('a body on GET is not waited for', async () => {
    const lines = [host, bearer(), 'Content-Length: 1000000'];
    const answer = await requestRaw(service.port, 'GET /v1/events/7', lines, 'only the beginning');
    expect(answer.status).toBe(200);
    const chunked = [host, bearer(), 'Transfer-Encoding: chunked'];
    expect((await requestRaw(service.port, 'GET /v1/events/7', chunked)).status).toBe(200);
  });

  it('a body on GET is not requested with 100 Continue', async () => {
    const lines = [host, bearer(), 'Content-Length: 5', 'Expect: 100-continue'];
    expect((await requestRaw(service.port, 'GET /v1/events/7', lines)).status).toBe(200);
  });

  it('a body on GET does not prevent the response, even if it is large', async () => {
    const body = 'x'.repeat(20_000_000);
    const lines = [host, bearer(), `Content-Length: ${body.length}`];
    const answer = await requestRaw(service.port, 'GET /v1/events/7', lines, body);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).event.id).toBe(7);
  });

  it('a body on GET is ignored for a refused request', async () => {
    const lines = [host, 'Content-Length: 3'];
    const answer = await requestRaw(service.port, 'POST /v1/events', lines, 'a=1');
    expectProblem(answer, 405);
    expect(answer.headers.get('connection')).toBe('close');
  });
});

describe('oversized or malformed requests', () => {
  it('answers headers over 8 KiB with 431', async () => {
    expectProblem(await get('/health', `X-Long: ${'x'.repeat(8 * 1024)}`), 431);
    expectProblem(await get(`/health?${'x'.repeat(9 * 1024)}`), 431);
    expect((await get('/health', `X-Long: ${'x'.repeat(7 * 1024)}`)).status).toBe(200);
  });

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a method that is no token', 'G(T / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown method of another protocol', 'FROB / RTSP/1.0\r\n\r\n'],
    ['two lengths', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\rb\r\n\r\n'],
  ])('answers %s with a problem document', async (_, bytes) => {
    const answer = await sendRaw(service.port, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/application\/problem\+json/);
  });

  it('answers valid requests before a malformed one on the same connection', async () => {
    const good = `GET /health HTTP/1.1\r\n${host}\r\n\r\n`;
    const answers = await sendRaw(service.port, `${good.repeat(10)}nonsense\r\n\r\n`);
    const statuses = answers.match(/(?<=HTTP\/1\.1 )\d+/g);
    expect(statuses).toEqual([...Array(10).fill('200'), '400']);
  });

  it('closes a connection without complete headers', { tags: 'long' }, async () => {
    const started = performance.now();
    const { socket, received } = openRaw(service.port);
    socket.write('GET /health HTTP/1.1\r\nHost: ');
    const answer = await received;
    const seconds = (performance.now() - started) / 1000;
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(seconds).toBeGreaterThan(4.5);
  });
});
