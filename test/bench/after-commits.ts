import Database from 'better-sqlite3';
import { median } from '../support/measure.ts';
import { ask, keepAlive } from './ask.ts';
import type { Candidate } from './candidate.ts';
import { keyOf } from './fill.ts';

const commits = 500;

/** A server and the database that it reads. */
export type Reading = { readonly path: string; readonly candidate: Candidate };

async function requireList(url: string, user: number): Promise<void> {
  const headers = { Authorization: `Bearer ${keyOf(user)}` };
  const { status, body } = await ask(`${url}/v1/events`, headers, keepAlive);
  if (status !== 200 || body.length < 10_000) throw new Error('The list is not one of 200.');
}

/** Milliseconds until the first so many users have their lists, who ask at once. */
async function timeLists({ url }: Candidate, users: number): Promise<number> {
  const start = performance.now();
  await Promise.all(Array.from({ length: users }, (_, user) => requireList(url, user)));
  return performance.now() - start;
}

function openWriter(path: string) {
  const sqlite = new Database(path, { timeout: 5_000 });
  const rename = sqlite.prepare('UPDATE events SET name = @name WHERE user_id = 1 AND id = @id');
  return {
    commit(count: number) {
      // A name that it never had: SQLite writes nothing for what is so already.
      rename.run({ name: `Renamed ${performance.now()}`, id: 1 + (count % 900) });
    },
    [Symbol.dispose]: () => void sqlite.close(),
  };
}

export type AfterCommits = {
  /** Milliseconds a list, of those that are asked for at once: a median. */
  readonly ms: number;
  /** Processor time a list, in microseconds. */
  readonly cpu: number;
};

/**
 * Asks for the lists of so many users at once after each of many commits, when nobody can know any
 * of them: of several readings in turns.
 */
export async function compareAfterCommits<Name extends string>(
  readings: Readonly<Record<Name, Reading>>,
  users: number,
): Promise<Readonly<Record<Name, AfterCommits>>> {
  using stack = new DisposableStack();
  const names = Object.keys(readings) as Name[];
  const paths = new Set(names.map((name) => readings[name].path));
  const writers = [...paths].map((path) => stack.use(openWriter(path)));
  const times = new Map<Name, number[]>(names.map((name) => [name, []]));
  const before = new Map(names.map((name) => [name, readings[name].candidate.cpuSeconds()]));
  for (let count = 0; count < commits; count += 1) {
    for (const writer of writers) writer.commit(count);
    // Each is the first as often as the others.
    const turn = count % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) {
      times.get(name)?.push((await timeLists(readings[name].candidate, users)) / users);
    }
  }
  const results = names.map((name) => {
    const cpuSeconds = readings[name].candidate.cpuSeconds() - (before.get(name) ?? 0);
    const cpu = (cpuSeconds * 1e6) / (commits * users);
    return [name, { ms: median(times.get(name) ?? []), cpu }];
  });
  return Object.fromEntries(results) as Record<Name, AfterCommits>;
}
