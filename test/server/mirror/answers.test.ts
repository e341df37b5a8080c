import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../../server/mirror/answers.ts';
import type { Answer, Request } from '../../../server/mirror/planner/state.ts';
import { makeEvent } from '../../support/home.ts';
import { workedMs } from '../../support/measure.ts';

const url = new URL('https://x.org/api/v1/events');
const list: Request = { run: 1, operation: 'list', etag: null };
const conditional: Request = { ...list, etag: '"1"' };
const byId: Request = { run: 1, operation: 'byId', id: 7 };
const changes: Request = { run: 1, operation: 'changes', since: 'a.1', url: null };
const event = { ...makeEvent(7), registrationOpen: true };
const now = Date.parse('2026-11-22T12:00:00Z');

/** Returns the answer to a request for these contents. */
function read(
  request: Request,
  body: string | Uint8Array,
  headers: IncomingHttpHeaders = {},
  status = 200,
): Answer {
  return readAnswer(request, { url, status, headers, body: Buffer.from(body) }, now);
}

const readList = (content: unknown, headers: IncomingHttpHeaders = {}) =>
  read(list, JSON.stringify(content), headers);

function pageOf(answer: Answer) {
  if (answer.kind !== 'page') throw new Error(`no page, but ${JSON.stringify(answer)}`);
  return answer.page;
}

const codeOf = (answer: Answer) => (answer.kind === 'failure' ? answer.code : answer.kind);

