import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Smoke tests of the installed program: its command line, and the service behind its window. */

const root = join(import.meta.dirname, '../..');

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

type Finished = { readonly status: number; readonly stdout: string; readonly stderr: string };

/** Time limit for a command, in milliseconds. */
const commandLimit = 60_000;
/** Time limit from the start of the program to its `service.json`, in milliseconds. */
const startLimit = 60_000;
/** Time limit from SIGTERM to the end of the program, in milliseconds; then it is killed. */
const endLimit = 15_000;

/** True on Windows, which has no SIGTERM, so that a program cannot end cleanly. */
const isWindows = process.platform === 'win32';

/** Returns the environment without a display, as in ssh, cron or a container. */
function withoutDisplay(): NodeJS.ProcessEnv {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, XAUTHORITY: ___, ...env } = process.env;
  return env;
}

function run([file = '', ...first]: readonly string[], args: readonly string[]): Promise<Finished> {
  const options = { env: withoutDisplay(), timeout: commandLimit };
  return new Promise((resolve) => {
    const child = execFile(file, [...first, ...args], options, (error, stdout, stderr) => {
      const status = error === null ? 0 : (child.exitCode ?? -1);
      resolve({ status, stdout, stderr: status === -1 ? `${stderr}${error}` : stderr });
    });
  });
}

/**
 * Returns commands with every exit status, and with arguments that Chromium could misread. The most
 * frequent faults of a launcher come first: output, status, arguments.
 */
function commandsOn(folder: string): readonly (readonly string[])[] {
  const season = join(folder, 'season.csv');
  const columns = 'name,date,createdAt';
  const row = 'Spring relay,2026-05-01T18:00:00Z,2026-01-15T09:30:00Z';
  writeFileSync(season, `${columns}\n${row}\n`);
  const user = ['--user', 'Chess:Youth'];
  return [
    ['--version'],
    ['exprot', 'season.csv'],
    ['user', 'add', 'Chess:Youth'],
    ['--help'],
    ['import', season, ...user, '--map', 'location=name:new', '--skip-bad-rows'],
    ['import', season, ...user, '--time-zone', 'UTC'],
    ['export', ...user, '--format', 'csv'],
    ['export', '--user', 'http://10.0.0.5:28470', '--format', 'json'],
    ['key', 'list', '--json'],
    ['url'],
    ['check'],
  ];
}

const sources = [process.execPath, join(root, 'server/cli/club-events.js')];

/**
 * Compares the status, stdout and stderr of every command with those of the sources. Throws at the
 * first difference.
 */
async function compareCommands(command: readonly string[], folder: string): Promise<void> {
  for (const args of commandsOn(folder)) {
    const runOn = async (name: string, line: readonly string[]) => {
      const home = join(folder, name);
      const done = await run(line, [...args, '--home', home]);
      return JSON.stringify(done).replaceAll(JSON.stringify(home).slice(1, -1), 'HOME');
    };
    const [expected, actual] = await Promise.all([
      runOn('sources', sources),
      runOn('package', command),
    ]);
    if (actual !== expected) {
      throw new Error(`${args.join(' ')}\nexpected: ${expected}\nactual:   ${actual}`);
    }
  }
}

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  } catch {
    // The file is not complete yet.
    return undefined;
  }
}

async function waitForService(home: string, hasEnded: () => boolean): Promise<string> {
  const deadline = Date.now() + startLimit;
  while (Date.now() < deadline && !hasEnded()) {
    const baseUrl = readJson(join(home, 'service.json'))?.['baseUrl'];
    if (typeof baseUrl === 'string') return baseUrl;
    await delay(100);
  }
  const reason = hasEnded() ? 'the program ended' : `nothing was there after ${startLimit} ms`;
  throw new Error(`No service.json: ${reason}.`);
}

/** Requests `/health` with curl, as a script does. Throws unless this version answers. */
async function checkHealth(baseUrl: string): Promise<void> {
  const args = ['--silent', '--show-error', '--fail', '--noproxy', '*', `${baseUrl}/health`];
  const { status, stdout, stderr } = await run(['curl'], args);
  if (status !== 0) throw new Error(`curl ${baseUrl}/health failed: ${stderr}`);
  const { service, version: answered } = JSON.parse(stdout);
  if (service !== 'club-events' || answered !== version) {
    throw new Error(`${baseUrl}/health answered ${stdout}`);
  }
}

