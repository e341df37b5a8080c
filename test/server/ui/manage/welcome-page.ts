import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { listUsers } from '../../../../server/club/user-actions.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { makeTestFolder, makeTestHome } from '../../../support/home.ts';

/** Opens the window of a new user. */
export async function openNew(
  browser: Browser,
  options: Parameters<typeof openDesktopPage>[2] = {},
) {
  const home = makeTestHome();
  const opened = await openDesktopPage(browser, home, options);
  await opened.page.locator('.welcome').waitFor();
  const clubs = async () => (await listUsers({}, { home })).users.map(({ name }) => name);
  return { home, clubs, ...opened };
}

/** Writes a file with one event. */
export function writeSeason(name = 'season.csv'): string {
  const path = join(makeTestFolder(), name);
  writeFileSync(path, 'name,date\nConcert,2026-05-01\n');
  return path;
}
