import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { callCommand } from '../../support/command.ts';
import { makeTestFolder, makeTestHome } from '../../support/home.ts';
import { eachPage } from '../../support/list.ts';
import { choose } from '../../support/long.ts';
import { fetchWithKey, serveForTest } from '../../support/service.ts';

const data = join(import.meta.dirname, '../../../../shared/data');
const available = existsSync(data);
if (!available) {
  process.stderr.write('Skipped: the real conferences, which are not beside this checkout.\n');
}

/** Runs commands on one data directory; each has to succeed. */
function commandsOn(directory: string) {
  return async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await callCommand(['--home', directory, ...args]);
    expect(status, stderr).toBe(0);
    return stdout.trim();
  };
}

describe.skipIf(!available)('6,831 real conferences', () => {
  const json = join(data, 'conferences.json');
  const csv = join(data, 'conferences.csv');

  it('6,831 real conferences go in from JSON and come out over HTTP, every one with exactly its values', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    const run = commandsOn(home.directory);
    await run('user', 'add', 'Conferences');
    const import_ = () => run('import', json, '--user', 'Conferences');
    expect(await import_()).toBe('conferences.json: 6,831 events added.');
    const key = await run('key', 'create', '--user', 'Conferences');
    const service = await serveForTest(home);
    const { events } = JSON.parse(readFileSync(json, 'utf8')) as { events: StoredEvent[] };

    const newest = events.toSorted((left, right) =>
      left.createdAt === right.createdAt
        ? right.id - left.id
        : left.createdAt < right.createdAt
          ? 1
          : -1,
    );
    const list = await fetchWithKey(service, '/v1/events', key);
    const before = await list.text();
    expect(before).toBe(JSON.stringify({ events: newest.slice(0, 200) }));
    const listed: StoredEvent[] = [];
    for await (const page of eachPage(service, '/v1/events', key)) listed.push(...page.events);
    // As text, which is much faster to compare.
    expect(JSON.stringify(listed)).toBe(JSON.stringify(newest));

    // One by one they are the same; a part of them shows it.
    const asked = events.filter((_, at) => at % choose(1, 100) === 0);
    for (let at = 0; at < asked.length; at += 50) {
      const some = asked.slice(at, at + 50);
      const bodies = await Promise.all(
        some.map(async ({ id }) => (await fetchWithKey(service, `/v1/events/${id}`, key)).text()),
      );
      expect(bodies).toEqual(some.map((event) => JSON.stringify({ event })));
    }

    expect(await import_()).toBe('conferences.json: nothing changed; 6,831 events already there.');
    expect(await (await fetchWithKey(service, '/v1/events', key)).text()).toBe(before);
  });

  it('6,831 real conferences go in from CSV by mapped columns, all of them, and only once', {
    tags: 'long',
  }, async () => {
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

  it('6,831 real conferences keep every value through JSON, CSV, ICS and XLSX, from club to club', {
    tags: 'long',
  }, async () => {
    const folder = makeTestFolder();
    const first = join(folder, 'first.json');
    const all = JSON.parse(readFileSync(json, 'utf8')).events as StoredEvent[];
    let file = join(folder, 'original.json');
    writeFileSync(file, JSON.stringify({ events: all }));
    for (const format of ['json', 'csv', 'ics', 'xlsx', 'json']) {
      const run = commandsOn(makeTestHome().directory);
      await run('user', 'add', 'Conferences');
      await run('import', file, '--user', 'Conferences');
      file = join(folder, `next.${format}`);
      await run('export', '--user', 'Conferences', '--output', file);
      if (!existsSync(first)) copyFileSync(file, first);
    }
    expect(readFileSync(file, 'utf8')).toBe(readFileSync(first, 'utf8'));
    const byId = (left: StoredEvent, right: StoredEvent) => left.id - right.id;
    const last = JSON.parse(readFileSync(file, 'utf8')).events as StoredEvent[];
    expect(last).toEqual(all.toSorted(byId));
  });
});

describe.skipIf(!available)('151 real matches', () => {
  it('151 real matches go in from a calendar once, and come out as a calendar that changes nothing', async () => {
    const run = commandsOn(makeTestHome().directory);
    await run('user', 'add', 'Matches');
    const import_ = (file: string) => run('import', file, '--user', 'Matches');
    const matches = join(data, 'matches.ics');
    expect(await import_(matches)).toBe('matches.ics: 151 events added.');
    expect(await import_(matches)).toBe('matches.ics: nothing changed; 151 events already there.');
    const own = join(makeTestFolder(), 'own.ics');
    await run('export', '--user', 'Matches', '--output', own);
    expect(await import_(own)).toBe('own.ics: nothing changed; 151 events already there.');
    expect(readFileSync(own, 'utf8').match(/^UID:/gm)).toHaveLength(151);
    expect(readFileSync(own, 'utf8')).toContain('UID:823fa391-46d4-4a46-8433-ed5e6897fdbb\r\n');
  });
});
