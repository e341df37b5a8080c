import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Bridge } from '../../server/actions/bridge.ts';
import { type Home, homeAt } from '../../server/base/home.ts';
import { makeTestFolder, makeTestHome } from '../support/home.ts';
import { fetchWithKey } from '../support/service.ts';
import {
  baseUrlOf,
  call,
  callsOf,
  closeWindow,
  goToEvents,
  hideWindow,
  listen,
  makeClubHome,
  readState,
  showsEvents,
  startAgain,
  windowOf,
} from './club-desktop.ts';
import { launchDesktop, shareDesktop } from './driver/desktop.ts';

/** Reads all files below a folder. */
function readAll(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'latin1')] as const);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the desktop application', () => {
  let home: Home;
  const shared = shareDesktop(async (folder) => {
    home = await makeClubHome(folder);
    const userData = join(folder, 'user data');
    mkdirSync(userData);
    writeFileSync(join(userData, 'settings.json'), '{"theme":');
    writeFileSync(join(userData, 'window.json'), 'garbage');
    return { home, userData };
  });
  beforeEach(() => goToEvents(shared.current));

  it('serves and shows its window and tray icon', async () => {
    const desktop = shared.current;
    expect(desktop.page.url().startsWith(`${desktop.pageOrigin}/`)).toBe(true);
    expect((await desktop.tray())?.labels).toContain(`Running at ${baseUrlOf(home)}`);
    expect((await readState(desktop)).update).toEqual({ kind: 'unavailable' });
  });

  it('reports and renames broken settings', async () => {
    const desktop = shared.current;
    expect((await readState(desktop)).notices).toEqual([
      expect.stringContaining('couldn’t be read'),
    ]);
    await call(desktop.page, 'changeSettings', { theme: 'dark' });
    const broken = join(desktop.userData, 'settings.broken.json');
    expect(readFileSync(broken, 'utf8')).toBe('{"theme":');
  });

  it('opens its screens from a menu in the language of the user', async () => {
    const desktop = shared.current;
    const messages = async () => (await all()).filter(({ kind }) => kind === 'show');
    const all = await listen(desktop.page);
    await desktop.clickMenu('keys');
    await desktop.clickMenu('help');
    await desktop.clickMenu('events');
    await expect.poll(messages).toEqual([
      { kind: 'show', screen: 'keys' },
      { kind: 'show', screen: 'help' },
      { kind: 'show', screen: null },
    ]);
    expect((await desktop.tray())?.labels).toContain('Open Club Events');
    await call(desktop.page, 'changeSettings', { language: 'fr' });
    expect((await desktop.tray())?.labels).toContain('Ouvrir Club Events');
    await desktop.clickMenu('Réglages…');
    await expect.poll(messages).toContainEqual({ kind: 'show', screen: 'settings' });
    await call(desktop.page, 'changeSettings', { language: null });
  });

  it('leaves Ctrl+Z to the page, and sends it Undo and Redo of the menu', async () => {
    const messages = await listen(shared.current.page);
    await shared.current.clickMenu('undo');
    await shared.current.clickMenu('redo');
    await expect.poll(messages).toEqual([
      { kind: 'step', step: 'undo' },
      { kind: 'step', step: 'redo' },
    ]);
    const items = await shared.current.evaluate(({ Menu }) => {
      const menus = Menu.getApplicationMenu()?.items ?? [];
      const edit = menus.find(({ id }) => id === 'edit-menu');
      return (edit?.submenu?.items ?? [])
        .filter(({ id }) => id === 'undo' || id === 'redo')
        .map(({ id, registerAccelerator }) => ({ id, registerAccelerator }));
    });
    expect(items).toEqual([
      { id: 'undo', registerAccelerator: false },
      { id: 'redo', registerAccelerator: false },
    ]);
  });

  it('opens only https links, after a confirmation', async () => {
    const desktop = shared.current;
    const open = (url: string) => call(desktop.page, 'openLink', { url });
    for (const url of ['http://club.example/', 'file:///etc/passwd', 'javascript:1', 'club']) {
      expect(await open(url)).toMatchObject({ ok: false });
    }
    expect(await desktop.calls()).toEqual([]);
    expect(await open('https://club.example/a')).toEqual({ ok: true, value: false });
    await desktop.answer('showMessageBox', { button: 'Open' });
    expect(await open('https://club.example/a')).toEqual({ ok: true, value: true });
    const [question, , opened] = await desktop.calls();
    expect(JSON.stringify(question?.details)).toContain('club.example');
    expect(opened).toEqual({ kind: 'openExternal', details: 'https://club.example/a' });
  });

  it('opens the mail program with a subject and a text, and nobody in To', async () => {
    const desktop = shared.current;
    const write = (subject: string, text: string) =>
      call(desktop.page, 'writeMail', { subject, text });
    const subject = 'Rovers & Co?to=a@b.example';
    expect(await write(subject, 'Was: 19:00\n&cc=c@d.example')).toEqual({ ok: true, value: true });
    // Too long for an address: the page copies the text.
    expect(await write('Long', 'ä'.repeat(40_000))).toEqual({ ok: true, value: false });
    const calls = await desktop.calls();
    expect(calls.map(({ kind }) => kind)).toEqual(['openExternal', 'openExternal']);
    const [first, second] = calls.map(({ details }) => new URL(String(details)));
    expect(first?.pathname).toBe('');
    expect([...(first?.searchParams ?? [])]).toEqual([
      ['subject', subject],
      ['body', 'Was: 19:00\r\n&cc=c@d.example'],
    ]);
    expect(second?.href).toBe('mailto:?subject=Long');
  });

  it('opens its folders and lists its versions', async () => {
    const desktop = shared.current;
    const opened = { kind: 'openPath', details: join(desktop.userData, 'logs') };
    for (const times of [1, 2]) {
      const answer = await call(desktop.page, 'showFolder', { folder: 'logs' });
      expect(answer).toMatchObject({ ok: true });
      expect(await desktop.calls()).toEqual(Array.from({ length: times }, () => opened));
    }
    expect(existsSync(opened.details)).toBe(true);
    const { versions } = await readState(desktop);
    expect(Object.values(versions).every((version) => /^\d+\.\d+/.test(version))).toBe(true);
    expect(await call(desktop.page, 'readLicences', null)).toMatchObject({ ok: true });
  });

  it('the desktop application does not change a data directory set by the environment', async () => {
    const desktop = shared.current;
    expect((await readState(desktop)).home.fixed).toBe(true);
    expect(await call(desktop.page, 'chooseHome', null)).toMatchObject({
      ok: false,
      code: 'home_fixed',
      values: {},
    });
  });

  it('the desktop application moves to another port without reloading the page or losing its storage', {
    tags: 'long',
  }, async () => {
    // Below the ephemeral ports.
    const port = 23_510;
    const desktop = shared.current;
    const { page } = desktop;
    await page.evaluate(() => {
      location.hash = 'manage=settings';
    });
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.evaluate(() => {
      localStorage.setItem('of the test', 'kept');
      Reflect.set(globalThis, 'stillHere', true);
    });
    await call(page, 'changeSettings', { port });
    const service = { kind: 'running', baseUrl: `http://127.0.0.1:${port}`, port };
    await expect.poll(async () => (await readState(desktop)).service).toEqual(service);
    expect(baseUrlOf(home)).toBe(service.baseUrl);
    expect(page.url()).toContain('manage=settings');
    expect(await page.evaluate(() => Reflect.get(globalThis, 'stillHere'))).toBe(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('of the test'))).toBe('kept');
    expect((await readState(desktop)).settings.port).toBe(port);
  });

  it('copies a curl command with the address of the service', { tags: 'long' }, async () => {
    const { page } = shared.current;
    await page.getByRole('button', { name: /Event 1/ }).click();
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void Reflect.set(globalThis, 'copied', text);
    });
    await page.getByText('Details').click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    const copied = await page.waitForFunction(() => Reflect.get(globalThis, 'copied'));
    expect(await copied.jsonValue()).toMatch(new RegExp(` ${baseUrlOf(home)}/v1/events/1$`));
  });

  it('accepts dropped files without exposing their paths to the page', async () => {
    const desktop = shared.current;
    const path = join(makeTestFolder(), 'season.csv');
    writeFileSync(path, 'name,date\nSummer party,2099-05-01\n');
    await desktop.page.evaluate(() => {
      const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
      const take = (event: DragEvent) => {
        const files = [...(event.dataTransfer?.files ?? [])];
        const invented = [new File(['x'], 'invented.csv')];
        Reflect.set(globalThis, 'taken', clubEvents.takeDropped(files));
        Reflect.set(globalThis, 'refused', clubEvents.takeDropped(invented));
      };
      addEventListener('drop', take, { once: true });
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
    expect(refused).toMatchObject({ ok: false, code: 'dropped_not_a_file' });
  });

  it('saves a file of the page, and prints', { tags: 'long' }, async () => {
    const { page, evaluate } = shared.current;
    const path = join(makeTestFolder(), 'taken.ics');
    await evaluate(({ session }, to) => {
      session.defaultSession.once('will-download', (_, item) => item.setSavePath(to));
    }, path);
    await page.evaluate(() => {
      window.print = () => Reflect.set(globalThis, 'printed', true);
    });
    await page.getByRole('button', { name: /Event 1/ }).click();
    await page.getByRole('button', { name: 'Calendar file' }).click();
    await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toContain('Event 1');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('menuitem', { name: 'Print…' }).click();
    await page.locator('.studio-fit[data-ready]').waitFor();
    await page.getByRole('button', { name: 'Print…' }).click();
    await expect.poll(() => page.evaluate(() => Reflect.get(globalThis, 'printed'))).toBe(true);
    await page.reload();
  });

  it('receives the file of a second start, which ends at once', { tags: 'long' }, async () => {
    const desktop = shared.current;
    const file = join(makeTestFolder(), 'second.ics');
    writeFileSync(file, 'name,date\n');
    const messages = await listen(desktop.page);
    await hideWindow(desktop);
    expect(await startAgain(desktop, [file], { home })).toMatchObject({ status: 0 });
    await expect.poll(() => windowOf(desktop)).toMatchObject({ visible: true });
    await expect.poll(messages).toContainEqual({ kind: 'opened' });
    await desktop.page.getByText('second.ics').first().waitFor();
  });

  it('runs commands without a window while another instance runs', { tags: 'long' }, async () => {
    const desktop = shared.current;
    const run = (...args: string[]) => startAgain(desktop, args, { home });
    expect(await run('user', 'add', 'Rowing')).toEqual({ status: 0, stderr: '' });
    expect(await run('undo', '7')).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^\S.*\.\n$/),
    });
    expect((await call(desktop.page, 'openSession', { club: 2 })) as unknown).toMatchObject({
      value: { club: { id: 2, name: 'Rowing' } },
    });
  });

  // The last one, because it ends the shared desktop.
  it('quits with its window if configured, and leaves neither registration nor key', async () => {
    const desktop = shared.current;
    const answer = await call(desktop.page, 'openSession', { club: 1 });
    if (!answer.ok || answer.value === null) throw new Error('There is no session.');
    const { key } = answer.value;
    expect(key).toMatch(/^cew_1_/);
    const { port } = new URL(baseUrlOf(home));
    expect((await fetchWithKey({ port: Number(port) }, '/v1/events', key)).status).toBe(200);
    await call(desktop.page, 'changeSettings', { closeToTray: false });
    await closeWindow(desktop);
    expect(await desktop.ended).toBe(0);
    expect(isRunning(desktop.pid)).toBe(false);
    expect(existsSync(home.registration)).toBe(false);
    expect(desktop.stderr()).toBe('');
    const code = key.slice('cew_1_'.length);
    const files = [...readAll(home.directory), ...readAll(desktop.userData)];
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter(([, text]) => text.includes(code)).map(([path]) => path)).toEqual([]);
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });
});

