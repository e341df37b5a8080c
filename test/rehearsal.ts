import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { defaultPort } from '../server/base/settings.ts';

/**
 * `npm run test:rehearsal`: sets up surroundings that developers and users have, one after the other,
 * and runs the parts of the project that depend on them. It uses a clone of the last commit, with
 * copied packages. Prints a line for each; the exit status is 1 if one failed.
 */

const execute = promisify(execFile);
const root = join(import.meta.dirname, '..');

/** The account "nobody". */
const nobody = { uid: 65_534, gid: 65_534 };

const folder = mkdtempSync(join(tmpdir(), 'club-events-rehearsal-'));
const clone = join(folder, 'Vereins-Termine für Müllers');
const temporary = join(folder, 'temporary files');
const link = join(folder, 'link');

/** The environment of a person: npm has put the Node.js of this project on the path. */
const environment = {
  ...process.env,
  PATH: (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((path) => !path.includes('node_modules'))
    .join(delimiter),
  HOME: folder,
  TMPDIR: temporary,
  TEST_FOLDER: temporary,
};

/** A reason for which this machine cannot rehearse something. */
class Unavailable extends Error {}

const page = 'test/server/ui/calendar.test.ts';

/** Tests with paths of the project and of data. */
const paths = [
  'test/documents.test.ts',
  'test/electron/packaging/smoke.test.ts',
  'test/server/cli',
  'test/server/service/registration.test.ts',
  'test/server/club/backup.test.ts',
  page,
];

type Account = { readonly uid?: number; readonly gid?: number };

/** Runs test files in the clone, and returns the summary. Throws an error with the output. */
async function runTests(
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
  account: Account = {},
): Promise<string> {
  const node = join(clone, 'node_modules/.bin/node');
  const args = [join(clone, 'node_modules/vitest/vitest.mjs'), 'run', ...files];
  const options = { cwd: clone, env: { ...environment, ...env, NO_COLOR: '1' }, ...account };
  const { stdout } = await execute(node, args, { ...options, maxBuffer: 2 ** 28 }).catch(
    ({ stdout: text, stderr }) => {
      throw new Error(`${text}${stderr}`);
    },
  );
  return /^ *Tests +(.*)$/m.exec(stdout)?.[1] ?? '';
}

type Started = { readonly output: string; readonly url: string | undefined };

/** The first file of the program, which Node.js runs without npm. */
const program = 'server/cli/club-events.js';

/** Runs a command on a version of Node.js until it answers at its URL, or ends. */
async function start(
  version: string,
  run: string,
  ...options: readonly string[]
): Promise<Started> {
  const command = `echo "Node.js $(node --version)"; exec ${run} "$@"`;
  const home = mkdtempSync(join(temporary, 'home-'));
  const npm = spawn(
    'npm',
    ['exec', '--yes', `--package=node@${version}`, '--', 'sh', '-c', command, 'sh', ...options],
    { cwd: clone, env: { ...environment, CLUB_EVENTS_HOME: home }, detached: true },
  );
  let output = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const url = await new Promise<string | undefined>((resolve) => {
    createInterface(npm.stdout).on('line', (line) => {
      output += `${line}\n`;
      if (/^http:\S+$/.test(line)) resolve(line);
    });
    npm.on('close', () => resolve(undefined));
  });
  if (url === undefined) return { output, url };
  try {
    const { status } = await fetch(`${url}/health`);
    if (status !== 200) throw new Error(`${url}/health answered ${status}.`);
  } finally {
    // All processes that npm has started.
    if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM');
    await once(npm, 'close');
  }
  return { output, url };
}

/** Starts the demo on a version of Node.js, and returns what it says. */
async function startOn(version: string, run: string): Promise<Started> {
  const started = await start(version, run, '--port', '0');
  if (/npm error code (E|ENOTFOUND|ENOTCACHED)/.test(started.output)) {
    throw new Unavailable(`npm cannot fetch Node.js ${version}`);
  }
  if (!started.output.startsWith(`Node.js v${version}.`)) throw new Error(started.output);
  return started;
}

async function answersOn(version: string, run = `node ${program} serve --demo`): Promise<string> {
  const { output, url } = await startOn(version, run);
  if (url === undefined) throw new Error(output);
  return `answers at ${url}`;
}

/** Starts the program on a version that is too old. */
async function refusesOn(version: string): Promise<string> {
  const { output, url } = await startOn(version, `node ${program} serve --demo`);
  const sentence = /^Club Events needs Node\.js .*/m.exec(output)?.[0];
  if (url !== undefined || sentence === undefined) throw new Error(output);
  return `says "${sentence}"`;
}

async function startOnTakenPort(): Promise<string> {
  const server = createServer().listen(defaultPort, '127.0.0.1');
  // If another program has it, it is taken as well.
  await Promise.race([once(server, 'listening'), once(server, 'error').catch(() => undefined)]);
  try {
    const { output, url } = await start('24', 'npm start --');
    if (url === undefined || !output.includes('is taken')) throw new Error(output);
    return `answers at ${url}`;
  } finally {
    server.close();
  }
}

async function setUp(): Promise<void> {
  if (!existsSync(join(root, 'node_modules'))) throw new Error('Run "npm ci" first.');
  mkdirSync(temporary);
  // Every account uses them.
  chmodSync(folder, 0o755);
  chmodSync(temporary, 0o1777);
  symlinkSync(temporary, link);
  // In CI, root clones the checkout of another account.
  writeFileSync(join(folder, '.gitconfig'), '[safe]\n\tdirectory = *\n');
  await execute('git', ['clone', '--quiet', root, clone], { env: environment });
  cpSync(join(root, 'node_modules'), join(clone, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.cache'),
  });
}

/** Runs a browser test as an account that comes after another one. */
async function runAsNobody(): Promise<string> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new Unavailable('only root on Linux can use another account');
  }
  await execute('chown', ['-R', `${nobody.uid}:${nobody.gid}`, clone]);
  const home = join(temporary, 'nobody');
  mkdirSync(home);
  await execute('chown', [`${nobody.uid}:${nobody.gid}`, home]);
  return runTests(['test/server/cli/cli.test.ts', page], { HOME: home }, nobody);
}

