import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bridge } from '../../server/bridge.ts';
import type { Home } from '../../server/home.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { fetchWithKey } from '../support/service.ts';
import { launchDesktop } from './driver/desktop.ts';

const date = '2099-05-01T18:00:00.000Z';

/** Whatever is in the files below a folder, by their paths. */
function readAll(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const);
}

function baseUrlOf(home: Home): string {
  return JSON.parse(readFileSync(home.registration, 'utf8')).baseUrl;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the desktop application', () => {
  it('leaves no registration, no process and no key behind', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { name: 'Summer party', date })]);
    const desktop = await launchDesktop({ home });
    await desktop.page.getByRole('button', { name: /Summer party/ }).waitFor();
    const answer = await desktop.page.evaluate(() => {
      const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
      return clubEvents.openSession({ club: null });
    });
    if (!answer.ok || answer.value === null) throw new Error('There is no session.');
    const { key } = answer.value;
    expect(key).toMatch(/^cew_1_/);
    const { port } = new URL(baseUrlOf(home));
    expect((await fetchWithKey({ port: Number(port) }, '/v1/events', key)).status).toBe(200);
    expect(await desktop.quit()).toBe(0);
    expect(isRunning(desktop.pid)).toBe(false);
    expect(existsSync(home.registration)).toBe(false);
    const code = key.slice('cew_1_'.length);
    const files = [...readAll(home.directory), ...readAll(desktop.userData)];
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter(([, text]) => text.includes(code)).map(([path]) => path)).toEqual([]);
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });

  it('goes on serving scripts while its window is closed', async () => {
    const home = makeTestHome();
    const { key } = await addMember(home, 'Chess', [makeEvent(1, { date })]);
    const desktop = await launchDesktop({ home, settings: { closeToTray: true } });
    await desktop.page.getByRole('button', { name: /Event 1/ }).waitFor();
    const port = Number(new URL(baseUrlOf(home)).port);
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    const answer = await fetchWithKey({ port }, '/v1/events', key);
    expect(await answer.json()).toMatchObject({ events: [{ name: 'Event 1' }] });
  });

  it('remembers between two starts what the page keeps in its window', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { date })]);
    const settings = { port: 23_490 };
    const first = await launchDesktop({ home, settings });
    await first.page.getByRole('button', { name: /Event 1/ }).waitFor();
    await first.page.evaluate(() => localStorage.setItem('of the test', 'kept'));
    await first.quit();
    const { userData } = first;
    // The storage of a page belongs to its origin, which is not that of the service.
    const second = await launchDesktop({ home, userData, settings: { port: 23_510 } });
    await second.page.getByRole('button', { name: /Event 1/ }).waitFor();
    expect(baseUrlOf(home)).toBe('http://127.0.0.1:23510');
    expect(await second.page.evaluate(() => localStorage.getItem('of the test'))).toBe('kept');
  });

  it('copies a curl command with the address of the service, not of the page', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { date })]);
    const { page } = await launchDesktop({ home });
    await page.getByRole('button', { name: /Event 1/ }).click();
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void Reflect.set(globalThis, 'copied', text);
    });
    await page.getByRole('button', { name: 'Copy curl' }).click();
    const copied = await page.waitForFunction(() => Reflect.get(globalThis, 'copied'));
    expect(await copied.jsonValue()).toMatch(new RegExp(` ${baseUrlOf(home)}/v1/events/1$`));
  });

  it('knows where files were dropped from, without telling the page', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { date })]);
    const path = join(makeTestFolder(), 'season.csv');
    writeFileSync(path, 'name,date\nSummer party,2099-05-01\n');
    const desktop = await launchDesktop({ home });
    await desktop.page.getByRole('button', { name: /Event 1/ }).waitFor();
    await desktop.page.evaluate(() => {
      const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
      addEventListener('drop', (event) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        const invented = [new File(['x'], 'invented.csv')];
        Reflect.set(globalThis, 'taken', clubEvents.takeDropped(files));
        Reflect.set(globalThis, 'refused', clubEvents.takeDropped(invented));
      });
    });
    await desktop.dropFiles('body', [path]);
    const [taken, refused] = await desktop.page.evaluate(() =>
      Promise.all([Reflect.get(globalThis, 'taken'), Reflect.get(globalThis, 'refused')]),
    );
    expect(taken).toEqual({
      ok: true,
      value: [{ token: expect.any(String), name: 'season.csv', size: 34 }],
    });
    expect(JSON.stringify(taken)).not.toContain(path);
    expect(refused).toMatchObject({ ok: false, code: 'refused' });
  });

  it('saves what the page takes out, where its user says, and prints', async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1, { date })]);
    const desktop = await launchDesktop({ home });
    const { page } = desktop;
    await page.getByRole('button', { name: /Event 1/ }).waitFor();
    const path = join(makeTestFolder(), 'taken.csv');
    await desktop.evaluate(({ session }, to) => {
      session.defaultSession.on('will-download', (_, item) => item.setSavePath(to));
    }, path);
    await page.evaluate(() => {
      window.print = () => Reflect.set(globalThis, 'printed', true);
    });
    await page.getByRole('button', { name: 'Save or print' }).click();
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toContain('Event 1');
    await page.getByRole('button', { name: 'Save or print' }).click();
    await page.getByRole('menuitem', { name: /Print a list/ }).click();
    await page.locator('.sheet-bar-wait:empty').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'printed'))).toBe(true);
  });
});
