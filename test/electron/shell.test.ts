import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer, Bridge, BridgeMessage, DesktopState } from '../../server/bridge.ts';
import type { Home } from '../../server/home.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../support/home.ts';
import { fetchWithKey, serveForTest } from '../support/service.ts';
import { type Desktop, type DesktopOptions, launchDesktop } from './driver/desktop.ts';

/** A data directory with a club and an event that the page shows. */
async function makeClubHome(): Promise<Home> {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1, { date: '2099-05-01T18:00:00.000Z' })]);
  return home;
}

function registrationOf(home: Home): { readonly baseUrl: string } {
  return JSON.parse(readFileSync(home.registration, 'utf8'));
}

/** Makes a call of the page, as the page would. */
async function call<Name extends Exclude<keyof Bridge, 'listen' | 'takeDropped'>>(
  page: Page,
  name: Name,
  args: Parameters<Bridge[Name]>[0],
): Promise<Awaited<ReturnType<Bridge[Name]>>> {
  const answer = await page.evaluate(
    ({ of, given }) => {
      const { clubEvents } = globalThis as unknown as {
        clubEvents: Record<string, (args: unknown) => Promise<unknown>>;
      };
      return clubEvents[of]?.(given);
    },
    { of: name, given: args },
  );
  return answer as Awaited<ReturnType<Bridge[Name]>>;
}

async function readState({ page }: Desktop): Promise<DesktopState> {
  const answer: Answer<DesktopState> = await call(page, 'readState', null);
  if (!answer.ok) throw new Error(answer.message);
  return answer.value;
}

/** The state of the one window; undefined when there is none. */
function windowOf(desktop: Desktop) {
  return desktop.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    return window && { visible: window.isVisible(), bounds: window.getBounds() };
  });
}

async function showsEvents(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Event 1/ }).waitFor();
}

/** Starts the application, and waits until its page is there. */
async function launch(options: DesktopOptions = {}): Promise<Desktop> {
  const desktop = await launchDesktop(options);
  await desktop.page.waitForURL(`${desktop.pageOrigin}/**`);
  return desktop;
}

/** Collects what the shell tells the page from now on. */
async function listen(page: Page): Promise<() => Promise<readonly BridgeMessage[]>> {
  await page.evaluate(() => {
    const own = globalThis as unknown as { clubEvents: Bridge; told: BridgeMessage[] };
    own.told = [];
    own.clubEvents.listen((message) => own.told.push(message));
  });
  return () => page.evaluate(() => (globalThis as unknown as { told: BridgeMessage[] }).told);
}

/** Another program's server on a port, for the running test. */
async function occupy(port: number): Promise<void> {
  const server = createServer((_request, response) => response.end('another program'));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
}

