import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { asUsage, commandProblem } from '../base/errors.ts';
import { type Change, followChanges, openPosition } from '../club/follow.ts';
import type { ActionTools } from '../club/tools.ts';
import { requireProgram } from './find-program.ts';
import type { Output } from './output.ts';
import { nextSignal } from './signals.ts';

export type WatchOptions = {
  readonly user: string;
  /** The program that gets each change; without it, changes go to stdout. */
  readonly exec?: string;
  /** The name of the position; by default, the command. */
  readonly name?: string;
};

type Tools = Pick<ActionTools, 'home' | 'umask'> & { readonly output: Output };

/** Pauses before a failed command is repeated, in milliseconds; the last one stays. */
const pauses = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/** Starts a program with a pipe as its standard input. Throws the errors that Node.js does not emit. */
function start([program = '', ...args]: readonly string[], umask: number | undefined) {
  // The files of the command are not those of the data directory.
  const ownUmask = umask === undefined ? undefined : process.umask(umask);
  try {
    return spawn(program, args, { stdio: ['pipe', 'inherit', 'inherit'] });
  } finally {
    if (ownUmask !== undefined) process.umask(ownUmask);
  }
}

/**
 * Runs a command with a line on its standard input. Returns undefined if it succeeded, or how it
 * ended. Throws `watch_command_unknown` if it cannot be started.
 */
async function runOnce(
  command: readonly string[],
  line: string,
  umask: number | undefined,
): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  try {
    const child = start(command, umask);
    child.on('error', reject);
    // It may end without reading its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(line);
    child.on('close', (status, signal) => {
      if (status === 0) resolve(undefined);
      else resolve(signal === null ? `ended with status ${status}` : `was ended by ${signal}`);
    });
    return await promise;
  } catch (error) {
    const [program = ''] = command;
    const { message: reason } = error as Error;
    throw commandProblem('watch_command_unknown', { program, reason });
  }
}

/** Runs a command until it succeeds. Returns false if `signal` is aborted before. */
async function runUntilDone(
  command: readonly string[],
  line: string,
  { output, umask }: Tools,
  signal: AbortSignal,
): Promise<boolean> {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const failure = await runOnce(command, line, umask);
    if (failure === undefined) return true;
    const pause = pauses[Math.min(attempt, pauses.length - 1)] ?? 0;
    output.note(`${command[0]} ${failure}; it gets the same change again in ${pause / 1000} s.`);
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

/** Writes each change of a user's events, or gives it to a command, until a signal. */
export async function watch(
  { exec, name, ...options }: WatchOptions,
  args: readonly string[],
  tools: Tools,
): Promise<void> {
  const { home, output } = tools;
  // As names of users are stored.
  const user = options.user.trim().normalize('NFC');
  if (exec === undefined && args.length > 0) throw asUsage(commandProblem('watch_arguments_alone'));
  const command = exec === undefined ? undefined : [exec, ...args];
  // The first change may come in days.
  if (exec !== undefined) requireProgram(exec);
  const stopping = new AbortController();
  void nextSignal().then(() => stopping.abort());
  const { signal } = stopping;
  const deliver = async (change: Change): Promise<boolean> => {
    const line = `${JSON.stringify(change)}\n`;
    if (command !== undefined) return await runUntilDone(command, line, tools, signal);
    await output.write(line);
    return true;
  };
  const stored = await openPosition(home, { user, name: name ?? command?.join(' ') ?? '' });
  try {
    output.note(`Watching the events of ${user}; Ctrl+C ends it.`);
    for await (const { change, position } of followChanges(home, stored, signal)) {
      if (change !== undefined && !(await deliver(change))) break;
      if (position !== undefined) stored.save(position);
    }
  } finally {
    stored.close();
  }
}
