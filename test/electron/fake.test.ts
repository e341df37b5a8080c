import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeTestFolder } from '../support/home.ts';
import { launchDesktop } from './driver/desktop.ts';

const main = `
import { app, BrowserWindow, ipcMain } from 'electron';
import { join } from 'node:path';
ipcMain.handle('add', (event, a, b) => ({ sum: a + b, from: event.senderFrame.url }));
async function run() {
await app.whenReady();
const preload = join(import.meta.dirname, 'preload.cjs');
const window = new BrowserWindow({ webPreferences: { preload } });
window.webContents.on('will-navigate', (event) => {
  if (event.url.includes('forbidden')) event.preventDefault();
});
window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
await window.loadURL(process.argv.at(-1));
window.webContents.send('message', { word: 'hello' });
}
void run();
`;

const preload = `
const { contextBridge, ipcRenderer } = require('electron');
contextBridge.exposeInMainWorld('own', {
  add: (a, b) => ipcRenderer.invoke('add', a, b),
  listen: (listener) => ipcRenderer.on('message', (_event, message) => listener(message)),
});
`;

/** Writes a small application. */
function writeApplication(): string {
  const folder = join(makeTestFolder(), 'application');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"type":"module","main":"main.js"}');
  writeFileSync(join(folder, 'main.js'), main);
  writeFileSync(join(folder, 'preload.cjs'), preload);
  return folder;
}

const html = `<h1>page</h1><script>
  globalThis.early = Object.keys(own); own.listen((message) => { globalThis.received = message; });
</script>`;

async function serveText(): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('runs a program with window, preload script and messages', async () => {
  const url = await serveText();
  const desktop = await launchDesktop({ application: writeApplication(), args: [url] });
  const { page } = desktop;
  await page.waitForFunction('globalThis.received');
  expect(await page.evaluate('[globalThis.early, globalThis.received]')).toEqual([
    ['add', 'listen'],
    { word: 'hello' },
  ]);
  expect(await page.evaluate('own.add(1, 2)')).toEqual({ sum: 3, from: url });
  await page.evaluate('location.href = "/forbidden"');
  expect(page.url()).toBe(url);
  expect(await page.evaluate('window.open("/other")')).toBeNull();
  expect(await desktop.evaluate(({ app }, word) => `${app.name} ${word}`, 'there')).toBe(
    'club-events there',
  );
  expect(await desktop.quit()).toBe(0);
});

it('ends a program that opens a window without a display', async () => {
  const options = { application: writeApplication(), opensWindow: false, display: false };
  const desktop = await launchDesktop(options);
  expect(await desktop.ended).toBe(1);
  expect(desktop.stderr()).toContain('Missing X server or $DISPLAY');
});
