import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import {
  closeStore,
  closeWriter,
  connection,
  openReader,
  openWriter,
  StoreError,
} from '../../db/open.ts';
import { copyStore, replaceStore } from '../../db/replace-database.ts';
import { insertUser, prepareUserReads } from '../../db/users.ts';
import { prepareHome } from '../../server/base/home.ts';
import {
  addMember,
  createdAt,
  holdLog,
  makeEvent,
  makeTestFolder,
  makeTestHome,
  prepareDatabase,
} from '../support/home.ts';
import { choose } from '../support/long.ts';
import { printFigure } from '../support/print.ts';
import { fc } from '../support/random.ts';

/** Adds a user. Like `closeWriter`, but does not wait for the readers that a test holds. */
function addUser(path: string, name: string): void {
  const db = openWriter(path);
  insertUser(db, name, createdAt);
  connection(db).pragma('busy_timeout = 0');
  connection(db).pragma('wal_checkpoint(TRUNCATE)');
  closeStore(db);
}

function sizeOfLog(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Copies a database file, with the log of another one beside it, to a new folder. */
function copyWithLog(file: string, log: string): string {
  const path = join(makeTestFolder(), 'events.sqlite');
  copyFileSync(file, path);
  if (existsSync(`${log}-wal`)) copyFileSync(`${log}-wal`, `${path}-wal`);
  return path;
}

/** Returns the names of the users, or the problem of a database that is refused. */
function readNames(path: string): string[] | string {
  try {
    const db = openReader(path);
    const users = prepareUserReads(db).all();
    closeStore(db);
    return users.map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof StoreError) return error.problem;
    throw error;
  }
}

