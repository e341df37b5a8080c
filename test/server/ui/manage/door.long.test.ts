import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Home } from '../../../../server/base/home.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { holidays, pasteText, writeKinds } from './door-files.ts';
import { dropFiles } from './drop-files.ts';
import { performIn } from './mirrored-club.ts';
import { openNew } from './welcome-page.ts';

const browser = testBrowser();

type Kinds = Awaited<ReturnType<typeof writeKinds>>;

/** The screens of a club, by their addresses. */
const screens = {
  agenda: '',
  table: '#view=table',
  calendar: '#view=calendar',
  event: '#event=1',
  form: '#form=new',
  print: '#print=month',
  sources: '#manage=sources',
  import: '#manage=import',
  proposals: '#manage=proposals',
  'second computer': '#manage=sync',
  share: '#manage=share',
  message: '#manage=message',
  history: '#manage=history',
  backups: '#manage=backups',
  scripts: '#manage=keys',
  'club settings': '#manage=club-settings',
  settings: '#manage=settings',
  help: '#manage=help',
};

const seeText = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

const seeQuestion = (name: string) => async (page: Page) => {
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  // No answer has the focus, or Enter would choose it.
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
};

const seeRefusal =
  (...sentences: readonly string[]) =>
  async (page: Page) => {
    for (const sentence of sentences) {
      await page.locator('.file-refusal').getByText(sentence).waitFor();
    }
    await page.getByRole('button', { name: 'Close this notice' }).last().click();
    await page.locator('.file-refusal p').waitFor({ state: 'detached' });
  };

/** The sight of each kind of drop on a screen of a club. */
const drops: readonly (readonly [kind: keyof Kinds, see: (page: Page) => Promise<void>])[] = [
  ['events', seeText('Match the columns')],
  ['plan', seeText('Season plan')],
  ['daysOff', seeQuestion('Days off, or events?')],
  ['backup', seeQuestion('Restore club.sqlite?')],
  ['copy', seeQuestion('Follow this club, or import it once?')],
  ['proposals', seeText('No proposal waits for an answer.')],
  ['document', seeRefusal('this is a PDF')],
  ['unknown', seeRefusal('Club Events can’t read poster.png.')],
  [
    'mixed',
    seeRefusal(
      'plan.csv has events, holidays.ics has whole days, such as holidays, and poster.png is something else. Nothing was changed',
    ),
  ],
  ['backups', seeRefusal('club.sqlite is a backup and club.sqlite is a backup. Nothing')],
];

/** All that an import, a restore or a new mirror could change. */
async function stateOf(home: Home) {
  const { history } = await performIn(home, 'history', { user: 'Chess' });
  const { users } = await performIn(home, 'user list', {});
  const { calendars } = await performIn(home, 'days-off list', { user: 'Chess' });
  return { history, users: users.map(({ name, events }) => [name, events]), calendars };
}

describe('one drop of each kind', () => {
  it.each(Object.entries(screens))('on %s is recognized or asked about', async (_, fragment) => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1), makeEvent(2)]);
    const before = await stateOf(home);
    const { page, desk } = await openDesktopPage(browser.current, home, { fragment });
    await page.locator('main').first().waitFor();
    const kinds = await writeKinds(desk.folder);
    for (const [kind, see] of drops) {
      await page.evaluate((place) => {
        localStorage.clear();
        location.hash = place;
      }, fragment);
      await page.reload();
      await page.locator('main').first().waitFor();
      await dropFiles(page, 'body', kinds[kind]);
      await see(page).catch((error: unknown) => {
        throw new Error(`A drop of ${kind} leads elsewhere.`, { cause: error });
      });
    }
    expect(await stateOf(home)).toEqual(before);
  });

  it('on the first window leads to a new club, or asks', async () => {
    const { page, desk, clubs } = await openNew(browser.current);
    const kinds = await writeKinds(desk.folder);
    const drop = (kind: keyof Kinds) => dropFiles(page, 'body', kinds[kind]);
    await drop('events');
    await page.getByText('Which club is plan.csv for?').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await drop('daysOff');
    await seeQuestion('Days off, or events?')(page);
    await drop('copy');
    await seeQuestion('Follow this club, or import it once?')(page);
    await drop('proposals');
    await seeRefusal('answers.json has proposals for a club.')(page);
    await drop('unknown');
    await seeRefusal('Club Events can’t read poster.png.')(page);
    await drop('mixed');
    await seeRefusal('Nothing was changed')(page);
    await drop('backup');
    await seeQuestion('Restore club.sqlite?')(page);
    expect(await clubs()).toEqual([]);
  });
});

describe('a pasted calendar', () => {
  it.each([
    ['agenda', ''],
    ['scripts', '#manage=keys'],
    ['print', '#print=month'],
  ])('on %s is asked about', async (_, fragment) => {
    const home = makeTestHome();
    await addMember(home, 'Chess', [makeEvent(1)]);
    const { page } = await openDesktopPage(browser.current, home, { fragment });
    await page.locator('main').first().waitFor();
    // The code that reads pasted text is loaded after the page.
    await expect.poll(() => pasteText(page, holidays)).toBe(true);
    await page.getByRole('dialog', { name: 'Days off, or events?' }).waitFor();
  });
});
