import { expect, it } from 'vitest';
import { emptyMemory, readCalendars } from '../../db/calendars.ts';
import { connect } from '../../db/connection.ts';
import { readDaysOff } from '../../db/days-off.ts';
import { migrations, type Reader } from '../../db/open.ts';
import { findWrongJson } from '../../db/stored-json.ts';

it('follows the addresses of days off of an earlier version, and keeps them out of the history', () => {
  const sqlite = connect(':memory:');
  for (const migration of migrations.slice(0, 29)) sqlite.exec(migration);
  const days = '[{"first":"2031-12-22","last":"2032-01-02","name":"Christmas"}]';
  const readAt = '2026-11-28T12:00:00.000Z';
  const url = 'https://schools.example:8443/s/secret?key=1';
  const calendar = (kind: string, source: string) =>
    `{"kind":"${kind}","name":"Schools","source":"${source}","readAt":"${readAt}","days":${days}}`;
  const rules = '"eventType":null,"place":"","prefix":"","words":"","without":""';
  const missing = [{ id: 3, since: 1, isAsked: false }];
  const memory = JSON.stringify({ ...emptyMemory, missing, kept: [7] });
  sqlite.exec(`
    INSERT INTO users (id, name, created_at) VALUES (1, 'Rovers', '');
    INSERT INTO days_off (user_id, kind, name, source, read_at, days) VALUES
      (1, 'public', 'Bern', 'CH-BE', '${readAt}', '${days}'),
      (1, 'address', 'Schools', '${url}', '${readAt}', '${days}');
    INSERT INTO calendars (user_id, name, host, rules, memory, looked) VALUES
      (1, 'Hall', 'a.example', '{"onlyLook":true,${rules}}', '${memory}', '[]'),
      (1, 'League', 'b.example', '{"onlyLook":false,${rules}}', '${memory}', NULL);
    INSERT INTO batches (id, user_id, kind, source, created_at, added, changed, removed)
      VALUES (1, 1, 'edit', '', '${readAt}', 0, 0, 0);
    INSERT INTO setting_changes (batch_id, setting, before, after) VALUES
      (1, 'daysOff', '${calendar('file', 'terms.ics')}', '${calendar('address', url)}');
  `);
  for (const migration of migrations.slice(29)) sqlite.exec(migration);
  const db = sqlite as unknown as Reader;
  expect(readCalendars(db, 1)).toMatchObject([
    {
      name: 'Hall',
      rules: { use: 'look' },
      memory: { missing: [...missing, { id: 7, isAsked: true, isKept: true }] },
      looked: [],
      days: null,
    },
    { name: 'League', rules: { use: 'events' }, looked: null, days: null },
    {
      name: 'Schools',
      host: 'schools.example:8443',
      rules: { use: 'daysOff' },
      memory: { address: url },
      looked: null,
      days: JSON.parse(days),
    },
  ]);
  expect(readDaysOff(db, 1).map(({ kind, name, source }) => [kind, name, source])).toEqual([
    ['public', 'Bern', 'CH-BE'],
    ['address', 'Schools', 'schools.example:8443'],
  ]);
  const [change] = sqlite.prepare('SELECT before, after FROM setting_changes').all();
  expect(change).toEqual({
    before: calendar('file', 'terms.ics'),
    after: calendar('file', 'schools.example:8443'),
  });
  expect(findWrongJson(sqlite)).toEqual([]);
});
