import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const generator = createRequire(import.meta.url).resolve('autocannon/autocannon.js');
const run = promisify(execFile);

export type Target = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What every answer has to be. */
  readonly status: number;
};

export type Load = {
  readonly perSecond: number;
  /** In milliseconds. */
  readonly p99: number;
  readonly requests: number;
};

type Report = {
  readonly requests: { readonly average: number; readonly total: number };
  readonly latency: { readonly p99: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
};

/** Asks a server for as much as it can answer, from a process of its own. Throws at a wrong answer. */
export async function load(
  { url, headers, status }: Target,
  connections: number,
  seconds: number,
): Promise<Load> {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const args = ['-j', '-c', String(connections), '-d', String(seconds), ...fields, url];
  const { stdout } = await run(process.execPath, [generator, ...args]);
  const { requests, latency, errors, timeouts, statusCodeStats } = JSON.parse(stdout) as Report;
  const right = statusCodeStats[status]?.count ?? 0;
  if (errors + timeouts > 0 || right !== requests.total || right === 0) {
    throw new Error(`${url} answered ${JSON.stringify(statusCodeStats)}, not ${status} alone.`);
  }
  return { perSecond: requests.average, p99: latency.p99, requests: requests.total };
}
