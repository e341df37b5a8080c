import { type ChildProcess, fork } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Readable } from 'node:stream';
import { compileCache } from '../contract.ts';
import { Strict } from './strict.ts';

export type UtilityProcessEvents = {
  spawn: [];
  exit: [code: number];
  message: [message: unknown];
  error: [type: 'FatalError', location: string, report: string];
};

const parentPort = join(import.meta.dirname, '../parent-port.ts');

/** The time between Chromium's two signals to end a process, in milliseconds. */
const graceMs = 2_000;

/** A process of Node. Only `stdio` and `env` count of the options, and V8 reports no fatal errors. */
export class UtilityProcess extends Strict<UtilityProcessEvents> {
  pid: number | undefined;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly #child: ChildProcess;
  #isKilled = false;

  constructor(
    modulePath: string,
    args: string[] = [],
    { stdio, env = process.env }: Electron.ForkOptions = {},
  ) {
    super();
    const [, output = 'inherit', errors = 'inherit'] = stdio ?? [];
    this.#child = fork(modulePath, args, {
      execPath: process.execPath,
      env: { ...env, NODE_COMPILE_CACHE: compileCache },
      execArgv: ['--import', parentPort],
      serialization: 'advanced',
      stdio: ['ignore', output as 'inherit', errors as 'inherit', 'ipc'],
    });
    this.stdout = this.#child.stdout;
    this.stderr = this.#child.stderr;
    this.#child.once('spawn', () => {
      this.pid = this.#child.pid;
      this.emit('spawn');
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.once('exit', (code, signal) => {
      this.pid = undefined;
      const bySignal = this.#isKilled ? 0 : constants.signals[signal ?? 'SIGKILL'];
      this.emit('exit', code ?? bySignal);
    });
  }

  static fork(
    modulePath: string,
    args?: string[],
    options?: Electron.ForkOptions,
  ): Electron.UtilityProcess {
    return new UtilityProcess(modulePath, args, options) as unknown as Electron.UtilityProcess;
  }

  postMessage(message: unknown): void {
    // A process that ended hears nothing any more.
    this.#child.send(message as object, () => undefined);
  }

  kill(): boolean {
    if (this.pid === undefined) return false;
    this.#isKilled = true;
    setTimeout(() => this.#child.kill('SIGKILL'), graceMs).unref();
    return this.#child.kill('SIGTERM');
  }
}