describe('the log of a database', () => {
  it('the log of a database is empty after each change, beside an idle reader', () => {
    const { database } = prepareDatabase(makeTestHome());
    addUser(database, 'Archery');
    const reader = openReader(database);
    for (const name of ['Chess', 'Rowing']) {
      const db = openWriter(database);
      insertUser(db, name, createdAt);
      closeWriter(db);
      expect(sizeOfLog(database)).toBe(0);
    }
    expect(readNames(copyWithLog(database, '/nowhere'))).toEqual(['Archery', 'Chess', 'Rowing']);
    closeStore(reader);
  });

  it('the log of a database is refused, and not applied, beside an earlier copy of the database', () => {
    const { database } = prepareDatabase(makeTestHome());
    addUser(database, 'Chess');
    const backup = copyWithLog(database, '/nowhere');
    addUser(database, 'Rowing');
    const reader = holdLog(database);
    addUser(database, 'Tennis');
    expect(sizeOfLog(database)).toBeGreaterThan(0);
    const replaced = copyWithLog(backup, database);
    expect(readNames(replaced)).toBe('stale_log');
    expect(() => openWriter(replaced)).toThrow('stale_log');
    expect(readFileSync(replaced)).toEqual(readFileSync(backup));
    expect(sizeOfLog(replaced)).toBe(sizeOfLog(database));
    reader.close();
  });

  it('the log of a database is applied after a crash that tore the page of the state', () => {
    const { database } = prepareDatabase(makeTestHome());
    addUser(database, 'Chess');
    const reader = holdLog(database);
    addUser(database, 'Tennis');
    const crashed = copyWithLog(database, database);
    reader.close();
    const sqlite = new Database(database, { readonly: true });
    const read = (sql: string) => sqlite.prepare<[], number>(sql).pluck().get() as number;
    const page = read("SELECT rootpage FROM sqlite_schema WHERE name = 'store_state'");
    const size = read('PRAGMA page_size');
    sqlite.close();
    const bytes = readFileSync(crashed);
    // The second half of a page, which has the row.
    bytes.fill(0, (page - 1) * size + size / 2, page * size);
    writeFileSync(crashed, bytes);
    expect(readNames(crashed)).toEqual(['Chess', 'Tennis']);
  });

  it('the log of a database is refused beside a backup made just before it began', () => {
    const { database } = prepareDatabase(makeTestHome());
    addUser(database, 'Chess');
    const backup = join(makeTestFolder(), 'backup.sqlite');
    copyStore(database, backup);
    const reader = holdLog(database);
    addUser(database, 'Tennis');
    const replaced = copyWithLog(backup, database);
    expect(readNames(replaced)).toBe('stale_log');
    expect(() => openWriter(replaced)).toThrow('stale_log');
    expect(readFileSync(replaced)).toEqual(readFileSync(backup));
    expect(sizeOfLog(replaced)).toBe(sizeOfLog(database));
    reader.close();
  });

  it('the log of a database is applied after a restore of a file with other pages', async () => {
    const { database } = prepareDatabase(makeTestHome());
    addUser(database, 'Chess');
    const backup = join(makeTestFolder(), 'backup.sqlite');
    copyStore(database, backup);
    addUser(database, 'Tennis');
    const reader = holdLog(database);
    await replaceStore(backup, database, { beforeReplacing: () => undefined });
    expect(sizeOfLog(database)).toBeGreaterThan(0);
    expect(readNames(copyWithLog(database, database))).toEqual(['Chess']);
    addUser(database, 'Judo');
    expect(readNames(copyWithLog(database, database))).toEqual(['Chess', 'Judo']);
    reader.close();
  });

  it('the log of a database is refused beside another database, and beside a later one', () => {
    const [one, other] = [1, 2].map(() => {
      const home = makeTestHome();
      prepareHome(home);
      const db = openWriter(home.database);
      migrate(db);
      closeWriter(db);
      return home.database;
    }) as [string, string];
    const readers = [holdLog(one), holdLog(other)];
    addUser(one, 'Chess');
    addUser(other, 'Rowing');
    expect(readNames(copyWithLog(one, other))).toBe('stale_log');
    const later = copyWithLog(one, one);
    for (const name of ['Tennis', 'Judo']) addUser(later, name);
    expect(readNames(copyWithLog(later, one))).toBe('stale_log');
    for (const reader of readers) reader.close();
  });

  it('the log of a database is applied after a crash during the migration that adds the state', () => {
    const home = makeTestHome();
    prepareHome(home);
    const { database } = home;
    const db = openWriter(database);
    migrate(db);
    expect(sizeOfLog(database)).toBeGreaterThan(0);
    expect(readNames(copyWithLog(database, database))).toEqual([]);
    closeWriter(db);
  });

  type Step = 'add' | 'hold' | 'release' | 'copy' | 'move part of the log';
  const steps: readonly Step[] = ['add', 'hold', 'release', 'copy', 'move part of the log'];

  it('the log of a database is applied to a copy of the file only if the result is the present state', () => {
    const counts = { applied: 0, refused: 0 };
    const property = fc.property(
      fc.array(fc.constantFrom('add' as const, ...steps), { minLength: 4, maxLength: 14 }),
      (sequence) => {
        const { database } = prepareDatabase(makeTestHome());
        const readers: Database.Database[] = [];
        const copies: string[] = [];
        const names = ['Archery'];
        addUser(database, 'Archery');
        for (const step of sequence) {
          if (step === 'add') {
            names.push(`Club ${String.fromCharCode(65 + names.length)}`);
            addUser(database, names.at(-1) as string);
          } else if (step === 'hold') readers.push(holdLog(database));
          else if (step === 'release') readers.shift()?.close();
          else if (step === 'copy') copies.push(copyWithLog(database, '/nowhere'));
          else {
            const sqlite = new Database(database);
            sqlite.pragma('wal_checkpoint(PASSIVE)');
            // Closing the last connection would empty the log.
            readers.push(sqlite);
          }
          expect(readNames(copyWithLog(database, database))).toEqual(names);
        }
        if (sizeOfLog(database) > 0) {
          for (const copy of copies) {
            const found = readNames(copyWithLog(copy, database));
            if (found === 'stale_log') counts.refused += 1;
            else expect(found).toEqual(names);
            if (found !== 'stale_log') counts.applied += 1;
          }
        }
        for (const reader of readers) reader.close();
      },
    );
    // A few random sequences need not have both outcomes; these do.
    fc.assert(property, choose({ numRuns: 2_000 }, { numRuns: 25, seed: 1 }));
    expect(Math.min(counts.applied, counts.refused)).toBeGreaterThan(0);
  });

  it('the log of a database is never refused beside three programs that write', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    const ids = [1, 2, 3];
    await addMember(
      home,
      'Chess',
      ids.map((id) => makeEvent(id)),
    );
    const program = join(import.meta.dirname, 'repeated-writer.ts');
    const limit = choose('60s', '300');
    const run = async (id: number) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        ...[program, home.directory, `${id}`, limit],
      ]);
      return JSON.parse(stdout) as { commands: number; refused: string[]; cpu: number };
    };
    const programs = await Promise.all(ids.map(run));
    const sum = (numbers: number[]) => numbers.reduce((left, right) => left + right);
    printFigure(
      `three writers: ${sum(programs.map(({ commands }) => commands))} commands in ` +
        `${sum(programs.map(({ cpu }) => cpu)).toFixed(1)} s of processor time`,
    );
    expect(programs.flatMap(({ refused }) => refused)).toEqual([]);
  });
});
