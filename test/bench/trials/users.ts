import Database from 'better-sqlite3';
import { digestOfKey } from '../../../db/keys.ts';
import { withWriter } from '../../../server/store.ts';
import { ask, keepAlive } from '../ask.ts';
import { type Candidate, serving, startCandidate } from '../candidate.ts';
import type { Figure, Trial } from '../figure.ts';
import { createdAt, importEvents, keyOf, withHome } from '../fill.ts';

const users = 100_000;
/** What the second half of them may add to the memory that the first half took, in MB. */
const mostGrowth = 30;
const atOnce = 50;
const eventsEach = 5;

/** Adds users from the second on, of whom each has events and a key. */
function addUsers(path: string): void {
  using stack = new DisposableStack();
  const sqlite = stack.adopt(new Database(path), (opened) => opened.close());
  const user = sqlite.prepare('INSERT INTO users (name, created_at) VALUES (?, ?)');
  const key = sqlite.prepare('INSERT INTO keys (user_id, digest, created_at) VALUES (?, ?, ?)');
  const events = sqlite.prepare(`WITH RECURSIVE ids (id) AS (
      SELECT 1 UNION ALL SELECT id + 1 FROM ids WHERE id < ${eventsEach}
    )
    INSERT INTO events (user_id, id, name, date, location, status, created_at)
    SELECT ?, id, 'Event ' || id, ?, 'Clubhouse', 'active', ? FROM ids`);
  sqlite.transaction(() => {
    for (let at = 1; at < users; at += 1) {
      const { lastInsertRowid: userId } = user.run(`user${at}`, createdAt);
      key.run(userId, digestOfKey(keyOf(at)), createdAt);
      events.run(userId, createdAt, createdAt);
    }
  })();
}

async function askAs(at: number, { url }: Candidate): Promise<void> {
  const headers = { Authorization: `Bearer ${keyOf(at)}` };
  const list = await ask(`${url}/v1/events`, headers, keepAlive);
  const one = await ask(`${url}/v1/events/1`, headers, keepAlive);
  if (list.status !== 200 || one.status !== 200) throw new Error(`user${at} was not answered.`);
}

/** Asks for the list and for one event as each of the users from `start` to before `end`. */
async function askAsAll(candidate: Candidate, start: number, end: number): Promise<void> {
  for (let at = start; at < end; at += atOnce) {
    const turn = Array.from({ length: atOnce }, (_, next) => askAs(at + next, candidate));
    await Promise.all(turn);
  }
}

export const trial: Trial = {
  title: `Lists and events of ${users} users`,
  measure: () =>
    withHome(1, 1, async (home): Promise<Figure[]> => {
      addUsers(home.database);
      // A transaction of ours brings words and counts in step with all that was added.
      await withWriter(home, (db) => importEvents(db, 1, 1));
      await using ours = await startCandidate(serving(home));
      // Twice, until the heap has the size that it keeps, however much is asked for.
      await askAsAll(ours, 0, users / 2);
      await askAsAll(ours, 0, users / 2);
      const half = ours.peakMegabytes();
      await askAsAll(ours, users / 2, users);
      const all = ours.peakMegabytes();
      const what = 'memory of all users, above that of the first half';
      return [
        { what, value: all - half, unit: 'MB', atMost: mostGrowth },
        { what: 'memory of all users', value: all, unit: 'MB' },
      ];
    }),
};
