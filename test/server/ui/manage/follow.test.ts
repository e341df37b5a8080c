import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { readOnce } from '../../../support/patience.ts';
import { calendarOf, serveCalendar } from '../../follow/calendar-server.ts';
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
