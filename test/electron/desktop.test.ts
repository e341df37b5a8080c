import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Home, homeAt } from '../../server/base/home.ts';
import { makeFolder, makeTestFolder, removeFolder } from '../support/home.ts';
import { patience } from '../support/patience.ts';
import { expectMode, lacking, requirePlace } from '../support/place.ts';
import { fetchWithKey } from '../support/service.ts';
import {
  baseUrlOf,
  call,
  callsOf,
  closeWindow,
  makeClubHome,
  occupy,
  readState,
  showsEvents,
  windowOf,
} from './club-desktop.ts';
import { type Desktop, launchDesktop, shareDesktop } from './driver/desktop.ts';

const isVisible = async (desktop: Desktop) => (await windowOf(desktop))?.visible;

describe('the next start of the desktop application', () => {
  // Below the ephemeral ports.
  const port = 23_470;
  const bounds = { x: 40, y: 50, width: 900, height: 600 };
  const seen: { notifications?: readonly unknown[]; events?: unknown; status?: unknown } = {};
  let home: Home;
  let chosen: string;
  let release: (() => void) | undefined;

  const first = shareDesktop(async (folder) => {
    home = await makeClubHome(folder);
    return { home, settings: { port: port + 20 } };
  });

  beforeAll(async () => {
    const desktop = first.current;
    const { page } = desktop;
    await showsEvents(page);
    await page.evaluate(() => localStorage.setItem('of the test', 'kept'));
    chosen = makeFolder();
    const file = join(chosen, 'season.csv');
    writeFileSync(file, 'name,date\n');
    await desktop.answer('showOpenDialog', { filePaths: [file] });
    await call(page, 'chooseFiles', null);
    await desktop.evaluate(({ BrowserWindow }, place) => {
      BrowserWindow.getAllWindows()[0]?.setBounds(place);
    }, bounds);
    for (let times = 0; times < 2; times += 1) {
      await desktop.clickTray('open');
      await closeWindow(desktop);
      await vi.waitUntil(async () => !(await isVisible(desktop)), patience);
    }
    const hidden = { port: Number(new URL(baseUrlOf(home)).port) };
    seen.events = await (await fetchWithKey(hidden, '/v1/events', 'key-of-Chess')).json();
    seen.notifications = await callsOf(desktop, 'notification');
    seen.status = await desktop.quit();
  });
  afterAll(() => {
    release?.();
    removeFolder(chosen);
  });

  const second = shareDesktop(async () => {
    release = await occupy(port);
    return { home, userData: first.current.userData, settings: { port } };
  });

  beforeEach(() => showsEvents(second.current.page));

  it('follows one that served scripts with a closed window', () => {
    expect(seen.events).toMatchObject({ events: [{ name: 'Event 1' }] });
    expect(seen.status).toBe(0);
  });

  it('registers the next port if its own is taken', async () => {
    const service = {
      kind: 'running',
      baseUrl: `http://127.0.0.1:${port + 1}`,
      port: port + 1,
    };
    expect((await readState(second.current)).service).toEqual(service);
    expect(baseUrlOf(home)).toBe(service.baseUrl);
  });

  it('keeps the storage of the page when the port changes', async () => {
    // The storage of a page belongs to its origin, which is not that of the service.
    const { page } = second.current;
    expect(await page.evaluate(() => localStorage.getItem('of the test'))).toBe('kept');
  });

  it('restores the bounds of its window', { tags: 'long' }, async () => {
    expect(await windowOf(second.current)).toMatchObject({ bounds });
  });

  it('opens file dialogs in the folder of the last one', async () => {
    await call(second.current.page, 'chooseFiles', null);
    expect(await callsOf(second.current, 'showOpenDialog')).toEqual([
      expect.objectContaining({ defaultPath: chosen }),
    ]);
  });

  it('the next start of the desktop application does not repeat the notification about the tray', async () => {
    expect(seen.notifications).toEqual([
      { title: 'Club Events', body: expect.stringContaining('still running') },
    ]);
    await closeWindow(second.current);
    await expect.poll(() => isVisible(second.current)).toBe(false);
    expect(await callsOf(second.current, 'notification')).toEqual([]);
  });

  // The last one, because it reloads the shared page.
  it('shows a message box when the page crashes repeatedly', { tags: 'long' }, async () => {
    const desktop = second.current;
    const crash = () =>
      desktop.evaluate(({ BrowserWindow }) => {
        const details = { reason: 'crashed', exitCode: 1 };
        BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, details);
      });
    const reload = desktop.page.waitForEvent('framenavigated');
    for (let times = 0; times < 5; times += 1) await crash();
    expect(await callsOf(desktop, 'showMessageBox')).toEqual([]);
    await reload;
    await crash();
    await expect
      .poll(() => callsOf(desktop, 'showMessageBox'))
      .toEqual([expect.objectContaining({ message: 'The window has crashed several times' })]);
  });
});

