import process from 'node:process';
import { buildDesktop } from '../../electron/packaging/build.ts';
import { runtimeNotice } from '../electron/driver/electron-runtime.ts';

/** Builds the desktop application once before the tests, and says what they run it under. */
export async function setup(): Promise<void> {
  await buildDesktop();
  process.stdout.write(`${runtimeNotice()}\n`);
}
