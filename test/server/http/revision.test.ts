import { describe, expect, it } from 'vitest';
import { addEvents, addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

const events = Array.from({ length: 300 }, (_, at) => makeEvent(at + 1));
const paths = [
  '/v1/events',
  '/v1/events?limit=1',
  '/v1/events?q=event&sort=date',
  '/v1/events?q=x',
];

async function serveChess() {
  const home = makeTestHome();
  const member = await addMember(home, 'Chess', events);
  const service = await serveForTest(home, { allowedOrigins: ['https://example.org'] });
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetchWithKey(service, path, member.key, headers);
  return { home, ask, ...member };
}

const revisionOf = (answer: Response) => answer.headers.get('Events-Revision');

describe('Events-Revision', () => {
  it('Events-Revision is the same on every list, and changes with the events', async () => {
    const { home, ask, userId } = await serveChess();
    const all = await Promise.all(paths.map((path) => ask(path)));
    const [before] = all.map(revisionOf);
    expect(before).toMatch(/^[0-9a-f]{16}\.\d+$/);
    expect(all.map(revisionOf)).toEqual(paths.map(() => before));
    await addMember(home, 'Other', [makeEvent(1)]);
    expect(revisionOf(await ask('/v1/events'))).toBe(before);
    await addEvents(home, userId, [makeEvent(7, { location: 'Elsewhere' })]);
    const later = await Promise.all(paths.map((path) => ask(path)));
    const [after] = later.map(revisionOf);
    expect(after).not.toBe(before);
    expect(later.map(revisionOf)).toEqual(paths.map(() => after));
  });

  it('Events-Revision is current on a 304 as well', async () => {
    const { home, ask, userId } = await serveChess();
    const [path] = ['/v1/events?to=2026-05-02'];
    const first = await ask(path);
    await addEvents(home, userId, [makeEvent(9_000, { date: '2030-01-01T00:00:00.000Z' })]);
    const again = await ask(path, { 'If-None-Match': first.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect(revisionOf(again)).not.toBe(revisionOf(first));
    expect(revisionOf(again)).toBe(revisionOf(await ask('/v1/events')));
  });

  it('Events-Revision is exposed to allowed origins, and only on lists', async () => {
    const { ask } = await serveChess();
    const answer = await ask('/v1/events', { Origin: 'https://example.org' });
    expect(answer.headers.get('access-control-expose-headers')).toContain('Events-Revision');
    expect(revisionOf(answer)).not.toBeNull();
    expect(revisionOf(await ask('/v1/events/1'))).toBeNull();
  });
});
