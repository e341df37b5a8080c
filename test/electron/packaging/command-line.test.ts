import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isCommand } from '../../../electron/command.ts';
import { version } from '../../../server/version.ts';
import { makeDistribution } from '../../support/distribution.ts';
import { makeFolder, removeFolder } from '../../support/home.ts';
import { packApplication, runsPacked } from '../../support/packing.ts';

const folder = makeFolder();
const unpacked = join(folder, 'out/linux-unpacked');
const command = join(folder, 'bin/club-events');
const working = join(folder, 'working folder');
const home = join(working, 'home');
const file = join(working, 'Season 2026.csv');
/** An account without rights, which root alone can take. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

beforeAll(async () => {
  if (!runsPacked) return;
  const distribution = await makeDistribution(folder);
  const target = join(folder, 'out');
  await packApplication(['--linux', '--x64', '--dir'], { distribution, target });
  // As the deb has it in /usr/bin.
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(unpacked, 'club-events'), command);
  mkdirSync(working);
  writeFileSync(file, 'Titel:neu,date\nSpring relay,2026-05-01T18:00:00Z\n');
  writeFileSync(join(working, 'export'), '');
  chmodSync(folder, 0o755);
  if (nobody.uid !== undefined) chownSync(working, nobody.uid, nobody.gid);
}, 90_000);
afterAll(() => removeFolder(folder));

type Account = { readonly uid?: number; readonly gid?: number };
type Environment = Readonly<Record<string, string>>;

/** Starts the command with nothing but `env` in its environment, as cron does. */
function start(args: readonly string[], env: Environment, account: Account = nobody) {
  const child = spawn(command, args, { cwd: working, env, ...account });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>(
    (resolve) => {
      child.on('close', (status) => resolve({ status, ...output }));
    },
  );
  return { child, output, ended };
}

const run = (args: readonly string[], env: Environment = {}, account: Account = nobody) =>
  start(args, env, account).ended;

const done = (stdout: string) => ({ status: 0, stdout, stderr: '' });

describe.runIf(runsPacked)('the command line of a package for Linux', () => {
  it('prints nothing but its own output, without a display, an environment or rights', async () => {
    expect(await run(['--version'])).toEqual(done(`${version}\n`));
    expect(await run(['--version'], { NODE_OPTIONS: '--no-such-option' })).toEqual(
      done(`${version}\n`),
    );
    expect(await run(['--home', home, 'url'])).toEqual({
      status: 1,
      stdout: '',
      stderr: `No service runs on ${home}; start one with "club-events serve".\n`,
    });
  });

  it('takes every argument as it is', async () => {
    const at = ['--home', home];
    expect(await run(['user', 'add', 'Chess:Youth', ...at])).toMatchObject({ status: 0 });
    const columns = ['--map', 'name=Titel:neu', '--time-zone', 'UTC'];
    expect(await run(['import', file, ...columns, '--user', 'Chess:Youth', ...at])).toMatchObject({
      status: 0,
    });
    const label = ['--label', 'http://127.0.0.1/?a=1&b="2" %PATH% $HOME --type=club'];
    const key = await run(['key', 'create', '--user', 'Chess:Youth', ...label, ...at]);
    expect(key).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ce_\w+\n$/) });
    const { stdout } = await run(['key', 'list', '--json', ...at]);
    expect(JSON.parse(stdout)).toMatchObject({ keys: [{ label: label[1] }] });
    const network = ['--public-url', 'http://10.0.0.5:28470', '--host', '0.0.0.0', '--port', '0'];
    const { child, output, ended } = start(['serve', ...network, ...at], {});
    await expect.poll(() => output.stdout, { timeout: 10_000 }).toContain('\n');
    expect(output.stdout).toMatch(/^http:\/\/10\.0\.0\.5:28470\n/);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ status: 0 });
  });

  it('answers a typing error with status 2, and opens no window', async () => {
    expect(await run(['exprot', '--user', 'Chess'])).toEqual({
      status: 2,
      stdout: '',
      stderr: "error: unknown command 'exprot'\n(Did you mean export?)\n",
    });
    expect(await run(['seson.csv'])).toMatchObject({ status: 2, stdout: '' });
  });

  const starts: readonly (readonly string[])[] = [
    [],
    ['--hidden'],
    ['--disable-gpu', 'serve'],
    ['Season 2026.csv'],
    ['file:///data/season.csv'],
    ['club-events://open'],
    ['export'],
    ['Export'],
    ['no-such-file.csv'],
    ['.'],
    ['http://127.0.0.1:28470/'],
    ['--home=/nowhere', 'url'],
    ['--help'],
  ];
  it.each(starts.map((args) => ({ args })))(
    'decides about the window as the program itself: $args',
    async ({ args }) => {
      const former = process.cwd();
      process.chdir(working);
      onTestFinished(() => process.chdir(former));
      const { stdout } = await run(args);
      const window = `window: ${args.join(' ')}\n`;
      if (isCommand(args)) expect(stdout).not.toContain('window: ');
      else expect(stdout).toBe(window);
    },
  );

  it('leaves the words of an AppImage and of scripts in front of the command aside', async () => {
    expect(await run(['--no-sandbox', '--', '--version'])).toEqual(done(`${version}\n`));
    expect(await run(['--no-sandbox', '--hidden'])).toEqual(
      done('window: --no-sandbox --hidden\n'),
    );
  });

  it.runIf(process.getuid?.() === 0)('works as root, for whom it opens no window', async () => {
    const root = { uid: 0, gid: 0 };
    expect(await run(['--version'], {}, root)).toEqual(done(`${version}\n`));
    expect(await run([], {}, root)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'Club Events does not open its window as root; start it from your own account. Commands such as "club-events serve" work.\n',
    });
    // Not a file is left in the folder of the program, where only root can write.
    const commandLine = join(unpacked, 'resources/command-line');
    expect(readdirSync(join(commandLine, 'node_modules'))).not.toContain('.cache');
  });
});
