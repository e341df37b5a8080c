import { ask, keepAlive } from './ask.ts';
import { autocannon } from './generators/autocannon.ts';
import type { Counts, Generator, Request } from './generators/generator.ts';
import { hasWrk, wrk } from './generators/wrk.ts';

const generators: Readonly<Record<string, Generator>> = { autocannon, wrk };

/** wrk where it is installed, or what BENCH_LOAD says. */
export const generatorName = process.env['BENCH_LOAD'] ?? (hasWrk() ? 'wrk' : 'autocannon');

/** By which share the lengths of answers may differ: a date and a number do, a body does not. */
const mostDifference = 0.01;

export type Target = Request & {
  /** What every answer has to be. */
  readonly status: number;
};

/** As `Target`, of any server. */
export type PathTarget = Omit<Target, 'url'> & { readonly path: string };

export type Load = Pick<Counts, 'perSecond' | 'p99' | 'requests'>;

/** Asks a server for as much as it can answer. Throws at a wrong answer, by status or length. */
export async function load(target: Target, connections: number, seconds: number): Promise<Load> {
  const generate = generators[generatorName];
  if (generate === undefined)
    throw new Error(`BENCH_LOAD is "${generatorName}", not wrk or autocannon.`);
  const { url, headers, status } = target;
  const right = await ask(url, headers, keepAlive);
  if (right.status !== status) throw new Error(`${url} answered ${right.status}, not ${status}.`);
  const counts = await generate(target, connections, seconds);
  if (counts.failures > 0 || counts.requests === 0) {
    throw new Error(`${url} failed ${counts.failures} of ${counts.requests} requests.`);
  }
  const length = counts.bytes / counts.requests;
  if (Math.abs(length / right.length - 1) > mostDifference) {
    throw new Error(`${url} answered ${length.toFixed(0)} bytes, not ${right.length}.`);
  }
  return counts;
}
