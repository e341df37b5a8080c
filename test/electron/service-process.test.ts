import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../server/bridge.ts';
import type { Home } from '../../server/home.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { fetchWithKey } from '../support/service.ts';
import { launchDesktop } from './driver/desktop.ts';

type Registration = { readonly baseUrl: string; readonly pid: number };

function readRegistration(home: Home): Registration {
  return JSON.parse(readFileSync(home.registration, 'utf8'));
}

/** Waits for another service process than before. */
async function nextRegistration(home: Home, { pid }: Registration): Promise<Registration> {
  await expect.poll(() => readRegistration(home).pid).not.toBe(pid);
  return readRegistration(home);
}

async function showsEvents(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Event 1/ }).waitFor();
}

const date = '2099-05-01T18:00:00.000Z';

describe('the process of the service', () => {
  it('is replaced when it is killed: same window, same port, same events', async () => {
    const home = makeTestHome();
    const { key } = await addMember(home, 'Chess', [makeEvent(1, { date })]);
    const desktop = await launchDesktop({ home, mayFail: /request to|ERR_/ });
    const { page } = desktop;
    await showsEvents(page);
    await page.evaluate(() => Reflect.set(globalThis, 'stillHere', true));
    const before = readRegistration(home);
    expect(before.pid).not.toBe(desktop.pid);
    process.kill(before.pid, 'SIGKILL');
    const after = await nextRegistration(home, before);
    expect(after.baseUrl).toBe(before.baseUrl);
    const port = Number(new URL(after.baseUrl).port);
    const answer = await fetchWithKey({ port }, '/v1/events', key);
    expect(answer.headers.get('total-count')).toBe('1');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'stillHere'))).toBe(true);
    await page.reload();
    await showsEvents(page);
    const log = readFileSync(join(desktop.userData, 'logs/desktop.log'), 'utf8');
    expect(log).toContain('The service process ended with code 9');
  });

  it('is killed during an import, which fails with one sentence and leaves no events', async () => {
    const home = makeTestHome();
    const { key } = await addMember(home, 'Chess', [makeEvent(1, { date })]);
    const file = join(makeTestFolder(), 'long.csv');
    writeFileSync(file, `name,date\n${'Training,2099-05-01\n'.repeat(200_000)}`);
    const desktop = await launchDesktop({ home, mayFail: /request to|ERR_/ });
    const { page } = desktop;
    await showsEvents(page);
    await desktop.answer('showOpenDialog', { filePaths: [file] });
    const before = readRegistration(home);
    await page.evaluate(async () => {
      const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
      const chosen = await clubEvents.chooseFiles(null);
      const files = chosen.ok ? chosen.value.map(({ token }) => token) : [];
      clubEvents.listen(({ kind }) => {
        if (kind === 'progress') Reflect.set(globalThis, 'isImporting', true);
      });
      const args = { user: 'Chess', files, timeZone: 'UTC' };
      const answer = clubEvents.perform({ job: 'long', name: 'import', args });
      void answer.then((value) => Reflect.set(globalThis, 'imported', value));
    });
    await page.waitForFunction(() => Reflect.get(globalThis, 'isImporting'));
    process.kill(before.pid, 'SIGKILL');
    await page.waitForFunction(() => Reflect.get(globalThis, 'imported'));
    expect(await page.evaluate(() => Reflect.get(globalThis, 'imported'))).toEqual({
      ok: false,
      code: 'unavailable',
      message: expect.stringMatching(
        /^The service stopped during the import\..* see the history\.$/,
      ),
    });
    const { baseUrl } = await nextRegistration(home, before);
    expect(baseUrl).toBe(before.baseUrl);
    const port = Number(new URL(baseUrl).port);
    const answer = await fetchWithKey({ port }, '/v1/events', key);
    expect(answer.headers.get('total-count')).toBe('1');
    expect(await desktop.quit()).toBe(0);
  });

  it('does not keep the program from quitting when its data hangs', async () => {
    const home = makeTestHome();
    mkdirSync(home.directory);
    // SQLite waits for ever for the other end of it, inside a call to the system.
    execFileSync('mkfifo', [home.database]);
    const desktop = await launchDesktop({ home, opensWindow: false });
    await expect.poll(async () => (await desktop.tray())?.toolTip).toMatch(/Club Events/);
    // Time to reach the database; a slower machine tests the end of a process that begins.
    await delay(2_000);
    expect(await desktop.quit()).toBe(0);
  });
});
