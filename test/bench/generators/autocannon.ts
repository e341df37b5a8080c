import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { Generator } from '../load.ts';

const program = createRequire(import.meta.url).resolve('autocannon/autocannon.js');
const run = promisify(execFile);

type Report = {
  readonly requests: { readonly average: number; readonly total: number };
  readonly throughput: { readonly total: number };
  readonly errors: number;
  readonly timeouts: number;
  readonly '4xx': number;
  readonly '5xx': number;
};

/** Runs autocannon, a development dependency. */
export const runAutocannon: Generator = async ({ url, headers }, connections, seconds) => {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const args = ['-j', '-c', String(connections), '-d', String(seconds), ...fields, url];
  const { stdout } = await run(process.execPath, [program, ...args]);
  const report = JSON.parse(stdout) as Report;
  return {
    perSecond: report.requests.average,
    requests: report.requests.total,
    bytes: report.throughput.total,
    failures: report.errors + report.timeouts + report['4xx'] + report['5xx'],
  };
};
