import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach } from 'vitest';
import { builtDesktop } from '../../electron/packaging/build.ts';
import { type Desktop, shareDesktop } from './driver/desktop.ts';

/** A server and the paths of its requests. */
type TestServer = { readonly origin: string; readonly requests: string[] };

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestServer & { close(): void }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { close, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const built = (name: string) => JSON.stringify(pathToFileURL(join(builtDesktop, name)).href);

/** An application with only the built guards and bridge. */
const main = `
import { app, BrowserWindow } from 'electron';
import { guardPages, securePreferences } from ${built('electron/window/guards.js')};
import { openBridge } from ${built('electron/ipc/bridge.js')};

const origin = process.argv.at(-1);
globalThis.reports = [];
const report = (error) => globalThis.reports.push(error.message);
let window;
guardPages({ origin: () => origin, report });
const answers = { readState: async (args) => ({ ok: true, value: args }) };
openBridge({ answers, window: () => window, origin: () => origin, report });
app.whenReady().then(() => {
  const preload = ${JSON.stringify(join(builtDesktop, 'electron/ipc/preload.cjs'))};
  window = new BrowserWindow({ webPreferences: securePreferences(preload) });
  return window.loadURL(origin + '/');
});
`;

type GuardedPage = {
  readonly desktop: Desktop;
  /** The server of the page. It sends no policy, so that only the guards protect. */
  readonly own: TestServer;
  /** Another server, which must receive no requests. */
  readonly other: TestServer;
  /** Returns the errors that the guards reported. */
  reports(): Promise<readonly string[]>;
};

/** Reloads the page and clears the reports. */
function startOver({ BrowserWindow }: typeof Electron.CrossProcessExports, url: string) {
  Reflect.set(globalThis, 'reports', []);
  return BrowserWindow.getAllWindows()[0]?.loadURL(url);
}

/**
 * Opens the page of a hostile server within the guards of the desktop application, once for the
 * tests of a block. It is reloaded before each test.
 */
export function shareGuardedPage(): { readonly current: GuardedPage } {
  let servers: Pick<GuardedPage, 'own' | 'other'> | undefined;
  const ends: (() => void)[] = [];
  const shared = shareDesktop(async (folder) => {
    const other = await serve((_, response) => response.end('<h1>elsewhere</h1>'));
    const own = await serve((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `${other.origin}/away` });
      if (request.url === '/file') response.setHeader('content-disposition', 'attachment');
      response.end('<h1>page</h1>');
    });
    ends.push(other.close, own.close);
    servers = { own, other };
    const application = join(folder, 'application');
    mkdirSync(application);
    writeFileSync(join(application, 'package.json'), '{"type":"module","main":"main.js"}');
    writeFileSync(join(application, 'main.js'), main);
    return { application, args: [own.origin], mayFail: /request to|ERR_ABORTED/ };
  });
  const guarded = {
    get current() {
      if (servers === undefined) throw new Error('The page is available only in tests.');
      const desktop = shared.current;
      const reports = () =>
        desktop.evaluate(() => Reflect.get(globalThis, 'reports') as readonly string[]);
      return { ...servers, desktop, reports };
    },
  };
  beforeEach(async () => {
    const { desktop, own, other } = guarded.current;
    // The next load would abort this one.
    await desktop.page.getByRole('heading').waitFor();
    await desktop.evaluate(startOver, `${own.origin}/`);
    await desktop.page.getByRole('heading', { name: 'page' }).waitFor();
    for (const { requests } of [own, other]) requests.length = 0;
  });
  afterAll(() => {
    for (const end of ends) end();
  });
  return guarded;
}
