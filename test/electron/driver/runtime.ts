import type { ChildProcess } from 'node:child_process';
import type { Frame, Page } from 'playwright-core';

/** How a program was started, and how it is reached: the same under Electron and the fake. */
export type Runtime = {
  readonly kind: 'Electron' | 'fake';
  readonly pid: number;
  /** The origin of the application's page, as Chromium has it. */
  readonly pageOrigin: string;
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
  /** Calls the main process as a script with Electron's own means would; fake only. */
  invokeFrom?(frame: Frame, channel: string, args: readonly unknown[]): Promise<unknown>;
};

/** Runs a function in the main process, with the module `electron` and a value of the test. */
export type Evaluate = <Result, Arg = undefined>(
  run: (electron: typeof Electron.CrossProcessExports, arg: Arg) => Result | Promise<Result>,
  ...arg: Arg extends undefined ? [] : [arg: Arg]
) => Promise<Result>;

export type RuntimeOptions = {
  /** The folder of the application, with its `package.json`; undefined for a packaged program. */
  readonly application: string | undefined;
  readonly userData: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly locale: string;
  /** Whether the program takes itself for an installed one; fake only. */
  readonly packaged: boolean;
  /** Whether there is a display to show windows on. */
  readonly display: boolean;
  /** False for a start that ends by itself, such as a command: it cannot be evaluated in. */
  readonly driven: boolean;
};

/** Lines of debuggers and of Chromium's own log, which are not the program's. */
const foreignLines =
  /^\n?(?:Debugger |DevTools listening |For help, see: |Waiting for the debugger|\[[\d:]+\/[\d.]+:[A-Z]+:).*\n/gm;

/** Keeps what a process writes. */
export function keepOutput(child: ChildProcess): Pick<Runtime, 'stdout' | 'stderr'> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  return { stdout: () => written.stdout, stderr: () => written.stderr.replace(foreignLines, '') };
}