describe('an event', () => {
  it('keeps the values of the upstream, in the order of the contract', () => {
    const shuffled = Object.fromEntries(Object.entries(event).reverse());
    const [listed] = pageOf(readList({ events: [shuffled] })).events;
    expect(JSON.stringify(listed)).toBe(JSON.stringify(sorted));
  });

  const { createdAt, registrationOpen, ...rest } = event;
  const sorted = { ...rest, registrationOpen, createdAt };

  it.each([
    [
      'a date with microseconds',
      { date: '2026-05-01T18:00:00.123456Z' },
      '2026-05-01T18:00:00.123Z',
    ],
    ['a date without a fraction', { date: '2026-05-01T18:00:00Z' }, '2026-05-01T18:00:00.000Z'],
    ['an offset', { date: '2026-05-01T18:00:00+02:00' }, '2026-05-01T16:00:00.000Z'],
    ['an offset without a colon', { date: '2026-05-01T18:00:00+0000' }, '2026-05-01T18:00:00.000Z'],
  ])('an event with %s has the date in the form of the contract', (_, change, date) => {
    const page = pageOf(readList({ events: [{ ...event, ...change }] }));
    expect(page.events).toEqual([{ ...event, date }]);
  });

  it.each([
    ['a location of null', { location: null }, { location: '' }],
    ['no location', { location: undefined }, { location: '' }],
    ['no description', { description: undefined }, { description: null }],
    ['no type', { eventType: undefined }, { eventType: null }],
    ['an unknown type', { eventType: 'local' }, { eventType: null }],
    ['a status in capitals', { status: 'ACTIVE' }, { status: 'active' }],
    ['an empty name', { name: '' }, { name: '' }],
    ['a registration of null', { registrationOpen: null }, {}],
  ])('an event with %s is read', (_, change, expected) => {
    const { registrationOpen: __, ...others } = event;
    const sent = { ...others, ...change };
    expect(pageOf(readList({ events: [sent] })).events).toEqual([{ ...others, ...expected }]);
    const single = read(byId, JSON.stringify({ event: sent }));
    expect(single).toMatchObject({ kind: 'event', event: { ...others, ...expected } });
  });

  it.each([
    ['no name', { name: undefined }],
    ['a number as name', { name: 5 }],
    ['a date without a time', { date: '2026-05-01' }],
    ['a date without an offset', { date: '2026-05-01T18:00:00' }],
    ['a date that does not exist', { date: '2026-02-30T18:00:00.000Z' }],
    ['a date before the year 0', { date: '0000-01-01T00:00:00+02:00' }],
    ['an unknown status', { status: 'postponed' }],
    ['a lone surrogate', { name: 'a\ud800' }],
    ['a null character', { description: 'a\0b' }],
    ['a text that is too long', { description: 'a'.repeat(200_001) }],
    ['no creation time', { createdAt: undefined }, null],
  ])('an event with %s cannot be read', (_, change, unreadable?: null) => {
    const createdAt = unreadable === null ? null : event.createdAt;
    const wrong = { ...event, ...change };
    const page = pageOf(readList({ events: [makeEvent(8), wrong] }));
    expect(page.unreadable).toEqual([{ id: 7, createdAt }]);
    expect(page.events).toEqual([makeEvent(8)]);
    const single = read(byId, JSON.stringify({ event: wrong }));
    expect(single).toMatchObject({ kind: 'event', event: null });
  });

  it('an unknown type is named', () => {
    const page = pageOf(readList({ events: [{ ...event, eventType: 'friendly' }] }));
    expect(page.unknownMembers).toEqual(['eventType "friendly"']);
  });

  it('an event of another id does not show that the requested one exists', () => {
    expect(codeOf(read(byId, JSON.stringify({ event: { id: 8, name: 5 } })))).toBe('not_json');
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '4503599627370497.5',
    '1.5',
    '1.0',
    '1e1',
    '-0',
    '"7"',
    'null',
    '[7]',
  ])('an event with the id %s cannot be named, so its list is refused', (id) => {
    const text = JSON.stringify(event).replace('"id":7', `"id":${id}`);
    expect(codeOf(read(list, `{"events":[${text}]}`))).toBe('not_json');
    expect(codeOf(read(byId, `{"event":${text}}`))).toBe('not_json');
  });

  it.each(['9007199254740991', '-7', '0'])('keeps the id %s', (id) => {
    const text = JSON.stringify(event).replace('"id":7', `"id":${id}`);
    const page = pageOf(read(list, `{"events":[${text}]}`));
    expect(page.events.map((each) => String(each.id))).toEqual([id]);
  });

  it('an event may lack registrationOpen', () => {
    const page = pageOf(readList({ events: [makeEvent(7)] }));
    expect(page.events).toEqual([makeEvent(7)]);
    expect(page.events[0]).not.toHaveProperty('registrationOpen');
  });

  it('an event has its unknown members named, and none of them stored', () => {
    const more = { ...event, venue: 1, id2: 2, toString: 3 };
    const page = pageOf(readList({ events: [more, { ...makeEvent(8), price: 4 }] }));
    expect(page.unknownMembers).toEqual(['venue', 'id2', 'toString', 'price']);
    expect(page.events).toEqual([event, makeEvent(8)]);
    const single = read(byId, JSON.stringify({ event: more }));
    expect(single).toMatchObject({ event, unknownMembers: ['venue', 'id2', 'toString'] });
  });

  it('an event names at most 20 unknown members', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`m${at}`, at]));
    const page = pageOf(readList({ events: [{ ...event, ...many, ['x'.repeat(101)]: 1 }] }));
    expect(page.unknownMembers).toHaveLength(20);
  });
});

describe('a body', () => {
  it.each([
    '',
    'null',
    '[]',
    '{}',
    '{"events":null}',
    '{"events":{}}',
    '{"events":[null]}',
    '{"events":[[]]}',
    '{"events":[]',
    '{"events":[]} x',
    '<!doctype html>',
  ])('a body of %j is no list', (body) => {
    expect(codeOf(read(list, body))).toBe('not_json');
  });

  it('a body that is not UTF-8 is refused rather than stored with other characters', () => {
    const text = JSON.stringify({ events: [{ ...event, name: 'Café' }] });
    expect(codeOf(read(list, Buffer.from(text, 'latin1')))).toBe('not_json');
    expect(pageOf(read(list, `\ufeff${text}`)).events[0]?.name).toBe('Café');
  });

  it('a body with hundreds of thousands of values is refused before it is parsed', () => {
    expect(codeOf(read(list, `{"events":[${'1,'.repeat(300_000)}1]}`))).toBe('too_large');
    expect(codeOf(read(list, '['.repeat(300_000)))).toBe('too_large');
    expect(codeOf(read(list, '['.repeat(200_000)))).toBe('not_json');
    const commas = { ...event, note: '\\",[{'.repeat(200_000) };
    expect(pageOf(readList({ events: [commas] })).events).toEqual([event]);
  });
});

