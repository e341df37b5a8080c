import { afterAll, beforeAll, expect, it } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import { addMember, makeEvent, makeFolder, removeFolder } from '../../support/home.ts';
import { commandsIn, findRefusal } from '../../support/printed-commands.ts';
import { requestRaw } from '../../support/raw.ts';
import { type RunningService, startTestService } from '../../support/service.ts';

const folder = makeFolder();
const home = homeAt(folder);
let service: RunningService;
let key: string;

beforeAll(async () => {
  ({ key } = await addMember(home, 'Chess', [makeEvent(1042)]));
  service = await startTestService(home);
});

afterAll(async () => {
  await service.close();
  removeFolder(folder);
});

type Request = {
  readonly path: string;
  readonly method?: string;
  readonly headers?: readonly string[];
  readonly host?: string;
};

async function ask({ path, method = 'GET', headers, host = '127.0.0.1' }: Request) {
  const lines = [`Host: ${host}:${service.port}`];
  const own = headers ?? ['Authorization: Bearer KEY'];
  const sent = [...lines, ...own].map((line) => line.replace('KEY', key));
  const { status, body } = await requestRaw(service.port, `${method} ${path}`, sent);
  return { status, problem: status < 400 ? undefined : JSON.parse(body) };
}

/** Wrong values of each parameter, and values that its sentence names, which are then accepted. */
const parameters: Readonly<Record<string, readonly [wrong: string[], right: string[]]>> = {
  q: [['a+b+c+d+e+f+g+h+i+j+k', 'x'.repeat(201), 'a&q=b'], []],
  status: [
    ['planned', '', 'active,,draft', 'active&status=x'],
    ['draft', 'active', 'cancelled'],
  ],
  eventType: [
    ['fun', '', 'club;national'],
    ['national', 'international', 'club', 'none'],
  ],
  from: [
    ['soon', '', '2026-02-30', '5/4/2026'],
    ['2026-05-01', '2026-05-01T18:00:00Z'],
  ],
  to: [
    ['soon', '2026-13-01', '2026-05-01T18:00'],
    ['2026-05-01', '2026-05-01T18:00:00Z'],
  ],
  sort: [
    ['name', '', 'date&sort=date'],
    ['createdAt', 'date'],
  ],
  order: [
    ['up', '', 'asc&order=desc'],
    ['asc', 'desc'],
  ],
  limit: [
    ['0', '201', 'all', '1.5', '', '-1'],
    ['1', '200'],
  ],
  cursor: [['abc', ''], []],
  since: [['abc', '', '5'], []],
  team: [['Nobody', ''], []],
};

/** Requests that another part makes wrong, each with its status, a part of its sentence, and its remedy. */
const others: readonly (readonly [Request, number, RegExp, Request?])[] = [
  ...['abc', '1.5', '01', '1e3', '%31', '%00'].map(
    (id) => [{ path: `/v1/events/${id}` }, 400, /an integer/, { path: '/v1/events/1042' }] as const,
  ),
  ...['/v1', '/v1/event', '/v1/events/', '/V1/events', '//v1/events', '/v1%2Fevents'].map(
    (path) => [{ path }, 404, /\/v1\/events/, { path: '/v1/events' }] as const,
  ),
  [{ path: '/v1/events/7' }, 404, /no event with this id/],
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
    (method) =>
      [{ path: '/v1/events', method }, 405, /GET/, { path: '/v1/events', method: 'GET' }] as const,
  ),
  ...[
    [],
    ['Authorization: Basic QWxhZGRpbjpvcGVu'],
    ['Authorization: Bearer'],
    ['Authorization: Bearer KEY', 'Authorization: Bearer KEY'],
    ['Authorization: Bearer abc'],
    [`Authorization: Bearer ce_${'0'.repeat(36)}`],
  ].map(
    (headers, at) =>
      [
        { path: '/v1/events', headers },
        [2, 3].includes(at) ? 400 : 401,
        /"Authorization: Bearer KEY"|club-events key create/,
        { path: '/v1/events' },
      ] as const,
  ),
  [{ path: '/v1/events?access_token=KEY' }, 400, /only in the header/, { path: '/v1/events' }],
  [
    { path: '/v1/events', headers: ['Authorization: Bearer KEY', 'Origin: https://x.org'] },
    403,
    /serve --allow-origin/,
  ],
  [{ path: '/v1/events', host: 'events.example.org' }, 421, /Host header/, { path: '/v1/events' }],
  [
    { path: '/v1/events', headers: ['Authorization: Bearer KEY', 'If-Match: "x"'] },
    412,
    /without that header/,
    { path: '/v1/events' },
  ],
];

async function expectAdvice(request: Request, status: number) {
  const { status: got, problem } = await ask(request);
  expect(got, request.path).toBe(status);
  expect(problem).toMatchObject({ status, code: expect.not.stringMatching(/internal/) });
  expect(problem.detail).toMatch(/^[A-Z][^\n]*[.]$/);
  expect(problem.detail).not.toMatch(/undefined|\[object|node:|\.[jt]s:/);
  for (const command of commandsIn(problem.detail)) {
    expect(await findRefusal(command), command).toBeUndefined();
  }
  return problem as { readonly detail: string; readonly parameter?: string };
}

it.each(Object.entries(parameters))(
  'names the parameter %s of a wrong request, and accepts the values that it advises',
  async (name, [wrong, right]) => {
    for (const value of wrong) {
      const { detail, parameter } = await expectAdvice(
        { path: `/v1/events?${name}=${value}` },
        400,
      );
      expect(parameter).toBe(name);
      expect(detail).toContain(`parameter "${name}"`);
      for (const advised of right) expect(detail).toContain(advised);
    }
    for (const value of right) {
      expect(await ask({ path: `/v1/events?${name}=${value}` })).toMatchObject({ status: 200 });
    }
  },
);

it.each(others.map(([request, status, says, remedy]) => ({ request, status, says, remedy })))(
  'says of the wrong request $request what to do ($status)',
  async ({ request, status, says, remedy }) => {
    expect((await expectAdvice(request, status)).detail).toMatch(says);
    if (remedy !== undefined) expect((await ask(remedy)).status).toBe(200);
  },
);
