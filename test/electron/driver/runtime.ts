import type { ChildProcess } from 'node:child_process';
import type { Frame, Page } from 'playwright-core';

/** A started program, under Electron or the fake. */
export type Runtime = {
  readonly kind: 'Electron' | 'fake';
  readonly pid: number;
  /** The origin of the application's page, as Chromium has it. */
  readonly pageOrigin: string;
  /** Start time, by `performance.now`. */
  readonly startedAt: number;
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<number | string | null>;
  /** The page of the newest window that is open. */
  page(): Page | undefined;
  /** The page of the next window that opens. */
  nextPage(): Promise<Page>;
  evaluate: Evaluate;
  stdout(): string;
  stderr(): string;
  kill(): void;
  /** Sets the paths of an input's files for the preload script, where Chromium does not. */
  setPaths(input: string): Promise<void>;
  /** Calls `ipcRenderer.invoke` in a frame; fake only. */
  invokeFrom?(frame: Frame, channel: string, args: readonly unknown[]): Promise<unknown>;
};

/** Runs a function in the main process with the module `electron` and an argument. */
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
  /** The value of `app.isPackaged`; fake only. */
  readonly packaged: boolean;
  /** True if there is a display. */
  readonly display: boolean;
  /** False for a program that ends by itself, such as a command: `evaluate` then throws. */
  readonly driven: boolean;
};

/** Lines of debuggers and of Chromium's own log. */
const foreignLines =
  /^\n?(?:Debugger |DevTools listening |For help, see: |Waiting for the debugger|\[[\d:]+\/[\d.]+:[A-Z]+:).*\n/gm;

/** Collects the output of a process. */
export function keepOutput(child: ChildProcess): Pick<Runtime, 'stdout' | 'stderr'> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  return { stdout: () => written.stdout, stderr: () => written.stderr.replace(foreignLines, '') };
}