describe('changes', () => {
  it('changes have events, removed ids and the next page', () => {
    const body = JSON.stringify({ events: [{ ...event, venue: 1 }], removed: [8, -9] });
    expect(read(changes, body, { link: '<?since=a.2>; rel="next"' })).toMatchObject({
      kind: 'changes',
      changes: {
        events: [event],
        removed: [8, -9],
        unknownMembers: ['venue'],
        next: 'https://x.org/api/v1/events?since=a.2',
        version: null,
      },
    });
  });

  it.each([
    '',
    '{"events":[]}',
    '{"events":[],"removed":null}',
    '{"events":[],"removed":[9007199254740993]}',
    '{"events":[],"removed":["8"]}',
    '{"events":[{"id":7}],"removed":[]}',
  ])('changes are gone if the body is %j', (body) => {
    expect(codeOf(read(changes, body))).toBe('gone');
  });

  it.each([
    [400, 'gone'],
    [404, 'gone'],
    [410, 'gone'],
    [304, 'unexpected_status'],
    [401, 'key_refused'],
    [429, 'too_many_requests'],
    [500, 'server_failed'],
  ])('changes with status %i are %s', (status, code) => {
    const body = JSON.stringify({ events: [event], removed: [] });
    expect(codeOf(read(changes, body, {}, status))).toBe(code);
  });
});

describe('the version', () => {
  const digest = '0f'.repeat(32);
  const headers = { 'events-revision': '0a.12', 'events-digest': `sha256=${digest}` };

  it('the version is in the headers of lists, of 304 and of changes', () => {
    const version = { revision: '0a.12', digest };
    expect(pageOf(readList({ events: [] }, headers)).version).toEqual(version);
    expect(read(conditional, '', headers, 304)).toMatchObject({ version });
    expect(read(changes, '{"events":[],"removed":[]}', headers)).toMatchObject({
      changes: { version },
    });
  });

  it.each([
    { 'events-revision': undefined },
    { 'events-digest': undefined },
    { 'events-revision': '12' },
    { 'events-revision': '0a.12, 0a.13' },
    { 'events-revision': `${'a'.repeat(101)}.12` },
    { 'events-digest': digest },
    { 'events-digest': `sha256=${digest}, sha256=${digest}` },
    { 'events-digest': `sha256=${digest.toUpperCase()}` },
  ])('the version is unknown with %j', (change) => {
    expect(pageOf(readList({ events: [] }, { ...headers, ...change })).version).toBeNull();
  });
});

describe('the status', () => {
  it.each([
    [204, 'unexpected_status'],
    [206, 'unexpected_status'],
    [300, 'redirected'],
    [301, 'redirected'],
    [308, 'redirected'],
    [304, 'unexpected_status'],
    [400, 'unexpected_status'],
    [401, 'key_refused'],
    [403, 'forbidden'],
    [410, 'unexpected_status'],
    [429, 'too_many_requests'],
    [502, 'server_failed'],
    [503, 'server_failed'],
  ])('the status %i is %s', (status, code) => {
    const body = JSON.stringify({ events: [event], event });
    expect(codeOf(read(list, body, {}, status))).toBe(code);
    expect(codeOf(read(byId, body, {}, status))).toBe(code);
  });

  it('304 is the answer to a conditional request only', () => {
    expect(read(conditional, '', { date: 'Sun, 22 Nov 2026 11:00:00 GMT' }, 304)).toEqual({
      kind: 'unchanged',
      request: conditional,
      timing: { date: now - 3_600_000, age: 0 },
      version: null,
    });
    expect(codeOf(read(byId, '', {}, 304))).toBe('unexpected_status');
  });

  it.each([
    ['{"error":"x"}', 'application/json; charset=utf-8', '404 application/json error'],
    [
      '{"title":1,"detail":2}',
      'Application/Problem+JSON',
      '404 application/problem+json detail,title',
    ],
    ['<html>', 'text/html', '404 text/html'],
    [Buffer.from([0xff, 0xfe]), 'text/plain', '404 text/plain'],
    ['[1]', 'application/json', '404 application/json'],
    ['', undefined, '404'],
  ])('404 for %j has a shape', (body, type, shape) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    expect(read(byId, body, headers, 404)).toMatchObject({ kind: 'not_found', shape });
    expect(codeOf(read(list, body, headers, 404))).toBe('unexpected_status');
  });
});

