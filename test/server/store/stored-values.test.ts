import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { findContentDamage } from '../../../db/check-contents.ts';
import type { Reader } from '../../../db/open.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { callCommand } from '../../support/command.ts';
import { makeFullHome } from '../../support/full-home.ts';
import { makeTestFolder } from '../../support/home.ts';

const run = ({ directory }: Home, ...command: string[]) =>
  callCommand(['--home', directory, ...command]);

let bytes: Buffer | undefined;

/** Returns a database with rows in all tables that have JSON. */
async function readFull(): Promise<Buffer> {
  bytes ??= readFileSync((await makeFullHome()).database);
  return bytes;
}

/** Makes a home with a changed copy of the full database, and a file that may be restored. */
async function makeCopies(sql: string) {
  const folder = makeTestFolder();
  const [home, file] = [homeAt(join(folder, 'home')), join(folder, 'gift.sqlite')];
  mkdirSync(home.directory, { mode: 0o700 });
  writeFileSync(file, await readFull());
  const sqlite = new Database(file);
  const { changes } = sqlite.prepare(sql).run();
  sqlite.close();
  expect(changes).toBeGreaterThan(0);
  copyFileSync(file, home.database);
  return { home, file, empty: homeAt(join(folder, 'empty')) };
}

const ownEvents = "WHERE batch_id IN (SELECT id FROM batches WHERE source = '')";
const image = { date: '2026-01-01T00:00:00.000Z', createdAt: '2026-01-01T00:00:00.000Z' };

/** Values that no program stores, each with a command that reads them. */
const impossible: readonly (readonly [sql: string, ...command: string[]])[] = [
  ...['5', '{"a":1}', 'null', '[{"first":"2027-99-99","last":"x","name":5}]', 'text'].map(
    (days) =>
      [`UPDATE days_off SET days = '${days}'`, 'days-off', 'list', '--user', 'Own'] as const,
  ),
  [
    `UPDATE proposals SET new_values = '{"date":"never","name":7}'`,
    'proposal',
    'list',
    '--user',
    'Rovers',
  ],
  ["UPDATE proposals SET event = '5'", 'proposal', 'list', '--user', 'Rovers'],
  ["UPDATE proposals SET event = '{'", 'proposal', 'list', '--user', 'Rovers'],
  ["UPDATE sources SET listed = '7', coverage = '{}'", 'mirror', 'status'],
  ["UPDATE sources SET listed = '7', coverage = '{}'", 'mirror', 'sync'],
  [`UPDATE sources SET state = '{"succeededAt":1e300}'`, 'mirror', 'status'],
  [`UPDATE sources SET state = '{"problem":{"code":"bored","since":0}}'`, 'mirror', 'status'],
  ["UPDATE sources SET base_url = 'nowhere'", 'mirror', 'status'],
  ['UPDATE sources SET listed_at = 9e18', 'mirror', 'status'],
  ['UPDATE confirmations SET confirmed_at = -9e18', 'mirror', 'status'],
  [`UPDATE changes SET before = '${JSON.stringify(image)}' ${ownEvents}`, 'undo', '3'],
  [`UPDATE changes SET after = '[]' ${ownEvents}`, 'history', '--user', 'Own'],
  ["UPDATE setting_changes SET after = '5' WHERE setting = 'daysOff'", 'undo', '5'],
  ["UPDATE setting_changes SET after = '5' WHERE setting = 'team'"],
  ["UPDATE teams SET name = 'a' || char(10)", 'team', 'list', '--user', 'Own'],
  ["UPDATE told_states SET others = '5'"],
  [`UPDATE told_states SET others = '[{"id":1}]'`],
  [`UPDATE left_out SET events = '[{"draft":{"name":"Clash"}}]'`],
  ["UPDATE users SET zone = 'Nowhere' || char(10)"],
  ["UPDATE users SET event_digest = 'x'", 'undo', '3'],
  ["UPDATE keys SET expires_at = 'soon'", 'key', 'list'],
  ["UPDATE batches SET created_at = 'soon'"],
];

