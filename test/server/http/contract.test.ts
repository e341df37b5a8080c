import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionLimits } from '../../../server/http/connections.ts';
import { answerHeaders, headerNames, pageHeaderNames } from '../../../server/http/headers.ts';
import { maxWait } from '../../../server/http/long-polls.ts';
import { bodyOf } from '../../../server/http/openapi.ts';
import {
  exampleEvents,
  exampleRevision,
  operations,
  requestHeaders,
} from '../../../server/http/operations.ts';
import { listParameterNames, parameterOf } from '../../../server/http/parameters.ts';
import { problemAnswer, problems } from '../../../server/http/problems.ts';
import { requestLimits } from '../../../server/http/server.ts';
import { serveClub } from '../../support/club.ts';
import { makeTestHome } from '../../support/home.ts';
import { requestRaw } from '../../support/raw.ts';
import { serveForTest } from '../../support/service.ts';

const root = join(import.meta.dirname, '../../..');
const readme = readFileSync(join(root, 'server/http/README.md'), 'utf8');

const code = (text: string) => `\`${text}\``;

/** Composes a table in Markdown. */
function composeTable(...rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  const line = `|${'---|'.repeat(rows[0]?.length ?? 0)}`;
  return `\n${[head, line, ...rest].join('\n').replaceAll('|  |', '| |')}\n`;
}

const { headersTimeout, requestTimeout, maxHeaderSize } = requestLimits;
const seconds = (ms: number) => `${ms / 1_000} s`;

const tables: Readonly<Record<string, string>> = {
  parameters: composeTable(
    ['parameter', 'default', ''],
    ...listParameterNames.map((name) => {
      const { absent, description } = parameterOf(name);
      return [code(name), absent, description];
    }),
  ),
  'headers of requests': composeTable(
    ['header of a request', ''],
    ...Object.entries(requestHeaders).map(([name, description]) => [code(name), description]),
  ),
  'headers of answers': composeTable(
    ['header', 'on', ''],
    ...Object.entries(answerHeaders).map(([name, { on, description }]) => [
      code(name),
      on,
      description,
    ]),
  ),
  errors: composeTable(
    ['code', 'status', 'remedy'],
    ...Object.entries(problems)
      .toSorted(([, one], [, other]) => one.status - other.status)
      .map(([name, { status, detail }]) => [code(name), `${status}`, detail]),
  ),
  limits: composeTable(
    ['limit', ''],
    ['headers of a request', `${maxHeaderSize / 1024} KiB, ${seconds(headersTimeout)}`],
    ['a request', seconds(requestTimeout)],
    ['an answer without progress', seconds(connectionLimits.stall)],
    ['a connection between two requests', seconds(connectionLimits.idle)],
    ['connections', `${connectionLimits.connections}`],
    ['requests of a connection that are answered at a time', `${connectionLimits.answers}`],
    ['requests of a connection that queue', `${connectionLimits.queue}`],
    ['requests with the same key that wait for a change', `${connectionLimits.waitsOfKey}`],
    ['requests that wait for a change', `${connectionLimits.waits}`],
    ['the wait of a request', `${maxWait} s`],
  ),
};

it.each(Object.entries(tables))('has the declared %s as a table in the README', (_, table) => {
  if (!readme.includes(table)) expect.fail(`Paste this into server/http/README.md:\n${table}`);
});

it('shows the event of the examples in the README', () => {
  const [, json = ''] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
  expect(JSON.parse(json)).toEqual(exampleEvents[0]);
});

const examples = operations.flatMap(({ path, needsKey, examples: all }) =>
  all.map((example) => ({ ...example, operation: path, needsKey })),
);