describe('the desktop application', () => {
  it('serves, shows its window and its sign in the tray, and ends without a trace', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home });
    await showsEvents(desktop.page);
    const { baseUrl } = registrationOf(home);
    expect(desktop.page.url().startsWith(`${desktop.pageOrigin}/`)).toBe(true);
    expect((await desktop.tray())?.labels).toContain(`Running at ${baseUrl}`);
    expect((await readState(desktop)).update).toEqual({ kind: 'unavailable' });
    expect(await desktop.quit()).toBe(0);
    expect(existsSync(home.registration)).toBe(false);
    expect(desktop.stderr()).toBe('');
  });

  it('starts at login without a window, and opens one from the tray', async () => {
    const home = await makeClubHome();
    const desktop = await launchDesktop({ home, args: ['--hidden'], opensWindow: false });
    await expect.poll(() => existsSync(home.registration)).toBe(true);
    expect(await windowOf(desktop)).toBeUndefined();
    await expect.poll(async () => (await desktop.tray())?.labels ?? []).toContain('Copy address');
    const opened = desktop.nextPage();
    await desktop.clickTray('open');
    await showsEvents(await opened);
    await desktop.clickTray('copy-address');
    expect(await desktop.evaluate(({ clipboard }) => clipboard.readText())).toBe(
      registrationOf(home).baseUrl,
    );
  });

  it('goes on in the tray when its window is closed, and is found where it was', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home });
    const bounds = { x: 40, y: 50, width: 900, height: 600 };
    await desktop.evaluate(({ BrowserWindow }, place) => {
      const [window] = BrowserWindow.getAllWindows();
      window?.setBounds(place);
      window?.close();
    }, bounds);
    expect(await windowOf(desktop)).toMatchObject({ visible: false });
    expect((await fetch(`${registrationOf(home).baseUrl}/health`)).status).toBe(200);
    await desktop.clickTray('open');
    expect(await windowOf(desktop)).toMatchObject({ visible: true });
    const { userData } = desktop;
    expect(await desktop.quit()).toBe(0);
    const again = await launch({ home, userData });
    expect(await windowOf(again)).toMatchObject({ bounds });
  });

  it('ends with its window when the user wants that', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home, settings: { closeToTray: false } });
    await showsEvents(desktop.page);
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await desktop.ended).toBe(0);
    expect(existsSync(home.registration)).toBe(false);
  });

  it('takes files that it is opened with, also by a second start, which ends at once', async () => {
    const home = await makeClubHome();
    const folder = makeTestFolder();
    const [first, second] = [join(folder, 'first.csv'), join(folder, 'second.ics')];
    for (const file of [first, second]) writeFileSync(file, 'name,date\n');
    const desktop = await launch({ home, args: [first] });
    await desktop.page.getByText('first.csv').first().waitFor();
    const told = await listen(desktop.page);
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    const { userData } = desktop;
    const other = await launchDesktop({
      home,
      userData,
      args: [second],
      opensWindow: false,
      driven: false,
    });
    expect(await other.ended).toBe(0);
    await expect.poll(() => windowOf(desktop)).toMatchObject({ visible: true });
    await expect.poll(told).toContainEqual({ kind: 'opened' });
    await desktop.page.getByText('second.ics').first().waitFor();
  });

  it('leads to its screens from the menu, in the language of its user', async () => {
    const desktop = await launch({ home: await makeClubHome(), locale: 'nl-NL' });
    await showsEvents(desktop.page);
    const told = await listen(desktop.page);
    await desktop.clickMenu('keys');
    await desktop.clickMenu('events');
    await expect.poll(told).toEqual([
      { kind: 'show', screen: 'keys' },
      { kind: 'show', screen: null },
    ]);
    expect((await desktop.tray())?.labels).toContain('Club Events openen');
    await call(desktop.page, 'changeSettings', { language: 'fr' });
    expect((await desktop.tray())?.labels).toContain('Ouvrir Club Events');
    await desktop.clickMenu('Réglages…');
    await expect.poll(told).toContainEqual({ kind: 'show', screen: 'settings' });
  });

  it('asks before it ends in the midst of an import, of which nothing is kept', async () => {
    const home = await makeClubHome();
    const file = join(makeTestFolder(), 'long.csv');
    const row = 'Training,2099-05-01\n';
    writeFileSync(file, `name,date\n${row.repeat(300_000)}`);
    const desktop = await launch({ home });
    await showsEvents(desktop.page);
    await desktop.answer('showOpenDialog', { filePaths: [file] });
    const chosen = await call(desktop.page, 'chooseFiles', null);
    const files = chosen.ok ? chosen.value.map(({ token }) => token) : [];
    const told = await listen(desktop.page);
    const args = { user: 'Chess', files, timeZone: 'UTC' };
    void call(desktop.page, 'perform', { job: 'long', name: 'import', args }).catch(
      () => undefined,
    );
    await expect.poll(told).toContainEqual(expect.objectContaining({ kind: 'progress' }));
    const end = () => desktop.evaluate(({ app }) => void setTimeout(() => app.quit(), 0));
    await end();
    await expect.poll(async () => (await desktop.asked()).length).toBe(2);
    await desktop.answer('showMessageBox', { button: 'Quit anyway' });
    await end();
    expect(await desktop.ended).toBe(0);
    expect(existsSync(home.registration)).toBe(false);
    const answer = await fetchWithKey(await serveForTest(home), '/v1/events', 'key-of-Chess');
    expect(answer.headers.get('total-count')).toBe('1');
  });

  it('opens links of events only with https, and only when the user agrees', async () => {
    const desktop = await launch({ home: await makeClubHome() });
    const open = (url: string) => call(desktop.page, 'openLink', { url });
    for (const url of ['http://club.example/', 'file:///etc/passwd', 'javascript:1', 'club']) {
      expect(await open(url)).toMatchObject({ ok: false });
    }
    expect(await desktop.asked()).toEqual([]);
    expect(await open('https://club.example/a')).toEqual({ ok: true, value: false });
    await desktop.answer('showMessageBox', { button: 'Open' });
    expect(await open('https://club.example/a')).toEqual({ ok: true, value: true });
    const [question, , opened] = await desktop.asked();
    expect(JSON.stringify(question?.details)).toContain('club.example');
    expect(opened).toEqual({ kind: 'openExternal', details: 'https://club.example/a' });
  });

  it('shows its own folders, and tells what it is made of', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home });
    const opened = { kind: 'openPath', details: join(desktop.userData, 'logs') };
    for (const times of [1, 2]) {
      const answer = await call(desktop.page, 'showFolder', { folder: 'logs' });
      expect(answer).toMatchObject({ ok: true });
      expect(await desktop.asked()).toEqual(Array.from({ length: times }, () => opened));
    }
    expect(existsSync(opened.details)).toBe(true);
    const { versions } = await readState(desktop);
    expect(Object.values(versions).every((version) => /^\d+\.\d+/.test(version))).toBe(true);
    expect(await call(desktop.page, 'readLicences', null)).toMatchObject({ ok: true });
  });
});

