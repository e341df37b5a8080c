import { describe, expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { expectForEverybody } from '../axe.ts';
import { pasteText, writeKinds } from './door-files.ts';
import { dropFiles } from './drop-files.ts';
import { performIn } from './mirrored-club.ts';
import { openNew } from './welcome-page.ts';

const browser = testBrowser();

/** Opens the window of a club, with a file of each kind. */
async function openClub(fragment = '') {
  const home = makeTestHome();
  await addMember(home, 'Chess', [makeEvent(1, { name: 'Summer party' })]);
  const opened = await openDesktopPage(browser.current, home, { fragment });
  const kinds = await writeKinds(opened.desk.folder);
  const names = async () => (await performIn(home, 'user list', {})).users.map(({ name }) => name);
  return { ...opened, home, kinds, names };
}

describe('the first window', () => {
  it('goes back to a backup, and shows its events', { tags: 'long' }, async () => {
    const { page, desk, clubs } = await openNew(browser.current);
    const kinds = await writeKinds(desk.folder);
    desk.chosen = [...kinds.backup];
    await page.getByRole('button', { name: 'From a backup…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore club.sqlite?' });
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: /^Earlier race/ }).waitFor();
    expect(await clubs()).toEqual(['Earlier club']);
  });

  it('follows the copy of a club under its name', { tags: 'long' }, async () => {
    const { page, desk, clubs } = await openNew(browser.current);
    const kinds = await writeKinds(desk.folder);
    await dropFiles(page, 'body', kinds.copy);
    await page.getByRole('button', { name: /^Follow it/ }).click();
    await page.getByRole('heading', { name: 'Found in rovers.json' }).waitFor();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: /^Copied race/ }).waitFor();
    expect(await clubs()).toEqual(['Rovers']);
  });

  it('names a club before its days off', { tags: 'long' }, async () => {
    const { page, desk, home } = await openNew(browser.current);
    const kinds = await writeKinds(desk.folder);
    await dropFiles(page, 'body', kinds.daysOff);
    await page.getByRole('button', { name: /^Days off/ }).click();
    await page.getByText('Which club is holidays.ics for?').waitFor();
    await page.getByLabel('Name of your club').fill('Chess');
    await page.keyboard.press('Enter');
    await page.getByText('holidays added.').waitFor();
    const { calendars } = await performIn(home, 'days-off list', { user: 'Chess' });
    expect(calendars).toHaveLength(1);
    expect((await performIn(home, 'user list', {})).users).toMatchObject([{ events: 0 }]);
  });
});

describe('a calendar of whole days', () => {
  it('becomes days off, which one click undoes', { tags: 'long' }, async () => {
    const { page, home, kinds } = await openClub();
    await page.getByRole('button', { name: /^Summer party/ }).waitFor();
    await dropFiles(page, 'body', kinds.daysOff);
    const dialog = page.getByRole('dialog', { name: 'Days off, or events?' });
    await dialog.getByText('holidays.ics has whole days only').waitFor();
    await expectForEverybody(page, 'question');
    await dialog.getByRole('button', { name: /^Days off/ }).click();
    await page.getByText('holidays added.').waitFor();
    const list = async () => (await performIn(home, 'days-off list', { user: 'Chess' })).calendars;
    expect(await list()).toMatchObject([{ name: 'holidays' }]);
    await page.locator('.saved-note').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(list).toEqual([]);
    expect((await performIn(home, 'user list', {})).users).toMatchObject([{ events: 1 }]);
  });

  it('becomes events, when a person says so', { tags: 'long' }, async () => {
    const { page, kinds } = await openClub('#manage=share');
    await page.locator('.managing-title').waitFor();
    await dropFiles(page, 'body', kinds.daysOff);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Events/ })
      .click();
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    await page.getByText('Christmas').waitFor();
  });
});

describe('the copy of a club', () => {
  it('is followed by a new club', { tags: 'long' }, async () => {
    const { page, kinds, names } = await openClub();
    await page.getByRole('button', { name: /^Summer party/ }).waitFor();
    await dropFiles(page, 'body', kinds.copy);
    await page.getByRole('button', { name: /^Follow it/ }).click();
    await page.getByRole('heading', { name: 'Found in rovers.json' }).waitFor();
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect.poll(names).toEqual(['Chess', 'Rovers']);
    // A club that follows a file follows no second one: another club is offered.
    await page.reload();
    await page.locator('.managing-title').waitFor();
    await dropFiles(page, 'body', kinds.copy);
    await page.getByRole('button', { name: /^Follow it/ }).click();
    await page.getByRole('heading', { name: 'Found in rovers.json' }).waitFor();
  });

  it('is imported once, when a person says so', { tags: 'long' }, async () => {
    const { page, kinds } = await openClub();
    await page.getByRole('button', { name: /^Summer party/ }).waitFor();
    await dropFiles(page, 'body', kinds.copy);
    await page.getByRole('button', { name: /^Import once.*added to Chess/ }).click();
    await page.getByText('Copied race').first().waitFor();
  });
});

describe('a file of another kind than its button says', () => {
  it.each([
    ['Choose a file…', '#manage=sources'],
    ['Add from a file…', '#manage=club-settings'],
    ['Choose a file…', '#manage=sync'],
  ])('leads a backup chosen by %s at %s to its question', { tags: 'long' }, async (name, place) => {
    const { page, desk, kinds } = await openClub(place);
    desk.chosen = [...kinds.backup];
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog', { name: 'Restore club.sqlite?' }).waitFor();
  });
});

describe('a pasted table', () => {
  const rows = 'Name\tDate\nConcert\t2099-05-01\nTalk\t2099-05-02';

  it('opens the import from any screen, but stays a text in a field', {
    tags: 'long',
  }, async () => {
    const { page } = await openClub('#manage=keys');
    await page.locator('.managing-title').waitFor();
    // The code that reads pasted text is loaded after the page.
    await expect.poll(() => pasteText(page, rows)).toBe(true);
    await page.getByText('Match the columns').waitFor();
    await page.getByRole('navigation').getByRole('button', { name: 'Settings' }).click();
    await page.locator('.club-settings').waitFor();
    expect(await pasteText(page, rows, '.club-settings input >> nth=0')).toBe(false);
    await page.getByRole('navigation').getByRole('button', { name: 'Share' }).click();
    expect(await pasteText(page, rows)).toBe(true);
    const question = 'Nothing of it is imported yet. What about Pasted text.csv?';
    await page.getByText(question, { exact: true }).waitFor();
  });
});
