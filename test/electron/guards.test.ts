import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasOrigin, isBlobOfPage, pageOrigin } from '../../electron/ipc/origin.ts';
import { builtDesktop } from '../../electron/packaging/build.ts';
import type { Bridge } from '../../server/actions/bridge.ts';
import { makeTestFolder } from '../support/home.ts';
import { shareGuardedPage } from './hostile.ts';

const readState = (page: Page) =>
  page.evaluate(() => {
    const { clubEvents } = globalThis as unknown as { clubEvents: Bridge };
    return clubEvents.readState(null);
  });

const refused = { ok: false, code: 'refused' };
const report = 'The call "readState" does not come from the page of this window.';

/** Ways to navigate to another origin. */
const ways: readonly (readonly [way: string, go: (to: string) => void])[] = [
  ['a script', (to) => location.assign(to)],
  [
    'a link',
    (to) => {
      const link = document.createElement('a');
      link.href = to;
      document.body.append(link);
      link.click();
    },
  ],
  [
    'a form',
    (to) => {
      const form = document.createElement('form');
      form.action = to;
      document.body.append(form);
      form.submit();
    },
  ],
  [
    'a refresh',
    (to) => {
      const meta = document.createElement('meta');
      Object.assign(meta, { httpEquiv: 'refresh', content: `0;url=${to}` });
      document.head.append(meta);
    },
  ],
  [
    'a frame',
    (to) => {
      const frame = document.createElement('iframe');
      frame.src = to;
      document.body.append(frame);
    },
  ],
];

describe('navigation and permission guards', () => {
  const guarded = shareGuardedPage();

  it('navigation and permission guards keep the page from navigating to another origin', async () => {
    const { desktop, own, other, reports } = guarded.current;
    const { page } = desktop;
    for (const [index, [, go]] of ways.entries()) {
      // Most ways are reported twice, so the number alone does not show that this one was.
      const before = (await reports()).length;
      await page.evaluate(go, `${other.origin}/${index}`);
      await expect.poll(async () => (await reports()).length).toBeGreaterThan(before);
    }
    expect(new Set(await reports())).toEqual(new Set([`The page may not go to ${other.origin}.`]));
    expect(page.url()).toBe(`${own.origin}/`);
    expect(other.requests).toEqual([]);
  });

  it('navigation and permission guards refuse redirects to another origin', async () => {
    const { desktop, own, other, reports } = guarded.current;
    await desktop.page.evaluate(() => location.assign('/away'));
    await expect.poll(reports).toEqual([`The page may not go to ${other.origin}.`]);
    expect(own.requests).toContain('/away');
    expect(other.requests).toEqual([]);
  });

  it('navigation and permission guards deny new windows', async () => {
    const { desktop, other, reports } = guarded.current;
    const { page } = desktop;
    expect(await page.evaluate((to) => window.open(to), other.origin)).toBeNull();
    await page.evaluate((to) => {
      const link = document.createElement('a');
      Object.assign(link, { href: to, target: '_blank' });
      document.body.append(link);
      link.click();
    }, other.origin);
    await expect.poll(async () => (await reports()).length).toBe(2);
    expect(await reports()).toContain(`The page may not open a window for ${other.origin}.`);
    expect(page.context().pages()).toHaveLength(1);
    expect(other.requests).toEqual([]);
  });

  it('navigation and permission guards grant only the permission to write to the clipboard', async () => {
    const { desktop, reports } = guarded.current;
    const names = [
      'geolocation',
      'notifications',
      'camera',
      'microphone',
      'midi',
      'clipboard-read',
    ];
    const states = await desktop.page.evaluate(
      (all) =>
        Promise.all(
          all.map(async (name) => {
            const { state } = await navigator.permissions.query({ name: name as PermissionName });
            return state;
          }),
        ),
      [...names, 'clipboard-write'],
    );
    expect(states).toEqual([...names.map(() => 'denied'), 'granted']);
    await desktop.page.evaluate(() => navigator.clipboard.writeText('copied'));
    expect(await reports()).not.toContain('The page may not use "clipboard-sanitized-write".');
  });

  it('navigation and permission guards allow downloads of the page’s own blobs only', async () => {
    const { desktop, reports } = guarded.current;
    const path = join(makeTestFolder(), 'saved.csv');
    await desktop.evaluate(({ session }, to) => {
      session.defaultSession.on('will-download', (_, item) => item.setSavePath(to));
    }, path);
    const save = (href: string | undefined) =>
      desktop.page.evaluate((given) => {
        const link = document.createElement('a');
        link.href = given ?? URL.createObjectURL(new Blob(['name,date']));
        link.download = 'events.csv';
        link.click();
      }, href);
    await save('/file');
    await save('data:text/plain,strange');
    await expect.poll(async () => (await reports()).length).toBe(2);
    expect(new Set(await reports())).toEqual(
      new Set(['The page may not save what it did not make.']),
    );
    expect(existsSync(path)).toBe(false);
    await save(undefined);
    await expect.poll(() => existsSync(path) && readFileSync(path, 'utf8')).toBe('name,date');
  });

  it('navigation and permission guards answer bridge calls of the main frame only', async ({
    skip,
  }) => {
    const { desktop, reports } = guarded.current;
    const { page } = desktop;
    expect(await readState(page)).toEqual({ ok: true, value: null });
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.src = '/inner';
      document.body.append(frame);
    });
    await expect.poll(() => page.frames().length).toBe(2);
    const [, inner] = page.frames();
    if (inner === undefined) throw new Error('There is no frame.');
    await inner.waitForLoadState();
    expect(await inner.evaluate(() => 'clubEvents' in globalThis)).toBe(false);
    // Under Electron, a frame cannot call the bridge, not even in a test.
    if (desktop.invokeFrom === undefined) return skip('needs the fake');
    const channel = 'club-events:readState';
    expect(await desktop.invokeFrom(page.mainFrame(), channel, [null])).toMatchObject({ ok: true });
    expect(await desktop.invokeFrom(inner, channel, [null])).toEqual(refused);
    expect(await reports()).toEqual([report]);
  });

  it('navigation and permission guards refuse bridge calls of other origins in the window', async () => {
    const { desktop, other, reports } = guarded.current;
    await desktop.evaluate(({ BrowserWindow }, url) => {
      return BrowserWindow.getAllWindows()[0]?.loadURL(url);
    }, `${other.origin}/`);
    expect(await readState(desktop.page)).toEqual(refused);
    expect(await reports()).toEqual([report]);
  });

  it('navigation and permission guards refuse bridge calls of other windows', async () => {
    const { desktop, own } = guarded.current;
    const opened = desktop.nextPage();
    const preload = join(builtDesktop, 'electron/ipc/preload.cjs');
    await desktop.evaluate(
      ({ BrowserWindow }, { url, preload }) =>
        new BrowserWindow({ webPreferences: { preload } }).loadURL(url),
      { url: `${own.origin}/`, preload },
    );
    const page = await opened;
    expect(await readState(page)).toEqual(refused);
    await page.close();
  });
});

