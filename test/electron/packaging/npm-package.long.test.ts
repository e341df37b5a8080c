import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packNpmPackage, writeNpmPackage } from '../../../electron/packaging/npm-package.ts';
import { makeTestFolder } from '../../support/home.ts';
import { requirePlace } from '../../support/place.ts';

const execute = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** Runs npm under the Node.js of the tests. */
function npm(cwd: string, ...args: readonly string[]) {
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  return execute('npm', [...args], { cwd, env });
}

/** Returns the names of the packages in a lock file. */
function packagesOf(folder: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).flatMap(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? [],
  );
}

// Needs a registry, unlike the tests of its contents.
it('answers as the sources do, once npm has installed it in an empty folder', async (context) => {
  requirePlace(context, 'a Unix shell');
  const folder = makeTestFolder();
  writeNpmPackage(join(folder, 'npm'));
  const tarball = packNpmPackage(join(folder, 'npm'), folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  await npm(folder, 'install', tarball, '--no-audit', '--no-fund');
  const installed = packagesOf(folder);
  expect(installed).not.toContain('electron-updater');
  // Each package is one that the lock file of the project has, too: none comes along unseen.
  const seen = packagesOf(root);
  expect(installed.filter((name) => name !== 'club-events' && !seen.includes(name))).toEqual([]);
  const cli = join(folder, 'node_modules/club-events/server/cli/club-events.js');
  const vitest = join(
    dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
    'vitest.mjs',
  );
  const { VITEST: _, LONG_TESTS: __, ...env } = process.env;
  const { stdout } = await execute(process.execPath, [vitest, 'run', 'test/server/http'], {
    cwd: root,
    env: { ...env, TEST_CLI: cli },
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(stdout).toMatch(/Tests +.*passed/);
});
