import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import { listParameterNames } from '../../../server/http/parameters.ts';
import { addMember, type Member, makeEvent, makeFolder, removeFolder } from '../../support/home.ts';
import { fetchWithKey, type RunningService, startTestService } from '../../support/service.ts';

type Parameter = { readonly name: string; readonly in: string; readonly schema: object };
type Answer = { readonly content?: object; readonly headers?: Record<string, object> };
type Operation = {
  readonly parameters?: readonly Parameter[];
  readonly responses: Record<string, Answer>;
};
type Document = {
  readonly openapi: string;
  readonly paths: Record<string, { readonly get: Operation }>;
  readonly components: { readonly schemas: Record<string, { readonly type?: string }> };
};

/** The document with schemas that allow no other members: clients have to ignore them, tests not. */
function makeStrict(tolerant: Document): Document {
  const strict = Object.entries(tolerant.components.schemas).map(([name, schema]) => [
    name,
    schema.type === 'object' ? { ...schema, additionalProperties: false } : schema,
  ]);
  const components = { ...tolerant.components, schemas: Object.fromEntries(strict) };
  return { ...tolerant, components };
}

const home = homeAt(makeFolder());
let service: RunningService;
let member: Member;
let document: Document;
let ajv: Ajv2020;

beforeAll(async () => {
  const { registrationOpen, ...withoutOpen } = { ...makeEvent(2), registrationOpen: true };
  member = await addMember(home, 'Chess', [
    { ...makeEvent(1), description: 'text', eventType: null, registrationOpen: true },
    { ...withoutOpen, location: '' },
  ]);
  service = await startTestService(home);
  const answer = await fetch(`${service.baseUrl}/openapi.json`);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  document = (await answer.json()) as Document;
  ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(makeStrict(document), 'openapi.json');
});

afterAll(async () => {
  await service.close();
  removeFolder(home.directory);
});

/** Headers without a meaning for the content. */
const ordinaryHeaders =
  /^(cache-control|connection|content-.*|cross-origin-.*|date|keep-alive|referrer-policy|transfer-encoding|x-.*)$/;

