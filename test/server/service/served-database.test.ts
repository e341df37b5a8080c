import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../../server/base/errors.ts';
import type { Home } from '../../../server/base/home.ts';
import { loadWriters } from '../../../server/export/list-writers.ts';
import { createService } from '../../../server/service/service.ts';
import { addEvents, addMember, makeEvent, makeTestHome, revokeKeysOf } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';
import { fetchWithKey } from '../../support/service.ts';

/** Serves a home and collects the warnings. */
async function serve(home: Home) {
  const warnings: Problem['code'][] = [];
  const service = createService(
    { home: home.directory, host: '127.0.0.1', port: 0, allowedOrigins: [] },
    { now: () => new Date(), warn: ({ code }) => void warnings.push(code), loadWriters },
  );
  const port = Number(new URL(await service.run()).port);
  onTestFinished(() => service.stop());
  const ask = async (key: string, path = '/v1/events') => {
    const answer = await fetchWithKey({ port }, path, key);
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      body: await answer.text(),
    };
  };
  return { ask, warnings };
}

it('reads the database that took the place of the former one', async (context) => {
  requirePlace(context, 'renaming an open database');
  const home = makeTestHome();
  const other = makeTestHome();
  const chess = await addMember(home, 'Chess', [makeEvent(1)]);
  const rowing = await addMember(other, 'Rowing', [makeEvent(2)]);
  const { ask, warnings } = await serve(home);
  expect((await ask(chess.key)).status).toBe(200);
  for (const suffix of ['', '-wal', '-shm']) rmSync(home.database + suffix, { force: true });
  renameSync(other.database, home.database);
  await expect.poll(() => ask(rowing.key)).toMatchObject({ status: 200 });
  expect((await ask(chess.key)).status).toBe(401);
  expect(JSON.parse((await ask(rowing.key)).body).events).toMatchObject([{ id: 2 }]);
  // Changes of the new file are visible at once, and keys end at once.
  await addEvents(home, rowing.userId, [makeEvent(3)]);
  expect(JSON.parse((await ask(rowing.key)).body).events).toHaveLength(2);
  await revokeKeysOf(home, 'Rowing');
  expect((await ask(rowing.key)).status).toBe(401);
  expect(warnings).toEqual([]);
  expect(readFileSync(join(home.logs, 'service.log'), 'utf8')).toContain('opened the database');
});

it('refuses requests for data while the data directory is elsewhere', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'renaming an open database');
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
  const { ask, warnings } = await serve(home);
  const elsewhere = `${home.directory} elsewhere`;
  renameSync(home.directory, elsewhere);
  await expect
    .poll(() => ask(key))
    .toMatchObject({
      status: 503,
      type: 'application/problem+json',
      body: expect.stringContaining('"code":"database_gone"'),
    });
  expect((await ask('', '/health')).status).toBe(200);
  expect(warnings).toContain('file_missing');
  renameSync(elsewhere, home.directory);
  await expect.poll(() => ask(key)).toMatchObject({ status: 200 });
});

it('refuses requests for data while the file is not a database of this program', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'renaming an open database');
  const home = makeTestHome();
  const { key } = await addMember(home, 'Chess', [makeEvent(1)]);
  const { ask, warnings } = await serve(home);
  const kept = `${home.database}.kept`;
  for (const replace of [
    () => writeFileSync(home.database, 'Not a database. '.repeat(100)),
    () => mkdirSync(home.database),
  ]) {
    renameSync(home.database, kept);
    replace();
    await expect.poll(() => ask(key)).toMatchObject({ status: 503 });
    rmSync(home.database, { recursive: true });
    renameSync(kept, home.database);
    await expect.poll(() => ask(key)).toMatchObject({ status: 200 });
  }
  expect(warnings).toEqual(['database_foreign', 'file_is_folder']);
});
