import { describe, expect, it } from 'vitest';
import { type ActionName, catalogue } from '../../../../server/actions/catalogue.ts';
import type { Home } from '../../../../server/base/home.ts';
import { thisMachine } from '../../../../server/club/tools.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { readOnce } from '../../../support/patience.ts';
import { calendarOf, type Entry, serveCalendar } from '../../follow/calendar-server.ts';
import { expectPartForEverybody } from '../axe.ts';

const browser = testBrowser();

const entries = [
  { uid: 'a', name: 'Rovers v City', start: '20361121T140000Z', place: 'Ground' },
  { uid: 'b', name: 'Bye', start: '20361122T140000Z' },
  { uid: 'c', name: 'Cup', start: '20361124T180000Z' },
];

it('follows a calendar with four clicks, shows its trouble, and stops with its events kept', async () => {
  const home = makeTestHome();
  await addMember(home, 'Rovers', [makeEvent(1, { date: '2036-12-01T18:00:00.000Z' })]);
  const served = { body: calendarOf(entries) };
  const { address } = await serveCalendar(() => served);
  const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=sources' });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await button('Follow an address…').click();
  await page.getByRole('textbox', { name: 'Calendar address' }).fill(address);
  await button('Check address').click();
  await page.getByText(/3 events, 21\s–\s24 Nov 2036/).waitFor();
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('');
  await expect.poll(() => name.inputValue()).toBe('');
  await page.getByRole('textbox', { name: 'Without the words' }).fill('bye');
  await page.getByText('left out').waitFor();
  await expectPartForEverybody(page, 'the form to follow a calendar', '.work');
  await button('Follow').click();
  const line = page.locator('.follow-calendar');
  await line.getByText('Up to date').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H3');
  expect(await readOnce(line.innerText())).not.toContain('secret');
  await expectPartForEverybody(page, 'the line of a calendar', '.work');

  await line.getByRole('button', { name: 'More for Fixtures' }).click();
  await page.getByRole('menuitem', { name: 'Change…' }).click();
  served.body = '<html>Welcome';
  await page.getByRole('textbox', { name: 'Place of events without one' }).fill('Hall');
  await button('Change').click();
  await line.getByText('This is a web page for people.').waitFor();
  await page.keyboard.press('Escape');

  await line.getByRole('button', { name: 'More for Fixtures' }).click();
  await page.getByRole('menuitem', { name: 'Stop following…' }).click();
  await button('Stop following').click();
  await page.getByText('Fixtures is no longer followed').waitFor();
  await page.evaluate(() => {
    location.hash = '#';
  });
  await page.getByText('Rovers v City').first().waitFor();
});

it('follows a calendar by the keyboard alone', async () => {
  const home = makeTestHome();
  await addMember(home, 'Rovers', [makeEvent(1)]);
  const { address } = await serveCalendar(() => ({ body: calendarOf(entries) }));
  const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=sources' });
  await page.getByRole('button', { name: 'Follow an address…', exact: true }).press('Enter');
  const field = page.getByRole('textbox', { name: 'Calendar address' });
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.type(address);
  await page.keyboard.press('Enter');
  await page.getByText('3 events, ').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.follow-calendar').getByText('Up to date').waitFor();
});

const hour = 60 * 60 * 1_000;

/** Performs an action some hours ago. */
async function performAgo(home: Home, hours: number, name: ActionName, args: object) {
  await catalogue[name].perform(args, {
    ...thisMachine,
    home,
    now: () => new Date(Date.now() - hours * hour),
    write: () => Promise.reject(new Error('Nothing is written.')),
    onProgress: () => undefined,
  });
}