/** Checks an answer against what the document says of its operation, status and media type. */
async function expectDocumented(path: string, answer: Response): Promise<void> {
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const body = await answer.text();
  const documented = document.paths[path]?.get.responses[answer.status];
  expect(documented, `${path} answers ${answer.status}, which is not documented`).toBeDefined();
  const names = Object.keys(documented?.headers ?? {}).map((name) => name.toLowerCase());
  const others = [...answer.headers.keys()].filter((name) => !ordinaryHeaders.test(name));
  expect(names).toEqual(expect.arrayContaining(others));
  if (documented?.content === undefined) return expect(body).toBe('');
  expect(Object.keys(documented.content)).toContain(type);
  const encode = (key: string) => encodeURIComponent(key.replace(/~/g, '~0').replace(/\//g, '~1'));
  const pointer = [
    'paths',
    path,
    'get',
    'responses',
    `${answer.status}`,
    'content',
    type,
    'schema',
  ];
  const validate = ajv.getSchema(`openapi.json#/${pointer.map(encode).join('/')}`);
  expect(validate).toBeDefined();
  const valid = validate?.(type.endsWith('json') ? JSON.parse(body) : body);
  expect(validate?.errors ?? [], body).toEqual([]);
  expect(valid).toBe(true);
}

describe('the OpenAPI document', () => {
  it('the OpenAPI document is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('describes exactly the served paths', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/v1/events',
      '/v1/events/{id}',
      '/health',
      '/ready',
      '/openapi.json',
    ]);
  });

  it.each([
    ['/v1/events', '/v1/events', {}, 200],
    ['/v1/events', '/v1/events', { 'If-None-Match': '*' }, 304],
    ['/v1/events', '/v1/events?status[]=draft', {}, 200],
    ['/v1/events', '/v1/events', { 'If-Match': '"x"' }, 412],
    ['/v1/events', '/v1/events?x=1', { 'If-Match': '"x"' }, 412],
    ['/v1/events', '/v1/events?x=1&limit=0', {}, 400],
    ['/v1/events', '/v1/events?x=1&since=0000000000000000.1', {}, 410],
    ['/v1/events/{id}', '/v1/events/3?x=1', {}, 404],
    ['/v1/events', '/v1/events', { Authorization: 'Basic x' }, 401],
    ['/v1/events', '/v1/events', { Authorization: 'Bearer x' }, 401],
    ['/v1/events', '/v1/events', { Origin: 'https://evil.com' }, 403],
    ['/v1/events', '/v1/events?access_token=x', {}, 400],
    ['/v1/events', '/v1/events?q=chess&status=active,draft&from=2026-05-01&limit=1', {}, 200],
    ['/v1/events', '/v1/events?limit=0', {}, 400],
    ['/v1/events/{id}', '/v1/events/1', {}, 200],
    ['/v1/events/{id}', '/v1/events/2', {}, 200],
    ['/v1/events/{id}', '/v1/events/2', { 'If-None-Match': '*' }, 304],
    ['/v1/events', '/v1/events', { Accept: 'text/csv' }, 200],
    ['/v1/events', '/v1/events', { Accept: 'text/calendar' }, 200],
    ['/v1/events', '/v1/events', { Prefer: 'wait=1', 'If-None-Match': '*' }, 304],
    ['/v1/events/{id}', '/v1/events/2', { 'If-Match': '"x"' }, 412],
    ['/v1/events/{id}', '/v1/events/3', {}, 404],
    ['/v1/events/{id}', '/v1/events/x', {}, 400],
    ['/health', '/health', {}, 200],
    ['/openapi.json', '/openapi.json', {}, 200],
    ['/openapi.json', '/openapi.json', { 'If-None-Match': '*' }, 304],
    ['/openapi.json', '/openapi.json', { 'If-Match': '"x"' }, 412],
  ])('describes the response for %s: GET %s with %j', async (path, url, headers, status) => {
    const answer = await fetchWithKey(service, url, member.key, headers);
    expect(answer.status).toBe(status);
    await expectDocumented(path, answer);
  });

  it.each([
    ['q', ['', 'relay', 'x'.repeat(200)], ['x'.repeat(201)]],
    ['status', ['draft', 'draft,active', 'cancelled,completed'], ['', 'open', 'draft,']],
    ['eventType', ['none', 'club,none', 'national,international,regional'], ['null', '']],
    [
      'from',
      [
        ...['2026-05-01', '2026-05-01T18:00:00+02:00', '2026-05-01t18:00:00.5z'],
        ...['2026-05-01T18:00Z', '2026-05-01t18:00+02:00', '2016-12-31T23:59:60Z'],
      ],
      ['2026', '2026-02-30', 'x', '2026-05-01T18:00', '2026-05-01T18:00:60Z'],
    ],
    ['to', ['2026-05-01T18:00:00.123Z'], ['2026-05-01T18:00:00', '']],
    ['sort', ['date', 'createdAt'], ['name', '']],
    ['order', ['asc', 'desc'], ['ASC', '']],
    ['limit', [1, 200], [0, 201, 1.5]],
  ])(
    'the OpenAPI document has a schema for the parameter %s that accepts valid values only',
    async (name, good, bad) => {
      const all = document.paths['/v1/events']?.get.parameters ?? [];
      const at = all.findIndex((parameter) => parameter.name === name && parameter.in === 'query');
      const pointer = `openapi.json#/paths/~1v1~1events/get/parameters/${at}/schema`;
      const validate = ajv.getSchema(pointer);
      const isList = (all[at]?.schema as { type?: string } | undefined)?.type === 'array';
      for (const value of [...good, ...bad]) {
        const path = `/v1/events?${name}=${encodeURIComponent(value)}`;
        const { status } = await fetchWithKey(service, path, member.key);
        expect(status, path).toBe(good.includes(value as never) ? 200 : 400);
        expect(validate?.(isList ? `${value}`.split(',') : value), path).toBe(status === 200);
      }
    },
  );

  it('describes the changes since a revision, their links and refusals', async () => {
    const list = await fetchWithKey(service, '/v1/events', member.key);
    const revision = list.headers.get('Events-Revision') ?? '';
    const [epoch, number] = revision.split('.');
    const parameters = document.paths['/v1/events']?.get.parameters ?? [];
    const at = parameters.findIndex(({ name }) => name === 'since');
    const pointer = `openapi.json#/paths/~1v1~1events/get/parameters/${at}/schema`;
    const validate = ajv.getSchema(pointer);
    for (const [since, status] of [
      [revision, 200],
      [`${epoch}.0`, 200],
      [`${epoch}.${number}.1`, 200],
      [`${epoch}.${number}0`, 410],
      [`${number}`, 400],
      [`${revision}.x`, 400],
    ] as const) {
      const path = `/v1/events?since=${since}&limit=1`;
      const answer = await fetchWithKey(service, path, member.key);
      expect(answer.status, path).toBe(status);
      expect(validate?.(since), path).toBe(status !== 400);
      await expectDocumented('/v1/events', answer);
    }
  });

  it('the OpenAPI document names each parameter of the list and each header of its responses', async () => {
    const { parameters, responses } = document.paths['/v1/events']?.get ?? { responses: {} };
    expect(parameters?.filter((one) => one.in === 'query').map(({ name }) => name)).toEqual(
      listParameterNames,
    );
    const prefer = { Prefer: 'wait=1', 'If-None-Match': '"x"' };
    const answer = await fetchWithKey(service, '/v1/events?limit=1&x=1', member.key, prefer);
    const documented = Object.keys(responses['200']?.headers ?? {});
    // Those of a copy of an online service have tests of their own.
    const common = documented.filter((name) => !name.startsWith('Data-'));
    for (const name of common) expect(answer.headers.get(name), name).not.toBeNull();
    for (const name of ['ETag', 'Events-Digest', 'Ignored-Parameters', 'Link', 'Total-Count'])
      expect(documented).toContain(name);
    expect(Object.keys(responses['304']?.headers ?? {})).toEqual(documented);
  });

  it('declares ids as 64-bit and allows new members', () => {
    const { Event: event } = document.components.schemas as Record<string, unknown>;
    const bounds = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
    const id = { type: 'integer', format: 'int64', ...bounds };
    expect(event).toMatchObject({ properties: { id } });
    const [parameter] = document.paths['/v1/events/{id}']?.get.parameters ?? [];
    expect(parameter).toMatchObject({ name: 'id', schema: id });
    expect(JSON.stringify(document)).not.toContain('additionalProperties');
  });

  it('declares a type for each enumeration', () => {
    const found: string[] = [];
    JSON.stringify(document, (_, value) => {
      if (Array.isArray(value?.enum)) found.push(value.type);
      return value;
    });
    expect(found.length).toBeGreaterThan(4);
    expect(new Set(found)).toEqual(new Set(['string']));
  });

  it('rejects a response that does not conform', () => {
    const validate = ajv.getSchema('openapi.json#/components/schemas/Event');
    const event = makeEvent(1);
    expect(validate?.(event)).toBe(true);
    for (const broken of [
      { ...event, extra: 1 },
      { ...event, id: 1.5 },
      { ...event, location: null },
      { ...event, date: '2026-05-01' },
      { ...event, date: '2026-02-30T00:00:00.000Z' },
      { ...event, status: 'open' },
      { ...event, registrationOpen: null },
    ]) {
      expect(validate?.(broken), JSON.stringify(broken)).toBe(false);
    }
  });
});

describe('/health', () => {
  it('returns only the service name and version', async () => {
    const answer = await fetch(`${service.baseUrl}/health`);
    const { version } = (await import('../../../package.json', { with: { type: 'json' } })).default;
    expect(await answer.json()).toEqual({ service: 'club-events', version });
  });
});
