import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { ask, keepAlive } from '../ask.ts';
import { type Candidate, candidateFile, cli, startCandidate } from '../candidate.ts';
import type { Figure, Trial } from '../figure.ts';
import { keyOf, withHome } from '../fill.ts';
import { median } from '../measure.ts';

/** How many times as fast as Fastify's the first list after a commit has to come. */
const leastTimes = 1.4;
const commits = 1_000;

async function timeList({ url }: Candidate): Promise<number> {
  const headers = { Authorization: `Bearer ${keyOf(0)}` };
  const { status, ms, body } = await ask(`${url}/v1/events`, headers, keepAlive);
  if (status !== 200 || body.length < 10_000) throw new Error('The list is not one of 200.');
  return ms;
}

/** Peers are not installed with the project: they are only measured against. */
function requireFastify(): void {
  if (existsSync(join(import.meta.dirname, '../peers/node_modules/fastify'))) return;
  throw new Error('Fastify is not installed: run "npm ci --prefix test/bench/peers" first.');
}

/** Milliseconds to the first list after each of many commits, of two services in turn. */
async function timeLists(path: string, ours: Candidate, fastify: Candidate) {
  const sqlite = new Database(path);
  const rename = sqlite.prepare('UPDATE events SET name = @name WHERE user_id = 1 AND id = @id');
  const times = { ours: [] as number[], fastify: [] as number[] };
  for (let at = 0; at < commits; at += 1) {
    rename.run({ name: `Renamed ${at}`, id: 1 + (at % 900) });
    const first = at % 2 === 0;
    if (first) times.ours.push(await timeList(ours));
    times.fastify.push(await timeList(fastify));
    if (!first) times.ours.push(await timeList(ours));
  }
  sqlite.close();
  return times;
}

export const trial: Trial = {
  title: 'The first list after every commit',
  measure: () => {
    requireFastify();
    return withHome(20, 1_000, async (home): Promise<Figure[]> => {
      await using started = new AsyncDisposableStack();
      const start = async (args: readonly string[]) =>
        started.adopt(await startCandidate(args), (candidate) => candidate.stop());
      const ours = await start([cli, '--home', home.directory, 'serve', '--port', '0']);
      const fastify = await start(candidateFile('fastify.js', home.database));
      const times = await timeLists(home.database, ours, fastify);
      const [our, other] = [median(times.ours), median(times.fastify)];
      return [
        { what: "Fastify's time by ours", value: other / our, unit: 'times', atLeast: leastTimes },
        { what: 'ours', value: our, unit: 'ms' },
        { what: "Fastify's", value: other, unit: 'ms' },
      ];
    });
  },
};
