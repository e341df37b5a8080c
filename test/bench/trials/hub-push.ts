import { cpus } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { digestOfKey, insertKey } from '../../../db/keys.ts';
import { insertUser } from '../../../db/users.ts';
import { type Home, homeAt } from '../../../server/base/home.ts';
import { withWriter } from '../../../server/store/store.ts';
import { addEvents, createdAt, importAll, makeEvent, prepareDatabase } from '../../support/home.ts';
import { performHub, pointToRecord, pushClubs } from '../../support/hub.ts';
import { createPostgres } from '../../support/postgres.ts';
import { withFolder } from '../fill.ts';

/**
 * Measures `hub push --all --keys` of many clubs and prints a table for `server/hub/README.md`. Run it
 * by hand: `node test/bench/trials/hub-push.ts`. BENCH_CLUBS is the number of clubs (50,000), each with
 * three events and a key; a hundredth of them changes.
 */
const clubs = Number(process.env['BENCH_CLUBS'] ?? 50_000);
const changed = Math.ceil(clubs / 100);

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Adds the clubs as one change; returns their ids. */
function makeClubs(home: Home): Promise<readonly number[]> {
  prepareDatabase(home);
  return withWriter(home, (db) =>
    Array.from({ length: clubs }, (_, at) => {
      const userId = insertUser(db, `Club ${at}`, createdAt, 'Europe/Berlin') as number;
      importAll(db, userId, [makeEvent(1), makeEvent(2), makeEvent(3)]);
      const digest = digestOfKey(`key ${at}`);
      insertKey(db, { userId, digest, label: null, createdAt, expiresAt: null });
      return userId;
    }),
  );
}

/** Prints the times of a push of all clubs, and checks how many it pushed. */
async function measure(what: string, home: Home, pushed: number): Promise<void> {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await pushClubs(home);
  const { user, system } = process.cpuUsage(before);
  const done = result.clubs.filter(({ number }) => number !== null).length;
  if (done !== pushed) throw new Error(`${done} instead of ${pushed} clubs were pushed.`);
  const took = seconds(performance.now() - start);
  console.log(`| ${what} | ${took}, processor ${seconds((user + system) / 1_000)} |`);
}

console.log(
  `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${clubs} clubs\n`,
);
console.log('| what | measured |\n|---|---|');
const record = await createPostgres();
try {
  await withFolder(async (folder) => {
    await record.start();
    pointToRecord(record);
    const home = homeAt(join(folder, 'home'));
    const ids = await makeClubs(home);
    await performHub(home, 'hub init');
    await measure('first push of all', home, clubs);
    await measure('push without changes', home, 0);
    for (const userId of ids.slice(0, changed))
      await addEvents(home, userId, [makeEvent(2, { name: 'Changed' })]);
    await measure(`push with ${changed} changed clubs`, home, changed);
    await measure('push without changes', home, 0);
  });
} finally {
  await record.remove();
}
