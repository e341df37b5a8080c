import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { preferredType } from '../../../server/http/representations.ts';
import { changeEvents, serveClub } from '../../support/club.ts';
import { callCommand } from '../../support/command.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { fetchWithKey } from '../../support/service.ts';

const calendarFile = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Test//EN',
  'BEGIN:VEVENT',
  'UID:quiz@example.org',
  'DTSTAMP:20260101T000000Z',
  'DTSTART:20260601T180000Z',
  'SUMMARY:Quiz, with prizes',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

async function serveLists() {
  const club = await serveClub(
    Array.from({ length: 5 }, (_, at) => makeEvent(at + 1, { name: `=Event "${at}", é` })),
  );
  const file = join(makeTestFolder(), 'quiz.ics');
  writeFileSync(file, calendarFile);
  const home = ['--home', club.home.directory];
  await callCommand([...home, 'import', file, '--user', 'club', '--from', '2026-01-01']);
  const ask = (accept: string, path = '/v1/events', headers = {}) =>
    fetchWithKey(club.service, path, club.key, { Accept: accept, ...headers });
  const exported = async (format: string) =>
    (await callCommand([...home, 'export', '--user', 'club', '--format', format])).stdout;
  return { club, ask, exported };
}

/** The order of a list differs from that of an export, and a calendar names the time of writing. */
const sorted = (text: string, separator: RegExp) =>
  text
    .replace(/DTSTAMP:.*/g, 'DTSTAMP')
    .split(separator)
    .toSorted();

describe('the representations of a list', () => {
  it.each([
    ['text/csv', 'csv', /\r\n/],
    ['text/calendar', 'ics', /(?=BEGIN:VEVENT)|(?=END:VCALENDAR)/],
  ] as const)(
    'in %s have the events as the export writes them',
    async (type, format, separator) => {
      const { ask, exported } = await serveLists();
      const answer = await ask(type);
      expect(answer.headers.get('Content-Type')).toContain(`${type}; charset=utf-8`);
      expect(answer.headers.get('Vary')).toBe('Authorization, Accept');
      const text = await answer.text();
      expect(sorted(text, separator)).toEqual(sorted(await exported(format), separator));
      const head = await ask(type, '/v1/events');
      expect(head.headers.get('Total-Count')).toBe('6');
    },
  );

  it('have tags of their own, the same conditions, and links', async () => {
    const { club, ask } = await serveLists();
    const types = ['application/json', 'text/csv', 'text/calendar'];
    const tags = await Promise.all(
      types.map(async (type) => (await ask(type)).headers.get('ETag') ?? ''),
    );
    expect(new Set(tags).size).toBe(3);
    for (const [at, type] of types.entries()) {
      const statusFor = async (tag: string) =>
        (await ask(type, '/v1/events', { 'If-None-Match': tag })).status;
      expect(await Promise.all(tags.map(statusFor))).toEqual(
        tags.map((_, other) => (other === at ? 304 : 200)),
      );
      // A calendar names the time of writing, so its tag is weak.
      const strongly = { 'If-Match': tags[at] ?? '' };
      const expected = type === 'text/calendar' ? 412 : 200;
      expect((await ask(type, '/v1/events', strongly)).status).toBe(expected);
      const page = await ask(type, '/v1/events?limit=4&sort=date&order=asc');
      const link = /<http:\/\/[^/]+([^>]+)>/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
      const next = await ask(type, link);
      expect(next.headers.get('Content-Type')).toContain(type);
      expect(next.headers.get('Link')).toBeNull();
    }
    await changeEvents(club, [makeEvent(1, { name: 'Moved' })]);
    for (const [at, type] of types.entries()) {
      const changed = await ask(type, '/v1/events', { 'If-None-Match': tags[at] ?? '' });
      expect(changed.status).toBe(200);
      expect(await changed.text()).toContain('Moved');
    }
  });

  it('are JSON for one event, for changes, and for errors', async () => {
    const { ask } = await serveLists();
    const revision = (await ask('*/*')).headers.get('Events-Revision');
    for (const path of ['/v1/events/1', `/v1/events?since=${revision}`]) {
      expect((await ask('text/csv', path)).headers.get('Content-Type')).toContain('/json');
    }
    const refused = await ask('text/csv', '/v1/events?limit=0');
    expect(refused.headers.get('Content-Type')).toBe('application/problem+json');
  });
});

it.each([
  [undefined, undefined],
  ['*/*', undefined],
  ['text/csv', 'text/csv'],
  ['TEXT/CSV; header=present', 'text/csv'],
  ['text/calendar', 'text/calendar'],
  ['text/csv, application/json', undefined],
  ['text/csv, */*', undefined],
  ['text/csv, */*;q=0.5', 'text/csv'],
  ['text/calendar;q=0.8, text/csv;q=0.9, application/json;q=0.1', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/*, text/csv;q=0', 'text/calendar'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', undefined],
  ['application/json, text/plain, */*', undefined],
  ['image/png', undefined],
  ['text/csv;q=x', undefined],
  [',;', undefined],
])('chooses for Accept: %s the type %s', (accept, type) => {
  expect(preferredType(accept)).toBe(type);
});