describe('the headers', () => {
  it.each([
    [{}, null, 0],
    [{ date: 'Sun, 22 Nov 2026 11:00:00 GMT' }, now - 3_600_000, 0],
    [{ date: 'Sun, 22 Nov 2026 11:00:00 GMT', age: '60' }, now - 3_600_000, 60_000],
    [{ date: 'Sun Nov 22 11:00:00 2026' }, null, 0],
    [{ date: '2026-11-22' }, null, 0],
    [{ date: 'Sun, 99 Nov 2026 11:00:00 GMT' }, null, 0],
    [{ age: '-1' }, null, 0],
    [{ age: '1.5' }, null, 0],
  ])('the headers %j give the time %j and the age %i', (headers, date, age) => {
    expect(read(byId, JSON.stringify({ event }), headers)).toMatchObject({ timing: { date, age } });
  });

  it.each([
    [{}, null],
    [{ 'retry-after': '120' }, 120_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': 'Sun, 22 Nov 2026 12:01:00 GMT' }, 60_000],
    [{ 'retry-after': 'Sun, 22 Nov 2026 11:00:00 GMT' }, 0],
    // By the clock of the upstream, which is three hours ahead.
    [
      {
        date: 'Sun, 22 Nov 2026 15:00:00 GMT',
        'retry-after': 'Sun, 22 Nov 2026 15:01:00 GMT',
      },
      60_000,
    ],
    [{ 'retry-after': '-5' }, null],
    [{ 'retry-after': 'soon' }, null],
  ])('the headers %j ask for a pause of %j ms', (headers, retryAfter) => {
    for (const status of [429, 503]) {
      expect(read(list, '', headers, status)).toMatchObject({ kind: 'failure', retryAfter });
    }
  });

  it.each([
    ['<https://x.org/api/v1/events?cursor=a>; rel="next"', 'https://x.org/api/v1/events?cursor=a'],
    ['</api/v1/events?cursor=a>; rel=next', 'https://x.org/api/v1/events?cursor=a'],
    ['<?cursor=a>;rel="next"', 'https://x.org/api/v1/events?cursor=a'],
    ['<events?cursor=a> ; rel = "NEXT"', 'https://x.org/api/v1/events?cursor=a'],
    ['<?a>; rel="prev", <?b>; rel="next"', 'https://x.org/api/v1/events?b'],
    ['<?a>; rel="prev next"; title="x"', 'https://x.org/api/v1/events?a'],
    ['<?a>; title="x, <?b>; rel=\\"next\\""; rel="next"', 'https://x.org/api/v1/events?a'],
    ['<?a,b;c>; title*=UTF-8\'\'x; rel="next"', 'https://x.org/api/v1/events?a,b;c'],
    ['<?a>; rel="prev"; rel="next"', null],
    ['<?a>; rel="next"; anchor="/other"', null],
    ['<?a>; rel="nextone"', null],
    ['<?a>', null],
    ['next', null],
    ['<https://evil.example/v1/events>; rel="next"', 'https://evil.example/v1/events'],
    ['<//evil.example/v1/events>; rel="next"', 'https://evil.example/v1/events'],
    ['<http://x.org/v1/events>; rel="next"', 'http://x.org/v1/events'],
    ['<https://>; rel="next"', 'about:invalid'],
  ])('Link: %s leads to %s', (header, next) => {
    expect(pageOf(readList({ events: [] }, { link: header })).next).toBe(next);
  });

  it('the headers with a long malformed Link are read without backtracking', () => {
    const start = workedMs();
    for (const part of ['<', '<?a>;', '<?a>; a="', '<?a>; a=b', ' ;', ';a'.repeat(3)]) {
      pageOf(readList({ events: [] }, { link: part.repeat(16_000 / part.length) }));
    }
    expect(workedMs() - start).toBeLessThan(1_000);
  });
});
