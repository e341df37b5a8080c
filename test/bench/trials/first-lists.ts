import Database from 'better-sqlite3';
import { median } from '../../support/measure.ts';
import {
  type Candidate,
  candidateArguments,
  missingFastify,
  serviceArguments,
  startCandidate,
} from '../candidate.ts';
import type { Figure } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';
import { authorize, keepAlive, request } from '../request.ts';

const leastTimesFastify = 1.2;
const commits = 500;
const users = 16;

/** Compares the lists of several users after each commit, when no server can have cached them. */
export async function measureFirstLists(): Promise<Figure[]> {
  const what = `first list after a commit, ${users} users at once, against Fastify`;
  const leftOut = missingFastify();
  if (leftOut !== undefined) return [{ what, leftOut }];
  return await withHome(20, 1_000, async ({ directory, database }) => {
    await using service = await startCandidate(serviceArguments(directory));
    await using fastify = await startCandidate(candidateArguments('fastify.js', database));
    const times = { service: [] as number[], fastify: [] as number[] };
    using writer = openWriter(database);
    for (let count = 0; count < commits; count += 1) {
      writer.commit(count);
      // Each is the first as often as the other.
      if (count % 2 === 0) times.service.push(await timeLists(service));
      times.fastify.push(await timeLists(fastify));
      if (count % 2 === 1) times.service.push(await timeLists(service));
    }
    const value = median(times.fastify) / median(times.service);
    return [{ what, value, unit: 'times', atLeast: leastTimesFastify }];
  });
}

function openWriter(path: string) {
  const sqlite = new Database(path, { timeout: 5_000 });
  const rename = sqlite.prepare('UPDATE events SET name = @name WHERE user_id = 1 AND id = @id');
  return {
    commit(count: number) {
      // A new name each time, because SQLite does not write an unchanged row.
      rename.run({ name: `Renamed ${performance.now()}`, id: 1 + (count % 900) });
    },
    [Symbol.dispose]: () => void sqlite.close(),
  };
}

/** Requests the lists of all users at once; returns the milliseconds until the last answer. */
async function timeLists({ url }: Candidate): Promise<number> {
  const start = performance.now();
  const requests = Array.from({ length: users }, (_, user) =>
    request(`${url}/v1/events`, authorize(keyOf(user)), keepAlive),
  );
  for (const { status, body } of await Promise.all(requests)) {
    if (status !== 200 || body.length < 10_000) throw new Error('The list is not one of 200.');
  }
  return performance.now() - start;
}
