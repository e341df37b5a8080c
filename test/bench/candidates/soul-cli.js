// Soul, over a copy of the database. It is open to everyone, as it is unless told otherwise.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { findPort, requireOf, runPeer } from './peer.js';

const [, , database, cwd = ''] = process.argv;
const file = join(cwd, 'soul.sqlite');
const sqlite = new Database(database, { readonly: true });
await sqlite.backup(file);
sqlite.close();

const port = await findPort();
const url = `http://127.0.0.1:${port}`;
const args = [requireOf.resolve('soul-cli'), '-d', file, '-p', `${port}`];
await runPeer(args, `${url}/api/tables`, { cwd });
process.stdout.write(`${url}\n`);