describe('a port or a data directory that is not to be had', () => {
  // Below those that systems give out by themselves.
  const port = 23_470;

  it('is another program’s: the next port is used, shown and written down', async () => {
    await occupy(port);
    const home = await makeClubHome();
    const desktop = await launch({ home, settings: { port } });
    const baseUrl = `http://127.0.0.1:${port + 1}`;
    await showsEvents(desktop.page);
    expect(registrationOf(home).baseUrl).toBe(baseUrl);
    expect((await readState(desktop)).service).toEqual({
      kind: 'running',
      baseUrl,
      port: port + 1,
    });
  });

  it('is changed: the page stays as it is, with what it remembers', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home, settings: { port: port + 20 } });
    await showsEvents(desktop.page);
    await desktop.page.evaluate(() => {
      location.hash = 'manage=settings';
    });
    await desktop.page.getByRole('heading', { name: 'Settings' }).waitFor();
    await desktop.page.evaluate(() => {
      localStorage.setItem('of the test', 'kept');
      Reflect.set(globalThis, 'stillHere', true);
    });
    await call(desktop.page, 'changeSettings', { port: port + 40 });
    const baseUrl = `http://127.0.0.1:${port + 40}`;
    const service = { kind: 'running', baseUrl, port: port + 40 };
    await expect.poll(async () => (await readState(desktop)).service).toEqual(service);
    expect(registrationOf(home).baseUrl).toBe(baseUrl);
    expect(desktop.page.url()).toContain('manage=settings');
    expect(await desktop.page.evaluate(() => Reflect.get(globalThis, 'stillHere'))).toBe(true);
    await desktop.page.reload();
    await desktop.page.getByRole('heading', { name: 'Settings' }).waitFor();
    const kept = await desktop.page.evaluate(() => localStorage.getItem('of the test'));
    expect(kept).toBe('kept');
    expect((await readState(desktop)).settings.port).toBe(port + 40);
  });

  it('is explained, and can be tried again', async () => {
    const home = makeTestHome();
    mkdirSync(home.directory);
    writeFileSync(home.database, 'Not a database. '.repeat(100));
    const desktop = await launchDesktop({ home, opensWindow: false, locale: 'de-DE' });
    await expect.poll(async () => (await desktop.asked()).length).toBe(1);
    const [box] = await desktop.asked();
    expect(JSON.stringify(box?.details)).toContain('ist nicht von Club Events');
    expect((await desktop.tray())?.toolTip).toContain('Angehalten');
    expect(readFileSync(home.database, 'utf8')).toContain('Not a database.');
    writeFileSync(home.database, '');
    const opened = desktop.nextPage();
    await desktop.answer('showMessageBox', { button: 'Noch einmal versuchen' });
    await desktop.clickTray('open');
    await opened;
  });

  it('may be chosen anew, which is remembered, and never mixes with other files', async () => {
    const desktop = await launch();
    // All of it, before the service moves away from under it.
    await desktop.page.getByRole('heading', { name: 'Welcome to Club Events' }).waitFor();
    await desktop.page.waitForLoadState('networkidle');
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'letter.txt'), '');
    await desktop.answer('showOpenDialog', { filePaths: [folder] });
    expect(await call(desktop.page, 'chooseHome', null)).toMatchObject({ ok: true });
    const directory = join(folder, 'Club Events');
    await expect.poll(() => existsSync(join(directory, 'service.json'))).toBe(true);
    const { userData } = desktop;
    await desktop.quit();
    expect(existsSync(join(directory, 'service.json'))).toBe(false);
    const again = await launch({ userData });
    expect((await readState(again)).home).toEqual({ directory, fixed: false });
  });

  it('is fixed where the environment says it', async () => {
    const desktop = await launch({ home: await makeClubHome() });
    expect((await readState(desktop)).home.fixed).toBe(true);
    expect(await call(desktop.page, 'chooseHome', null)).toMatchObject({
      ok: false,
      message: expect.stringContaining('CLUB_EVENTS_HOME'),
    });
  });

  it('does not keep broken settings from their user', async () => {
    const userData = makeTestFolder();
    writeFileSync(join(userData, 'settings.json'), '{"theme":');
    writeFileSync(join(userData, 'window.json'), 'garbage');
    const desktop = await launch({ home: await makeClubHome(), userData });
    await showsEvents(desktop.page);
    expect((await readState(desktop)).notices).toEqual([
      expect.stringContaining('could not be read'),
    ]);
    await call(desktop.page, 'changeSettings', { theme: 'dark' });
    expect(readFileSync(join(userData, 'settings.broken.json'), 'utf8')).toBe('{"theme":');
  });
});

