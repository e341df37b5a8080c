// Directus, over a SQLite file of its own with the same rows, and with the same index as ours.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { findPort, production, requireOf, runPeer } from './peer.js';

const [, , database, cwd = '', token = ''] = process.argv;
const file = join(cwd, 'directus.sqlite');
const port = await findPort();
const url = `http://127.0.0.1:${port}`;
const env = {
  ...production,
  HOST: '127.0.0.1',
  PORT: `${port}`,
  DB_CLIENT: 'sqlite3',
  DB_FILENAME: file,
  SECRET: 'as long as a secret of 32 bytes is',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a password',
  ADMIN_TOKEN: token,
  TELEMETRY: 'false',
  // It would turn away most requests of a load that is as high as it can be.
  PRESSURE_LIMITER_ENABLED: 'false',
};

/** Moments stay text, as they are in the file: to change them would cost it time. */
const fields = [
  { field: 'row', type: 'integer', schema: { is_primary_key: true } },
  ...['user_id', 'id', 'registration_open'].map((field) => ({ field, type: 'integer' })),
  ...['name', 'date', 'location', 'description', 'status', 'event_type', 'created_at'].map(
    (field) => ({ field, type: 'text' }),
  ),
];

async function createCollection() {
  const { ok, status } = await fetch(`${url}/collections`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ collection: 'events', schema: {}, meta: {}, fields }),
  });
  if (!ok) throw new Error(`Directus answered a new collection with ${status}.`);
}

function copyRows() {
  const columns = fields.map(({ field }) => field).join(', ');
  const sqlite = new Database(file);
  sqlite.prepare('ATTACH ? AS ours').run(database);
  sqlite.exec(`INSERT INTO main.events (${columns}) SELECT ${columns} FROM ours.events;
    CREATE INDEX events_by_creation ON events (user_id, created_at DESC)`);
  sqlite.close();
}

// Past the command `directus`, which would first ask the internet for a newer version.
const command = requireOf.resolve('@directus/api/cli/run.js');
execFileSync(process.execPath, [command, 'bootstrap'], { cwd, env, stdio: 'ignore' });
await runPeer([command, 'start'], `${url}/server/ping`, { cwd, env });
await createCollection();
copyRows();
process.stdout.write(`${url}\n`);
