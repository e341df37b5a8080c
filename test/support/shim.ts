import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { markOfRun } from './guard-run.ts';
import type { Random } from './random.ts';

const source = join(import.meta.dirname, '../faults/shim.c');
const cli = join(import.meta.dirname, '../../server/cli/club-events.js');
const runner = join(import.meta.dirname, '../faults/command-runner.ts');

/** Compiles `test/faults/shim.c` into a folder; the test needs "file operations that fail". */
export function buildShim(folder: string): string {
  const library = join(folder, 'shim.so');
  const args = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'];
  execFileSync('cc', args, { stdio: 'pipe' });
  return library;
}

type FaultKind = 'kill' | 'inside' | 'EIO' | 'ENOSPC' | 'short' | 'open';

/** A fault at an operation; the first one has the number 1, and `open` is for all: 0. */
export type Fault = {
  readonly at: number;
  readonly kind: FaultKind;
  readonly always?: boolean;
};

/** Returns a fault as the shim reads it. */
export function faultText({ at, kind, always = false }: Fault): string {
  return `${at} ${kind}${always ? ' always' : ''}`;
}

export type ShimSettings = {
  readonly library: string;
  /** The folder whose files are watched. */
  readonly folder: string;
  /** A new file for all operations. */
  readonly log?: string;
  readonly fault?: Fault;
};

type Ended = {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

/**
 * Runs Node with the shim to its end, with `input` on standard input. A program that does not end by
 * itself, such as `serve`, gets a SIGTERM after its first line.
 */
export function runWithShim(
  args: readonly string[],
  { library, folder, log, fault }: ShimSettings,
  { endless = false, input = '' }: { readonly endless?: boolean; readonly input?: string } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      TZ: 'UTC',
      LD_PRELOAD: library,
      FAULT_FOLDER: folder,
      ...markOfRun(),
      ...(log !== undefined && { FAULT_LOG: log }),
      ...(fault !== undefined && { FAULT: faultText(fault) }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may be killed before it reads its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (endless) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
}

/** Returns the arguments of Node for a command of `club-events`. */
export function commandLine(home: string, command: readonly string[]): string[] {
  return [cli, '--home', home, ...command];
}

export type Result = { readonly status: number; readonly stdout: string; readonly stderr: string };

export type CommandRunner = {
  /** Runs a command with a fault, or with a new file for the log of its operations. */
  run(
    args: readonly string[],
    setting: { readonly fault: Fault } | { readonly log: string },
  ): Promise<Result>;
  stop(): void;
};

/**
 * Starts a process that runs commands with the shim, one after the other: starting Node for each
 * would take far longer.
 */
export function startCommandRunner(library: string, folder: string): CommandRunner {
  const child = spawn(process.execPath, [runner], {
    env: {
      PATH: process.env['PATH'],
      TZ: 'UTC',
      LD_PRELOAD: library,
      FAULT_FOLDER: folder,
      ...markOfRun(),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    run: async (args, setting) => {
      const order = 'fault' in setting ? faultText(setting.fault) : `log ${setting.log}`;
      child.stdin.write(`${JSON.stringify({ args, order })}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`The process ended at ${args.join(' ')}, ${order}`);
      return JSON.parse(value as string) as Result;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

/**
 * An operation of a program. The kinds are: open, create, open and empty, write, truncate, allocate,
 * sync, unlink, rename, make a folder, remove a folder.
 */
export type Operation = {
  readonly kind: 'O' | 'C' | 'Z' | 'W' | 'T' | 'A' | 'S' | 'U' | 'R' | 'M' | 'D';
  readonly path: string;
  /** The new path of a rename. */
  readonly to: string;
  /** The place of a write, or the new length of a file. */
  readonly offset: number;
  readonly bytes: Buffer;
};

/** Reads the log of the shim. */
export function readOperations(log: string): Operation[] {
  const content = readFileSync(log);
  const operations: Operation[] = [];
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf('\n', at);
    const [kind, offset, length, path = '', to = ''] = content
      .toString('utf8', at, end)
      .split('\t');
    at = end + 1 + Number(length);
    operations.push({
      kind: kind as Operation['kind'],
      path,
      to,
      offset: Number(offset),
      bytes: content.subarray(end + 1, at),
    });
  }
  return operations;
}

/** Chooses a random kill: half of them inside a write. */
export function chooseKill(operations: readonly Operation[], random: Random): Fault {
  const writes = operations.flatMap(({ kind }, index) => (kind === 'W' ? [index + 1] : []));
  if (random(2) === 0) return { at: writes[random(writes.length)] ?? 1, kind: 'inside' };
  return { at: random(operations.length) + 1, kind: 'kill' };
}

/** Runs `act` for every item, a few at the same time, in order of the items. */
export async function eachOf<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  const work = async () => {
    for (const [index, item] of entries) await act(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
