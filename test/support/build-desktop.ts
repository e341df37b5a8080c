import process from 'node:process';
import { buildDesktop } from '../../electron/packaging/build.ts';
import { runtimeNotice } from '../electron/driver/electron-runtime.ts';
import { isNewest } from './newest.ts';

/** Builds the desktop application once before the tests, and says what they run it under. */
export async function setup(): Promise<void> {
  const sources = ['electron', 'server', 'server/ui/dist/index.html', 'db', 'package.json'];
  if (!isNewest('electron/dist/package.json', sources)) await buildDesktop();
  process.stdout.write(`${runtimeNotice()}\n`);
}
