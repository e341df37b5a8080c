import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Connection,
  connectTo,
  findPassword,
  readServers,
} from '../../server/hub/postgres.ts';
import { callCommand } from '../support/command.ts';
import { makeTestFolder, makeTestHome } from '../support/home.ts';
import { forgetRecord, pointToRecord } from '../support/hub.ts';
import { lacking, requirePlace } from '../support/place.ts';
import { createPostgres, type Postgres, recordPassword } from '../support/postgres.ts';

let record: Postgres;

beforeAll(async () => {
  if (lacking('a PostgreSQL') !== undefined) return;
  record = await createPostgres();
  await record.start();
});
afterAll(() => record?.remove());

/** Connects with some variables of the environment other than those of the tests. */
async function connect(env: object = {}, host = '127.0.0.1'): Promise<string> {
  const all = { ...record.env, ...env } as Record<string, string>;
  let connection: Connection | undefined;
  try {
    // `pg` reads the account and the database itself.
    Object.assign(process.env, all);
    connection = await connectTo({ host, port: record.port }, all);
    const [row] = await connection.query<{ ssl: boolean }>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    return row?.ssl ? 'TLS' : 'clear text';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await connection?.end();
    forgetRecord();
  }
}

describe('the connection to a record', () => {
  beforeEach((context) => requirePlace(context, 'a PostgreSQL'));

  it.each([
    ['TLS', {}],
    ['TLS', { PGSSLMODE: '' }],
    ['TLS', { PGSSLMODE: 'prefer', PGSSLROOTCERT: '' }],
    ['TLS', { PGSSLMODE: 'require', PGSSLROOTCERT: '' }],
    ['TLS', { PGSSLMODE: 'verify-ca' }],
    ['clear text', { PGSSLMODE: 'allow' }],
    ['clear text', { PGSSLMODE: 'disable' }],
    ['hub_root_missing', { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '' }],
    ['hub_tls_refused', { PGSSLROOTCERT: 'system' }],
    ['file_folder_missing', { PGSSLROOTCERT: '/nowhere/root.crt' }],
    ['hub_setting_invalid', { PGSSLMODE: 'yes' }],
  ] as const)('is %s with %j', async (expected, env) => {
    expect(await connect(env)).toBe(expected);
  });

  it('falls back to clear text only where PGSSLMODE allows it', async () => {
    await record.query("ALTER SYSTEM SET ssl = 'off'");
    await record.query('SELECT pg_reload_conf()');
    const usual = { PGSSLMODE: '', PGSSLROOTCERT: '' };
    await expect.poll(() => connect(usual)).toBe('clear text');
    for (const mode of ['require', 'verify-ca', 'verify-full'])
      expect(await connect({ PGSSLMODE: mode })).toBe('hub_tls_missing');
    await record.query("ALTER SYSTEM SET ssl = 'on'");
    await record.query('SELECT pg_reload_conf()');
    await expect.poll(() => connect(usual)).toBe('TLS');
  });

  it.each([
    ['hub_password_missing', { PGPASSFILE: '/nowhere/pgpass' }],
    ['hub_login_refused', { PGUSER: 'stranger' }],
    ['hub_login_refused', { PGDATABASE: 'other' }],
    ['TLS', { PGPASSFILE: '/nowhere/pgpass', PGPASSWORD: recordPassword }],
  ] as const)('is %s with %j', async (expected, env) => {
    expect(await connect(env)).toBe(expected);
  });

  it('refuses variables that would lead elsewhere, by their names', () => {
    for (const name of ['PGHOSTADDR', 'PGSERVICE', 'PGSSLCRL'])
      expect(() => readServers({ [name]: 'x' })).toThrow(/hub_setting_unsupported/);
    for (const port of ['abc', '0', '70000', '5432,5433'])
      expect(() => readServers({ PGHOST: 'one', PGPORT: port })).toThrow(/hub_setting_invalid/);
    expect(readServers({ PGHOST: 'one,two', PGPORT: '5433' })).toEqual([
      { host: 'one', port: 5433 },
      { host: 'two', port: 5433 },
    ]);
  });

  it('says what is wrong in one sentence, without a warning of a library', async () => {
    pointToRecord(record);
    const home = ['--home', makeTestHome().directory];
    const started = await callCommand(['hub', 'init', ...home]);
    expect(started).toMatchObject({ status: 0, stderr: '' });
    process.env['PGPORT'] = 'abc';
    const port = await callCommand(['hub', 'status', ...home]);
    expect(port.status).toBe(2);
    expect(port.stderr).toMatch(/^PGPORT: "abc" is not a value/);
    pointToRecord(record);
    process.env['PGPASSFILE'] = join(makeTestFolder(), 'missing');
    const password = await callCommand(['hub', 'status', ...home]);
    expect(password.status).toBe(1);
    expect(password.stderr).toContain('has no line for it');
    forgetRecord();
  });
});

describe('the password file', () => {
  const asked = { host: 'db1', port: 5432, database: 'events', user: 'club_events_node' };

  function write(text: string, mode = 0o600): { PGPASSFILE: string } {
    const path = join(makeTestFolder(), 'pgpass');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return { PGPASSFILE: path };
  }

  it('has escaped colons and backslashes, comments, and any values as *', () => {
    const lines = [
      '# db1:5432:events:club_events_node:comment',
      'db2:5432:events:club_events_node:other',
      String.raw`db1:*:ev\:ents:club_events_node:wrong`,
      String.raw`db1:*:events:club_events_node:a\:b\\c`,
      'db1:*:*:*:later',
    ];
    expect(findPassword(asked, write(lines.join('\r\n')))).toBe(String.raw`a:b\c`);
    expect(() => findPassword({ ...asked, host: 'db3' }, write(lines.join('\n')))).toThrow(
      /hub_password_missing/,
    );
  });

  it('is refused if other accounts can read it', (context) => {
    requirePlace(context, 'file modes');
    expect(() => findPassword(asked, write('*:*:*:*:secret\n', 0o644))).toThrow(/hub_file_exposed/);
  });
});
