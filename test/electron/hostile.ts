import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { builtDesktop } from '../../electron/packaging/build.ts';
import { makeTestFolder } from '../support/home.ts';
import { type Desktop, type DesktopOptions, launchDesktop } from './driver/desktop.ts';

/** A server for the running test, with the paths that it was asked for. */
export type TestServer = { readonly origin: string; readonly asked: string[] };

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const built = (name: string) => JSON.stringify(pathToFileURL(join(builtDesktop, name)).href);

/** The guards and the bridge as they are built, around a window with nothing else. */
const main = `
import { app, BrowserWindow } from 'electron';
import { guardPages, securePreferences } from ${built('electron/guards.js')};
import { openBridge } from ${built('electron/bridge.js')};

const origin = process.argv.at(-1);
globalThis.reports = [];
const report = (error) => globalThis.reports.push(error.message);
let window;
guardPages({ origin: () => origin, report });
const answers = { readState: async (args) => ({ ok: true, value: args }) };
openBridge({ answers, window: () => window, origin: () => origin, report });
app.whenReady().then(() => {
  const preload = ${JSON.stringify(join(builtDesktop, 'electron/preload.cjs'))};
  window = new BrowserWindow({ webPreferences: securePreferences(preload) });
  return window.loadURL(origin + '/');
});
`;

export type GuardedPage = {
  readonly desktop: Desktop;
  /** The server whose page is shown, which sends no policy with it: the guards are alone. */
  readonly own: TestServer;
  /** Another one, which is to hear nothing. */
  readonly other: TestServer;
  /** What the guards told for the log. */
  reports(): Promise<readonly string[]>;
};

/** Opens a page of a server that means harm, within the guards of the desktop application. */
export async function openGuardedPage(options: DesktopOptions = {}): Promise<GuardedPage> {
  const other = await serve((_, response) => response.end('<h1>elsewhere</h1>'));
  const own = await serve((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `${other.origin}/away` });
    if (request.url === '/file') response.setHeader('content-disposition', 'attachment');
    response.end('<h1>page</h1>');
  });
  const application = join(makeTestFolder(), 'application');
  mkdirSync(application);
  writeFileSync(join(application, 'package.json'), '{"type":"module","main":"main.js"}');
  writeFileSync(join(application, 'main.js'), main);
  const mayFail = /request to|ERR_ABORTED/;
  const desktop = await launchDesktop({ application, args: [own.origin], mayFail, ...options });
  await desktop.page.getByRole('heading', { name: 'page' }).waitFor();
  const reports = () =>
    desktop.evaluate(() => Reflect.get(globalThis, 'reports') as readonly string[]);
  return { desktop, own, other, reports };
}
