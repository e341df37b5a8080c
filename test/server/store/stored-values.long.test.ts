import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { homeAt } from '../../../server/base/home.ts';
import { callCommand } from '../../support/command.ts';
import { makeFullHome } from '../../support/full-home.ts';
import { makeTestFolder } from '../../support/home.ts';

/** Values that few columns can have, as SQL, by the type of a column. */
const odd: Readonly<Record<string, readonly string[]>> = {
  TEXT: ["'x'", "''", "'[{}]'", "'2026-99-99T00:00:00.000Z'", "char(0) || 'a'"],
  INTEGER: ['-1', '9000000000000000000', '-9000000000000000000'],
  ANY: ["x'00ff'"],
  BLOB: ['randomblob(32)'],
};

const commands = (folder: string) => [
  ['user', 'list'],
  ['key', 'list'],
  ['history', '--user', 'Own'],
  ['days-off', 'list', '--user', 'Own'],
  ['mirror', 'status'],
  ['mirror', 'sync'],
  ['proposal', 'list', '--user', 'Rovers'],
  ['export', '--user', 'Own', '--format', 'csv', '--output', join(folder, 'x.csv')],
  ['export', '--user', 'Own', '--format', 'ics', '--output', join(folder, 'x.ics')],
  ...['3', '4', '5', '6', '7'].map((id) => ['undo', id]),
];

it('answers with a sentence, whatever value one column has, restored or in use', async () => {
  const { database } = await makeFullHome();
  const sqlite = new Database(database, { readonly: true });
  type Column = { readonly table: string; readonly name: string; readonly type: string };
  const columns = sqlite
    .prepare<[], Column>(
      `SELECT tables.name AS "table", columns.name, columns.type
        FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'
          AND tables.name NOT LIKE 'search%'`,
    )
    .all();
  sqlite.close();
  expect(columns.length).toBeGreaterThan(80);
  const failed: string[] = [];
  let tried = 0;
  for (const { table, name, type } of columns) {
    for (const value of odd[type] ?? []) {
      const folder = makeTestFolder();
      const file = join(folder, 'gift.sqlite');
      copyFileSync(database, file);
      const changed = new Database(file);
      try {
        changed.exec(`UPDATE ${table} SET ${name} = ${value}`);
      } catch {
        // A constraint of the schema forbids it.
        continue;
      } finally {
        changed.close();
      }
      const [empty, used] = ['empty', 'used'].map((each) => homeAt(join(folder, each)));
      if (empty === undefined || used === undefined) continue;
      mkdirSync(used.directory);
      copyFileSync(file, used.database);
      const isRestored =
        (await callCommand(['--home', empty.directory, 'restore', file])).status === 0;
      for (const { directory } of isRestored ? [empty, used] : [used]) {
        for (const command of commands(folder)) {
          const { stderr } = await callCommand(['--home', directory, ...command]);
          if (/please report/.test(stderr)) failed.push(`${table}.${name} = ${value}: ${command}`);
        }
      }
      tried += 1;
    }
  }
  expect(tried).toBeGreaterThan(150);
  expect(failed).toEqual([]);
});
