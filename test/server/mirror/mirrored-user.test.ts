import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOfKey } from '../../../db/keys.ts';
import { insertMirror, readSources, resumeSource, writeMirror } from '../../../db/mirror.ts';
import type { Write } from '../../../db/mirror-model.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { closeStore, openReader } from '../../../db/open.ts';
import { withReader, withWriter } from '../../../server/store/store.ts';
import { callCommand } from '../../support/command.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { baseUrl } from './upstream.ts';

const now = new Date('2026-11-22T12:00:00.000Z');
const at = now.getTime();

/** Creates a home with a user who mirrors one event, 7. */
async function makeMirrored() {
  const home = makeTestHome();
  const { userId, name } = await addMember(home, 'Chess');
  const event = makeEvent(7) as StoredEvent;
  const confirmed = { confirmedAt: at, registrationAt: at, registration: {}, suspect: null };
  const writes: readonly Write[] = [
    { kind: 'store', entry: { event, ...confirmed } },
    { kind: 'receipt', run: 1, changes: [{ id: 7, before: null, after: event }] },
  ];
  const digest = digestOfKey('upstream-key');
  const mirror = { userId, baseUrl, keyStore: 'file', now, digest, writes } as const;
  const outcome = await withWriter(home, (db) => insertMirror(db, mirror));
  if (outcome.kind !== 'stored') throw new Error(outcome.kind);
  const file = join(home.directory, '..', 'season.json');
  writeFileSync(file, JSON.stringify({ events: [makeEvent(8)] }));
  const call = (...args: string[]) => callCommand(['--home', home.directory, ...args]);
  return { ...outcome, home, name, file, call };
}

describe('a new mirror', () => {
  it('a new mirror has its key before any program can see it, or is not stored', async () => {
    const home = makeTestHome();
    const { userId } = await addMember(home, 'Chess');
    const digest = digestOfKey('upstream-key');
    const mirror = { userId, baseUrl, keyStore: 'file', now, digest, writes: [] } as const;
    const insert = (storeKey: () => void) =>
      withWriter(home, (db) => insertMirror(db, { ...mirror, storeKey }));
    const full = () => {
      throw new Error('full disk');
    };
    await expect(insert(full)).rejects.toThrow('full disk');
    expect(await withReader(home, readSources)).toEqual([]);
    let seen: unknown;
    await insert(() => {
      const db = openReader(home.database);
      seen = readSources(db);
      closeStore(db);
    });
    expect(seen).toEqual([]);
    expect(await withReader(home, readSources)).toHaveLength(1);
  });
});

describe('a mirrored user', () => {
  it('takes no values by hand nor from files', async () => {
    const { call, file } = await makeMirrored();
    const before = await call('export', '--user', 'Chess', '--format', 'json');
    const refused = [
      ['import', file],
      ['import', file, '--dry-run'],
      ['event', 'add', '--name', 'Final', '--date', '2026-12-01T10:00:00Z'],
      ['event', 'edit', '7', '--name', 'Final'],
      ['event', 'cancel', '7'],
      ['event', 'remove', '7'],
    ];
    for (const args of refused) {
      const { status, stderr } = await call(...args, '--user', 'Chess');
      expect(stderr).toContain(`"Chess" follows ${baseUrl} and takes no other values.`);
      expect(status).toBe(1);
    }
    expect(await call('export', '--user', 'Chess', '--format', 'json')).toEqual(before);
  });

  it('a mirrored user has syncs in the history, which cannot be undone', async () => {
    const { call, batch } = await makeMirrored();
    const { stdout } = await call('history', '--user', 'Chess');
    expect(stdout).toMatch(/ sync +1 +0 +0 +club\.example/);
    const { status, stderr } = await call('undo', `${batch}`);
    expect(stderr).toContain('A sync with club.example cannot be undone');
    expect(status).toBe(1);
    expect((await call('check')).status).toBe(0);
  });

  it('a mirrored user has the key of the service in the list of keys', async () => {
    const { call } = await makeMirrored();
    const { stdout } = await call('key', 'list');
    expect(stdout).toMatch(/Chess +valid +.* key of club\.example$/m);
  });

  it('a mirrored user can be removed with its mirror', async () => {
    const { call, home } = await makeMirrored();
    expect((await call('user', 'remove', 'Chess')).status).toBe(0);
    expect(await withReader(home, readSources)).toEqual([]);
  });

  it('a mirrored user is paused after a restore until a person resumes the syncs', async () => {
    const { call, home, sourceId } = await makeMirrored();
    await call('backup');
    const backup = JSON.parse((await call('backup', 'list', '--json')).stdout).backups[0].name;
    expect(await withReader(home, readSources)).toMatchObject([{ paused: null }]);
    expect(await call('restore', backup)).toMatchObject({ status: 0 });
    expect(await withReader(home, readSources)).toMatchObject([
      { id: sourceId, paused: 'restored' },
    ]);
    const attempt: Write = { kind: 'source', values: { attemptedAt: at } };
    const write = () =>
      withWriter(home, (db) => writeMirror(db, sourceId, [attempt], now.toISOString()));
    await expect(write()).rejects.toMatchObject({ reason: 'restored' });
    await withWriter(home, (db) => resumeSource(db, sourceId));
    await write();
    expect(await withReader(home, readSources)).toMatchObject([{ paused: null }]);
  });
});
