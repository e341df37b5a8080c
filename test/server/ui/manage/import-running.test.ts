import { describe, expect, it, onTestFinished } from 'vitest';
import { closeStore, connection, openWriter } from '../../../../db/open.ts';
import { testBrowser } from '../../../support/browser.ts';
import { writeTestFile } from '../../import/files.ts';
import { focused, goToImport, type ImportPage, shareImport, tabTo } from './import-page.ts';

const shared = shareImport(testBrowser(), { onThread: true });

/** Holds actions that change data until the returned function is called. */
function holdActions({ home }: ImportPage): () => void {
  const db = openWriter(home.database);
  connection(db).exec('BEGIN IMMEDIATE');
  const release = () => closeStore(db);
  onTestFinished(release);
  return release;
}

const season = 'name,date,location\nSommerfest,2026-05-01,Halle\nTurnier,2026-05-02,Halle';

describe('a running import', () => {
  it('can be cancelled and leaves nothing behind', { tags: 'long' }, async () => {
    const opened = await shared.show(1);
    const { choose, check, button, count, page } = opened;
    const cancel = async () => {
      const release = holdActions(opened);
      await button(/^(Check|Import) 2 events$/).click();
      await page.getByRole('progressbar').waitFor();
      await button('Cancel').click();
      release();
      await page.getByText('Cancelled. Nothing was changed.').waitFor();
    };
    await choose(writeTestFile('season.csv', season));
    await cancel();
    await expect.poll(await check()).toContain('New 2');
    await cancel();
    expect(await count()).toBe(1);
    // The result of the check is still valid.
    await button('Import 2 events').waitFor();
  });

  it('continues while another screen is open and is still shown afterwards', {
    tags: 'long',
  }, async () => {
    const opened = await shared.show();
    const { choose, check, button, count, page } = opened;
    await choose(writeTestFile('season.csv', season));
    await check();
    const release = holdActions(opened);
    await button('Import 2 events').click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('heading', { name: 'Share' }).waitFor();
    await page.getByRole('button', { name: 'Sources' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('progressbar').waitFor();
    // No column can be chosen meanwhile.
    await expect.poll(() => button('Back').count()).toBe(0);
    release();
    await page.getByText('2 events added').waitFor();
    expect(await count()).toBe(2);
  });

  it('keeps files that are opened meanwhile for the next import', { tags: 'long' }, async () => {
    const opened = await shared.show();
    const { choose, check, button, desk, send, page, seeFirst } = opened;
    await choose(writeTestFile('season.csv', season));
    await check();
    const release = holdActions(opened);
    await button('Import 2 events').click();
    await page.getByRole('progressbar').waitFor();
    desk.opened = [writeTestFile('next.csv', 'name,date\nAusflug,2026-05-03')];
    await send({ kind: 'opened' });
    await page.getByText('Waiting until this import is over: next.csv').waitFor();
    release();
    await page.getByText('2 events added').waitFor();
    await button('Import next.csv').click();
    await seeFirst('Ausflug');
    await expect.poll(() => button('Remove season.csv').count()).toBe(0);
  });

  it('cancels a check on the way back and discards its result', { tags: 'long' }, async () => {
    const opened = await shared.show();
    const { choose, column, button, page, seeFirst } = opened;
    await choose(writeTestFile('season.csv', season));
    const release = holdActions(opened);
    await button('Check 2 events').click();
    await page.getByRole('progressbar').waitFor();
    await button('Back').click();
    await column('Place').selectOption('None');
    await page.getByText('Not imported: location.').waitFor();
    release();
    await seeFirst('Sommerfest');
    await button('Check 2 events').waitFor();
    await expect.poll(() => page.getByRole('group', { name: 'Show' }).count()).toBe(0);
  });
});

describe('with the keyboard', () => {
  it('every step of an import and its undo is reachable, and the focus is never lost', {
    tags: 'long',
  }, async () => {
    const { desk, page, count, seeFirst, row } = await shared.show();
    await goToImport(page);
    const lines = [
      'Titel;Datum;Feld',
      'Sommerfest;1.5.2026;A',
      'Turnier;31.6.2026;B',
      'Lauf;31.9.2026;C',
      'Fest;2.5.2026;D',
    ];
    desk.chosen = [writeTestFile('a.csv', lines.join('\n'))];
    await tabTo(page, /^Choose a file…$/);
    await page.keyboard.press('Enter');
    await seeFirst('May 2026');
    await expect.poll(() => focused(page)).toBe('Match the columns');
    await tabTo(page, /^Column for Place$/);
    await page.keyboard.type('Feld');
    await seeFirst('A');
    expect(await focused(page)).toBe('Column for Place');
    await tabTo(page, /^Check 4 events$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Date in row 3');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('30.6.2026');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Date in row 4');
    await row(3).getByText('Tue 30 Jun 2026').waitFor();
    await tabTo(page, /^Wed 30 Sept?$/);
    await page.keyboard.press('Enter');
    await row(4)
      .getByText(/^Wed 30 Sept? 2026$/)
      .waitFor();
    expect(await focused(page)).toBe('Date in row 4');
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Import 4 events');
    await page.keyboard.press('Enter');
    await page.getByText('4 events added').waitFor();
    expect(await focused(page)).toBe('Imported');
    await tabTo(page, /^Undo$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Import undone' }).waitFor();
    expect(await focused(page)).toBe('Import undone');
    expect(await count()).toBe(0);
    await tabTo(page, /^Back to this file$/);
    await page.keyboard.press('Enter');
    await seeFirst('Sommerfest');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  });
});
