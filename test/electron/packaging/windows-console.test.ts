import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeConsoleProgram } from '../../../electron/packaging/windows-console.ts';
import { version } from '../../../server/base/version.ts';
import { makeWindowsProgram, nodeFuse } from '../../support/distribution.ts';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';

describe('the console program for Windows', () => {
  let made: Buffer;
  beforeAll(async () => {
    made = await makeConsoleProgram(makeWindowsProgram(`before ${nodeFuse}:0 after`));
  });

  it('contains the script where Node.js looks for it', () => {
    const { entries } = NtExecutableResource.from(NtExecutable.from(made));
    const [script] = entries.filter(({ type, id }) => type === 10 && id === 'NODE_SEA_BLOB');
    const text = Buffer.from(script?.bin ?? new ArrayBuffer(0)).toString('latin1');
    expect(text).toContain("requireProgram('../command-line/server/cli/program.js')");
    expect(text).toContain("requireProgram('../command-line/server/outside/file-process.js')");
    expect(made.toString('latin1')).toContain(`before ${nodeFuse}:1 after`);
  });

  it('the console program for Windows has the name, the version and the icon of the program', () => {
    const { entries } = NtExecutableResource.from(NtExecutable.from(made));
    const [info] = Resource.VersionInfo.fromEntries(entries);
    expect(info?.getStringValues({ lang: 0x0409, codepage: 1200 })).toMatchObject({
      FileDescription: 'Club Events, command line',
      ProductVersion: version,
    });
    const [icons] = Resource.IconGroupEntry.fromEntries(entries);
    expect(icons?.icons.map(({ width }) => width)).toEqual([16, 24, 32, 48, 64, 0]);
  });

  it.each(['', `${nodeFuse}:1`, `${nodeFuse}:0 ${nodeFuse}:0`])(
    'the console program for Windows is not made of a program with "%s"',
    async (text) => {
      await expect(makeConsoleProgram(makeWindowsProgram(text))).rejects.toThrow(
        'cannot contain a script',
      );
    },
  );
});

it('runs the command line beside it, with its arguments and its exit status', {
  tags: 'long',
}, async (context) => {
  requirePlace(context, 'symbolic links');
  const resources = makeTestFolder();
  const program = join(resources, 'bin/club-events.exe');
  mkdirSync(join(resources, 'bin'));
  cpSync(process.execPath, program);
  const built = join(import.meta.dirname, '../../../electron/dist');
  cpSync(built, join(resources, 'command-line'), { recursive: true });
  const packages = join(built, '../../node_modules');
  const script = join(built, '../packaging/console-main.cjs');
  // Beside the folder, where Node.js looks for packages, too.
  symlinkSync(packages, join(resources, 'node_modules'));
  const run = promisify(execFile);
  expect(await run(program, [script, '--version'])).toEqual({ stdout: `${version}\n`, stderr: '' });
  await expect(run(program, [script, 'exprot', 'Chess:Youth'])).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      "Wrong usage: unknown command 'exprot' (Did you mean export?). Add --help to see the options and examples.\n",
  });
});
