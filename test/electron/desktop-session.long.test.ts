import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Home } from '../../server/base/home.ts';
import { makeTestFolder } from '../support/home.ts';
import { lacking, requirePlace } from '../support/place.ts';
import { fetchWithKey, serveForTest } from '../support/service.ts';
import {
  call,
  callsOf,
  closeWindow,
  hideWindow,
  makeClubHome,
  readState,
  showsEvents,
  startAgain,
  startLongImport,
  windowOf,
} from './club-desktop.ts';
import { type Desktop, launchDesktop, shareDesktop } from './driver/desktop.ts';

const isVisible = async (desktop: Desktop) => (await windowOf(desktop))?.visible;

it('imports the file of its arguments, and keeps its window without a tray', async (context) => {
  requirePlace(context, 'a fake tray');
  const home = await makeClubHome(makeTestFolder());
  const file = join(makeTestFolder(), 'first.csv');
  writeFileSync(file, 'name,date\n');
  const desktop = await launchDesktop({ home, args: [file], tray: false });
  await desktop.page.getByText('first.csv').first().waitFor();
  await startLongImport(desktop);
  // A question that cannot be shown is asked again the next time.
  await desktop.evaluate(({ dialog }) => {
    const { showMessageBox } = dialog;
    dialog.showMessageBox = async () => {
      dialog.showMessageBox = showMessageBox;
      throw new Error('no display');
    };
  });
  await closeWindow(desktop);
  const log = join(desktop.userData, 'logs/desktop.log');
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8')).toMatch(/no display/);
  await closeWindow(desktop);
  await expect.poll(() => callsOf(desktop, 'showMessageBox')).toHaveLength(1);
  await expect.poll(() => isVisible(desktop)).toBe(true);
  await desktop.answer('showMessageBox', { button: 'Quit anyway' });
  await closeWindow(desktop);
  expect(await desktop.ended).toBe(0);
  const answer = await fetchWithKey(await serveForTest(home), '/v1/events', 'key-of-Chess');
  expect(answer.headers.get('total-count')).toBe('1');
});

