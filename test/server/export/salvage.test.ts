import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import type { Home } from '../../../server/base/home.ts';
import { callCommand, type Finished } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome, prepareDatabase } from '../../support/home.ts';
import { choose } from '../../support/long.ts';

const total = 2_500;

/** The tables and indexes of which a damaged page refuses an export: they are read before the events. */
const refusing = ['sqlite_autoindex_users_1', 'sqlite_schema', 'users'];

async function makeClub(): Promise<Home> {
  const home = makeTestHome();
  const events = Array.from({ length: total }, (_, index) =>
    makeEvent(index + 1, { description: `Meet at gate ${index}. ${'x'.repeat(90)}` }),
  );
  await addMember(home, 'Chess', events);
  return home;
}

type Page = { readonly number: number; readonly name: string; readonly type: string };

function readPages(path: string): { pages: Page[]; size: number } {
  const sqlite = new Database(path, { readonly: true });
  const pages = sqlite
    .prepare<[], Page>('SELECT pageno AS number, name, pagetype AS type FROM dbstat')
    .all();
  const size = sqlite.pragma('page_size', { simple: true }) as number;
  sqlite.close();
  return { pages, size };
}

/** Overwrites a page with zeros, as a bad sector reads. */
function zero(path: string, page: number, size: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
}

function run(home: Home, ...args: readonly string[]): Promise<Finished> {
  return callCommand(['--home', home.directory, ...args]);
}

const exportTo = (home: Home, ...more: readonly string[]) =>
  run(home, 'export', '--user', 'Chess', '--format', 'json', ...more);

describe('an export of a damaged database', () => {
  it('fails in one sentence that names the database, and saves what is readable on request', async () => {
    const home = await makeClub();
    const original = JSON.parse((await exportTo(home)).stdout).events as StoredEvent[];
    const { pages, size } = readPages(home.database);
    const leaf = pages.filter(({ name, type }) => name === 'events' && type === 'leaf')[20];
    zero(home.database, leaf?.number ?? 0, size);

    const refused = await exportTo(home);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(
      /events\.sqlite is damaged\. Leave it as it is; restore a backup/,
    );
    expect(refused.stderr.trim().split('\n')).toHaveLength(1);

    const { status, stdout, stderr } = await exportTo(home, '--salvage');
    const saved = JSON.parse(stdout).events as StoredEvent[];
    const lost = total - saved.length;
    expect(lost).toBeGreaterThan(5);
    expect(lost).toBeLessThan(60);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: `${saved.length.toLocaleString('en')} events.\n${lost} events cannot be read.\n`,
    });
    const ids = new Set(saved.map(({ id }) => id));
    expect(saved).toEqual(original.filter(({ id }) => ids.has(id)));
  });

  it('saves only true events, whichever page is bad, and counts the others', {
    tags: 'long',
  }, async () => {
    const home = await makeClub();
    const original = JSON.parse((await exportTo(home)).stdout).events as StoredEvent[];
    const byId = new Map(original.map((event) => [event.id, event]));
    const { pages, size } = readPages(home.database);
    const damaged = prepareDatabase(makeTestHome());
    const results = { whole: 0, partial: 0 };
    const refused = new Set<string>();
    const every = choose(1, 11);
    for (const { number, name, type } of pages.filter((_, index) => index % every === 0)) {
      copyFileSync(home.database, damaged.database);
      zero(damaged.database, number, size);
      const { status, stdout, stderr } = await exportTo(damaged, '--salvage', '--json');
      const place = `page ${number} (${name}, ${type})`;
      if (status !== 0) {
        expect(stderr, place).toMatch(/is damaged|is not a Club Events database|no club "Chess"/);
        refused.add(name);
        continue;
      }
      const saved = JSON.parse(stdout).events as StoredEvent[];
      for (const event of saved) expect(event, place).toEqual(byId.get(event.id));
      const lost = Number(/(\S+) events? cannot be read/.exec(stderr)?.[1]?.replace(',', '') ?? 0);
      if (name !== 'users') expect(saved.length + lost, place).toBe(total);
      results[lost === 0 ? 'whole' : 'partial'] += 1;
    }
    expect([...refused].toSorted()).toEqual(refusing);
    expect(results.whole).toBeGreaterThan(5);
    expect(results.partial).toBeGreaterThan(5);
  });

  it('an export of a damaged database ends although the highest row is damaged, too', {
    tags: 'long',
  }, async () => {
    const home = await makeClub();
    const { pages, size } = readPages(home.database);
    const sqlite = new Database(home.database);
    sqlite.exec('UPDATE search_progress SET last_row = 4000000000000');
    sqlite.close();
    const last = pages.findLast(({ name, type }) => name === 'events' && type === 'leaf');
    zero(home.database, last?.number ?? 0, size);
    const { status, stdout, stderr } = await exportTo(home, '--salvage');
    const saved = JSON.parse(stdout).events as StoredEvent[];
    expect(status).toBe(0);
    expect(saved.length).toBeGreaterThan(total - 60);
    expect(stderr).toContain(`${total - saved.length} events cannot be read.`);
  });

  it('fails if an index leaves out events', async () => {
    const home = await makeClub();
    const { pages, size } = readPages(home.database);
    const leaf = pages.find(({ name, type }) => name === 'events_by_id' && type === 'leaf');
    const bytes = readFileSync(home.database);
    const place = ((leaf?.number ?? 0) - 1) * size;
    // The number of entries of the page: https://sqlite.org/fileformat2.html#b_tree_pages
    bytes.writeUInt16BE(bytes.readUInt16BE(place + 3) - 5, place + 3);
    writeFileSync(home.database, bytes);
    const { status, stdout } = await exportTo(home);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    const { stdout: saved } = await exportTo(home, '--salvage');
    expect(JSON.parse(saved).events).toHaveLength(total);
  });
});