it('prepares a chosen data directory that only the owner can read', { tags: 'long' }, async () => {
  const umask = process.umask(0);
  const desktop = await launchDesktop().finally(() => process.umask(umask));
  // All of it, before the service moves away from under it.
  await desktop.page.getByRole('heading', { name: 'Where are your club’s events now?' }).waitFor();
  await desktop.page.waitForLoadState('networkidle');
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'letter.txt'), '');
  mkdirSync(join(folder, '.stfolder'));
  await desktop.answer('showOpenDialog', { filePaths: [folder] });
  expect(await call(desktop.page, 'chooseHome', null)).toMatchObject({ ok: true });
  const notice = /^Syncthing synchronises .* and may damage open data; choose another folder/;
  expect((await readState(desktop)).notices).toEqual([expect.stringMatching(notice)]);
  const { directory, registration } = homeAt(join(folder, 'Club Events'));
  await expect.poll(() => existsSync(registration)).toBe(true);

  // The umask is that of the programs that it starts, such as a browser.
  expect(await desktop.evaluate(() => process.umask())).toBe(0);
  expectMode(directory, 0o700);
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  expect(names).toContain('events.sqlite');
  for (const name of names) {
    expectMode(join(directory, name), name === 'logs' ? 0o700 : 0o600);
  }
  expectMode(join(desktop.userData, 'settings.json'), 0o600);

  const { userData } = desktop;
  await desktop.page.getByRole('heading', { name: 'Where are your club’s events now?' }).waitFor();
  await desktop.page.waitForLoadState('networkidle');
  await desktop.quit();
  expect(existsSync(registration)).toBe(false);
  const hasTray = lacking('a fake tray') !== undefined;
  const again = await launchDesktop({ userData, tray: hasTray });
  await again.page.waitForURL(`${again.pageOrigin}/**`);
  expect((await readState(again)).home).toEqual({ directory, fixed: false });
  // All of it, before the program ends.
  await again.page.getByRole('heading', { name: 'Where are your club’s events now?' }).waitFor();
  await again.page.waitForLoadState('networkidle');
  // Without a tray icon, the program ends with its window.
  if (hasTray) return;
  await closeWindow(again);
  expect(await again.ended).toBe(0);
});

it('ends with its window if the tray refused its icon', { tags: 'long' }, async (context) => {
  requirePlace(context, 'a fake tray');
  const home = await makeClubHome(makeTestFolder());
  const desktop = await launchDesktop({ home, tray: 'refused' });
  await showsEvents(desktop.page);
  await closeWindow(desktop);
  expect(await desktop.ended).toBe(0);
});

it('adds itself to an assistant, and not the AppImage whose terminal started it', {
  tags: 'long',
}, async () => {
  const home = await makeClubHome(makeTestFolder());
  const env = { APPIMAGE: '/opt/Editor.AppImage', APPDIR: '/tmp/.mount_Editor' };
  const desktop = await launchDesktop({ home, env });
  await showsEvents(desktop.page);
  const file = join(makeTestFolder(), 'club.mcpb');
  await desktop.answer('showSaveDialog', { filePath: file });
  const chosen = await call(desktop.page, 'chooseOutput', { name: 'club.mcpb' });
  const output = chosen.ok ? (chosen.value?.token ?? '') : '';
  const request = { job: 'bundle', name: 'mcp bundle', args: { output } } as const;
  expect(await call(desktop.page, 'perform', request)).toMatchObject({ ok: true });
  const starter = unzipSync(readFileSync(file))['server/start.mjs'];
  // The window of a checkout, whose command line another program starts with Node.js.
  expect(strFromU8(starter as Uint8Array)).toMatch(/spawn\("node", \[".*club-events\.js","--home"/);
});
