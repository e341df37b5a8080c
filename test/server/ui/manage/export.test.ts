import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposeFileName } from '../../../../server/export/file-name.ts';
import { pageToday, testBrowser } from '../../../support/browser.ts';
import { shareDesktop } from '../../../support/desktop-page.ts';
import { makeTestFolder } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { mountSmall } from '../../../support/place.ts';
import { importInto } from '../downloads.ts';
import { addClub, events, fragment } from './export-page.ts';

const browser = testBrowser();
const desktop = shareDesktop(browser, addClub);

async function showExport() {
  return { ...(await desktop.show(fragment)), folder: makeTestFolder() };
}

describe('the export', () => {
  it.each(choose(['CSV', 'JSON', 'ICS'], ['CSV']))(
    'saves every event as %s, which an import takes',
    async (kind) => {
      const { page, desk, folder } = await showExport();
      desk.output = join(folder, `chosen.${kind.toLowerCase()}`);
      await page.getByRole('button', { name: `Save as ${kind}…` }).click();
      const file = `chosen.${kind.toLowerCase()}`;
      await page.getByRole('status').getByText(`1,234 events saved as ${file}.`).waitFor();
      expect(desk.asked).toEqual([`save TSV 1860 Köln-${pageToday()}.${kind.toLowerCase()}`]);
      expect(await importInto(desk.output)).toEqual(events);
      expect(await page.content()).not.toContain(folder);
    },
  );

  it('does nothing when the dialog is cancelled', { tags: 'long' }, async () => {
    const { page, desk } = await showExport();
    const save = page.getByRole('button', { name: 'Save as JSON…' });
    await save.click();
    await expect.poll(() => desk.asked).toHaveLength(1);
    await expect.poll(() => save.getAttribute('data-loading')).toBe(null);
    await expect.poll(() => page.getByRole('status').getByText(/saved/).count()).toBe(0);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  it('replaces a file that the dialog agreed to replace', { tags: 'long' }, async () => {
    const { page, desk, folder } = await showExport();
    desk.output = join(folder, 'Chess.json');
    writeFileSync(desk.output, 'old');
    await page.getByRole('button', { name: 'Save as JSON…' }).click();
    await page.getByText('1,234 events saved as Chess.json.').waitFor();
    expect(await importInto(desk.output)).toEqual(events);
    expect(readdirSync(folder)).toEqual(['Chess.json']);
  });
});

describe('the export of a filtered list', () => {
  it('saves all events, or those in view in the formats of the page', {
    tags: 'long',
  }, async () => {
    const { page } = await desktop.show(`${fragment}&q=1233`);
    const all = page.getByRole('radio', { name: 'All 1,234 events' });
    const shown = page.getByRole('radio', { name: /^Only the/ });
    await shown.waitFor();
    await expect.poll(() => shown.isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('button', { name: /^Save as/ }).count()).toBe(3);
    await all.check();
    await expect.poll(() => page.getByRole('button', { name: /^Save as/ }).count()).toBe(5);
    await shown.check();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV…' }).click();
    const path = join(makeTestFolder(), 'shown.csv');
    await (await saving).saveAs(path);
    expect(await importInto(path)).toEqual(events.filter(({ name }) => name.includes('“1233”')));
    await page
      .getByRole('status')
      .getByText(/saved as club-events-/)
      .waitFor();
  });
});

describe('an export that fails', () => {
  it('names the reason without the path and can be tried again', async () => {
    const { page, desk, folder } = await showExport();
    desk.output = join(folder, 'gone', 'Chess.csv');
    await page.getByRole('button', { name: 'Save as CSV…' }).click();
    await page.getByRole('alert').getByText('Chess.csv does not exist;').waitFor();
    await expect.poll(() => page.getByRole('alert').innerText()).not.toContain('/');
    desk.output = join(folder, 'Chess.csv');
    await page.getByRole('button', { name: 'Save as CSV…' }).click();
    await page.getByText('1,234 events saved as Chess.csv.').waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  it('on a full disk is reported and leaves nothing behind', async (context) => {
    const { folder } = mountSmall(context, 64);
    const { page, desk } = await showExport();
    desk.output = join(folder, 'Chess.csv');
    await page.getByRole('button', { name: 'Save as CSV…' }).click();
    await page.getByRole('alert').getByText('The disk that holds Chess.csv is full;').waitFor();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the proposed file name', () => {
  it.each([
    ['Chess', 'Chess-2026-05-01.csv'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a b c d e f g h i j-2026-05-01.csv'],
    ['..', 'club-events-2026-05-01.csv'],
    ['.hidden. ', 'hidden-2026-05-01.csv'],
    ['\u202egpj.exe', 'gpj.exe-2026-05-01.csv'],
    ['Žižkov 🏃', 'Žižkov 🏃-2026-05-01.csv'],
  ])('of the club %j is fit for every disk', (club, name) => {
    expect(proposeFileName(club, '2026-05-01', 'csv')).toBe(name);
  });

  it('is short enough for every file system and cut between characters', () => {
    const name = proposeFileName('🏃'.repeat(100), '2026-05-01', 'json');
    expect(Buffer.byteLength(name)).toBeLessThan(255);
    expect(name.isWellFormed()).toBe(true);
  });
});