describe('the example', () => {
  it.each(examples)(
    'the example $name of $operation is the answer of a service',
    async (example) => {
      const { service, key } = await serveClub(exampleEvents);
      const authorized = example.needsKey && !example.isWithoutKey;
      const headers = { ...(authorized && { Authorization: `Bearer ${key}` }), ...example.headers };
      const ask = (path: string) => fetch(service.baseUrl + path, { headers });
      const revision = exampleRevision.split('.');
      let { path } = example;
      if (path.includes(exampleRevision)) {
        const list = await ask('/v1/events?limit=1');
        const [epoch = ''] = list.headers.get(headerNames.eventsRevision)?.split('.') ?? [];
        path = path.replace(exampleRevision, `${epoch}.${revision[1]}`);
      }
      const answer = await ask(path);
      expect(await answer.json()).toEqual(bodyOf(example));
      const expected =
        'problem' in example
          ? problemAnswer(example.problem)
          : { status: 200, headers: example.answerHeaders ?? {} };
      expect(answer.status).toBe(expected.status);
      expect(Object.fromEntries(answer.headers)).toMatchObject(
        Object.fromEntries(
          Object.entries(expected.headers).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      );
    },
  );
});

it('has an example for each answer that a request alone can bring about', () => {
  const shown = new Set(
    examples.map((example) => JSON.stringify(bodyOf(example)).match(/"code":"(\w+)"/)?.[1]),
  );
  const all = operations.filter(({ needsKey }) => needsKey).flatMap((each) => each.problems);
  // Those of a broken request, which no client composes, and of the state of the service.
  const others = all.filter((name) => !shown.has(name) && !name.startsWith('malformed_'));
  expect(new Set(others)).toEqual(
    new Set([
      ...['timeout', 'misdirected', 'headers_too_large', 'internal'],
      ...['busy', 'database_gone', 'database_damaged', 'node_filling', 'record_away'],
    ]),
  );
});

it('names each error in an operation, but for those of other paths and methods', () => {
  const named = new Set(
    operations
      .flatMap((operation) => operation.problems)
      .map((name) => JSON.parse(problemAnswer(name).body).code),
  );
  const others = Object.keys(problems).filter((name) => !named.has(name));
  expect(others).toEqual(['not_found', 'method_not_allowed', 'page_not_built']);
});

describe('an error', () => {
  it.each([
    ['GET /v1/events', 401, 'Authorization, Origin'],
    ['GET /v1/nothing', 404, 'Authorization, Origin'],
    ['POST /v1/events', 405, 'Authorization, Origin'],
    ['GET /v1/events?access_token=x', 400, 'Authorization, Origin'],
    // Refused before the origin is read.
    ['GET /v1/events#x', 400, 'Authorization'],
    ['BREW /v1/events', 405, 'Authorization'],
  ])(
    'an error of %s, with status %i, depends on %s for every cache',
    async (line, status, vary) => {
      const origin = 'https://club.example';
      const { port } = await serveForTest(makeTestHome(), { allowedOrigins: [origin] });
      const answer = await requestRaw(port, line, [`Host: 127.0.0.1:${port}`, `Origin: ${origin}`]);
      expect([answer.status, answer.headers.get('vary')]).toEqual([status, vary]);
    },
  );

  it('an error can be read by a page of an allowed origin, with all its headers', async () => {
    const origin = 'https://club.example';
    const { port } = await serveForTest(makeTestHome(), { allowedOrigins: [origin] });
    const lines = [`Host: 127.0.0.1:${port}`, `Origin: ${origin}`];
    const { status, headers } = await requestRaw(port, 'GET /v1/events', lines);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, origin]);
    const exposed = headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['Retry-After', 'WWW-Authenticate', 'ETag']));
    expect(exposed).toEqual(Object.keys(answerHeaders));
  });
});

/** Files that spell names of the interface, with the reason. */
const spellers: Readonly<Record<string, string>> = {
  'server/http/headers.ts': 'the declaration',
  'server/http/examples/club-events.ts': 'is copied alone, and checked below',
  'server/http/examples/club_events.py': 'is copied alone, and checked below',
  'server/mcp/server.ts': 'its words for codes have the codes as type',
  'server/hub/node.ts': 'its refusals have the codes as type',
  'server/ui/base/address.ts': "the page's own address has parameters of the same names",
};
const isSpeller = (path: string) => path in spellers;

const sources = globSync('{server,electron}/**/*.{ts,tsx,cts,py,ps1,yaml}', {
  cwd: root,
  exclude: (path) => /\b(?:dist|node_modules)\b/.test(path),
})
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, code: text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|#) .*$/gm, '') };
  });

describe('a name of the interface', () => {
  /** Headers that are ours, or that only this interface uses with its meaning. */
  const ours = [
    headerNames.totalCount,
    headerNames.eventsRevision,
    headerNames.eventsDigest,
    headerNames.dataAsOf,
    headerNames.dataCoverage,
    headerNames.ignoredParameters,
    headerNames.preferenceApplied,
    ...Object.values(pageHeaderNames),
  ];

  it('a name of the interface is spelled by its declaration alone, if it is that of a header', () => {
    const form = new RegExp(`['"\`](?:${ours.join('|')})['"\`]`, 'i');
    const found = sources.filter(({ code: text }) => form.test(text)).map(({ path }) => path);
    expect(found).toContain('server/http/headers.ts');
    expect(found.filter((path) => !isSpeller(path))).toEqual([]);
  });

  it('a name of the interface is spelled only where a wrong one does not compile, if it is that of an error', () => {
    // The others are words of other lists, too.
    const codes = Object.keys(problems).filter(
      (name) => /_(?!found$)/.test(name) && !name.startsWith('database_'),
    );
    const form = new RegExp(`\\b(?:${codes.join('|')})\\b`);
    const found = sources.filter(({ code: text }) => form.test(text)).map(({ path }) => path);
    expect(found).toContain('server/http/problems.ts');
    // There, `refuse` takes no other text.
    const isTyped = (path: string) => /^server\/http\/[^/]+\.ts$/.test(path);
    expect(found.filter((path) => !isTyped(path) && !isSpeller(path))).toEqual([]);
  });

  it('a name of the interface is in one list, if it is that of a parameter', () => {
    const lists = sources.flatMap(({ path, code: text }) =>
      [...text.matchAll(/[[{][^[\]{}]*[\]}]/g)]
        .map(([list]) => listParameterNames.filter((name) => list.includes(`'${name}'`)))
        .filter((names) => names.length >= 4 && !isSpeller(path))
        .map(() => path),
    );
    expect(lists).toEqual([]);
  });

  it.each(Object.keys(spellers).filter((path) => path.includes('examples/')))(
    'a name of the interface in %s is declared',
    (path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const names =
        text.match(/\b[A-Z][a-z]+(?:-[A-Z][a-z]+)+\b|\b[a-z]+_(?:not_found|gone)\b/g) ?? [];
      expect(names).toContain(headerNames.eventsRevision);
      const declared = [...Object.values(headerNames), ...Object.keys(problems)] as string[];
      expect(names.filter((name) => !declared.includes(name))).toEqual([]);
    },
  );
});
