import { expect, it } from 'vitest';
import { addEvent, changeEvents, editEvent } from '../../../../server/club/event-actions.ts';
import {
  readAnnouncedState,
  storeAnnouncedState,
} from '../../../../server/club/message-actions.ts';
import { addTeam } from '../../../../server/club/team-actions.ts';
import { type ActionTools, thisMachine } from '../../../../server/club/tools.ts';
import { stateAfter } from '../../../../server/ui/data/announced.ts';
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
  const tools = { ...thisMachine, home, now } as ActionTools;
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
  await page.getByText('Copied. 2 changes are marked as told.').waitFor();
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

it('what is on is a message by days and teams, which tells the changes in it and says what is left', async () => {
  const { home, tools, edit, announced } = await openClub();
  const soon = (days: number, time: string) =>
    `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)} ${time}`;
  const member = { user: 'Rovers' };
  await addTeam(
    { ...member, name: 'U15', words: 'U15', without: '', place: '', eventType: null },
    tools,
  );
  for (const [name, days] of [
    ['U15 training', 2],
    ['Party', 3],
    ['U15 cup', 12],
  ] as const)
    await addEvent({ ...member, event: { name, date: soon(days, '18:00') }, except: [] }, tools);
  const read = await readAnnouncedState(member, { ...thisMachine, home, now: tools.now });
  await storeAnnouncedState(
    { ...member, announced: stateAfter(read, { language: null, unannounced: new Set() }) },
    tools,
  );
  const { page, desk } = await openDesktopPage(browser.current, home, {});
  await page.getByRole('button', { name: 'More' }).waitFor();
  await page.keyboard.press('w');
  await page.getByRole('heading', { level: 1, name: 'A message for the members' }).waitFor();
  const letter = page.getByRole('textbox', { name: 'Message' });
  await expect
    .poll(() => letter.inputValue())
    .toMatch(/18:00: U15 training\nClubhouse|18:00: U15 training/);
  await expect.poll(() => letter.inputValue()).not.toContain('U15 cup');
  await edit(5, { date: soon(2, '19:00') });
  await edit(7, { status: 'cancelled' });
  await expect.poll(() => letter.inputValue()).toMatch(/19:00 \(was 18:00\):\nU15 training/);
  await page.getByText('Copying tells 1 of 2 changes. 1 stays under Changes.').waitFor();
  await expectPartForEverybody(page, 'week');
  await page.getByLabel('Team').selectOption('U15');
  await expect.poll(() => letter.inputValue()).not.toContain('Party');
  await page.getByLabel('Days', { exact: true }).selectOption('14');
  await expect.poll(() => letter.inputValue()).toContain('Cancelled: U15 cup');
  await page.getByRole('checkbox', { name: 'Tell: U15 cup' }).uncheck();
  await expect.poll(() => letter.inputValue()).not.toContain('U15 cup');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy message' }).click();
  await page.getByText('Copied. 1 change is marked as told. 1 is still to be told.').waitFor();
  expect((await announced()).others.map(({ id }) => id)).toEqual([7]);
  await page.locator('.saved-note').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Copying tells 1 of 2 changes. 1 stays under Changes.').waitFor();
  await page.getByRole('button', { name: 'E-mail…' }).click();
  await page
    .getByText('The e-mail is open in your mail program. 1 change is marked as told.')
    .waitFor();
  const [mail = ''] = desk.asked;
  expect(mail).toMatch(/^mail Rovers, U15, .*\nRovers, U15, /);
  expect(mail).toContain('(was 18:00):\nU15 training');
  await page.getByText('Changes 1', { exact: true }).click();
  await page.getByRole('checkbox', { name: 'Tell: U15 cup' }).waitFor();
});
