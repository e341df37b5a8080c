import { expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import { migrations, type Reader } from '../../db/open.ts';
import { readProposals } from '../../db/proposals.ts';

it('gives proposals of an earlier version their club, and their answers its epoch', () => {
  const sqlite = connect(':memory:');
  for (const migration of migrations.slice(0, 24)) sqlite.exec(migration);
  sqlite.exec(`
    INSERT INTO users (id, name, created_at) VALUES (1, 'Rovers', ''), (2, 'Chess', '');
    INSERT INTO sources (id, user_id, kind, base_url, key_store, created_at, coverage, listed, state)
      VALUES (1, 1, 'file', 'file:///r.json', 'run', '', '{}', '{}',
        '{"club": "abc", "revision": "x.1.42"}');
    INSERT INTO proposals (id, user_id, kind, new_values, revision, made_at, sent_at, accepted)
      VALUES ('a', 1, 'add', '{}', 'x.1.40', '1', '2', 1), ('b', 1, 'add', '{}', 'x.1.40', '3', NULL, NULL),
        ('c', 2, 'add', '{}', 'x.1.40', '4', NULL, 0)`);
  for (const migration of migrations.slice(24)) sqlite.exec(migration);
  const db = sqlite as unknown as Reader;
  expect(readProposals(db, 1)).toMatchObject([
    { id: 'a', club: 'abc', clubName: 'Rovers', closedAt: '2', answer: { epoch: 'x.1' } },
    { id: 'b', club: 'abc', clubName: 'Rovers', closedAt: null, answer: null },
  ]);
  // Nobody knows where it was sent.
  expect(readProposals(db, 2)).toMatchObject([{ club: '', clubName: 'Chess', closedAt: '4' }]);
});
