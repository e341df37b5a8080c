import { runAutocannon } from './generators/autocannon.ts';
import { hasWrk, runWrk } from './generators/wrk.ts';
import { keepAlive, request } from './request.ts';

/** A repeated request and the status of its answers. */
export type Target = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
};

/** The counts of a load generator. */
export type Counts = {
  readonly perSecond: number;
  readonly requests: number;
  /** The bytes of all answers, with their headers. */
  readonly bytes: number;
  /** Requests without an answer, or with a status above 399. */
  readonly failures: number;
};

/** Repeats a request as often as the server can answer it, from a process of its own. */
export type Generator = (target: Target, connections: number, seconds: number) => Promise<Counts>;

const generators: Readonly<Record<string, Generator>> = { autocannon: runAutocannon, wrk: runWrk };

/** The load generator: BENCH_LOAD, else wrk if it is installed, else autocannon. */
export const generatorName = process.env['BENCH_LOAD'] ?? (hasWrk() ? 'wrk' : 'autocannon');

/** Maximum relative difference in length between answers, such as by dates and numbers. */
const maxDifference = 0.01;

/** Loads a server and returns the requests per second. Throws at a wrong status or length. */
export async function load(target: Target, connections: number, seconds: number): Promise<number> {
  const generate = generators[generatorName];
  if (generate === undefined) {
    throw new Error(`BENCH_LOAD is "${generatorName}", not wrk or autocannon.`);
  }
  const { url, headers, status } = target;
  const expected = await request(url, headers, keepAlive);
  if (expected.status !== status) {
    throw new Error(`${url} answered ${expected.status}, not ${status}.`);
  }
  const { perSecond, requests, bytes, failures } = await generate(target, connections, seconds);
  if (failures > 0 || requests === 0) {
    throw new Error(`${url} failed ${failures} of ${requests} requests.`);
  }
  const length = bytes / requests;
  if (Math.abs(length / expected.length - 1) > maxDifference) {
    throw new Error(`${url} answered ${length.toFixed(0)} bytes, not ${expected.length}.`);
  }
  return perSecond;
}
