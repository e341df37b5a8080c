import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addressUses, type TextUse } from '../../server/actions/action.ts';
import type { ActionName, Answer } from '../../server/actions/bridge.ts';
import { argumentsUsedAs, catalogue } from '../../server/actions/catalogue.ts';
import { writeCopy } from '../../server/copy/club-copy.ts';
import { pagePolicy } from '../../server/http/page.ts';
import { testCopyFacts } from '../support/events.ts';
import { makeTestFolder, makeTestHome } from '../support/home.ts';
import { serveUpstream } from '../support/upstream.ts';
import { call, callsOf, makeClubHome, readState, showsEvents } from './club-desktop.ts';
import { type Desktop, launchDesktop, shareDesktop } from './driver/desktop.ts';

/*
 * The twenty points of https://www.electronjs.org/docs/latest/tutorial/security and their tests.
 * The guards themselves are tested in guards.test.ts, on hostile pages.
 *
 *  1 only secure content                 the service of this machine alone: below, and its policy
 *  2 no Node.js integration              preferences below; the page finds none of it
 *  3 context isolation                   preferences below
 *  4 process sandboxing                  preferences below, and `enableSandbox` for all there is
 *  5 permission requests                 guards.test.ts "grant only the permission"
 *  6 webSecurity stays                   preferences and words below
 *  7 a Content-Security-Policy           below
 *  8 no allowRunningInsecureContent      preferences and words below
 *  9 no experimental features            preferences and words below
 * 10 no enableBlinkFeatures              words below
 * 11 no allowpopups for webviews         there are no webviews: preferences below
 * 12 webviews verified                   each is prevented: below
 * 13 navigation limited                  guards.test.ts "navigating", "redirects"
 * 14 new windows limited                 guards.test.ts "deny new windows"
 * 15 openExternal                        shell.test.ts "opens only https links"
 * 16 a current version                   below: an exact one, which the lock file holds
 * 17 the sender of each message          guards.test.ts "bridge calls"
 * 18 no file:// protocol                 words below
 * 19 fuses                               test/electron/packaging
 * 20 no API of Electron for the page     below: only the calls of the bridge
 */

function preferencesOf(desktop: Desktop): Promise<Electron.WebPreferences> {
  return desktop.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Electron has it, and leaves it out of its definitions.
    return Reflect.get(contents ?? {}, 'getLastWebPreferences').call(contents);
  });
}

