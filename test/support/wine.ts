import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { findNode, findWindowsProgram } from '../../electron/packaging/node-runtime.ts';
import { makeConsoleProgram } from '../../electron/packaging/windows-console.ts';
import type { Finished } from './command.ts';
import { makeFolder, removeFolder } from './home.ts';
import { patience } from './patience.ts';
import { findWine } from './place.ts';

/** The newest Node.js that Wine 8 starts. The program itself runs on 24. */
const nodeVersion = '22.23.3';

/** The folders of the program, as its installer lays them out. */
export const installed = 'C:\\Program Files\\Club Events';
export const commandLine = `${installed}\\resources\\bin\\club-events.exe`;

type RunOptions = {
  /** The text on standard input. */
  readonly input?: string;
  /** The working folder, as a path of Linux; by default, that of drive C. */
  readonly folder?: string;
};

/** A program that runs under Wine. */
export type WindowsProcess = {
  readonly finished: Promise<Finished>;
  stdout(): string;
  stderr(): string;
  /** Ends the program at once, as the task manager does. */
  kill(): void;
};

/** A computer with Windows, or nearly: Wine with the command line of the Windows package. */
export type Windows = {
  /** The folders of the drives C and D on Linux. */
  readonly c: string;
  readonly d: string;
  start(command: readonly [string, ...string[]], options?: RunOptions): WindowsProcess;
  /** Runs a program to its end, or ends it after the patience of the tests. */
  run(command: readonly [string, ...string[]], options?: RunOptions): Promise<Finished>;
  close(): Promise<void>;
};

/** Lays out the command line as in `resources` of the Windows package. */
async function install(resources: string): Promise<void> {
  const node = await findNode('win32', 'x64', nodeVersion);
  const program = await makeConsoleProgram(readFileSync(findWindowsProgram(node)));
  mkdirSync(join(resources, 'bin'), { recursive: true });
  writeFileSync(join(resources, 'bin/club-events.exe'), program);
  const root = join(import.meta.dirname, '../..');
  const target = join(resources, 'command-line');
  for (const part of ['db', 'server', 'package.json']) {
    cpSync(join(root, 'electron/dist', part), join(target, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
}

/** Sets up Wine in a new folder. Throws if npm cannot fetch Node.js for Windows. */
export async function startWindows(): Promise<Windows> {
  const [wine, server] = [findWine('wine'), findWine('wineserver')];
  const folder = makeFolder();
  const prefix = join(folder, 'wine');
  const [c, d] = [join(prefix, 'drive_c'), join(folder, 'd')];
  const output = join(folder, 'output');
  mkdirSync(prefix);
  mkdirSync(d);
  mkdirSync(output);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    LANG: 'C.UTF-8',
    TZ: 'Europe/Berlin',
    WINEPREFIX: prefix,
    WINEDEBUG: '-all',
    // It would offer to download what .NET and web pages need.
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  };
  const started: Promise<Finished>[] = [];

  function start(
    command: readonly [string, ...string[]],
    { input = '', folder: cwd = c }: RunOptions = {},
  ): WindowsProcess {
    // Files, as Wine's pipes lose output and never end.
    const path = (name: string) => join(output, `${started.length}.${name}`);
    const [stdin, stdout, stderr] = [path('in'), path('out'), path('err')];
    writeFileSync(stdin, input);
    const files = [openSync(stdin, 'r'), openSync(stdout, 'w'), openSync(stderr, 'w')];
    const child = spawn(wine, [...command], { cwd, env, stdio: files });
    for (const file of files) closeSync(file);
    const read = (file: string) => readFileSync(file, 'utf8');
    const finished = new Promise<Finished>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (status) => resolve({ status, stdout: read(stdout), stderr: read(stderr) }));
    });
    started.push(finished);
    return {
      finished,
      stdout: () => read(stdout),
      stderr: () => read(stderr),
      kill: () => void child.kill('SIGKILL'),
    };
  }

  const run: Windows['run'] = async (command, options) => {
    const { finished, kill } = start(command, options);
    const limit = setTimeout(kill, patience);
    return await finished.finally(() => clearTimeout(limit));
  };

  async function close(): Promise<void> {
    // Ends all its programs.
    spawnSync(server, ['--kill'], { env });
    await Promise.allSettled(started);
    spawnSync(server, ['--wait'], { env });
    removeFolder(folder);
  }

  try {
    // The first start sets up the drives. Node.js refuses a Windows that is older than 10.
    const version = ['/v', 'Version', '/d', 'win10', '/f'];
    await run(['reg', 'add', 'HKCU\\Software\\Wine', ...version], { folder });
    symlinkSync(d, join(prefix, 'dosdevices/d:'));
    await install(join(c, 'Program Files/Club Events/resources'));
    return { c, d, start, run, close };
  } catch (error) {
    await close();
    throw error;
  }
}
