import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { catalogues, type Language } from '../../../../server/messages/messages.ts';
import { pressItem, testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { expectForEverybody } from '../axe.ts';

const browser = testBrowser();

const permissions = { permissions: ['clipboard-write', 'clipboard-read'] };

async function openClub(language: Language = 'en') {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1, { name: 'Secret tournament' })]);
  const desk = { settings: { language } };
  return { home, ...(await openDesktopPage(browser.current, home, { ...permissions, desk })) };
}

describe('the check of the installation', () => {
  it('is reached from the start page, and shows and copies the findings', async () => {
    const { page, service } = await openClub();
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await pressItem(page, 'Settings…');
    await page.getByRole('radio', { name: 'This computer' }).press('Space');
    await page.getByRole('button', { name: 'Check installation' }).press('Enter');
    const connection = page.getByRole('region', { name: 'Why can’t my script connect?' });
    await connection.getByText(`The service runs at ${service.baseUrl}.`).waitFor();
    const data = page.getByRole('region', { name: 'Is my data safe?' });
    await data.getByText('There is no backup.').waitFor();
    await data.getByText('Make a backup today.').waitFor();
    await data.getByRole('img', { name: 'Warning' }).first().waitFor();
    const parts = page.getByRole('region', { name: 'Parts of the data' });
    await parts.getByText('History: In order').waitFor();
    await expectForEverybody(page, 'the checked installation');

    await page.getByRole('button', { name: 'Copy report' }).press('Enter');
    await page.getByText('Copied').waitFor();
    const report = await page.evaluate(() => navigator.clipboard.readText());
    expect(report).toMatch(
      /^Club Events 0\.1\.0\n\nWhy can’t my script connect\?\n✓ The service runs/,
    );
    expect(report).toContain('! There is no backup.\n  → Make a backup today.\n');
    expect(report).toMatch(/\n\n(One warning|\d+ warnings), and no problem\.$/);
    expect(report).not.toMatch(/Secret|ce_|cew_|key-of/);
  });

  it.each(['de', 'fr', 'nl'] as const)('speaks %s', async (language) => {
    const { page } = await openClub(language);
    await page.evaluate(() => location.assign('#manage=about'));
    const { installation, finding } = catalogues[language];
    await page.getByRole('button', { name: installation.start }).press('Enter');
    await page.getByRole('heading', { name: installation.data }).waitFor();
    await page.getByText(finding.backup_none).waitFor();
    await expectForEverybody(page, `the checked installation in ${language}`);
  });

  it('names the part that another program changed', async () => {
    const { page, home } = await openClub();
    const sqlite = new Database(home.database);
    sqlite.exec('DELETE FROM changes');
    sqlite.close();
    await page.evaluate(() => location.assign('#manage=about'));
    await page.getByRole('button', { name: 'Check installation' }).press('Enter');
    await page
      .getByText('History: entries that do not have as many changes as they count: 1')
      .waitFor();
    await page.getByRole('status').filter({ hasText: 'One problem must be solved.' }).waitFor();
  });
});