describe('the window', () => {
  const shared = shareDesktop(async (folder) => ({ home: await makeClubHome(folder) }));
  beforeAll(() => showsEvents(shared.current.page));

  it('shows only the service, under its content security policy (1, 7)', async () => {
    const desktop = shared.current;
    const { pageOrigin: origin } = desktop;
    expect(desktop.page.url().startsWith(`${origin}/`)).toBe(true);
    const policy = await desktop.page.evaluate(async () => {
      const answer = await fetch('/');
      return answer.headers.get('content-security-policy');
    });
    expect(policy).toBe(pagePolicy);
    expect(pagePolicy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(pagePolicy).not.toMatch(/unsafe|\*|https?:|data:/);
    const scripts = await desktop.page.evaluate(() => [...document.scripts].map(({ src }) => src));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((src) => !src.startsWith(`${origin}/assets/`))).toEqual([]);
  });

  it('the window has secure web preferences (2, 3, 4, 6, 8, 9, 11)', async () => {
    expect(await preferencesOf(shared.current)).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      plugins: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: true,
    });
  });

  it('the window has no developer tools in a package', { tags: 'long' }, async ({ skip }) => {
    const home = makeTestHome();
    const desktop = await launchDesktop({ home, packaged: true });
    // Under Electron that would take a package.
    if (desktop.kind === 'Electron') return skip('needs the fake');
    expect(await preferencesOf(desktop)).toMatchObject({ devTools: false });
    const isOpen = await desktop.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      contents?.openDevTools();
      return contents?.isDevToolsOpened();
    });
    expect(isOpen).toBe(false);
  });

  it('denies <webview> (12)', async () => {
    const isPrevented = await shared.current.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      let prevented = false;
      const event = { preventDefault: () => (prevented = true) };
      contents?.emit('will-attach-webview', event, {}, {});
      return prevented;
    });
    expect(isPrevented).toBe(true);
  });

  it('exposes only the bridge to the page (20)', async () => {
    const { page } = shared.current;
    const found = await page.evaluate(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const plain = new Set(Object.getOwnPropertyNames(frame.contentWindow));
      const added = Object.getOwnPropertyNames(globalThis).filter((name) => !plain.has(name));
      const { clubEvents } = globalThis as unknown as { clubEvents: Record<string, unknown> };
      const kinds = new Set(Object.values(clubEvents).map((value) => typeof value));
      return {
        added: added.filter((name) => !/^\d+$/.test(name)),
        names: Object.keys(clubEvents).sort(),
        kinds: [...kinds],
        isFrozen: Object.isFrozen(clubEvents),
        isReplaceable: Reflect.set(globalThis, 'clubEvents', {}),
      };
    });
    expect(found).toEqual({
      added: ['clubEvents'],
      names: [...bridgeNames].sort(),
      kinds: ['function'],
      isFrozen: true,
      isReplaceable: false,
    });
  });

  it('refuses invalid arguments (17)', async () => {
    const { page } = shared.current;
    const answers = await page.evaluate(() => {
      const { clubEvents } = globalThis as unknown as {
        clubEvents: Record<string, (args: unknown) => Promise<{ ok: boolean; code?: string }>>;
      };
      const wrong: [string, unknown][] = [
        ['perform', { job: 'a', name: 'serve', args: {} }],
        ['perform', { job: '', name: 'check', args: {} }],
        ['perform', undefined],
        ['openSession', { club: '1' }],
        ['openSession', { club: 1, more: true }],
        ['chooseOutput', { name: '../x' }],
        ['savePdf', { file: '/etc/passwd' }],
        ['changeSettings', { port: 80 }],
        ['changeSettings', { home: '/' }],
        ['showFolder', { folder: '/etc' }],
        ['readState', 'x'],
      ];
      return Promise.all(wrong.map(async ([name, args]) => (await clubEvents[name]?.(args))?.ok));
    });
    expect(answers).toEqual(answers.map(() => false));
  });

  it('calls a new host only after a confirmation (17)', async () => {
    const desktop = shared.current;
    const upstream = await serveUpstream({ events: [], keys: [twinKey] });
    const address = { url: upstream.baseUrl, key: twinKey };
    const attempts = {
      'days-off add': { user: 'Chess', url: upstream.baseUrl },
      'follow add': { user: 'Chess', address: upstream.baseUrl },
      'follow change': { id: 1, address: upstream.baseUrl },
      'mirror try': address,
      'mirror set': { user: 'Chess', ...address },
      'publish add': { user: 'Chess', format: 'ics', url: `${upstream.baseUrl}/a.ics` },
      'publish change': { id: 1, url: `${upstream.baseUrl}/a.ics` },
      'publish try': { url: `${upstream.baseUrl}/a.ics` },
      doctor: { url: upstream.baseUrl },
    };
    expect(Object.keys(attempts)).toEqual(actionsWith(...addressUses));
    for (const [name, args] of Object.entries(attempts)) {
      const answer = await perform(desktop, name as ActionName, args);
      const { host } = new URL(upstream.baseUrl);
      expect(answer).toEqual({ ok: false, code: 'address_declined', values: { host } });
    }
    // The service would read it every day.
    const members = { user: 'Chess', format: 'ics', address: 'https://foreign.example/dates' };
    expect(await perform(desktop, 'publish add', members)).toMatchObject({
      code: 'address_declined',
    });
    expect(upstream.requests).toEqual([]);
    const questions = async () => (await callsOf(desktop, 'showMessageBox')).length;
    const declined = await questions();
    expect(declined).toBe(Object.keys(attempts).length + 1);
    await desktop.answer('showMessageBox', { button: 'Allow' });
    for (const _ of [1, 2]) {
      expect(await perform(desktop, 'mirror try', address)).toMatchObject({ ok: true });
    }
    // Who gets the key may be read, too, but gets the events only after another question.
    const read = { user: 'Chess', url: upstream.baseUrl };
    expect(await perform(desktop, 'days-off add', read)).not.toMatchObject({
      code: 'address_declined',
    });
    expect(await questions()).toBe(declined + 1);
    const sent = { url: `${upstream.baseUrl}/a.ics`, account: 'a', password: 'b' };
    expect(await perform(desktop, 'publish try', sent)).toMatchObject({ code: 'address_declined' });
    expect(JSON.stringify((await callsOf(desktop, 'showMessageBox')).at(-1))).toContain(
      'The events of the club and the password',
    );
    const port = (await readState(desktop)).settings.port;
    const own = { url: `http://127.0.0.1:${port}` };
    expect(await perform(desktop, 'doctor', own)).toMatchObject({ ok: true });
    expect(await questions()).toBe(declined + 2);
    // The service would read the address every day, without a question.
    const calendar = { kind: 'address', name: 'x', source: upstream.baseUrl, days: [] };
    const readAt = new Date().toISOString();
    const put = { user: 'Chess', calendar: { ...calendar, readAt } };
    expect(await perform(desktop, 'days-off put', put)).toMatchObject({ ok: false });
    // The key would carry data to the program that has the port.
    const withKey = await perform(desktop, 'doctor', { ...own, key: 'data' });
    expect(withKey).toMatchObject({ code: 'address_declined' });
  });

  it('takes files by their token only (17)', async () => {
    const desktop = shared.current;
    const upstream = await serveUpstream({ events: [], keys: [twinKey] });
    for (const name of ['Twin', 'Second']) {
      expect(await perform(desktop, 'user add', { name })).toMatchObject({ ok: true });
    }
    await desktop.answer('showMessageBox', { button: 'Allow' });
    const mirror = { user: 'Twin', url: upstream.baseUrl, key: twinKey };
    expect(await perform(desktop, 'mirror set', mirror)).toMatchObject({ ok: true });

    const inFolder = (name: string) => join(folder, name);
    const folder = makeTestFolder();
    mkdirSync(inFolder('second disk'));
    writeFileSync(inFolder('a.csv'), 'name,date\nRun,2099-05-01\n');
    writeFileSync(inFolder('ids.txt'), '7\n');
    writeFileSync(inFolder('club.json'), writeCopy([], testCopyFacts));
    const holiday = 'BEGIN:VEVENT\r\nUID:1\r\nDTSTART;VALUE=DATE:20991225\r\nEND:VEVENT';
    for (const name of ['a.ics', 'b.ics']) {
      writeFileSync(
        inFolder(name),
        `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${holiday}\r\nEND:VCALENDAR\r\n`,
      );
    }
    /** Complete and valid arguments of each action with a file, as far as the file is a token. */
    const attempts: Readonly<Record<string, readonly [file: string, (file: string) => object]>> = {
      import: ['a.csv', (file) => ({ user: 'Chess', files: [file], timeZone: 'UTC' })],
      'import preview': ['a.csv', (file) => ({ files: [file], timeZone: 'UTC' })],
      'file kinds': ['a.csv', (file) => ({ files: [file] })],
      'days-off add': ['a.ics', (file) => ({ user: 'Chess', file })],
      export: ['out.json', (output) => ({ user: 'Chess', format: 'json', output })],
      'follow add': ['a.ics', (file) => ({ user: 'Chess', file })],
      'follow change': ['b.ics', (file) => ({ id: 1, file })],
      'mirror try': ['club.json', (file) => ({ file })],
      'mirror set': ['club.json', (file) => ({ user: 'Second', file })],
      'mirror add-ids': ['ids.txt', (file) => ({ user: 'Twin', ids: [file] })],
      'publish add': ['live.ics', (output) => ({ user: 'Chess', format: 'ics', output })],
      'publish change': ['other.ics', (output) => ({ id: 1, output })],
      backup: ['copy.sqlite', (output) => ({ output })],
      'backup folder add': ['second disk', (path) => ({ path })],
      restore: ['copy.sqlite', (file) => ({ file })],
      'mcp bundle': ['club.mcpb', (output) => ({ user: 'Chess', output })],
    };
    expect(Object.keys(attempts)).toEqual(actionsWith('file', 'output', 'openedOutput', 'ids'));
    for (const [name, [file, argumentsOf]] of Object.entries(attempts)) {
      const path = inFolder(file);
      const existed = existsSync(path);
      const refused = await perform(desktop, name as ActionName, argumentsOf(path));
      expect([name, refused]).toEqual([name, { ok: false, code: 'token_unknown', values: {} }]);
      expect(existsSync(path)).toBe(existed);
      await desktop.answer('showOpenDialog', { filePaths: [path] });
      const chosen = await call(desktop.page, 'chooseFiles', null);
      const token = chosen.ok ? chosen.value[0]?.token : undefined;
      const done = await perform(desktop, name as ActionName, argumentsOf(token ?? ''));
      expect([name, done]).toMatchObject([name, { ok: true }]);
      expect(existsSync(path)).toBe(true);
    }
    const withoutFile = await perform(desktop, 'export', { user: 'Chess', format: 'json' });
    expect(withoutFile).toMatchObject({ ok: false, code: 'file_not_chosen' });
  });
});

