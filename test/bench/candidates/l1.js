// The limit with what cannot be left out: the key's digest, its look-up and the database's version.
import { hash } from 'node:crypto';
import Database from 'better-sqlite3';
import { serveKept } from './kept.js';

const [, , file, path] = process.argv;
const sqlite = new Database(path, { readonly: true });
const version = sqlite.prepare('PRAGMA data_version').pluck();
const user = sqlite
  .prepare('SELECT user_id FROM keys WHERE digest = ? AND revoked_at IS NULL')
  .pluck();

serveKept(file, (request) => {
  version.get();
  const key = String(request.headers.authorization).slice('Bearer '.length);
  return user.get(hash('sha256', key, 'buffer')) !== undefined;
});