type Running = {
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly hasEnded: () => boolean;
  /** Ends the program as the system does at logout; returns its exit status or signal. */
  end(): Promise<number | string>;
};

function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  let ended: number | string | undefined;
  const end = new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.on('exit', (code, signal) => resolve(signal ?? code ?? -1));
  }).then((result) => {
    ended = result;
    return result;
  });
  return {
    output,
    hasEnded: () => ended !== undefined,
    end() {
      if (ended !== undefined) return end;
      // Windows would end only this process, and its children would keep their files open.
      if (isWindows) spawn('taskkill', ['/pid', `${child.pid}`, '/t', '/f'], { stdio: 'ignore' });
      else child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), endLimit);
      return end.finally(() => clearTimeout(kill));
    },
  };
}

/** Runs `serve` until it answers, ends it, and checks its first line and, on Unix, its status. */
async function serve(command: readonly string[], folder: string): Promise<void> {
  const [file = '', ...first] = command;
  const args = [...first, 'serve', '--port', '0', '--home', join(folder, 'serving')];
  const running = start(file, args, withoutDisplay());
  try {
    const baseUrl = await waitForService(join(folder, 'serving'), running.hasEnded);
    await checkHealth(baseUrl);
    const status = await running.end();
    if (!isWindows && status !== 0) throw new Error(`serve ended with ${status}`);
    const { stdout } = running.output;
    if (!stdout.startsWith(`${baseUrl}\n`)) throw new Error(`serve wrote ${stdout}`);
  } finally {
    await running.end();
  }
}

async function openHidden(program: string, folder: string): Promise<void> {
  const home = join(folder, 'window');
  const running = start(program, ['--hidden'], { ...process.env, CLUB_EVENTS_HOME: home });
  try {
    const baseUrl = await waitForService(home, running.hasEnded);
    await checkHealth(baseUrl);
    const status = await running.end();
    if (!isWindows && status !== 0) throw new Error(`the program ended with ${status}`);
    // A service that ends cleanly removes its entry.
    if (!isWindows && readJson(join(home, 'service.json')) !== undefined) {
      throw new Error('service.json is still there');
    }
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${JSON.stringify(running.output)}`);
  } finally {
    await running.end();
  }
}

/** Runs a command line from cmd, PowerShell and Python, which scripts on Windows use. */
async function runFromShells([file = '']: readonly string[]): Promise<void> {
  const script = `import subprocess, sys
for args, status in ((["--version"], 0), (["exprot"], 2)):
    done = subprocess.run([sys.argv[1], *args], capture_output=True)
    assert done.returncode == status, done
    assert status or done.stdout.split() == [b"${version}"] and done.stdout[:1] != b"\\r", done`;
  const shells: readonly (readonly string[])[] = [
    ['cmd', '/d', '/c', file, 'exprot'],
    ['powershell', '-NoProfile', '-Command', `& '${file}' exprot; exit $LASTEXITCODE`],
  ];
  for (const [shell = '', ...args] of shells) {
    const { status } = await run([shell], args);
    if (status !== 2) throw new Error(`${shell} got status ${status} instead of 2`);
  }
  const { status, stderr } = await run(['python'], ['-c', script, file]);
  if (status !== 0) throw new Error(`Python: ${stderr}`);
}

async function inTemporaryFolder(check: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'club-events-smoke-'));
  try {
    await check(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

/** Checks the output and exit status of a command line, and `serve`. Throws at the first error. */
export function checkCommandLine(command: readonly string[]): Promise<void> {
  return inTemporaryFolder(async (folder) => {
    await compareCommands(command, folder);
    await serve(command, folder);
    if (isWindows) await runFromShells(command);
  });
}

/**
 * Starts a program without its window, as at login, requests its service with curl, and ends it.
 * Throws if it does not answer or does not end cleanly.
 */
export function checkWindow(program: string): Promise<void> {
  return inTemporaryFolder((folder) => openHidden(program, folder));
}