/** Performs an action in the page. */
function perform({ page }: Desktop, name: ActionName, args: object): Promise<Answer<unknown>> {
  return call(page, 'perform', { job: name, name, args: args as never });
}

/** Arguments with a text that names neither a file, nor an address, nor a key. */
const harmlessTexts = [
  ...[
    'account',
    'club',
    'days',
    'encoding',
    'end',
    'every',
    'except',
    'expires',
    'folder',
    'from',
    'label',
  ],
  ...[
    'language',
    'letters',
    'name',
    'newName',
    'note',
    'onto',
    'periods',
    'place',
    'prefix',
    'proposal',
    'reason',
  ],
  ...[
    'repeat',
    'replaces',
    'search',
    'sheet',
    'since',
    'team',
    'timeZone',
    'to',
    'user',
    'without',
    'words',
    'zone',
  ],
];

it('declares the use of each argument of an action that takes any text (17)', async () => {
  const names = Object.keys(catalogue) as ActionName[];
  const texts = await Promise.all(
    names.map(async (name) => {
      const { texts: uses } = catalogue[name];
      const schema = z.toJSONSchema(await catalogue[name].schema(), {
        io: 'input',
        unrepresentable: 'any',
      });
      return Object.entries(schema.properties ?? {})
        .filter(([argument, of]) => uses[argument] === undefined && takesText(of))
        .map(([argument]) => argument);
    }),
  );
  expect([...new Set(texts.flat())].toSorted()).toEqual(harmlessTexts);
});

