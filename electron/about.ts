import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DesktopState } from '../server/bridge.ts';
import { sqliteVersion } from '../server/store.ts';
import { version } from '../server/version.ts';

let sqlite: string | undefined;

export function readVersions(): DesktopState['versions'] {
  sqlite ??= sqliteVersion();
  const { electron = '', chrome = '', node } = process.versions;
  return { app: version, electron, chromium: chrome, node, sqlite };
}

/** Returns the licences in the application's folder; undefined if there are none. */
export function readLicences(folder: string): string | undefined {
  const files = ['LICENSES.txt', 'LICENSE'].map((name) => join(folder, name));
  const file = files.find((path) => existsSync(path));
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}
