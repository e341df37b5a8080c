import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import {
  beginTransaction,
  closeStore,
  connection,
  openReader,
  openWriter,
  prepareVersionRead,
  rollBack,
} from '../../db/open.ts';
import {
  copyStore,
  inspectCopy,
  migrateCopy,
  readStoreFacts,
  replaceStore,
} from '../../db/replace-database.ts';
import { addEvents, addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';

const nothing = () => undefined;

/** Makes a database with "Old" events, then a copy, then changes the events to "New". */
async function makeTwo() {
  const home = makeTestHome();
  const events = (name: string) => [1, 2, 3].map((id) => makeEvent(id, { name }));
  const { userId } = await addMember(home, 'Chess', events('Old'));
  const copy = join(makeTestFolder(), 'copy.sqlite');
  copyStore(home.database, copy);
  await addEvents(home, userId, events('New'));
  return { path: home.database, copy };
}

function namesIn(path: string): unknown {
  const db = openReader(path);
  try {
    return connection(db).prepare('SELECT DISTINCT name FROM events').pluck().all();
  } finally {
    closeStore(db);
  }
}

it('copies a database into one file, without a log', async () => {
  const { path, copy } = await makeTwo();
  expect(inspectCopy(copy).counts).toEqual({ users: 1, events: 3, batches: 1 });
  expect(readStoreFacts(path).counts.batches).toBe(2);
  expect(readStoreFacts(path).state).not.toBe(inspectCopy(copy).state);
  migrateCopy(copy);
  for (const suffix of ['-wal', '-shm', '-journal']) expect(existsSync(copy + suffix)).toBe(false);
});

it('replaces the contents of a database below its readers, as one new version', async () => {
  const { path, copy } = await makeTwo();
  const reader = openReader(path);
  const sqlite = connection(reader);
  const readVersion = prepareVersionRead(reader);
  const names = sqlite.prepare('SELECT DISTINCT name FROM events').pluck();
  const version = readVersion();
  // A reader in a transaction keeps its snapshot.
  sqlite.exec('BEGIN');
  expect(names.all()).toEqual(['New']);
  await replaceStore(copy, path, { beforeReplacing: nothing });
  expect(names.all()).toEqual(['New']);
  sqlite.exec('COMMIT');
  expect(names.all()).toEqual(['Old']);
  expect(readVersion()).not.toBe(version);
  expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal');
  closeStore(reader);
});

it('waits for a writer, and gives up after a time', { tags: 'long' }, async () => {
  const { path, copy } = await makeTwo();
  const writer = openWriter(path);
  beginTransaction(writer);
  let waits = 0;
  const onWait = () => {
    waits += 1;
    if (waits === 2) rollBack(writer);
  };
  await replaceStore(copy, path, { onWait, beforeReplacing: nothing });
  expect(waits).toBeGreaterThanOrEqual(2);
  expect(namesIn(path)).toEqual(['Old']);
  beginTransaction(writer);
  const busy = replaceStore(copy, path, { beforeReplacing: nothing });
  await expect(busy).rejects.toMatchObject({ problem: 'busy' });
  rollBack(writer);
  closeStore(writer);
});

it('changes nothing if the step before fails, and lets no writer in between', async () => {
  const { path, copy } = await makeTwo();
  const writer = openWriter(path);
  connection(writer).pragma('busy_timeout = 0');
  const beforeReplacing = () => {
    expect(() => beginTransaction(writer)).toThrow(/locked/);
    throw new Error('no backup');
  };
  await expect(replaceStore(copy, path, { beforeReplacing })).rejects.toThrow('no backup');
  expect(namesIn(path)).toEqual(['New']);
  // The lock is free again.
  beginTransaction(writer);
  rollBack(writer);
  closeStore(writer);
});

it('refuses a copy with an event of nobody, and one that is cut off', async () => {
  const { copy } = await makeTwo();
  const folder = makeTestFolder();
  const [orphaned, cut] = [join(folder, 'orphaned.sqlite'), join(folder, 'cut.sqlite')];
  copyFileSync(copy, orphaned);
  const sqlite = new Database(orphaned);
  sqlite.pragma('foreign_keys = OFF');
  sqlite.exec('DELETE FROM users');
  sqlite.close();
  writeFileSync(cut, readFileSync(copy).subarray(0, 5 * 4_096));
  expect(() => inspectCopy(orphaned)).toThrow(/^damaged: .* has no row in "users"/);
  expect(() => inspectCopy(cut)).toThrow(/^damaged: /);
});