describe('the desktop application in a session', () => {
  let home: Home;
  /** Below the folder that is `HOME` of the program. */
  let entry: string;
  const shared = shareDesktop(async (folder) => {
    home = await makeClubHome(folder);
    const userData = join(folder, 'user data');
    mkdirSync(userData);
    const place = { x: 0, y: 0, width: 900, height: 600, maximized: true };
    writeFileSync(join(userData, 'window.json'), JSON.stringify(place));
    const autostart = join(folder, 'appData', 'autostart');
    mkdirSync(autostart, { recursive: true });
    entry = join(autostart, 'club-events.desktop');
    if (lacking('XDG folders') === undefined) symlinkSync('/dev/null', entry);
    return { home, userData, args: ['--no-sandbox'] };
  });
  beforeAll(() => showsEvents(shared.current.page));
  const readLog = () => readFileSync(join(shared.current.userData, 'logs/desktop.log'), 'utf8');

  it('restores a maximized window once its page is ready', async () => {
    await expect
      .poll(() => windowOf(shared.current))
      .toMatchObject({ maximized: true, visible: true });
  });

  it('disables the GPU sandbox if it was started with --no-sandbox', async () => {
    const hasSwitch = (name: string) =>
      shared.current.evaluate(({ app }, given) => app.commandLine.hasSwitch(given), name);
    expect(await hasSwitch('no-sandbox')).toBe(true);
    expect(await hasSwitch('disable-gpu-sandbox')).toBe(true);
    expect(readLog()).toContain('--no-sandbox');
  });

  it('reports that its autostart entry cannot be updated', async (context) => {
    requirePlace(context, 'XDG folders');
    const desktop = shared.current;
    if (desktop.kind === 'Electron') return context.skip('needs the folders of the fake');
    expect((await readState(desktop)).notices).toEqual([
      expect.stringMatching(/^Starting at login couldn’t be set up: .*club-events\.desktop/),
    ]);
  });

  it('reads the start at login from the autostart entry', async (context) => {
    requirePlace(context, 'XDG folders');
    const desktop = shared.current;
    if (desktop.kind === 'Electron') return context.skip('needs the folders of the fake');
    rmSync(entry, { force: true });
    const isStarted = async () => (await readState(desktop)).settings.startAtLogin;
    const start = () => call(desktop.page, 'changeSettings', { startAtLogin: true });
    expect(await start()).toMatchObject({ ok: true });
    expect(await isStarted()).toBe(true);
    const text = readFileSync(entry, 'utf8');
    expect(text).toContain('Icon=club-events');
    writeFileSync(entry, text.replace('enabled=true', 'enabled=false'));
    expect(await isStarted()).toBe(false);
    expect(await start()).toMatchObject({ ok: true });
    expect(readFileSync(entry, 'utf8')).toBe(text);
  });

  const none = { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: true };

  function rightClick(isEditable: boolean, selectionText: string): Promise<void> {
    const params = { isEditable, selectionText, editFlags: { ...none, canSelectAll: true } };
    return shared.current.evaluate(({ BrowserWindow }, given) => {
      BrowserWindow.getAllWindows()[0]?.webContents.emit('context-menu', {}, given);
    }, params);
  }

  it('shows a context menu for text fields in the language of the user', async () => {
    const desktop = shared.current;
    await call(desktop.page, 'changeSettings', { language: 'de' });
    await rightClick(true, '');
    await call(desktop.page, 'changeSettings', { language: null });
    const [menu] = (await callsOf(desktop, 'popup')) as { labels: { label: string }[] }[];
    const labels = menu?.labels.map(({ label }) => label).filter(Boolean);
    expect(labels).toEqual([
      'Rückgängig machen',
      'Wiederholen',
      'Ausschneiden',
      'Kopieren',
      'Einfügen',
      'Alles auswählen',
    ]);
    expect(menu?.labels).toContainEqual({ label: 'Einfügen', enabled: true });
    expect(menu?.labels).toContainEqual({ label: 'Kopieren', enabled: false });
  });

  it('shows a context menu for selected text only', async () => {
    await rightClick(false, '');
    await rightClick(false, 'Event 1');
    expect(await callsOf(shared.current, 'popup')).toEqual([
      { labels: [{ label: 'Copy', enabled: false }] },
    ]);
  });

  it('logs the crash of a child process and does not upload its report', async () => {
    const desktop = shared.current;
    await desktop.evaluate(({ app }) => {
      const event = new Event('gone') as unknown as Electron.Event;
      app.emit('child-process-gone', event, { type: 'GPU', reason: 'crashed', exitCode: 5 });
    });
    await expect.poll(readLog).toContain('The process \\"GPU\\" of Chromium ended: crashed, 5.');
    expect(await desktop.evaluate((electron) => electron.crashReporter.getUploadToServer())).toBe(
      false,
    );
  });

  const wasShown = (screen: string) =>
    shared.current.page.waitForFunction((name) => location.hash.includes(`manage=${name}`), screen);

  it('shows the screen of a link, from a second start or from macOS', async () => {
    const desktop = shared.current;
    const started = await startAgain(desktop, ['club-events://show/keys'], { home });
    expect(started.status).toBe(0);
    await wasShown('keys');
    await desktop.evaluate(({ app }) => {
      const event = { preventDefault: () => undefined } as Electron.Event;
      app.emit('open-url', event, 'club-events://show/history');
    });
    await wasShown('history');
  });

  it('only shows its window for an unknown link', async () => {
    const desktop = shared.current;
    await desktop.page.evaluate(() => {
      location.hash = '';
    });
    await hideWindow(desktop);
    const link = 'club-events://show/keys?then=//elsewhere.example';
    expect(await startAgain(desktop, [link], { home })).toMatchObject({ status: 0 });
    await expect.poll(() => isVisible(desktop)).toBe(true);
    expect(new URL(desktop.page.url()).hash).not.toContain('manage');
  });

  // The last one, because it ends the shared desktop.
  it('the desktop application in a session asks before it interrupts an import, but not when the session ends', async () => {
    const desktop = shared.current;
    await startLongImport(desktop);
    await hideWindow(desktop);
    await desktop.evaluate(({ app }) => void setTimeout(() => app.quit(), 0));
    await expect.poll(() => callsOf(desktop, 'showMessageBox')).toHaveLength(1);
    expect(await isVisible(desktop)).toBe(true);
    // A question would be cancelled here, which keeps the program running.
    await desktop.evaluate(({ powerMonitor }) => void powerMonitor.emit('shutdown'));
    expect(await desktop.ended).toBe(0);
  });
});
