import type { ChildProcess } from 'node:child_process';
import type { Frame, Page } from 'playwright-core';

/** How a program was started, and how it is reached: the same under Electron and the stand-in. */
export type Runtime = {
  readonly kind: 'Electron' | 'stand-in';
  readonly pid: number;
  /** When the process was started, by `performance.now`. */
  readonly startedAt: number;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
  /** The page of the newest window that is open. */
  page(): Page | undefined;
  /** The page of the next window that opens. */
  nextPage(): Promise<Page>;
  evaluate: Evaluate;
  /** What it wrote so far. */
  stdout(): string;
  stderr(): string;
  kill(): void;
  /** Tells the preload where the files of an input came from, where Chromium does not. */
  tellPaths(input: string): Promise<void>;
  /** Calls the main process as a script with Electron's own means would; stand-in only. */
  invokeFrom?(frame: Frame, channel: string, args: readonly unknown[]): Promise<unknown>;
};

/** Runs a function in the main process, with the module `electron` and a value of the test. */
export type Evaluate = <Result, Arg = undefined>(
  run: (electron: typeof Electron.CrossProcessExports, arg: Arg) => Result | Promise<Result>,
  ...arg: Arg extends undefined ? [] : [arg: Arg]
) => Promise<Result>;

export type RuntimeOptions = {
  /** The folder of the application, whose `package.json` names its main module. */
  readonly application: string;
  readonly userData: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly locale: string;
  /** Whether the program takes itself for an installed one; stand-in only. */
  readonly packaged: boolean;
  /** Whether there is a display. */
  readonly display: boolean;
};

/** Keeps what a process writes. */
export function keepOutput(child: ChildProcess): Pick<Runtime, 'stdout' | 'stderr'> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  return { stdout: () => written.stdout, stderr: () => written.stderr };
}
