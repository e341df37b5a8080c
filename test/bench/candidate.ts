import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server in a process of its own, which ends when it is disposed of. */
export type Candidate = AsyncDisposable & {
  readonly url: string;
  /** The highest resident memory so far. */
  peakMegabytes(): number;
};

const root = join(import.meta.dirname, '../..');
export const cli = join(root, 'server/cli/club-events.js');

/** The command line of an earlier commit, by BENCH_BASE; a sentence if there is none. */
export function findBase(): { readonly cli: string } | { readonly missing: string } {
  const base = process.env['BENCH_BASE'];
  if (base === undefined) {
    return { missing: 'set BENCH_BASE to a checkout of the commit, with its packages' };
  }
  const baseCli = join(base, 'server/cli/club-events.js');
  return existsSync(baseCli) ? { cli: baseCli } : { missing: `${baseCli} does not exist` };
}

/** Returns the arguments for Node that run the service on a free port. */
export function serviceArguments(home: string, command = cli): string[] {
  return [command, '--home', home, 'serve', '--port', '0'];
}

/** Returns the arguments for Node that run a server in `candidates/`. */
export function candidateArguments(name: string, ...args: readonly string[]): string[] {
  return [join(import.meta.dirname, 'candidates', name), ...args];
}

/** The reason why Fastify cannot be compared with, if any; it does not come with the project. */
export function missingFastify(): string | undefined {
  if (existsSync(join(import.meta.dirname, 'peers/node_modules/fastify'))) return undefined;
  return 'run "npm ci --prefix test/bench/peers"';
}

/** Starts a server that prints its URL as its first line. */
export async function startCandidate(args: readonly string[]): Promise<Candidate> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const { value: url } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  if (typeof url !== 'string') throw new Error(`${args[0]} ended without an address.`);
  return {
    url,
    peakMegabytes: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
