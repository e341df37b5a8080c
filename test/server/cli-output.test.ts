import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Home, homeAt } from '../../server/home.ts';
import type { Finished } from '../support/command.ts';
import { addMember, makeEvent, makeTestFolder } from '../support/home.ts';

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

async function makeClub(): Promise<Home> {
  const home = homeAt(join(makeTestFolder(), 'home'));
  const events = Array.from({ length: 2_000 }, (_, id) => makeEvent(id));
  await addMember(home, 'Chess', events);
  return home;
}

const full = 'The disk that holds standard output is full; free some space, then try again.';

describe.skipIf(process.platform === 'win32')('a reader that closes the pipe (needs bash)', () => {
  it.each([
    'export --user Chess --format json',
    'user list',
    '--help',
    'export --user Chess --format csv',
  ])('ends "%s" quietly', async (args) => {
    const home = await makeClub();
    for (const reader of ['head -c 10', 'true']) {
      const result = await runShell(home, `ce ${args} | ${reader} >&2; exit \${PIPESTATUS[0]}`);
      expect(result.status).toBe(0);
      expect(result.stderr).not.toMatch(/failed|Error|EPIPE/);
    }
  });
});

describe.skipIf(!existsSync('/dev/full'))('a full disk behind stdout (needs /dev/full)', () => {
  it.each([
    'user list',
    'key list',
    'history --user Chess',
    'check',
    '--help',
    '--version',
    'export --user Chess --format json',
    'export --user Chess --format ics',
    'serve --port 0',
  ])('is one sentence for "%s"', async (args) => {
    const home = await makeClub();
    const result = await runShell(home, `ce ${args} > /dev/full`);
    expect(result).toEqual({ status: 1, stdout: '', stderr: `${full}\n` });
  });

  it('leaves a change that was made, and says which one', async () => {
    const home = await makeClub();
    const file = join(home.directory, '../season.csv');
    const run = (args: string) => runShell(home, `ce ${args} > /dev/full`);
    expect((await run('user add Rowing')).stderr).toBe(`Added user "Rowing".\n${full}\n`);
    const key = await run('key create --user Chess');
    expect(key.stderr).toBe(
      `Key 2 was created but could not be printed; run "club-events key revoke 2".\n${full}\n`,
    );
    await runShell(home, `printf 'name,date\nRun,2026-05-01\n' > ${file}`);
    const imported = await run(`import ${file} --user Rowing`);
    expect(imported.stderr).toMatch(/^season\.csv: 1 event added\.\n"club-events undo 2"/);
    expect(imported.stderr).toContain(full);
    expect((await run('undo 2')).stderr).toMatch(/1 event removed.*\n.*is full/);
    const keys = await runShell(home, 'ce key list');
    expect(keys.stdout).toMatch(/^2 +Chess +valid/m);
  });

  it('does not stop a result when only stderr is behind it', async () => {
    const home = await makeClub();
    const result = await runShell(home, 'ce key create --user Chess 2> /dev/full');
    expect(result.status).toBe(0);
    expect(result.stdout).toMatch(/^ce_/);
  });
});
