import { closeSync, openSync, writeSync } from 'node:fs';
import { closeWriter, connection, openWriter } from '../../db/open.ts';
import { insertUser } from '../../db/users.ts';

/**
 * Adds users and acknowledges each in a file beside the database. The third argument replaces the
 * setting of `synchronous`, for a test that must then lose some of them.
 */
const [database = '', acknowledged = '', synchronous] = process.argv.slice(2);
const db = openWriter(database);
if (synchronous !== undefined) connection(db).pragma(`synchronous = ${synchronous}`);
const file = openSync(acknowledged, 'w');
for (let number = 1; number <= 20; number += 1) {
  insertUser(db, `Club ${number}`, '2026-01-01T00:00:00.000Z');
  writeSync(file, `${number}\n`);
}
closeSync(file);
closeWriter(db);
