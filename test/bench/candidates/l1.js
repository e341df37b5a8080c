// The limit with what cannot be left out: the key's digest, its look-up and the database's version.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Database from 'better-sqlite3';

/** @typedef {{ path: string, status: number, headers: string[], body: string }} Kept */
/** @type {Kept[]} */
const kept = JSON.parse(readFileSync(String(process.argv[2]), 'utf8'));
const whole = new Map(
  kept
    .filter(({ status }) => status === 200)
    .map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body) }]),
);
const unchanged = kept.find(({ status }) => status === 304)?.headers;

const sqlite = new Database(process.argv[3], { readonly: true });
const version = sqlite.prepare('PRAGMA data_version').pluck();
const user = sqlite
  .prepare('SELECT user_id FROM keys WHERE digest = ? AND revoked_at IS NULL')
  .pluck();

const server = createServer((request, response) => {
  version.get();
  const key = String(request.headers.authorization).slice('Bearer '.length);
  if (user.get(hash('sha256', key, 'buffer')) === undefined) {
    response.writeHead(401);
    response.end();
    return;
  }
  if (request.headers['if-none-match'] !== undefined) {
    response.writeHead(304, unchanged);
    response.end();
    return;
  }
  const { headers, body } = whole.get(String(request.url)) ?? {};
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
  }
});
