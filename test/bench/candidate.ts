import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Home } from '../../server/home.ts';

/** A server under measurement, in a process of its own, which ends when it is disposed of. */
export type Candidate = AsyncDisposable & {
  readonly url: string;
  /** Seconds of processor time that it and what it started have used since then. */
  cpuSeconds(): number;
  /** The most memory that it ever held, in MB. */
  peakMegabytes(): number;
};

/** How many ticks of `/proc/PID/stat` are a second, on every Linux of today. */
const ticksPerSecond = 100;

/** Seconds of processor time of a process and of all that it started, ended or not. */
function cpuSecondsOf(pid: string): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may have blanks, in brackets: its own time, and that of what has ended.
  const ticks = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number);
  const running = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  const seconds = [...ticks.map((tick) => tick / ticksPerSecond), ...running.map(cpuSecondsOf)];
  return seconds.reduce((sum, one) => sum + one, 0);
}

const folder = join(import.meta.dirname, 'candidates');
export const cli = join(import.meta.dirname, '../../server/cli.js');

/** Our service on a free port, as arguments for Node. */
export function serving({ directory }: Home): string[] {
  return [cli, '--home', directory, 'serve', '--port', '0'];
}

/** A server in `candidates/`, as arguments for Node. */
export function candidateFile(name: string, ...args: readonly string[]): string[] {
  return [join(folder, name), ...args];
}

/** Throws unless a peer is installed: they come not with the project, but to be measured against. */
export function requirePeer(name: string): void {
  if (existsSync(join(import.meta.dirname, 'peers/node_modules', name))) return;
  throw new Error(`${name} is not installed: run "npm ci --prefix test/bench/peers" first.`);
}

/** Starts a server whose first line on stdout is its URL. */
export async function startCandidate(args: readonly string[]): Promise<Candidate> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const { value: url } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  if (typeof url !== 'string') throw new Error(`${args[0]} has ended without an address.`);
  return {
    url,
    cpuSeconds: () => cpuSecondsOf(`${child.pid}`),
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