it('starts hidden at login, and opens its window from the tray', { tags: 'long' }, async () => {
  const home = await makeClubHome(makeTestFolder());
  const desktop = await launchDesktop({
    home,
    args: ['--hidden'],
    opensWindow: false,
    locale: 'nl-NL',
  });
  await expect.poll(() => existsSync(home.registration)).toBe(true);
  expect(await windowOf(desktop)).toBeUndefined();
  await expect.poll(async () => (await desktop.tray())?.labels ?? []).toContain('Adres kopiëren');
  const opened = desktop.nextPage();
  await desktop.clickTray('open');
  await showsEvents(await opened);
  await desktop.clickTray('copy-address');
  expect(await desktop.evaluate(({ clipboard }) => clipboard.readText())).toBe(baseUrlOf(home));
});

it('explains a foreign database, and retries on request', { tags: 'long' }, async () => {
  const home = homeAt(join(makeTestFolder(), 'Rock & Roll'));
  mkdirSync(home.directory);
  writeFileSync(home.database, 'Not a database. '.repeat(100));
  const desktop = await launchDesktop({ home, opensWindow: false, locale: 'de-DE' });
  await expect.poll(() => callsOf(desktop, 'showMessageBox')).toHaveLength(1);
  const [box] = await desktop.calls();
  expect(JSON.stringify(box?.details)).toContain('stammt nicht von Club Events');
  const tray = await desktop.tray();
  expect(tray?.toolTip).toContain('Angehalten');
  // In a menu, a single & marks an access key.
  expect(tray?.labels[0]).toContain('Rock && Roll');
  expect(readFileSync(home.database, 'utf8')).toContain('Not a database.');
  writeFileSync(home.database, '');
  const opened = desktop.nextPage();
  await desktop.answer('showMessageBox', { button: 'Erneut versuchen' });
  await desktop.clickTray('open');
  await opened;
});

it('runs a command without a display and prints only its output', { tags: 'long' }, async () => {
  const home = makeTestHome();
  const run = async (...args: string[]) => {
    const started = await launchDesktop({ home, args, opensWindow: false, display: false });
    return { status: await started.ended, out: started.stdout(), err: started.stderr() };
  };
  expect(await run('exprot', '--user', 'Chess')).toEqual({
    status: 2,
    out: '',
    err: "Wrong usage: unknown command 'exprot' (Did you mean export?). Add --help to see the options and examples.\n",
  });
});
