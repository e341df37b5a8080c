import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { beginEventImport } from '../../../../db/event-import.ts';
import type { Home } from '../../../../server/home.ts';
import { withWriter } from '../../../../server/store.ts';
import { snippetKinds } from '../../../../server/ui/manage/keys/snippets.tsx';
import { testBrowser } from '../../../support/browser.ts';
import { type DesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { expectForEverybody, expectNoSidewaysScrolling } from '../axe.ts';
import { wantPort } from './keys-screen.ts';

const browser = testBrowser();

const longName = 'Turn-und-Sportvereinigung-Niederlahnstein-1860';
const now = '2026-03-01T12:00:00.000Z';

/** A club with a little of everything. */
async function addClub(home: Home): Promise<void> {
  await addMember(home, longName, [makeEvent(1), makeEvent(2)]);
  await withWriter(home, (db) => {
    const source = 'a-file-with-a-name-that-goes-on-and-on-2026.csv';
    const batch = beginEventImport(db, { userId: 1, now, source });
    for (const id of [2, 3]) batch.apply(makeEvent(id, { name: 'Fête' }));
    batch.commit();
  });
}

type Look = (page: Page, what: string) => Promise<void>;

async function walkKeys(opened: DesktopPage, look: Look): Promise<void> {
  const { page, send } = opened;
  const create = page.locator('.access-form button');
  await page.locator('.access-item').waitFor();
  await look(page, 'keys');
  await page.locator('.access-form input[type="date"]').fill('2020-01-01');
  await create.click();
  await look(page, 'a last day that is over');
  await page.locator('.access-form input[type="date"]').fill('');
  await page.locator('.access-form input').first().fill(longName);
  await create.click();
  await page.locator('.access-trial button').click();
  await page.locator('.access-trial .access-code').waitFor();
  for (const [index, kind] of snippetKinds.entries()) {
    await page.getByRole('tab').nth(index).click();
    await look(page, kind);
  }
  await send({ kind: 'show', screen: 'export' });
  await page.getByRole('dialog').waitFor();
  await look(page, 'leaving');
  await page.keyboard.press('Escape');
  await page.locator('.access-stored').click();
  await page.locator('.access-item button').first().click();
  await page.getByRole('dialog').waitFor();
  await look(page, 'revoking');
  await page.getByRole('dialog').locator('button').last().click();
  await page.locator('.access-old summary').click();
  await wantPort(opened, 28_470);
  await page.locator('.access-other-port').waitFor();
  await look(page, 'old keys, and another port');
}

async function walkExport({ page, desk }: DesktopPage, look: Look): Promise<void> {
  const folder = makeTestFolder();
  desk.output = join(folder, `${longName}-2026-05-01.csv`);
  await page.locator('.export-way button').first().click();
  await page.locator('.export-outcome svg').waitFor();
  await look(page, 'a saved file');
  desk.output = join(folder, 'gone', `${longName}-2026-05-01.csv`);
  await page.locator('.export-way button').nth(1).click();
  await page.getByRole('alert').waitFor();
  await look(page, 'a file that could not be saved');
}

async function walkHistory({ page }: DesktopPage, look: Look): Promise<void> {
  const undo = async (index: number) => {
    await page.locator('.history-item button').nth(index).click();
    await page.getByRole('dialog').waitFor();
  };
  await page.locator('.history-item').nth(1).waitFor();
  await undo(1);
  await page.getByRole('dialog').locator('button').last().click();
  await page.getByRole('alert').waitFor();
  await look(page, 'a refusal');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await undo(0);
  await look(page, 'the question');
  await page.getByRole('dialog').locator('button').last().click();
  await page.locator('.history-item').nth(2).waitFor();
  await look(page, 'the outcome');
}

const walks = { keys: walkKeys, export: walkExport, history: walkHistory } as const;
const screens = Object.keys(walks) as (keyof typeof walks)[];

/** Examples that differ from the first in their text alone, for axe. */
const alike: readonly string[] = choose([], ['powershell', 'javascript', 'python']);

describe('axe finds no fault in both themes, wide and narrow, in', () => {
  const desktop = shareDesktop(browser, addClub);

  it.each(screens)('the screen %s', async (screen) => {
    await walks[screen](await desktop.show(`#manage=${screen}`), async (page, what) => {
      if (!alike.includes(what)) await expectForEverybody(page, what);
    });
  });
});

const locales = choose(['de-DE', 'fr-FR', 'nl-NL'], ['de-DE']);

describe.each(locales)('on a narrow screen in %s', (locale) => {
  const desktop = shareDesktop(browser, addClub, {
    locale,
    viewport: { width: 360, height: 640 },
  });

  it.each(screens)('the texts of the screen %s fit', async (screen) => {
    const opened = await desktop.show(`#manage=${screen}`);
    await walks[screen](opened, async (page, what) => {
      expect(await page.locator('html').getAttribute('lang')).toBe(locale.slice(0, 2));
      await expectNoSidewaysScrolling(page, what);
      const text = await page.locator('body').innerText();
      // A text that is missing is shown by its name.
      expect(text, what).not.toMatch(/\b(scriptKeys|newKey|export|history):[a-z]\w+|\{\{/i);
    });
  });
});
