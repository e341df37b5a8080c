import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Home } from '../../server/base/home.ts';
import { createBackup } from '../../server/store/backup-files.ts';
import { damageEvents } from '../support/damage.ts';
import { makeTestFolder, makeTestHome } from '../support/home.ts';
import { expectClosed, requirePlace } from '../support/place.ts';
import { fetchWithKey } from '../support/service.ts';
import {
  goToEvents,
  makeClubHome,
  readState,
  showsEvents,
  startLongImport,
} from './club-desktop.ts';
import { launchDesktop, shareDesktop } from './driver/desktop.ts';

type Registration = { readonly baseUrl: string; readonly pid: number };

function readRegistration(home: Home): Registration {
  return JSON.parse(readFileSync(home.registration, 'utf8'));
}

/** Waits for another service process than before. */
async function nextRegistration(home: Home, { pid }: Registration): Promise<Registration> {
  await expect.poll(() => readRegistration(home).pid).not.toBe(pid);
  return readRegistration(home);
}

/** Returns the number of events that a script reads. */
async function countEvents({ baseUrl }: Registration): Promise<string | null> {
  const { port } = new URL(baseUrl);
  const answer = await fetchWithKey({ port: Number(port) }, '/v1/events', 'key-of-Chess');
  return answer.headers.get('total-count');
}

describe('the service process', () => {
  let home: Home;
  const shared = shareDesktop(async (folder) => {
    home = await makeClubHome(folder);
    return { home, mayFail: /request to|ERR_/ };
  });
  beforeEach(() => goToEvents(shared.current));

  it('the service process is replaced after a crash with the same window, port and events', {
    tags: 'long',
  }, async () => {
    const { page, pid, userData } = shared.current;
    await page.evaluate(() => Reflect.set(globalThis, 'stillHere', true));
    const before = readRegistration(home);
    expect(before.pid).not.toBe(pid);
    process.kill(before.pid, 'SIGKILL');
    const after = await nextRegistration(home, before);
    expect(after.baseUrl).toBe(before.baseUrl);
    expect(await countEvents(after)).toBe('1');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'stillHere'))).toBe(true);
    await page.reload();
    await showsEvents(page);
    const log = readFileSync(join(userData, 'logs/desktop.log'), 'utf8');
    // On Windows, a process that is killed ends with 1.
    expect(log).toMatch(/The service process ended with code [19]\b/);
  });

  // The last one, because it ends the shared desktop. The short form tests it in service.test.ts.
  it('fails an import when it crashes, and saves none of it', async () => {
    const desktop = shared.current;
    const { page } = desktop;
    const before = readRegistration(home);
    await startLongImport(desktop);
    process.kill(before.pid, 'SIGKILL');
    const imported = await page.waitForFunction(() => Reflect.get(globalThis, 'imported'));
    expect(await imported.jsonValue()).toEqual({
      ok: false,
      code: 'service_stopped_in_import',
      values: {},
    });
    const after = await nextRegistration(home, before);
    expect(after.baseUrl).toBe(before.baseUrl);
    expect(await countEvents(after)).toBe('1');
    await expect
      .poll(async () => (await readState(desktop)).notices)
      .toContain('The import of long.csv was interrupted; nothing was changed. Import it again.');
    expect(await desktop.quit()).toBe(0);
  });
});

it('restores a damaged database in the window, while no process has it open', {
  tags: 'long',
}, async () => {
  const folder = makeTestFolder();
  const home = await makeClubHome(folder);
  createBackup(home, 'hand', new Date());
  damageEvents(home.database);
  const desktop = await launchDesktop({ home, mayFail: /503/ });
  const { page } = desktop;
  const readNotices = async () => (await readState(desktop)).notices;
  await expect.poll(readNotices).toContainEqual(expect.stringContaining('is damaged'));
  await expectClosed(readRegistration(home).pid, home.database);
  await expectClosed(desktop.pid, home.database);
  await page.getByRole('button', { name: 'Backups' }).click();
  await page.getByRole('button', { name: 'Restore…' }).click();
  await page.getByRole('list', { name: 'Backups, newest first' }).getByRole('button').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('status').getByText('Restored: one club, ').waitFor();
  await goToEvents(desktop);
  await expect.poll(readNotices).toEqual([]);
  expect(await desktop.quit()).toBe(0);
});

it('quits although the data directory hangs', async (context) => {
  requirePlace(context, 'named pipes');
  const home = makeTestHome();
  mkdirSync(home.logs, { recursive: true });
  // The service waits for ever for its other end, inside a system call.
  execFileSync('mkfifo', [join(home.logs, 'service.log')]);
  const desktop = await launchDesktop({ home, opensWindow: false });
  await expect.poll(async () => (await desktop.tray())?.toolTip).toMatch(/Club Events/);
  // Time to reach the log; a slower machine tests the end of a process that begins.
  await delay(2_000);
  expect(await desktop.quit()).toBe(0);
});
