import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bridge, DesktopSettings, DesktopState } from '../../server/bridge.ts';
import { type Home, homeAt } from '../../server/home.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { type Desktop, type DesktopOptions, launchDesktop } from './driver/desktop.ts';

async function makeClubHome(): Promise<Home> {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1, { date: '2099-05-01T18:00:00.000Z' })]);
  return home;
}

/** Starts the application and waits for its events. */
async function launch(options: DesktopOptions = {}): Promise<Desktop> {
  const desktop = await launchDesktop({ home: await makeClubHome(), ...options });
  await desktop.page.getByRole('button', { name: /Event 1/ }).waitFor();
  return desktop;
}

async function readState({ page }: Desktop): Promise<DesktopState> {
  const answer = await page.evaluate(() => {
    const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
    return clubEvents.readState(null);
  });
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
}

async function changeSettings({ page }: Desktop, change: Partial<DesktopSettings>): Promise<void> {
  const answer = await page.evaluate((given) => {
    const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
    return clubEvents.changeSettings(given);
  }, change);
  if (!answer.ok) throw new Error(answer.message);
}

const closeWindow = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

const isVisible = (desktop: Desktop) =>
  desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());

async function askedFor(desktop: Desktop, kind: string): Promise<readonly unknown[]> {
  const asked = await desktop.asked();
  return asked.filter((each) => each.kind === kind).map(({ details }) => details);
}

/** Starts an import that takes some seconds, and waits for its first progress. */
async function startLongImport(desktop: Desktop): Promise<void> {
  const file = join(makeTestFolder(), 'long.csv');
  writeFileSync(file, `name,date\n${'Training,2099-05-01\n'.repeat(300_000)}`);
  await desktop.answer('showOpenDialog', { filePaths: [file] });
  await desktop.page.evaluate(async () => {
    const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
    const chosen = await clubEvents.chooseFiles(null);
    const files = chosen.ok ? chosen.value.map(({ token }) => token) : [];
    await new Promise<void>((resolve) => {
      clubEvents.listen(({ kind }) => kind === 'progress' && resolve());
      const args = { user: 'Chess', files, timeZone: 'UTC' };
      void clubEvents.perform({ job: 'long', name: 'import', args });
    });
  });
}

describe('a desktop without a tray', () => {
  it('ends the program when its window is closed', async () => {
    const desktop = await launch({ tray: false });
    await closeWindow(desktop);
    expect(await desktop.ended).toBe(0);
  });

  it('keeps the window of a program that goes on with its import', async () => {
    const desktop = await launch({ tray: false });
    await startLongImport(desktop);
    await closeWindow(desktop);
    await expect.poll(() => askedFor(desktop, 'showMessageBox')).toHaveLength(1);
    await expect.poll(() => isVisible(desktop)).toBe(true);
  });
});

describe('a window that is closed to the tray', () => {
  it('is announced the first time only, also after another start', async () => {
    const desktop = await launch();
    await closeWindow(desktop);
    await expect.poll(() => isVisible(desktop)).toBe(false);
    await desktop.clickTray('open');
    await closeWindow(desktop);
    await expect.poll(() => isVisible(desktop)).toBe(false);
    expect(await askedFor(desktop, 'notification')).toEqual([
      { title: 'Club Events', body: expect.stringContaining('still running') },
    ]);
    const { userData } = desktop;
    await desktop.quit();
    const again = await launch({ userData });
    await closeWindow(again);
    await expect.poll(() => isVisible(again)).toBe(false);
    expect(await askedFor(again, 'notification')).toEqual([]);
  });

  it('is shown before a question that belongs to it', async () => {
    const desktop = await launch();
    await startLongImport(desktop);
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await desktop.evaluate(({ app }) => void setTimeout(() => app.quit(), 0));
    await expect.poll(() => askedFor(desktop, 'showMessageBox')).toHaveLength(1);
    expect(await isVisible(desktop)).toBe(true);
  });
});

describe('the end of the session', () => {
  it('ends the program in order, without a question', async () => {
    const desktop = await launch();
    await startLongImport(desktop);
    await desktop.evaluate(({ powerMonitor }) => void powerMonitor.emit('shutdown'));
    expect(await desktop.ended).toBe(0);
  });
});

