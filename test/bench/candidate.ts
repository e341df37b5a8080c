import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server under measurement, in a process of its own. */
export type Candidate = {
  readonly url: string;
  /** Seconds of processor time that it has used since it started. */
  cpuSeconds(): number;
  /** The most memory that it ever held, in MB. */
  peakMegabytes(): number;
  stop(): Promise<void>;
};

/** How many ticks of `/proc/PID/stat` are a second, on every Linux of today. */
const ticksPerSecond = 100;

function statOf({ pid }: ChildProcess): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // After the name, which may have blanks, in brackets.
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const folder = join(import.meta.dirname, 'candidates');
export const cli = join(import.meta.dirname, '../../server/cli.js');

/** A server in `candidates/`, as arguments for Node. */
export function candidateFile(name: string, ...args: readonly string[]): string[] {
  return [join(folder, name), ...args];
}

/** Starts a server whose first line on stdout is its URL. */
export async function startCandidate(args: readonly string[]): Promise<Candidate> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const { value: url } = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  if (typeof url !== 'string') throw new Error(`${args[0]} has ended without an address.`);
  return {
    url,
    cpuSeconds: () => (Number(statOf(child)[11]) + Number(statOf(child)[12])) / ticksPerSecond,
    peakMegabytes: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
