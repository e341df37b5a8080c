import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Counts, Generator } from '../load.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'wrk.lua');

export function hasWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined;
}

/** Runs wrk, which uses less processor time than a generator in JavaScript. */
export const runWrk: Generator = async ({ url, headers }, connections, seconds) => {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const size = ['-t', '1', '-c', String(connections), '-d', String(seconds)];
  const { stdout } = await run('wrk', [...size, '-s', script, ...fields, url]);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Counts;
};
