import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeEach, expect, it } from 'vitest';
import { makeTestFolder } from './support/home.ts';
import { requirePlace } from './support/place.ts';

/** A run of tests that has started a program of its own group, and then hangs. */
const runner = (folder: string) => `
import { spawn } from 'node:child_process';
import { setup } from ${JSON.stringify(join(import.meta.dirname, 'support/guard-run.ts'))};
delete process.env.TEST_FOLDER;
setup({ config: { env: { TEST_FOLDER: ${JSON.stringify(folder)} } } });
const args = ['--eval', 'setInterval(() => undefined, 1000)'];
const started = spawn(process.execPath, args, { detached: true, stdio: 'ignore' });
started.once('spawn', () => console.log(started.pid));
setInterval(() => undefined, 1000);
`;

/** Returns whether a process runs; one that only waits for its parent to notice its end has no arguments. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) && readFileSync(path, 'utf8') !== '';
}

beforeEach((context) => requirePlace(context, '/proc'));

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a run that %s ends leaves neither a process nor its folder',
  async (signal) => {
    const folder = join(makeTestFolder(), 'files');
    mkdirSync(folder);
    const args = ['--input-type=module', '--eval', runner(folder)];
    const run = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(run.stdout, 'data');
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    run.kill(signal);
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect.poll(() => existsSync(folder)).toBe(false);
  },
);
