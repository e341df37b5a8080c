import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fileError, problem } from '../base/errors.ts';
import { findStarts } from '../base/program.ts';
import type { FileAnswer, FileCall, FileCalls, WatchReport } from './file-process.ts';

/** Returns the path of a file on this computer; undefined for an address. */
export function pathOfFile(url: string): string | undefined {
  return url.startsWith('file:') ? fileURLToPath(url) : undefined;
}

/** Time in milliseconds after which a folder that gives no sign of life does not answer. */
const silence = 30_000;

/** Interval in milliseconds at which a call is asked whether it was cancelled. */
export const cancelEvery = 200;

/** Lifetime of an idle process in milliseconds. */
const idleMs = 10_000;

/** Idle processes with the timers of their ends: one answers a call in a tenth of a start. */
const idle = new Map<ChildProcess, NodeJS.Timeout>();

/** Places of which the last call did not answer, until then in milliseconds of this process. */
const silent = new Map<string, number>();

/** The end of the last call of each folder: a second one would only wait for the same disk. */
const queues = new Map<string, Promise<unknown>>();

function start(...args: readonly string[]): ChildProcess {
  const { command, args: first } = findStarts().child;
  const child = spawn(command, [...first, 'outside-files', ...args], {
    // Not this program's stderr: who waits for its end would wait for a disk that hangs.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  return child;
}

function acquire(): ChildProcess {
  const [[child, timer] = []] = idle;
  if (child === undefined) return start();
  idle.delete(child);
  clearTimeout(timer);
  child.removeAllListeners();
  child.ref();
  child.channel?.ref();
  return child;
}

function release(child: ChildProcess): void {
  child.removeAllListeners();
  // An idle process must not keep this one alive.
  child.unref();
  child.channel?.unref();
  const end = () => {
    idle.delete(child);
    child.kill();
  };
  idle.set(child, setTimeout(end, idleMs).unref());
  child.once('exit', () => idle.delete(child));
  child.on('error', () => undefined);
}

/** Kills a process. One that waits for a disk may only end with it, and must not keep this one alive. */
function abandon(child: ChildProcess): void {
  child.removeAllListeners();
  child.on('error', () => undefined);
  child.kill('SIGKILL');
  child.unref();
  child.channel?.unref();
}

export type OutsideOptions = {
  /** Called while a call goes on; may throw to cancel. */
  readonly onStep?: (() => void) | undefined;
  readonly timeout?: number | undefined;
};

function callNow(call: FileCall, { onStep, timeout = silence }: OutsideOptions): Promise<unknown> {
  const [{ folder, name }] = call.args;
  const path = join(folder, name);
  const child = acquire();
  return new Promise((resolve, reject) => {
    let deadline = performance.now() + timeout;
    const end = (settle: () => void): void => {
      clearInterval(timer);
      settle();
    };
    const giveUp = (error: unknown) =>
      end(() => {
        abandon(child);
        reject(error);
      });
    const timer = setInterval(() => {
      try {
        onStep?.();
      } catch (error) {
        giveUp(error);
        return;
      }
      if (performance.now() < deadline) return;
      silent.set(folder, performance.now() + timeout);
      giveUp(problem('place_silent', { path: folder }));
    }, cancelEvery);
    child.on('error', (error) => giveUp(fileError(error, path)));
    child.on('exit', () => giveUp(problem('place_silent', { path: folder })));
    child.on('message', (answer: FileAnswer) => {
      deadline = performance.now() + timeout;
      if (answer.kind === 'progress') return;
      end(() => {
        release(child);
        if (answer.kind === 'value') resolve(answer.value);
        else if (answer.kind === 'fault') reject(new Error(answer.trace));
        else reject(problem(answer.code, { path, folder, reason: answer.reason }));
      });
    });
    child.send(call);
  });
}

/**
 * Calls a function of `FileCalls` in a process that can be killed. One call at a time uses a folder,
 * and calls of other folders do not wait for it. Throws the problem of the file, or `place_silent`
 * for a folder that gave no sign of life for 30 s, and at once for 30 s more.
 */
export async function callOutside<Name extends keyof FileCalls>(
  options: OutsideOptions,
  name: Name,
  ...args: Parameters<FileCalls[Name]>
): Promise<ReturnType<FileCalls[Name]>> {
  const [{ folder }] = args;
  const run = () => {
    const until = silent.get(folder);
    if (until !== undefined && performance.now() < until) {
      throw problem('place_silent', { path: folder });
    }
    silent.delete(folder);
    return callNow({ name, args } as FileCall, options);
  };
  const before = queues.get(folder) ?? Promise.resolve();
  const result = before.then(run, run);
  queues.set(folder, result);
  try {
    return (await result) as ReturnType<FileCalls[Name]>;
  } finally {
    if (queues.get(folder) === result) queues.delete(folder);
  }
}

/** The stamps of paths outside the data directory, as a process reports them. */
export type OutsideWatch = {
  /** Watches these paths from now on. */
  follow(paths: readonly string[]): void;
  /** Returns the last stamp of a path, empty without a file; undefined if nobody knows. */
  stampOf(path: string): string | undefined;
  stop(): void;
};

/** Time in milliseconds without a report after which the process that watches is replaced. */
const deadAfter = 60_000;

/** Starts to watch paths in a process of its own once there are any. Calls `onChange` for each change. */
export function createOutsideWatch(onChange: () => void): OutsideWatch {
  const stamps = new Map<string, string>();
  let watched: readonly string[] = [];
  let child: ChildProcess | undefined;
  let lastReport = 0;
  let timer: NodeJS.Timeout | undefined;

  function open(): void {
    lastReport = performance.now();
    child = start('watch');
    child.unref();
    child.channel?.unref();
    child.on('error', () => undefined);
    child.on('message', (report: WatchReport) => {
      lastReport = performance.now();
      if (report === 'alive') return;
      stamps.set(report.path, report.stamp);
      onChange();
    });
    child.send(watched);
  }

  function close(): void {
    if (child !== undefined) abandon(child);
    child = undefined;
  }

  function replaceDead(): void {
    const isDead = performance.now() - lastReport > deadAfter || child?.exitCode !== null;
    if (child === undefined || !isDead) return;
    close();
    open();
  }

  return {
    follow(paths) {
      if (paths.length === watched.length && paths.every((path) => watched.includes(path))) return;
      watched = paths;
      for (const path of stamps.keys()) if (!paths.includes(path)) stamps.delete(path);
      if (paths.length === 0) {
        close();
        return;
      }
      timer ??= setInterval(replaceDead, deadAfter).unref();
      if (child === undefined) open();
      else child.send(watched);
    },
    stampOf: (path) => stamps.get(path),
    stop() {
      clearInterval(timer);
      close();
    },
  };
}
