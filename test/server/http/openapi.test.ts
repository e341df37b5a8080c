import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { homeAt } from '../../../server/home.ts';
import { addMember, type Member, makeEvent, makeFolder, removeFolder } from '../../support/home.ts';
import { fetchWithKey, type RunningService, startTestService } from '../../support/service.ts';

type Operation = { readonly responses: Record<string, { readonly content?: object }> };
type Document = {
  readonly openapi: string;
  readonly paths: Record<string, { readonly get: Operation }>;
};

const home = homeAt(makeFolder());
let service: RunningService;
let member: Member;
let document: Document;
let ajv: Ajv2020;

beforeAll(async () => {
  const { registrationOpen, ...untold } = { ...makeEvent(2), registrationOpen: true };
  member = await addMember(home, 'Chess', [
    { ...makeEvent(1), description: 'text', eventType: null, registrationOpen: true },
    { ...untold, location: '' },
  ]);
  service = await startTestService(home);
  const answer = await fetch(`${service.baseUrl}/openapi.json`);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  document = (await answer.json()) as Document;
  ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi.json');
});

afterAll(async () => {
  await service.close();
  removeFolder(home.directory);
});

/** Checks an answer against what the document says of its operation, status and media type. */
async function expectDocumented(path: string, answer: Response): Promise<void> {
  const type = answer.headers.get('content-type')?.split(';')[0] ?? '';
  const body = await answer.text();
  const documented = document.paths[path]?.get.responses[answer.status];
  expect(documented, `${path} answers ${answer.status}, which is not documented`).toBeDefined();
  if (documented?.content === undefined) return expect(body).toBe('');
  expect(Object.keys(documented.content)).toEqual([type]);
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
  const valid = validate?.(JSON.parse(body));
  expect(validate?.errors ?? [], body).toEqual([]);
  expect(valid).toBe(true);
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('describes each path that is served, and no other', () => {
    expect(Object.keys(document.paths)).toEqual([
      '/v1/events',
      '/v1/events/{id}',
      '/health',
      '/openapi.json',
    ]);
  });

  it.each([
    ['/v1/events', '/v1/events', {}, 200],
    ['/v1/events', '/v1/events', { 'If-None-Match': '*' }, 304],
    ['/v1/events', '/v1/events', { Authorization: 'Basic x' }, 401],
    ['/v1/events', '/v1/events', { Authorization: 'Bearer x' }, 401],
    ['/v1/events', '/v1/events', { Origin: 'https://evil.com' }, 403],
    ['/v1/events', '/v1/events?access_token=x', {}, 400],
    ['/v1/events/{id}', '/v1/events/1', {}, 200],
    ['/v1/events/{id}', '/v1/events/2', {}, 200],
    ['/v1/events/{id}', '/v1/events/2', { 'If-None-Match': '*' }, 304],
    ['/v1/events/{id}', '/v1/events/3', {}, 404],
    ['/v1/events/{id}', '/v1/events/x', {}, 400],
    ['/health', '/health', {}, 200],
    ['/openapi.json', '/openapi.json', {}, 200],
  ])('holds for %s: GET %s with %j', async (path, url, headers, status) => {
    const answer = await fetchWithKey(service, url, member.key, headers);
    expect(answer.status).toBe(status);
    await expectDocumented(path, answer);
  });

  it('would not pass an answer that breaks it', () => {
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
  it('tells the service and its version, and nothing else', async () => {
    const answer = await fetch(`${service.baseUrl}/health`);
    const { version } = (await import('../../../package.json', { with: { type: 'json' } })).default;
    expect(await answer.json()).toEqual({ service: 'club-events', version });
  });
});
