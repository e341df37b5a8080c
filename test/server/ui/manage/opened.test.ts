import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Home } from '../../../../server/base/home.ts';
import texts from '../../../../server/messages/en.json' with { type: 'json' };
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../../support/home.ts';
import { dropFiles } from './drop-files.ts';

const browser = testBrowser();

const addClub = (home: Home) => addMember(home, 'Chess', [makeEvent(1, { name: 'Summer party' })]);

const desktop = shareDesktop(browser, addClub);

function writeSeason(folder: string): string {
  const path = join(folder, 'season.csv');
  writeFileSync(path, 'name,date\nConcert,2026-05-01\n');
  return path;
}

describe('files opened with the program', () => {
  it('open the import screen at the start', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addClub(home);
    const opened = [writeSeason(makeTestFolder())];
    const { page, desk } = await openDesktopPage(browser.current, home, { desk: { opened } });
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
    expect(desk.opened).toEqual([]);
  });

  it('open the import screen while it runs', async () => {
    const { page, desk, send } = await desktop.show();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    desk.opened.push(writeSeason(makeTestFolder()));
    await send({ kind: 'opened' });
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
  });

  it('are reported if the window cannot receive them', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addClub(home);
    const { page } = await openDesktopPage(browser.current, home, {
      beforeLoad: (opened) =>
        opened.addInitScript(() => {
          const { clubEvents } = globalThis as unknown as { clubEvents: object };
          Object.assign(clubEvents, { takeOpened: () => Promise.reject(new Error('No.')) });
        }),
    });
    await page.locator('.file-refusal').getByText(texts.manage.fault).waitFor();
  });
});

describe('files dropped on the window', () => {
  it('open the import screen anywhere in the window', { tags: 'long' }, async () => {
    const { page, desk } = await desktop.show();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    await dropFiles(page, '.agenda', [writeSeason(desk.folder)]);
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
  });

  it('are explained if they are documents of another kind', { tags: 'long' }, async () => {
    const { page, desk } = await desktop.show();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    const path = join(desk.folder, 'season.xls');
    writeFileSync(path, '<html><table></table></html>');
    await dropFiles(page, '.agenda', [path]);
    await page.getByText(/this is a web page \(HTML\); open it in Excel/).waitFor();
  });

  it('show a drop hint only while they are over the window', async () => {
    const { page } = await desktop.show();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    const transfer = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'season.csv'));
      return data;
    });
    await page.dispatchEvent('.agenda', 'dragenter', { dataTransfer: transfer });
    await page.getByText('Drop to open').waitFor();
    await page.dispatchEvent('.agenda', 'dragleave', { dataTransfer: transfer });
    await page.getByText('Drop to open').waitFor({ state: 'detached' });
  });

  it('never navigate the window', async () => {
    const { page } = await desktop.show();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    const wouldNavigate = await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['<h1>Elsewhere</h1>'], 'page.svg'));
      const init = { bubbles: true, cancelable: true, dataTransfer: data };
      return ['dragover', 'drop'].map((type) =>
        document.body.dispatchEvent(new DragEvent(type, init)),
      );
    });
    // `dispatchEvent` returns false if the default was prevented.
    expect(wouldNavigate).toEqual([false, false]);
    await page.getByText('Club Events can’t read page.svg.').waitFor();
    await page.getByRole('button', { name: 'Close this notice' }).click();
    await expect.poll(() => page.locator('.file-refusal p').count()).toBe(0);
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
  });

  it('do not affect text dragged within the page', async () => {
    const { page } = await desktop.show();
    await page.getByRole('button', { name: /Summer party/ }).waitFor();
    const isLeft = await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'Concert');
      const init = { bubbles: true, cancelable: true, dataTransfer: data };
      return document.body.dispatchEvent(new DragEvent('dragover', init));
    });
    expect(isLeft).toBe(true);
  });
});