describe('the desktop application without a umask', () => {
  it('closes its files to others, and hands no umask to the programs that it starts', async () => {
    const home = makeTestHome();
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const desktop = await launch({ home });
    await call(desktop.page, 'changeSettings', { theme: 'dark' });
    expect(await desktop.evaluate(() => process.umask())).toBe(0);
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect(modeOf(home.directory)).toBe(0o700);
    const names = readdirSync(home.directory, { recursive: true, encoding: 'utf8' });
    expect(names).toContain('events.sqlite');
    for (const name of names) {
      expect(modeOf(join(home.directory, name)), name).toBe(name === 'logs' ? 0o700 : 0o600);
    }
    expect(modeOf(join(desktop.userData, 'settings.json'))).toBe(0o600);
  });
});

describe('the command line of the desktop application', () => {
  it('needs no display, and prints nothing but its own output', async () => {
    const home = makeTestHome();
    const run = async (...args: string[]) => {
      const options = { home, args, opensWindow: false, display: false };
      const started = await launchDesktop(options);
      return { status: await started.ended, out: started.stdout(), err: started.stderr() };
    };
    expect(await run('user', 'add', 'Chess:Youth')).toMatchObject({ status: 0, err: '' });
    expect(await run('exprot', '--user', 'Chess')).toEqual({
      status: 2,
      out: '',
      err: "error: unknown command 'exprot'\n(Did you mean export?)\n",
    });
  });

  it('is that of a checkout, without a window, beside one that runs', async () => {
    const home = await makeClubHome();
    const desktop = await launch({ home });
    await showsEvents(desktop.page);
    const { userData } = desktop;
    const run = async (...args: string[]) => {
      const started = await launchDesktop({
        home,
        userData,
        args,
        opensWindow: false,
        driven: false,
      });
      return [await started.ended, started.stderr()];
    };
    expect(await run('url')).toEqual([0, '']);
    expect(await run('user', 'add', 'Rowing')).toEqual([0, '']);
    expect(await run('user', 'add')).toEqual([2, expect.stringContaining('missing required')]);
    expect(await run('undo', '7')).toEqual([1, expect.stringMatching(/^\S.*\.\n$/)]);
    expect((await call(desktop.page, 'openSession', { club: 2 })) as unknown).toMatchObject({
      value: { club: { id: 2, name: 'Rowing' } },
    });
  });
});