/** Returns true for a schema of texts, or of lists of them. */
function takesText(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, enum: choices, const: only, items, anyOf } = schema as Record<string, unknown>;
  if (type === 'string') return choices === undefined && only === undefined;
  return takesText(items) || (Array.isArray(anyOf) && anyOf.some(takesText));
}

const twinKey = 'upstream-key-4711';

/** Returns the actions with an argument of one of the uses. */
function actionsWith(...uses: readonly TextUse[]): readonly string[] {
  const names = Object.keys(catalogue) as ActionName[];
  return names.filter((name) => argumentsUsedAs(name, ...uses).length > 0);
}

const bridgeNames = [
  'cancel',
  'changeSettings',
  'checkForUpdate',
  'chooseFiles',
  'chooseBackup',
  'chooseBackupFolder',
  'chooseHome',
  'chooseOutput',
  'installUpdate',
  'listen',
  'openLink',
  'openSession',
  'perform',
  'readLicences',
  'readState',
  'savePdf',
  'showFolder',
  'takeDropped',
  'takeOpened',
  'takePasted',
  'writeMail',
];

describe('the sources of the shell', () => {
  const folder = join(import.meta.dirname, '../../electron');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.c?ts$/.test(name) && !/^(dist|packaging)\b/.test(name))
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

  /** Words that would disable a guard (6, 8, 9, 10, 18). */
  const forbidden = [
    /webSecurity: false|disable-web-security/,
    /allowRunningInsecureContent: true/,
    /experimentalFeatures: true|enable-experimental/,
    /enableBlinkFeatures|enable-blink-features/,
    /allowpopups|<webview|webviewTag: true/,
    /nodeIntegration\w*: true|contextIsolation: false|sandbox: false|appendSwitch\('no-sandbox/,
    /loadFile|interceptProtocol/,
    /certificate-error|setCertificateVerifyProc|ignore-certificate-errors/,
    /(?<!removeSwitch\(')remote-debugging|executeJavaScript|insertCSS/,
    /ipcMain\.on\(|ipcRenderer\.send(Sync)?\(/,
  ];

  it.each(forbidden)('the sources of the shell do not contain %s', (word) => {
    expect(sources.length).toBeGreaterThan(10);
    const found = sources.filter(([, text]) => word.test(text)).map(([name]) => name);
    expect(found).toEqual([]);
  });

  it('the sources of the shell register only the scheme of the page (18)', () => {
    const places = sources.filter(([, text]) => /protocol\.(handle|register)/.test(text));
    expect(places.map(([name]) => name)).toEqual(['window/page-protocol.ts']);
    const [[, text] = ['', '']] = places;
    expect(text).not.toMatch(/bypassCSP|corsEnabled|allowServiceWorkers|allowExtensions/);
  });

  it('the sources of the shell open links in one place, after a check and a confirmation (15)', () => {
    const places = sources.filter(([, text]) => /openExternal\(/.test(text));
    expect(places.map(([name]) => name)).toEqual(['page-calls.ts']);
    expect(places[0]?.[1]).toMatch(/parseAddress[\s\S]*askForLink[\s\S]*openExternal\(url/);
  });
});

it('pins the version of Electron (16)', () => {
  const root = join(import.meta.dirname, '../..');
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { version } = read('node_modules/electron/package.json');
  expect(read('package.json').devDependencies.electron).toBe(version);
});
