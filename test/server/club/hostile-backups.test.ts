import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { createSource } from '../../../db/mirror-model.ts';
import { createBackup } from '../../../server/store/backup-files.ts';
import { backupPath } from '../../../server/store/backup-records.ts';
import { callCommand } from '../../support/command.ts';
import {
  addMember,
  createdAt,
  makeEvent,
  makeTestFolder,
  makeTestHome,
  revokeKeysOf,
} from '../../support/home.ts';
import { readRows } from '../../support/rows.ts';

/** Renames an object of the schema to a name that SQLite reserves for itself. */
const rename = (from: string, to: string) => `
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET name = '${to}', sql = replace(sql, '${from}', '${to}')
    WHERE name = '${from}';
  PRAGMA writable_schema = RESET;`;

const reviveKeys = (trigger: string) => `
  CREATE TRIGGER ${trigger} AFTER UPDATE OF revoked_at ON keys WHEN NEW.revoked_at IS NOT NULL
  BEGIN UPDATE keys SET revoked_at = NULL WHERE id = NEW.id; END;`;

const events = (change: string) => `UPDATE events SET ${change} WHERE id = 2;`;

/** Changes of a backup by somebody else, which a restore has to refuse. */
const hostile: Readonly<Record<string, string>> = {
  'a trigger that brings revoked keys back': reviveKeys('revive'),
  'a trigger with a name like those of SQLite': reviveKeys('sqlitezz'),
  'a trigger with the name of an index of SQLite':
    reviveKeys('revive') + rename('revive', 'sqlite_autoindex_keys_9'),
  'a trigger with the name of a table of SQLite':
    reviveKeys('revive') + rename('revive', 'sqlite_stat1'),
  'a view': 'CREATE VIEW sqlitevw AS SELECT * FROM keys;',
  'a virtual table': 'CREATE VIRTUAL TABLE sqlitevt USING fts5(words);',
  'a view that never ends, in place of a table': `PRAGMA legacy_alter_table = ON;
    ALTER TABLE users RENAME TO members; CREATE VIEW users AS WITH RECURSIVE endless(id) AS
    (SELECT 1 UNION ALL SELECT id + 1 FROM endless) SELECT id FROM endless;`,
  'an index that leaves out events': `DROP INDEX events_by_creation;
    CREATE INDEX events_by_creation ON events (user_id, created_at, id) WHERE id < 2;`,
  'a trigger in a schema that calls itself older': `PRAGMA user_version = 5; ${reviveKeys('revive')}`,
  'an id above 2^53': events('id = 9007199254740993'),
  'the lowest id of SQLite': events('id = -9223372036854775807 - 1'),
  'a row number that a search could not hold': 'UPDATE events SET row = 1 << 50 WHERE id = 2;',
  'a month and day that no calendar has': events("date = '9999-99-99T99:99:99.999Z'"),
  'the thirtieth of February': events("created_at = '2026-02-30T18:00:00.000Z'"),
  'a status that no event has': `PRAGMA ignore_check_constraints = ON; ${events("status = 'gone'")}`,
  'a text with a NUL': events("name = 'Chess' || char(0) || 'hidden'"),
  'a text that fills the memory': events('description = hex(zeroblob(150000))'),
  'a name of a club with terminal escapes': "UPDATE users SET name = char(27) || ']0;owned';",
  'an earlier state of an event that an undo could not store':
    'UPDATE changes SET before = \'{"date":"tomorrow"}\' WHERE event_id = 2;',
};

async function makeClub() {
  const home = makeTestHome();
  const { userId } = await addMember(
    home,
    'Chess',
    [1, 2, 3].map((id) => makeEvent(id)),
  );
  const file = join(makeTestFolder(), 'gift.sqlite');
  copyFileSync(backupPath(home, createBackup(home, 'hand', new Date()).name), file);
  await revokeKeysOf(home, 'Chess');
  return { home, userId, file };
}

function change(file: string, sql: string): void {
  const sqlite = new Database(file);
  sqlite.unsafeMode();
  sqlite.exec(sql);
  sqlite.close();
}

it.each(Object.entries(hostile))('a backup with %s is refused', async (_, sql) => {
  const { home, file } = await makeClub();
  const before = readRows(home.database);
  change(file, sql);
  const { status, stderr } = await callCommand(['--home', home.directory, 'restore', file]);
  expect(stderr).toMatch(/^[^\n]*gift\.sqlite is damaged and cannot be restored: [^\n]+\n$/);
  expect(status).toBe(1);
  expect(readRows(home.database)).toEqual(before);
});

it('a backup with another address of an online service is restored paused', async () => {
  const { home, userId, file } = await makeClub();
  const { coverage, listed, ...state } = createSource('https://elsewhere.example', 0);
  const values = [coverage, listed, state].map((value) => JSON.stringify(value));
  const row = [userId, 'https://elsewhere.example', 'file', createdAt, ...values];
  const sqlite = new Database(file);
  sqlite
    .prepare(
      `INSERT INTO sources (user_id, base_url, key_store, created_at, coverage, listed, state)
        VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(row);
  sqlite.close();
  const run = (...command: string[]) => callCommand(['--home', home.directory, ...command]);
  expect((await run('restore', file)).status).toBe(0);
  const restored = new Database(home.database, { readonly: true });
  expect(restored.prepare('SELECT paused FROM sources').pluck().all()).toEqual(['restored']);
  restored.close();
});
