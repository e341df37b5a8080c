import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accountOf } from '../../../server/ui/shell/session.ts';
import { launchWithProfile } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';

/** Returns the files of a folder that contain a text, as UTF-8 or as UTF-16 of either order. */
function filesWith(folder: string, text: string): string[] {
  const utf16 = Buffer.from(text, 'utf16le');
  const forms = [Buffer.from(text), utf16, Buffer.from(utf16).swap16()];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const content = readFileSync(path);
      return forms.some((form) => content.includes(form));
    });
}

it('the browser stores the key and the last visit on the disk, but no text of an event', async () => {
  const texts = { name: 'Quokkafest', location: 'Zanzibarhall', description: 'Bring xylophones' };
  const { service, key } = await serveClub([makeEvent(1, { ...texts, date: daysFromNow(1) })]);
  const profile = makeTestFolder();
  const context = await launchWithProfile(profile);
  try {
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/`);
    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: /Quokkafest/ }).click();
    await page.getByText('Bring xylophones').waitFor();
    await page.evaluate(() => location.assign('#view=calendar'));
    await page.locator('.calendar').getByText('Quokkafest').waitFor();
    await page.reload();
    await page.locator('.calendar').getByText('Quokkafest').waitFor();
    // Chromium writes storage to the disk some seconds later.
    await expect.poll(() => filesWith(profile, accountOf(key))).not.toEqual([]);
    await expect.poll(() => filesWith(profile, key)).not.toEqual([]);
  } finally {
    await context.close();
  }
  for (const path of filesWith(profile, key)) expect(path).toContain('Session Storage');
  for (const path of filesWith(profile, accountOf(key))) expect(path).toContain('IndexedDB');
  // The title of the page names the open event, and a browser keeps titles in its history.
  const isHistory = (path: string) => /\/Default\/(?:History|Sessions\/)/.test(path);
  const isTitle = (text: string, path: string) => text === texts.name && isHistory(path);
  for (const text of Object.values(texts)) {
    expect(
      filesWith(profile, text).filter((path) => !isTitle(text, path)),
      text,
    ).toEqual([]);
  }
});