const steps: readonly (readonly [name: string, run: () => Promise<string>])[] = [
  ['a folder with a space and umlauts', () => runTests(paths)],
  [
    'a folder for temporary files that is a link',
    () => runTests(paths, { TMPDIR: link, TEST_FOLDER: link }),
  ],
  ['npm of Node.js 20', () => answersOn('20', 'npm start --')],
  ['Node.js 20', () => refusesOn('20')],
  ['Node.js 22.18', () => answersOn('22.18')],
  ['Node.js 24', () => answersOn('24')],
  [`port ${defaultPort} taken`, startOnTakenPort],
  // The last one, because the clone belongs to that account then.
  ['another account, after this one', runAsNobody],
];

/** Runs a step and returns true unless it failed. */
async function rehearse(name: string, run: () => Promise<string>): Promise<boolean> {
  const began = Date.now();
  const print = (result: string) => {
    const seconds = Math.round((Date.now() - began) / 1_000);
    process.stdout.write(`${name}: ${result} (${seconds} s)\n`);
  };
  try {
    print(`passed, ${await run()}`);
    return true;
  } catch (error) {
    if (error instanceof Unavailable) {
      print(`left out, ${error.message}`);
      return true;
    }
    print('FAILED');
    process.stderr.write(`${(error as Error).message}\n`);
    return false;
  }
}

if (process.platform === 'win32') {
  process.stdout.write('left out, because these surroundings are those of Linux and macOS\n');
} else {
  try {
    await setUp();
    for (const [name, run] of steps) if (!(await rehearse(name, run))) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
