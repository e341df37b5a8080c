import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Home, homeAt } from '../../server/home.ts';
import { callCommand, type Finished } from '../support/command.ts';
import { addMember, makeEvent, makeFolder, makeTestHome, removeFolder } from '../support/home.ts';
import { choose } from '../support/long.ts';
import { requirePlace } from '../support/place.ts';
import { writeTestFile } from './actions/import/files.ts';

const cli = join(import.meta.dirname, '../../server/cli.js');

/** Runs a command of the shell in which `ce` is club-events with this data directory. */
function runShell(home: Home, command: string): Promise<Finished> {
  const ce = `ce() { "${process.execPath}" "${cli}" --home "${home.directory}" "$@"; }`;
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', `${ce}; ${command}`], (_error, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr });
    });
  });
}

const isLong = choose(true, false);

/** A club for what only reads; its exports are larger than a pipe. */
const club = homeAt(makeFolder());

beforeAll(async () => {
  const events = Array.from({ length: 2_000 }, (_, id) => makeEvent(id));
  await addMember(club, 'Chess', events);
});

afterAll(() => removeFolder(club.directory));

const full = 'The disk that holds standard output is full; free some space, then try again.';

describe('a reader that closes the pipe', () => {
  beforeEach((context) => requirePlace(context, 'a Unix shell'));
  const commands = ['export --user Chess --format json', '--help'];
  const others = ['export --user Chess --format csv', 'user list'];
  const readers = ['head -c 10', 'true'];

  it.each(choose([...commands, ...others], commands).map((args, at) => ({ args, at })))(
    'ends "$args" silently when the reader of stdout closes it',
    async ({ args, at }) => {
      for (const reader of choose(readers, readers.slice(at, at + 1))) {
        const result = await runShell(club, `ce ${args} | ${reader} >&2; exit \${PIPESTATUS[0]}`);
        expect(result.status).toBe(0);
        expect(result.stderr).not.toMatch(/failed|Error|EPIPE/);
      }
    },
  );
});

it('describes a change when the reader of stdout has closed it', async (context) => {
  requirePlace(context, 'a Unix shell');
  const home = makeTestHome();
  await addMember(home, 'Chess');
  const run = (args: string) => runShell(home, `{ sleep 0.5; ce ${args}; } | true`);
  expect((await run('key create --user Chess')).stderr).toBe(
    'Key 2 was created but could not be printed; run "club-events key revoke 2".\n',
  );
  if (!isLong) return;
  expect((await run('user add Rowing')).stderr).toBe('Added user "Rowing".\n');
});

describe('a full disk behind stdout', () => {
  beforeEach((context) => requirePlace(context, 'a Unix shell', '/dev/full'));
  const commands = ['--help', 'export --user Chess --format json', 'serve --port 0'];
  const others = [
    'user list',
    'key list',
    'history --user Chess',
    'check',
    '--version',
    'export --user Chess --format ics',
  ];

  it.each(choose([...commands, ...others], commands))(
    'reports a full stdout of "%s" in one sentence',
    async (args) => {
      const result = await runShell(club, `ce ${args} > /dev/full`);
      expect(result).toEqual({ status: 1, stdout: '', stderr: `${full}\n` });
    },
  );

  it('describes a committed change when stdout cannot be written', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const file = writeTestFile('season.csv', 'name,date\nRun,2026-05-01\n');
    const run = (args: string) => runShell(home, `ce ${args} > /dev/full`);
    const key = await run('key create --user Chess');
    expect(key.stderr).toBe(
      `Key 2 was created but could not be printed; run "club-events key revoke 2".\n${full}\n`,
    );
    const imported = await run(`import "${file}" --user Chess`);
    expect(imported.stderr).toMatch(/^season\.csv: 1 event added\.\n"club-events undo 1"/);
    expect(imported.stderr).toContain(full);
    if (isLong) {
      expect((await run('undo 1')).stderr).toMatch(/1 event removed.*\n.*is full/);
      expect((await run('user add Rowing')).stderr).toBe(`Added user "Rowing".\n${full}\n`);
    }
    const keys = await callCommand(['--home', home.directory, 'key', 'list']);
    expect(keys.stdout).toMatch(/^2 +Chess +valid/m);
  });

  it('writes the result although stderr cannot be written', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess');
    const result = await runShell(home, 'ce key create --user Chess 2> /dev/full');
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(/^ce_/);
  });
});
