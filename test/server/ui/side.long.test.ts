import { describe, expect, it } from 'vitest';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
import { shareClub } from '../../support/shared-club.ts';
import { at, club, dialog, focused, month, nextUp, setClock } from './side-page.ts';

const browser = testBrowser();
const shared = shareClub(browser, club, {
  beforeLoad: setClock,
  permissions: ['clipboard-read', 'clipboard-write'],
});

describe('the next event', () => {
  it('follows the clock, in words near and far', async () => {
    const { service, key } = shared.served;
    const page = await openPage(browser.current, service, { key, beforeLoad: setClock });
    const expectNext = async (time: string, name: string, words: readonly string[]) => {
      await page.clock.setSystemTime(at(time));
      await page.clock.runFor(11_000);
      await nextUp(page).getByRole('heading', { name }).waitFor();
      for (const text of words) await nextUp(page).getByText(text, { exact: true }).waitFor();
    };
    await expectNext('05-14T18:10', 'Social run', ['in 20 minutes']);
    await expectNext('05-14T18:30', 'Picnic', ['tomorrow', 'Tomorrow']);
    await expectNext('05-15T23:50', 'Picnic', ['today', 'Today']);
    await expectNext('05-16T09:00', 'Regatta', ['tomorrow', 'Tomorrow at 10:00']);
    await expectNext('05-18T09:00', 'Training 0', ['in 16 days', 'Tuesday 3 June, 18:00']);
  });

  it('is missing if all events are over, cancelled or drafts', async () => {
    const { service, key } = await serveClub(club.slice(0, 3));
    const page = await openPage(browser.current, service, { key, beforeLoad: setClock });
    await nextUp(page).getByText('No events to come.').waitFor();
  });
});

describe('the small month', () => {
  it('has one tab stop, and arrow keys that lead across months', async () => {
    const page = await shared.show();
    await month(page).getByRole('button', { name: '14 May 2031' }).focus();
    await expect.poll(() => month(page).locator('[tabindex="0"]').count()).toBe(1);
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press(key);
    }
    const focusedDay = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'));
    await expect.poll(focusedDay).toBe('2031-06-04');
    await page.keyboard.press('Home');
    await page.keyboard.press('PageUp');
    await expect.poll(focusedDay).toBe('2031-05-01');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    expect(await fragmentOf(page)).toBe('#day=2031-05-31');
  });
});

describe('the field for a date', () => {
  const locales: readonly (readonly [string, string, string, string, string])[] = [
    ['en-GB', '14 March', 'next Saturday', 'whenever', 'Try “14 March”'],
    ['de-DE', '14. März', 'nächsten Samstag', 'irgendwann', 'Versuchen Sie „14. März“'],
    ['fr-FR', '14 mars', 'samedi prochain', 'un jour', 'Essayez « 14 mars »'],
    ['nl-NL', '14 maart', 'volgende zaterdag', 'ooit', 'Probeer “14 maart”'],
  ];

  it.each(locales)('understands %s: %s, %s', async (locale, date, weekday, other, problem) => {
    const { service, key } = shared.served;
    const page = await openPage(browser.current, service, { key, locale, beforeLoad: setClock });
    await nextUp(page).getByText('Social run').waitFor();
    // By key.
    await page.keyboard.press('g');
    expect(await focused(page)).toBe('go-to-date');
    await page.keyboard.type(date);
    await page.keyboard.press('Enter');
    expect(await fragmentOf(page)).toBe('#day=2032-03-14');
    expect(await focused(page)).toBe('events');
    // By mouse.
    const input = page.locator('#go-to-date');
    await input.click();
    await page.keyboard.type(weekday);
    await page.keyboard.press('Enter');
    expect(await fragmentOf(page)).toBe('#day=2031-05-17');
    await page.keyboard.press('g');
    await page.keyboard.type(other);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(problem).waitFor();
    expect(await fragmentOf(page)).toBe('#day=2031-05-17');
    expect(await focused(page)).toBe('go-to-date');
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
  });

  it('opens in a dialog in other views and beside an event', async () => {
    const page = await shared.show('#view=calendar');
    await page.getByRole('heading', { name: 'May 2031' }).waitFor();
    await page.keyboard.press('g');
    await dialog(page).locator('input:focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await dialog(page).locator('input:focus').waitFor();
    await page.keyboard.type('march 2032');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'March 2032' }).waitFor();
    expect(await focused(page)).toBe('events');

    await page.evaluate(() => location.assign('#view=calendar&span=year'));
    await page.locator('.calendar-year').waitFor();
    await page.keyboard.press('g');
    await dialog(page).locator('input:focus').waitFor();
    await page.keyboard.type('3 june');
    await page.keyboard.press('Enter');
    await expect.poll(() => fragmentOf(page)).toBe('#view=calendar&day=2031-06-03');
    await page.evaluate(() => location.assign('#time=today'));
    await page.locator('.agenda').waitFor();
    await page.keyboard.press('g');
    await page.locator('input#go-to-date:focus').waitFor();
    await page.keyboard.type('3 june');
    await page.keyboard.press('Enter');
    // The filter would hide that day.
    await expect.poll(() => fragmentOf(page)).toBe('#day=2031-06-03');
    await page.locator('[data-event="100"]').click();
    await expect.poll(() => focused(page)).toBe('panel-name');
    await page.keyboard.press('g');
    await dialog(page).locator('input:focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('panel-name');
  });
});

describe('the column', () => {
  it('never moves the list when an event opens, wide or narrow', async () => {
    const page = await shared.show();
    for (const width of [1280, 1000, 800]) {
      await page.setViewportSize({ width, height: 800 });
      const row = page.locator('[data-event="6"]');
      const top = async () => (await row.boundingBox())?.y;
      const before = await top();
      await row.click();
      await page.locator('.panel').getByRole('heading', { name: 'Regatta' }).waitFor();
      expect(await top(), `${width} pixels wide`).toBe(before);
      await page.keyboard.press('Escape');
      await page.locator('.panel').waitFor({ state: 'detached' });
      expect(await top(), `${width} pixels wide, closed`).toBe(before);
    }
  });
});
