import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { backupPath, listBackups, recordPath } from '../../../../server/store/backup-records.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openScreen } from '../../../support/desktop-page.ts';
import { makeTestFolder } from '../../../support/home.ts';
import { daysAgo, shareBackups } from './backups-page.ts';

const { showStart, addLater, namesOf } = shareBackups(testBrowser());

/** Goes from the start page to the backups by mouse. */
async function openBackups(page: Page): Promise<void> {
  await openScreen(page, 'History and backups');
  await page.getByRole('heading', { level: 1, name: 'History and backups' }).waitFor();
}

const card = (page: Page) => page.getByRole('region', { name: 'Backups on this disk' });

describe('the backups', () => {
  it('say how to get the first one, and make it', { tags: 'long' }, async () => {
    const { page, home } = await showStart();
    await openBackups(page);
    await page.getByText('There is no backup yet.').waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByRole('status').getByText('Backup made and checked: one club, ').waitFor();
    await card(page)
      .getByText(/^Last backup today at \d\d:\d\d\.$/)
      .waitFor();
    expect(listBackups(home).map(({ reason }) => reason)).toEqual(['hand']);
  });

  it('say when the last one was made, how many there are and when one was proven', {
    tags: 'long',
  }, async () => {
    const { page, home } = await showStart(1, 2, 3);
    const [newest] = listBackups(home);
    const path = recordPath(backupPath(home, newest?.name ?? ''));
    const provenAt = daysAgo(2);
    writeFileSync(path, JSON.stringify({ ...newest, provenAt: provenAt.toISOString() }));
    await openBackups(page);
    await card(page)
      .getByText(/^Last backup yesterday at \d\d:\d\d\. 3 are kept, back to \d+ \w+\b/)
      .waitFor();
    const text = () => card(page).innerText();
    const weekday = provenAt.toLocaleDateString('en-GB', {
      weekday: 'long',
      timeZone: 'Europe/Berlin',
    });
    await expect.poll(text).toContain(`Last test restore: ${weekday}, 1 of 1 event`);
    await expect.poll(text).not.toContain('left this disk');
  });

  it('remind of another disk after 30 days', { tags: 'long' }, async () => {
    // A change of the clock can be in between.
    const { page } = await showStart(0, 32);
    await openBackups(page);
    await card(page)
      .getByText(/^No backup has left this disk for 3[12] days\./)
      .waitFor();
  });

  it('are saved to a chosen file', { tags: 'long' }, async () => {
    const { page, desk } = await showStart(0);
    await openBackups(page);
    desk.output = join(makeTestFolder(), 'stick.sqlite');
    await page.getByRole('button', { name: 'Back up to…' }).click();
    await page.getByRole('status').getByText('stick.sqlite is saved and checked').waitFor();
    // It says that there is a second file.
    await page.getByRole('status').getByText('Keep stick.sqlite.json beside it').waitFor();
    expect(existsSync(`${desk.output}.json`)).toBe(true);
    expect(desk.asked.at(-1)).toMatch(/^save club-events-\d{4}-\d\d-\d\d\.sqlite$/);
    expect(existsSync(desk.output)).toBe(true);
    desk.output = undefined;
    await page.getByRole('button', { name: 'Back up to…' }).click();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});

describe('a restore', () => {
  it('replaces the events, which the page shows, and is undone by the mouse', {
    tags: 'long',
  }, async () => {
    const { page, home, service } = await showStart(1);
    await addLater(page, 'Added later', 2);
    await openBackups(page);
    await page.getByRole('button', { name: 'Restore…' }).click();
    const list = page.getByRole('list', { name: 'Backups, newest first' });
    await expect.poll(() => list.innerText()).toMatch(/^yesterday at .*\n+Daily · one club, /i);
    await list.getByRole('button').click();
    const dialog = page.getByRole('dialog', { name: /^Restore the backup made yesterday at / });
    await dialog.getByText('All clubs, events and keys are replaced').waitFor();
    expect(await namesOf(service)).toEqual(['Added later', 'Summer party']);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('status').getByText('Restored: one club, ').waitFor();
    expect(await namesOf(service)).toEqual(['Summer party']);
    expect(listBackups(home).map(({ reason }) => reason)).toEqual(['restore', 'daily']);

    await page.locator('.backups-undo').click();
    await expect.poll(() => namesOf(service)).toEqual(['Added later', 'Summer party']);
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.getByRole('button', { name: /^Added later/ }).waitFor();
  });

  it('offers to leave out a record that contradicts its backup', { tags: 'long' }, async () => {
    const { page, home, service } = await showStart(1);
    const before = await namesOf(service);
    await addLater(page, 'Added again', 3);
    const path = recordPath(backupPath(home, listBackups(home)[0]?.name ?? ''));
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"digest": "./, '"digest": "z'));
    await openBackups(page);
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByRole('list', { name: 'Backups, newest first' }).getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.getByRole('alert').getByText('contradict each other').waitFor();
    await dialog.getByRole('button', { name: 'Restore without its record' }).click();
    await page.getByRole('status').getByText('Restored: one club, ').waitFor();
    expect(await namesOf(service)).toEqual(before);
  });

  it('takes a chosen file, and says why another one is refused', { tags: 'long' }, async () => {
    const { page, desk, home, service } = await showStart(1);
    const folder = makeTestFolder();
    const [backup] = listBackups(home);
    const copy = join(folder, 'stick.sqlite');
    copyFileSync(backupPath(home, backup?.name ?? ''), copy);
    const before = await namesOf(service);
    await openBackups(page);
    await page.getByRole('button', { name: 'Restore…' }).click();
    const wrong = join(folder, 'cut.sqlite');
    writeFileSync(wrong, readFileSync(copy).subarray(0, 5_000));
    desk.chosen = [wrong];
    await page.getByRole('button', { name: 'From a file…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.getByRole('alert').getByText('cut.sqlite').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    desk.chosen = [copy];
    await page.getByRole('button', { name: 'From a file…' }).click();
    await page.getByRole('dialog', { name: 'Restore stick.sqlite?' }).waitFor();
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('status').getByText('Restored: one club, ').waitFor();
    expect(await namesOf(service)).toEqual(before);
    expect(readFileSync(wrong)).toHaveLength(5_000);
  });
});
