// json-server, over a file of the same events.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { findPort, requireOf, runPeer } from './peer.js';

const [, , database, cwd = ''] = process.argv;
const sqlite = new Database(database, { readonly: true });
const events = sqlite
  .prepare(
    `SELECT row AS id, user_id AS userId, name, date, location, description, status,
      event_type AS eventType, registration_open AS registrationOpen, created_at AS createdAt
    FROM events`,
  )
  .all();
sqlite.close();
const file = join(cwd, 'db.json');
writeFileSync(file, JSON.stringify({ events }));
// In production, where it is quickest, it ends at once without its folder of pages.
mkdirSync(join(cwd, 'public'));

const port = await findPort();
const url = `http://127.0.0.1:${port}`;
await runPeer([requireOf.resolve('json-server/lib/bin.js'), file, '-p', `${port}`], url, { cwd });
process.stdout.write(`${url}\n`);