describe('the start at login', () => {
  /** A folder of settings of the desktop, as `HOME` of the program. */
  function makeHomeFolder(): { readonly folder: string; readonly entry: string } {
    const folder = makeTestFolder();
    mkdirSync(join(folder, 'appData', 'autostart'), { recursive: true });
    return { folder, entry: join(folder, 'appData', 'autostart', 'club-events.desktop') };
  }

  it('is shown as the desktop has it', async ({ skip }) => {
    const { folder, entry } = makeHomeFolder();
    const desktop = await launch({ env: { HOME: folder } });
    if (desktop.kind === 'Electron') return skip('needs the folders of the stand-in');
    await changeSettings(desktop, { startAtLogin: true });
    expect((await readState(desktop)).settings.startAtLogin).toBe(true);
    const text = readFileSync(entry, 'utf8');
    expect(text).toContain('Icon=club-events');
    writeFileSync(entry, text.replace('enabled=true', 'enabled=false'));
    expect((await readState(desktop)).settings.startAtLogin).toBe(false);
    await changeSettings(desktop, { startAtLogin: true });
    expect(readFileSync(entry, 'utf8')).toBe(text);
  });

  it('is a notice where its entry cannot be updated', async ({ skip }) => {
    const { folder, entry } = makeHomeFolder();
    symlinkSync('/dev/null', entry);
    const desktop = await launch({ env: { HOME: folder } });
    if (desktop.kind === 'Electron') return skip('needs the folders of the stand-in');
    expect((await readState(desktop)).notices).toEqual([
      expect.stringMatching(/^Starting at login could not be updated: .*club-events\.desktop/),
    ]);
  });
});

describe('dialogs for files', () => {
  it('begin in the folder of the last one, also after another start', async () => {
    const folder = makeTestFolder();
    const file = join(folder, 'season.csv');
    writeFileSync(file, 'name,date\n');
    const choose = ({ page }: Desktop) =>
      page.evaluate(() => {
        const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
        return clubEvents.chooseFiles(null);
      });
    const desktop = await launch();
    await desktop.answer('showOpenDialog', { filePaths: [file] });
    await choose(desktop);
    const { userData } = desktop;
    await desktop.quit();
    const again = await launch({ userData });
    await choose(again);
    expect(await askedFor(again, 'showOpenDialog')).toEqual([
      expect.objectContaining({ defaultPath: folder }),
    ]);
  });
});

describe('the context menu', () => {
  const none = { canUndo: false, canRedo: false, canCut: false, canCopy: false, canPaste: true };

  function rightClick(desktop: Desktop, isEditable: boolean, selectionText: string): Promise<void> {
    const params = { isEditable, selectionText, editFlags: { ...none, canSelectAll: true } };
    return desktop.evaluate(({ BrowserWindow }, given) => {
      BrowserWindow.getAllWindows()[0]?.webContents.emit('context-menu', {}, given);
    }, params);
  }

  it('edits a text field, in the language of its user', async () => {
    const desktop = await launch({ locale: 'de-DE' });
    await rightClick(desktop, true, '');
    const [menu] = (await askedFor(desktop, 'popup')) as { labels: { label: string }[] }[];
    const labels = menu?.labels.map(({ label }) => label).filter(Boolean);
    expect(labels).toEqual([
      'Rückgängig',
      'Wiederholen',
      'Ausschneiden',
      'Kopieren',
      'Einfügen',
      'Alles auswählen',
    ]);
    expect(menu?.labels).toContainEqual({ label: 'Einfügen', enabled: true });
    expect(menu?.labels).toContainEqual({ label: 'Kopieren', enabled: false });
  });

  it('copies selected text, and is not shown elsewhere', async () => {
    const desktop = await launch();
    await rightClick(desktop, false, '');
    await rightClick(desktop, false, 'Event 1');
    expect(await askedFor(desktop, 'popup')).toEqual([
      { labels: [{ label: 'Copy', enabled: false }] },
    ]);
  });
});

