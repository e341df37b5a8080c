import { expect, it } from 'vitest';
import { changeEvents, editEvent } from '../../../../server/club/event-actions.ts';
import { readAnnouncedState } from '../../../../server/club/message-actions.ts';
import { type ActionTools, thisMachine } from '../../../../server/club/tools.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { readOnce } from '../../../support/patience.ts';
import { expectPartForEverybody } from '../axe.ts';

const browser = testBrowser();

const season = [
  makeEvent(1, { name: 'Athletic v Rovers', date: '2031-11-28T13:00:00.000Z' }),
  makeEvent(2, { name: 'Training', date: '2031-12-16T18:00:00.000Z', location: 'Sports hall' }),
  makeEvent(3, { name: 'City v Rovers', date: '2031-12-13T13:00:00.000Z' }),
  makeEvent(4, { name: 'Planned', date: '2031-12-20T13:00:00.000Z', status: 'draft' }),
];

async function openClub() {
  const home = makeTestHome();
  await addMember(home, 'Rovers', season);
  const now = () => new Date('2026-11-26T00:00:00Z');
  const tools = { home, now } as ActionTools;
  const edit = (id: number, changes: object) => editEvent({ user: 'Rovers', id, changes }, tools);
  const announced = async () =>
    (await readAnnouncedState({ user: 'Rovers' }, { ...thisMachine, home, now })).announced;
  return { home, tools, edit, announced };
}

it('one message says what changed, in a language, and the changes are told with an undo', async () => {
  const { home, tools, edit, announced } = await openClub();
  const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=message' });
  await page.getByText('Everybody knows everything.').waitFor();
  await edit(1, { date: '2031-11-28 15:00' });
  await edit(2, { location: 'School gym' });
  await edit(3, { status: 'cancelled', description: 'Pitch frozen\nSee you in spring' });
  await edit(4, { name: 'Still planned' });
  await page.evaluate(() => location.assign('#'));
  await page.getByRole('heading', { name: '1 thing waits' }).waitFor();
  await page.getByRole('link', { name: '3 changes to tell Moved, Cancelled' }).click();
  const letter = page.getByRole('textbox', { name: 'Message' });
  await expect
    .poll(() => letter.inputValue())
    .toBe(
      [
        'Changes at Rovers',
        '',
        'Moved',
        '• Athletic v Rovers: Friday 28 November 2031, 15:00 (was 14:00), Clubhouse',
        '• Training: Tuesday 16 December 2031, 19:00, School gym (was Sports hall)',
        '',
        'Cancelled',
        '• City v Rovers, Saturday 13 December 2031: Pitch frozen',
      ].join('\n'),
    );
  await expectPartForEverybody(page, 'message');
  await page.getByText('Deutsch', { exact: true }).click();
  await expect.poll(() => letter.inputValue()).toContain('Änderungen bei Rovers');
  await expect
    .poll(() => letter.inputValue())
    .toContain('• Training: Dienstag, 16. Dezember 2031, 19:00, School gym (bisher Sports hall)');
  await letter.fill(`${await readOnce(letter.inputValue())}\n\nGruß, Kim`);
  await page.getByText('English', { exact: true }).click();
  await page.getByText('Your words were replaced.').waitFor();
  await page.locator('.announced-letter').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => letter.inputValue()).toContain('Gruß, Kim');
  // What is not ticked is not in the message, and stays unannounced.
  await page.getByRole('checkbox', { name: 'Tell: Training' }).uncheck();
  await page.getByText('Français', { exact: true }).click();
  await expect.poll(() => letter.inputValue()).not.toContain('Training');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy message' }).click();
  await page.getByText('Copied. 2 changes are told.').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
    'Changements chez Rovers',
  );
  await page.getByText('1 change nobody was told of').waitFor();
  expect(await announced()).toMatchObject({ language: 'fr' });
  await page.locator('.saved-note').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('3 changes nobody was told of').waitFor();
  expect(await announced()).toMatchObject({ language: null });
  await page.getByRole('button', { name: 'Mark as told' }).click();
  await page.getByText('Everybody knows everything.').waitFor();
  // Changed back, and told singly.
  await changeEvents(
    { user: 'Rovers', ids: [2], change: { kind: 'set', values: { location: 'Hall' } } },
    tools,
  );
  await edit(1, { date: '2031-11-28 16:00' });
  await edit(1, { date: '2031-11-28 15:00' });
  await page.evaluate(() => location.assign('#event=2'));
  await page.getByText('1 change to tell').waitFor({ state: 'attached' });
  await page
    .getByRole('button', { name: /message/i })
    .first()
    .click();
  await expect.poll(async () => (await announced()).others.map(({ id }) => id)).toEqual([2]);
  await page.getByText('1 change to tell').waitFor({ state: 'detached' });
});
