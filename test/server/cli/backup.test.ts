import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeStore, connection, openReader } from '../../../db/open.ts';
import { withWriter } from '../../../server/store/store.ts';
import { callCommand, startServe } from '../../support/command.ts';
import { makeFullHome } from '../../support/full-home.ts';
import {
  addMember,
  importAll,
  makeEvent,
  makeTestFolder,
  makeTestHome,
} from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { performHere } from '../../support/perform.ts';
import { fetchWithKey } from '../../support/service.ts';

async function makeClub() {
  const home = makeTestHome();
  const member = await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
  return { home, call, ...member };
}

describe('backup and restore on the command line', () => {
  it('backup and restore on the command line make, list and restore a backup, and say how to undo that', async () => {
    const { home, call } = await makeClub();
    const made = await call('backup');
    expect(made).toMatchObject({ status: 0, stderr: '' });
    expect(made.stdout).toMatch(/-hand\.sqlite: 1 club and 2 events, verified\.\n$/);
    const { name } = JSON.parse((await call('backup', '--json')).stdout);
    expect(existsSync(join(home.backups, name))).toBe(true);
    const listed = await call('backup', 'list');
    expect(listed.stdout).toMatch(/^NAME +MADE +REASON +CLUBS +EVENTS +BYTES +PROVEN\n/);
    expect(listed.stdout.split('\n')[1]).toMatch(/ hand +1 +2 +\d+ +not yet$/);

    await performHere('backup prove', {}, { home, onProgress: () => undefined });
    const proven = (await call('backup', 'list')).stdout.split('\n')[1];
    expect(proven).toMatch(/ hand +1 +2 +\d+ +\S+Z, 2 of 2 events$/);

    await call('event', 'remove', '2', '--user', 'Chess');
    const restored = await call('restore', name);
    expect(restored).toMatchObject({
      status: 0,
      stdout: `Restored ${name}: 1 club and 2 events.\n`,
    });
    const [, replaced = ''] =
      /^"club-events restore (\S+)" undoes this\.\n$/.exec(restored.stderr) ?? [];
    const undone = await call('restore', replaced, '--json');
    expect(JSON.parse(undone.stdout)).toMatchObject({
      restored: replaced,
      counts: { users: 1, events: 1 },
      damaged: null,
    });
    expect((await call('check')).status).toBe(0);
  });

  it('backup and restore on the command line write a file elsewhere, with its record', async () => {
    const { call } = await makeClub();
    const folder = makeTestFolder();
    const output = join(folder, 'stick.sqlite');
    const { stdout, status } = await call('backup', '--output', output);
    expect({ stdout, status }).toEqual({
      stdout: `${output}: 1 club and 2 events, verified.\n`,
      status: 0,
    });
    expect(readdirSync(folder).toSorted()).toEqual(['stick.sqlite', 'stick.sqlite.json']);
    expect((await call('backup', 'list')).stdout).toMatch(/^There is no backup yet/);
    // Another computer.
    const other = makeTestHome();
    const restored = await callCommand(['--home', other.directory, 'restore', output]);
    expect(restored).toEqual({
      status: 0,
      stdout: 'Restored stick.sqlite: 1 club and 2 events.\n',
      stderr: '',
    });
  });

  it('backup and restore on the command line refuse what is not a backup in one sentence, and wrong usage', async () => {
    const { call } = await makeClub();
    const file = join(makeTestFolder(), 'season.csv');
    writeFileSync(file, 'name,date');
    expect(await call('restore', file)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${file} is a file of events, not a backup. Add its events with "club-events import FILE --user NAME"; nothing was changed.\n`,
    });
    const json = JSON.parse((await call('restore', file, '--json')).stdout);
    expect(json.error.code).toBe('file_is_table');
    expect((await call('restore')).status).toBe(2);
    expect((await call('backup', 'lost')).status).toBe(2);
    expect((await call('backup', '--help')).stdout).toContain('--output <file>');
    const empty = await callCommand(['--home', makeTestHome().directory, 'backup']);
    expect(empty.status).toBe(1);
    expect(empty.stderr).toMatch(/^There is no database at /);
  });

  it('backup and restore on the command line warn if the backup of the day fails, and make the change', async () => {
    const { home, call } = await makeClub();
    writeFileSync(home.backups, 'a file in the way');
    const added = await call('user', 'add', 'Rowing');
    expect(added).toMatchObject({ status: 0, stdout: 'Added club "Rowing".\n' });
    expect(added.stderr).toMatch(/^No backup could be made\. .*backups.*\.\n$/);
    const removed = await call('user', 'remove', 'Rowing');
    expect(removed.status).toBe(1);
    expect(removed.stderr).toMatch(/Nothing was changed, because no backup could be made first\./);
  });

  it('backup and restore on the command line work while a service runs, which answers from the restored events at once', async () => {
    const { home, call, key } = await makeClub();
    const serving = await startServe(['--home', home.directory, '--port', '0']);
    const port = Number(new URL(serving.firstLine).port);
    const total = async () =>
      (await fetchWithKey({ port }, '/v1/events', key)).headers.get('Total-Count');
    const { name } = JSON.parse((await call('backup', '--json')).stdout);
    await call('event', 'remove', '2', '--user', 'Chess');
    expect(await total()).toBe('1');
    await call('restore', name);
    expect(await total()).toBe('2');
    expect(await serving.end('SIGTERM')).toBe(0);
  });
});

/** Returns the texts in a value of a column, also those within JSON, and the bytes of a digest as text. */
function textsIn(value: unknown): readonly string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  if (!/^[[{]/.test(value)) return [value];
  return textsIn(JSON.parse(value));
}

/** Reads all texts of a database with those of its schema, but without the search index. */
function readTexts(path: string): ReadonlySet<string> {
  const db = openReader(path);
  try {
    const sqlite = connection(db);
    const schema = sqlite
      .prepare<[], { name: string; type: string; text: string }>(
        "SELECT name, type, type || name || tbl_name || ifnull(sql, '') AS text FROM sqlite_schema",
      )
      .all();
    const tables = schema.filter(
      ({ name, type }) => type === 'table' && !name.startsWith('search'),
    );
    const rows = tables.flatMap(({ name }) =>
      sqlite.prepare<[], unknown[]>(`SELECT * FROM ${name}`).raw().all(),
    );
    return new Set([...rows.flat(), ...schema.map(({ text }) => text)].flatMap(textsIn));
  } finally {
    closeStore(db);
  }
}

/** A home with a club that follows a file, one with rows of all kinds, and one with many pages. */
async function makeHomeOfThree() {
  const home = await makeFullHome();
  const long = 'Wherry and quinquereme '.repeat(40);
  const many = Array.from({ length: 300 }, (_, id) =>
    makeEvent(id + 1, { name: `Regatta ${id} of Zanzibar`, description: `${id} ${long}` }),
  );
  const { userId } = await addMember(home, 'Rowing', many);
  await withWriter(home, (db) => {
    importAll(db, userId, [makeEvent(1, { name: 'Xylophone evening' })]);
  });
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
  for (const id of ['2', '3', '4']) await call('event', 'remove', id, '--user', 'Rowing');
  return { home, call };
}

describe('a backup of one club alone', () => {
  it('has nothing of another club in its bytes, whatever the club, and is restored elsewhere', {
    tags: 'long',
  }, async () => {
    const { home, call } = await makeHomeOfThree();
    const folder = makeTestFolder();
    const clubs = JSON.parse((await call('user', 'list', '--json')).stdout).users as {
      readonly name: string;
      readonly events: number;
    }[];
    expect(clubs.length).toBe(3);
    const all = readTexts(home.database);
    for (const { name, events } of choose(clubs, clubs.slice(0, 1))) {
      const output = join(folder, `${name}.sqlite`);
      const made = await call('backup', '--user', name, '--output', output);
      expect(made).toMatchObject({ status: 0, stderr: '' });
      expect(made.stdout).toContain(
        `: 1 club and ${events} events`.replace(' 1 events', ' 1 event'),
      );
      const own = readTexts(output);
      const ownText = [...own].join('\n');
      const others = [...all].filter((text) => text.length > 3 && !ownText.includes(text));
      const words = others.flatMap((text) => text.toLowerCase().match(/[a-z]{4,}/g) ?? []);
      const bytes = readFileSync(output);
      const [asUtf8, asLatin1] = [bytes.toString('utf8'), bytes.toString('latin1')];
      const [foldedBytes, foldedText] = [asUtf8.toLowerCase(), ownText.toLowerCase()];
      expect(others.length, name).toBeGreaterThan(20);
      expect(others.filter((text) => asUtf8.includes(text) || asLatin1.includes(text))).toEqual([]);
      // Also those of the search index, which has them folded.
      const foreign = words.filter(
        (word) => !foldedText.includes(word) && foldedBytes.includes(word),
      );
      expect([...new Set(foreign)], name).toEqual([]);
      const other = makeTestHome();
      const callThere = (...args: string[]) => callCommand(['--home', other.directory, ...args]);
      expect((await callThere('restore', output)).status).toBe(0);
      expect((await callThere('check')).status).toBe(0);
      const there = JSON.parse((await callThere('user', 'list', '--json')).stdout).users;
      expect(there).toMatchObject([{ name, events }]);
      const history = ['history', '--user', name, '--json'];
      expect((await callThere(...history)).stdout).toBe((await call(...history)).stdout);
      const exported = ['export', '--user', name, '--format', 'json'];
      const [before, after] = [await call(...exported), await callThere(...exported)];
      expect(after.stdout).toBe(before.stdout);
    }
  });

  it('is in no list of backups, and stays where another file is', async () => {
    const { home, call } = await makeClub();
    const folder = makeTestFolder();
    const listed = (await call('backup', 'list', '--json')).stdout;
    const output = join(folder, 'chess.sqlite');
    expect((await call('backup', '--user', 'Chess', '--output', output)).status).toBe(0);
    expect((await call('backup', 'list', '--json')).stdout).toBe(listed);
    expect(readdirSync(folder).toSorted()).toEqual(['chess.sqlite', 'chess.sqlite.json']);
    expect(readdirSync(home.backups).filter((name) => !/daily/.test(name))).toEqual([]);
    expect(await call('backup', '--user', 'Chess')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'A backup of one club alone needs a file of its own; name it with "--output FILE".\n',
    });
    const unknown = await call('backup', '--user', 'Golf', '--output', join(folder, 'golf.sqlite'));
    expect(unknown.status).toBe(1);
    expect(unknown.stderr).toContain('There is no club "Golf"');
    const table = join(folder, 'season.csv');
    writeFileSync(table, 'name,date');
    expect((await call('backup', '--user', 'Chess', '--output', table)).status).toBe(1);
    expect(readFileSync(table, 'utf8')).toBe('name,date');
  });
});
