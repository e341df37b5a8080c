import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../../db/model.ts';
import { runCommand } from '../../../support/command.ts';
import { makeTestHome } from '../../../support/home.ts';
import { fetchWithKey, serveForTest } from '../../../support/service.ts';

const data = join(import.meta.dirname, '../../../../../shared/data');
const available = existsSync(data);
if (!available) {
  process.stderr.write('Skipped: the real conferences, which are not beside this checkout.\n');
}

/** Runs commands on one data directory; each has to succeed. */
function commandsOn(directory: string) {
  return async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCommand(['--home', directory, ...args]);
    expect(status, stderr).toBe(0);
    return stdout.trim();
  };
}

describe.skipIf(!available)('6,831 real conferences', () => {
  const json = join(data, 'conferences.json');
  const csv = join(data, 'conferences.csv');

  it('go in from JSON and come out over HTTP, every one with exactly its values', async () => {
    const home = makeTestHome();
    const run = commandsOn(home.directory);
    await run('user', 'add', 'Conferences');
    const import_ = () => run('import', json, '--user', 'Conferences');
    expect(await import_()).toBe('conferences.json: 6,831 events added.');
    const key = await run('key', 'create', '--user', 'Conferences');
    const service = await serveForTest(home);
    const { events } = JSON.parse(readFileSync(json, 'utf8')) as { events: StoredEvent[] };

    const newest = events
      .toSorted((left, right) =>
        left.createdAt === right.createdAt
          ? right.id - left.id
          : left.createdAt < right.createdAt
            ? 1
            : -1,
      )
      .slice(0, 200);
    const list = await fetchWithKey(service, '/v1/events', key);
    const before = await list.text();
    expect(before).toBe(JSON.stringify({ events: newest }));

    for (let at = 0; at < events.length; at += 50) {
      const some = events.slice(at, at + 50);
      const bodies = await Promise.all(
        some.map(async ({ id }) => (await fetchWithKey(service, `/v1/events/${id}`, key)).text()),
      );
      expect(bodies).toEqual(some.map((event) => JSON.stringify({ event })));
    }

    expect(await import_()).toBe('conferences.json: nothing changed; 6,831 events already there.');
    expect(await (await fetchWithKey(service, '/v1/events', key)).text()).toBe(before);
  });

  it('go in from CSV by mapped columns, all of them, and only once', async () => {
    const home = makeTestHome();
    const run = commandsOn(home.directory);
    await run('user', 'add', 'Conferences');
    const maps = ['name=name', 'date=startDate', 'location=city', 'description=url'];
    const options = maps.flatMap((map) => ['--map', map]);
    const import_ = () => run('import', csv, '--user', 'Conferences', ...options);
    expect(await import_()).toBe('conferences.csv: 6,831 events added.');
    expect(await import_()).toBe('conferences.csv: nothing changed; 6,831 events already there.');

    const key = await run('key', 'create', '--user', 'Conferences');
    const service = await serveForTest(home);
    const rows = parse(readFileSync(csv), { columns: true }) as Record<string, string>[];
    for (const at of [0, 1, 2, 1000, 3415, 6829, 6830]) {
      const row = rows[at];
      const answer = await fetchWithKey(service, `/v1/events/${at + 1}`, key);
      expect(await answer.json()).toMatchObject({
        event: {
          id: at + 1,
          name: row?.['name'],
          date: `${row?.['startDate']}T00:00:00.000Z`,
          location: row?.['city'],
          description: row?.['url'],
        },
      });
    }
  });
});
