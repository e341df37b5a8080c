import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { Home } from '../../server/base/home.ts';
import { startServe } from '../support/command.ts';
import { composeRequest, createCounts, sendAll, statusesOf } from '../support/fault-requests.ts';
import { addMember, makeEvent, makeTestHome } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { printFigure } from '../support/print.ts';
import { createRandom } from '../support/random.ts';

/** Returns every row of every table, and the digest of the files. */
function readAll({ database }: Home) {
  const sqlite = new Database(database, { readonly: true });
  const tables = sqlite
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  const rows = tables.flatMap((table) =>
    (sqlite.prepare(`SELECT * FROM "${table}"`).raw().all() as unknown[][]).map(
      (row) => `${table} ${JSON.stringify(row)}`,
    ),
  );
  sqlite.close();
  const files = ['', '-wal'].map((suffix) =>
    createHash('sha256')
      .update(readFileSync(database + suffix))
      .digest('hex'),
  );
  return { tables, rows, files };
}

const requests = choose(20_000, 120, 100_000);

it(`changes no row and no byte with ${requests} requests of every kind`, async () => {
  const home = makeTestHome();
  const events = Array.from({ length: 250 }, (_, id) => makeEvent(id));
  const { key } = await addMember(home, 'Chess', events);
  const { firstLine, end } = await startServe(['--home', home.directory, '--port', '0']);
  const port = Number(new URL(firstLine).port);
  const before = readAll(home);
  expect(before.rows.length).toBeGreaterThan(500);
  const random = createRandom(18);
  const statuses = createCounts();
  const targets = { port, key, ids: [0, 7, 249, 250, -1] };
  const compose = () => composeRequest(random, targets);
  await sendAll(port, requests, compose, (answer) => statusesOf(answer).forEach(statuses.add));
  const after = readAll(home);
  const differences = after.rows.filter((row, at) => row !== before.rows[at]);
  printFigure(
    `${requests} requests (${statuses.text()}); ${before.rows.length} rows of ` +
      `${before.tables.length} tables: ${differences.length} differences`,
  );
  expect(after).toEqual(before);
  expect(await end('SIGTERM')).toBe(0);
});