describe('impossible values', () => {
  it.each(impossible)('are refused with one sentence: %s', async (sql, ...command) => {
    const { home, file, empty } = await makeCopies(sql);
    const restored = await run(empty, 'restore', file);
    expect(restored.stderr).toMatch(
      /^[^\n]*gift\.sqlite is damaged and cannot be restored: [^\n]+\n$/,
    );
    expect(restored.status).toBe(1);
    expect(existsSync(empty.database)).toBe(false);
    const checked = await run(home, 'check');
    expect(checked.status).toBe(1);
    expect(checked.stderr).toMatch(/^[^\n]*events\.sqlite is damaged: [^\n]+\n$/);
    if (command.length === 0) return;
    const { status, stderr } = await run(home, ...command);
    // A command that does not need the value works.
    if (status !== 0) expect(stderr).toMatch(/^[^\n]*events\.sqlite is damaged: [^\n]+\n$/);
  });

  it('are found in each column that has JSON', async () => {
    const { file } = await makeCopies('UPDATE users SET name = name');
    const sqlite = new Database(file);
    const columns = sqlite
      .prepare<[], { table: string; name: string }>(
        `SELECT tables.name AS "table", columns.name
          FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
          WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'`,
      )
      .all();
    const found: string[] = [];
    for (const { table, name } of columns) {
      const isJson = `SELECT count(*) FROM ${table} WHERE typeof(${name}) = 'text' AND ${name} GLOB '[[{]*'`;
      if (sqlite.prepare(isJson).pluck().get() === 0) continue;
      found.push(`${table}.${name}`);
      sqlite.exec(`BEGIN; UPDATE ${table} SET ${name} = '5' WHERE ${name} GLOB '[[{]*'`);
      expect(findContentDamage(sqlite as unknown as Reader), `${table}.${name}`).not.toEqual([]);
      sqlite.exec('ROLLBACK');
    }
    sqlite.close();
    expect(found).toHaveLength(12);
  });

  it('are damage in a database that is in use, for each command that cannot work with them', async () => {
    const { home } = await makeCopies("UPDATE days_off SET days = '5'");
    const { status, stderr } = await run(home, 'days-off', 'list', '--user', 'Own');
    expect(status).toBe(1);
    expect(stderr).toContain('rows of "days_off" with impossible values: 1, such as 1');
  });

  it('do not hide that other rows are right', async () => {
    const { home } = await makeCopies("UPDATE days_off SET read_at = '2026-11-19T08:00:00Z'");
    expect(await run(home, 'check')).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('a time zone that this computer does not know', () => {
  it('is kept and restored, and its club has the zone of the computer', async () => {
    const { file, empty } = await makeCopies(
      "UPDATE users SET zone = 'Europe/Newtown' WHERE name = 'Own'",
    );
    expect(await run(empty, 'restore', file)).toMatchObject({ status: 0 });
    for (const command of [
      ['history', '--user', 'Own'],
      ['export', '--user', 'Own', '--format', 'csv', '--output', join(empty.directory, '../x.csv')],
      ['key', 'list'],
      ['user', 'list'],
      ['proposal', 'list', '--user', 'Rovers'],
      ['check'],
    ]) {
      expect(await run(empty, ...command)).toMatchObject({ status: 0 });
    }
    const { stdout } = await run(empty, 'doctor');
    expect(stdout).toContain('"Own" has the time zone Europe/Newtown, which this');
    const sqlite = new Database(empty.database, { readonly: true });
    const zone = sqlite.prepare("SELECT zone FROM users WHERE name = 'Own'").pluck().get();
    sqlite.close();
    expect(zone).toBe('Europe/Newtown');
  });
});

describe('a text of 100 million NULs', () => {
  const make = (source: Buffer) => {
    const file = join(makeTestFolder(), 'gift.sqlite');
    writeFileSync(file, source);
    const sqlite = new Database(file);
    const text = Buffer.alloc(100_000_000).toString('latin1');
    sqlite.prepare('UPDATE events SET location = ? WHERE row = 1').run(text);
    sqlite.close();
    return file;
  };

  it.each(['this version', 'an older one'])(
    'is refused before its digest: %s',
    {
      tags: 'long',
    },
    async (version) => {
      const older = join(import.meta.dirname, 'backups/schema-22.sqlite.gz');
      const file = make(
        version === 'this version' ? await readFull() : gunzipSync(readFileSync(older)),
      );
      const restored = await run(homeAt(join(makeTestFolder(), 'home')), 'restore', file);
      expect(restored.stderr).toMatch(/gift\.sqlite is damaged .* rows of "events"[^\n]+\n$/);
      const home = homeAt(join(makeTestFolder(), 'home'));
      if (version !== 'this version') return;
      mkdirSync(home.directory, { mode: 0o700 });
      copyFileSync(file, home.database);
      expect((await run(home, 'check')).stderr).toMatch(
        /is damaged: [^\n]*rows of "events"[^\n]+\n$/,
      );
    },
  );
});
