import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { runCommandLine } from '../../server/cli/program.ts';
import { markOfRun } from './guard-run.ts';
import { makeTestFolder } from './home.ts';
import { lacking } from './place.ts';

const ownCli = join(import.meta.dirname, '../../server/cli/club-events.js');

export type Finished = {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

type RunOptions = {
  /** The command line to run; by default, that of the sources. */
  readonly cli?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** The text on standard input; null leaves it open. */
  readonly input?: string | null;
  /** Sends Ctrl+C when it resolves. */
  readonly until?: Promise<unknown>;
};

/** Starts a command of `club-events` as a process. */
export function spawnCommand(
  args: readonly string[],
  { cli = ownCli, env, uid, input = '' }: RunOptions = {},
) {
  const child = spawn(process.execPath, [cli, ...args], {
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      TZ: 'UTC',
      ...markOfRun(),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  // It may end without reading its input.
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(input);
  return child;
}

/** Writes the program `club-events` into a folder, by default one for the running test; returns its path. */
export function installCommand(folder = makeTestFolder()): string {
  const path = join(folder, 'club-events');
  const text = `#!/bin/sh\nexec "${process.execPath}" "${ownCli}" "$@"\n`;
  writeFileSync(path, text, { mode: 0o755 });
  return path;
}

/** Returns a search path for programs on which `club-events` is the first one. */
export function pathWithCommand(): string {
  return `${dirname(installCommand())}:${process.env['PATH']}`;
}

/** Starts a command of `club-events` and returns its end, and everything on stderr so far. */
export function startCommand(
  args: readonly string[],
  options: RunOptions = {},
): { readonly finished: Promise<Finished>; stderr(): string } {
  const child = spawnCommand(args, options);
  void options.until?.then(() => child.kill('SIGINT'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
  });
  return { finished, stderr: () => stderr };
}

/** Runs a command of `club-events` to its end. */
export function runCommand(args: readonly string[], options?: RunOptions): Promise<Finished> {
  return startCommand(args, options).finished;
}

/** Creates a stream that collects its input. */
function collect(): { stream: Writable; text(): string } {
  const pieces: string[] = [];
  const stream = new Writable({
    write(piece, _encoding, done) {
      pieces.push(String(piece));
      done();
    },
  });
  return { stream, text: () => pieces.join('') };
}

/** The number of running calls, and the time zone of the process outside of them. */
const calls = { running: 0, zone: process.env['TZ'] };

/** Runs a function in a time zone. Functions that run at the same time must have the same one. */
async function inZone(zone: string, act: () => Promise<void>): Promise<void> {
  if (calls.running === 0) calls.zone = process.env['TZ'];
  calls.running += 1;
  process.env['TZ'] = zone;
  try {
    await act();
  } finally {
    calls.running -= 1;
    if (calls.running === 0) {
      if (calls.zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = calls.zone;
    }
  }
}

type CallOptions = Pick<RunOptions, 'env'> & {
  /** The value of `TZ`; by default, that of `runCommand`. */
  readonly zone?: string;
  /** True if a person types the input. */
  readonly isTyped?: boolean;
};

/**
 * Runs a command of `club-events` to its end within this process, because a start of Node takes far
 * longer than most commands. Not for `serve`, which ends by a signal.
 */
export async function callCommand(
  args: readonly string[],
  input = '',
  { env = {}, zone = 'UTC', isTyped = false }: CallOptions = {},
): Promise<Finished> {
  const [stdout, stderr] = [collect(), collect()];
  const stdin = Object.assign(Readable.from([input]), { isTTY: isTyped });
  const streams = { stdin, stdout: stdout.stream, stderr: stderr.stream };
  const fake = { ...streams, env, umask: () => 0, exitCode: undefined };
  await inZone(zone, () => runCommandLine(fake as unknown as NodeJS.Process, args));
  return { status: fake.exitCode ?? 0, stdout: stdout.text(), stderr: stderr.text() };
}

export type Serving = {
  readonly firstLine: string;
  readonly pid: number;
  /** Everything on stdout so far. */
  stdout(): string;
  /** Everything on stderr so far. */
  stderr(): string;
  /**
   * Sends a signal and waits for the end; returns the exit status or the signal. On Windows, which
   * ends a process at any signal, the status is 0.
   */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
};

/**
 * Starts `serve` and waits for its first line. `atEnd` registers the function that stops it, by
 * default at the end of the running test.
 */
export async function startServe(
  args: readonly string[],
  atEnd: (stop: () => void) => void = onTestFinished,
  options: RunOptions = {},
): Promise<Serving> {
  const child = spawnCommand(['serve', ...args], options);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code));
  });
  const isKilled = lacking('signals') !== undefined;
  atEnd(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const firstLine = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      resolve(line);
    });
    child.on('exit', () => reject(new Error(`serve ended at once: ${stderr}`)));
  });
  return {
    firstLine,
    pid: child.pid ?? 0,
    stdout: () => lines.join('\n'),
    stderr: () => stderr,
    end: async (signal) => {
      child.kill(signal);
      const status = await ended;
      return isKilled && status === signal ? 0 : status;
    },
  };
}