describe('an address', () => {
  const origin = 'http://127.0.0.1:28470';

  it.each([
    [`${origin}/`, true],
    [`${origin}/#view=table`, true],
    ['http://127.0.0.1:28471/', false],
    ['http://localhost:28470/', false],
    ['https://127.0.0.1:28470/', false],
    ['http://127.0.0.1:28470@example.org/', false],
    ['http://127.0.0.1.example.org:28470/', false],
    ['app://club-events/', false],
    [`blob:${origin}/1`, false],
    [`view-source:${origin}/`, false],
    ['file:///etc/passwd', false],
    ['about:blank', false],
    ['data:text/html,x', false],
    ['javascript:1', false],
    ['', false],
  ])('an address %s has the origin: %s', (url, expected) => {
    expect(hasOrigin(url, origin)).toBe(expected);
    expect(hasOrigin(url, undefined)).toBe(false);
  });

  it.each([
    [`${pageOrigin}/`, true],
    [`${pageOrigin}/#view=table`, true],
    ['app://club-events.example/', false],
    ['app://club-events:1/', false],
    ['app://club-events@example/', false],
    ['https://club-events/', false],
    [`blob:${pageOrigin}/1`, false],
  ])('an address %s is the page of the window: %s', (url, expected) => {
    expect(hasOrigin(url, pageOrigin)).toBe(expected);
    expect(isBlobOfPage(`blob:${url}`, pageOrigin)).toBe(expected);
  });

  it.each([
    [`blob:${origin}/1`, true],
    ['blob:http://example.org/1', false],
    [`${origin}/1`, false],
    ['data:text/csv,x', false],
  ])('an address %s is a blob of the page: %s', (url, expected) => {
    expect(isBlobOfPage(url, origin)).toBe(expected);
  });
});