describe('a crash', () => {
  const crashPage = (desktop: Desktop) =>
    desktop.evaluate(({ BrowserWindow }) => {
      const details = { reason: 'crashed', exitCode: 1 };
      BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, details);
    });

  it('of the page, again and again, is told in a box', async () => {
    const desktop = await launch();
    const reload = desktop.page.waitForEvent('framenavigated', { timeout: 10_000 });
    for (let crash = 0; crash < 5; crash += 1) await crashPage(desktop);
    expect(await askedFor(desktop, 'showMessageBox')).toEqual([]);
    await reload;
    await crashPage(desktop);
    await expect
      .poll(() => askedFor(desktop, 'showMessageBox'))
      .toEqual([expect.objectContaining({ message: 'The window has failed several times' })]);
  });

  it('of another process is in the log, and its report stays here', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home });
    await desktop.evaluate(({ app }) => {
      const event = new Event('gone') as unknown as Electron.Event;
      app.emit('child-process-gone', event, { type: 'GPU', reason: 'crashed', exitCode: 5 });
    });
    const log = () => readFileSync(join(desktop.userData, 'logs/desktop.log'), 'utf8');
    await expect.poll(log).toContain('The process \\"GPU\\" of Chromium ended: crashed, 5.');
    expect(await desktop.evaluate((electron) => electron.crashReporter.getUploadToServer())).toBe(
      false,
    );
  });
});

describe('the sandbox', () => {
  const hasSwitch = (desktop: Desktop, name: string) =>
    desktop.evaluate(({ app }, given) => app.commandLine.hasSwitch(given), name);

  it('is not asked for where the program was started without one', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home, args: ['--no-sandbox'] });
    expect(await hasSwitch(desktop, 'no-sandbox')).toBe(true);
    expect(await hasSwitch(desktop, 'disable-gpu-sandbox')).toBe(true);
    expect(readFileSync(join(desktop.userData, 'logs/desktop.log'), 'utf8')).toContain(
      '--no-sandbox',
    );
  });
});

describe('a window that was maximised', () => {
  it('is shown maximised once its page is ready', async () => {
    const userData = makeTestFolder();
    const place = { x: 0, y: 0, width: 900, height: 600, maximized: true };
    writeFileSync(join(userData, 'window.json'), JSON.stringify(place));
    const desktop = await launch({ userData });
    const isMaximized = () =>
      desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMaximized());
    await expect.poll(isMaximized).toBe(true);
    expect(await isVisible(desktop)).toBe(true);
  });
});

describe('the sign in the tray', () => {
  it('shows an & of a path', async () => {
    const home = homeAt(join(makeTestFolder(), 'Rock & Roll'));
    mkdirSync(home.directory);
    writeFileSync(home.database, 'Not a database. '.repeat(100));
    const desktop = await launchDesktop({ home, opensWindow: false });
    const label = async () => (await desktop.tray())?.labels[0];
    await expect.poll(label).toContain('Rock && Roll');
  });
});

describe('a link of the program', () => {
  const wasShown = (desktop: Desktop, screen: string) =>
    desktop.page.waitForFunction((name) => location.hash.includes(`manage=${name}`), screen);

  it('shows its screen, by a second start and by macOS', async () => {
    const desktop = await launch();
    const { userData } = desktop;
    const link = 'club-events://show/keys';
    const other = await launchDesktop({
      userData,
      args: [link],
      opensWindow: false,
      driven: false,
    });
    expect(await other.ended).toBe(0);
    await wasShown(desktop, 'keys');
    await desktop.evaluate(({ app }) => {
      const event = { preventDefault: () => undefined } as Electron.Event;
      app.emit('open-url', event, 'club-events://show/history');
    });
    await wasShown(desktop, 'history');
  });

  it('that is not known only shows the window', async () => {
    const desktop = await launch();
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const { userData } = desktop;
    const args = ['club-events://show/keys?then=//elsewhere.example'];
    const other = await launchDesktop({ userData, args, opensWindow: false, driven: false });
    expect(await other.ended).toBe(0);
    await expect.poll(() => isVisible(desktop)).toBe(true);
    expect(new URL(desktop.page.url()).hash).not.toContain('manage');
  });
});