describe('the questions of a calendar', () => {
  const [match, bye, cup] = entries as [Entry, Entry, Entry];

  /** A club whose calendar lacks a match, and has another time for a cup that was edited here. */
  async function openAsked() {
    const home = makeTestHome();
    await addMember(home, 'Rovers', [makeEvent(1, { date: '2036-12-01T18:00:00.000Z' })]);
    const served = { entries: [match, bye, cup] };
    const { address } = await serveCalendar(() => ({ body: calendarOf(served.entries) }));
    await performAgo(home, 12, 'follow add', { user: 'Rovers', address });
    const changes = { date: '2036-11-24T11:00:00.000Z' };
    await performAgo(home, 11, 'event edit', { user: 'Rovers', id: 4, changes });
    served.entries = [bye, { ...cup, start: '20361124T123000Z' }];
    await performAgo(home, 10, 'follow tick', { id: 1 });
    await performAgo(home, 5, 'follow tick', { id: 1 });
    return { home, served };
  }

  it('stand above the next event, and each answer has its undo', async () => {
    const { home } = await openAsked();
    const { page } = await openDesktopPage(browser.current, home);
    const card = page.getByRole('region', { name: '2 questions' });
    await card.getByText('No longer in the calendar since').waitFor();
    await page.locator('[data-event="2"]').getByText('No longer listed').waitFor();
    await page.locator('[data-event="4"]').getByText('12:00 or 13:30?').waitFor();
    await expectPartForEverybody(page, 'the questions of a calendar', '.side');
    await card.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('region', { name: '1 question' }).waitFor();
    await page.getByText('Rovers v City: stays as it was').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await card.getByRole('button', { name: 'Cancel it' }).click();
    await page.locator('[data-event="2"]').getByText('Cancelled').waitFor();
    await page.getByRole('region', { name: '1 question' }).waitFor();
    await page.locator('[data-event="2"]').click();
    await page
      .locator('.panel-description')
      .getByText(/No longer in the calendar since \d+ \w+/)
      .waitFor();
    await page.locator('[data-event="4"]').click();
    const question = page.getByRole('region', { name: 'Which time is right?' });
    await question.getByText('Members see the values of this club').waitFor();
    await expectPartForEverybody(page, 'the two values of an event', '.panel');
    await question.getByRole('button', { name: 'Take 13:30' }).click();
    await page.locator('[data-event="4"] .agenda-time').getByText('13:30').waitFor();
    await question.waitFor({ state: 'detached' });
    await page.getByText('2 questions').waitFor({ state: 'detached' });
  });

  it('are one question if many events are missing at once', async () => {
    const home = makeTestHome();
    await addMember(home, 'Rovers', [makeEvent(1, { date: '2036-12-01T18:00:00.000Z' })]);
    const many = Array.from({ length: 20 }, (_, at) => ({
      uid: `m${at}`,
      name: `Match ${at + 1}`,
      start: `203611${String(at + 1).padStart(2, '0')}T140000Z`,
    }));
    const served: { entries: readonly Entry[] } = { entries: many };
    const { address } = await serveCalendar(() => ({ body: calendarOf(served.entries) }));
    await performAgo(home, 12, 'follow add', { user: 'Rovers', address });
    served.entries = many.slice(12);
    await performAgo(home, 10, 'follow tick', { id: 1 });
    await performAgo(home, 5, 'follow tick', { id: 1 });
    const { page } = await openDesktopPage(browser.current, home, { fragment: '#manage=sources' });
    const line = page.locator('.follow-calendar');
    await line.getByText(/^12 of 20 events are missing at once/).waitFor();
    const receipts = page.getByRole('region', { name: 'What each sync changed' });
    await receipts.getByText(/^20 events/).waitFor();
    await receipts.getByText('Fixtures').waitFor();
    await page.locator('.managing-count').getByText('1', { exact: true }).waitFor();
    await line.getByRole('button', { name: 'Look at each…' }).click();
    await expect.poll(() => line.getByRole('button', { name: 'Cancel it' }).all()).toHaveLength(12);
    await line.getByRole('button', { name: 'Keep it' }).first().click();
    await expect.poll(() => line.getByRole('button', { name: 'Cancel it' }).all()).toHaveLength(11);
    await page.getByText('Match 1: stays as it was').waitFor();
  });
});

it('shows events to look at pale, with their clashes, and copies one', {
  tags: 'long',
}, async () => {
  const home = makeTestHome();
  await addMember(home, 'Rovers', [
    makeEvent(1, { name: 'Training', date: '2036-11-21T14:30:00.000Z', location: 'Ground' }),
  ]);
  const { address } = await serveCalendar(() => ({ body: calendarOf(entries) }));
  await performAgo(home, 1, 'follow add', { user: 'Rovers', address, onlyLook: true });
  const { page } = await openDesktopPage(browser.current, home);
  await page.locator('[data-event="1"]').getByText('Clash').waitFor();
  await page.getByText('1 event', { exact: true }).first().waitFor();
  const row = page.locator('.agenda-looked');
  await expect.poll(() => row.all()).toHaveLength(3);
  await row.filter({ hasText: 'Cup' }).click();
  const panel = page.getByRole('region', { name: 'Cup' });
  await panel.getByText('Only look: Fixtures').waitFor();
  await expectPartForEverybody(page, 'an event to look at', '.panel');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  const cup = row.filter({ hasText: 'Cup' });
  await expect.poll(() => cup.evaluate((one) => one === document.activeElement)).toBe(true);
  await page.locator('[data-event="1"]').press('ArrowUp');
  await expect.poll(() => row.first().evaluate((one) => one === document.activeElement)).toBe(true);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Copy to ours' }).click();
  await page.locator('[data-event="2"]').getByText('Cup').waitFor();
  await expect.poll(() => row.all()).toHaveLength(2);
  await page.goto(`${page.url().split('#')[0]}#view=calendar&day=2036-11-21`);
  await page.locator('.calendar-looked').filter({ hasText: 'Rovers v City' }).click();
  await page.getByRole('region', { name: 'Rovers v City' }).waitFor();
});

it('says at the name of the club that an address was not read for a day', async () => {
  const home = makeTestHome();
  await addMember(home, 'Rovers', [makeEvent(1, { date: '2036-12-01T18:00:00.000Z' })]);
  const served: { body: string; status?: number } = { body: calendarOf(entries) };
  const { address } = await serveCalendar(() => served);
  await performAgo(home, 30, 'follow add', { user: 'Rovers', address });
  served.status = 410;
  await performAgo(home, 2, 'follow tick', { id: 1 });
  const { page } = await openDesktopPage(browser.current, home);
  await page.locator('.page-club').getByText('1 address is old').waitFor();
});

it('shows days off at an address among the sources', { tags: 'long' }, async () => {
  const home = makeTestHome();
  await addMember(home, 'Rovers', [makeEvent(1)]);
  const holidays = [{ uid: 'h', name: 'Christmas holidays', start: '20361222' }];
  const { address } = await serveCalendar(() => ({ body: calendarOf(holidays) }));
  const { page } = await openDesktopPage(browser.current, home, {
    fragment: '#manage=club-settings',
  });
  await page.getByRole('button', { name: 'Add from an address…' }).click();
  await page.getByRole('textbox', { name: 'Address of the calendar' }).fill(address);
  await page.keyboard.press('Enter');
  await page.getByText('Fixtures added.').waitFor();
  const row = page.locator('.days-off-calendar').filter({ hasText: 'Fixtures' });
  await row.getByRole('button', { name: 'Sources' }).click();
  const line = page.locator('.follow-calendar');
  await line.getByText('Days off').waitFor();
  await line.getByText('until December 2036').waitFor();
});
