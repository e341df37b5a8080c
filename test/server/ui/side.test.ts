import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../server/contract.ts';
import { isOver, nextEvent } from '../../../server/ui/data/events.ts';
import { fragmentOf, openPage, testBrowser } from '../../support/browser.ts';
import { serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectAccessible, expectPartForEverybody } from './axe.ts';

const browser = testBrowser();

const at = (moment: string) => new Date(`2031-${moment}:00+02:00`).toISOString();

/** Wednesday 14 May 2031, ten in the morning in Berlin. */
const now = at('05-14T10:00');
const run = makeEvent(4, { name: 'Social run', date: at('05-14T18:30'), location: 'Clubhouse' });
const later = Array.from({ length: 60 }, (_, week) =>
  makeEvent(100 + week, {
    name: `Training ${week}`,
    date: new Date(Date.parse(at('06-03T18:00')) + week * 7 * 86_400_000).toISOString(),
  }),
);
const club = [
  makeEvent(1, { name: 'Breakfast', date: at('05-14T09:00') }),
  makeEvent(2, { name: 'Called off', date: at('05-14T12:00'), status: 'cancelled' }),
  makeEvent(3, { name: 'Only an idea', date: at('05-14T13:00'), status: 'draft' }),
  run,
  makeEvent(5, { name: 'Picnic', date: at('05-15T00:00'), location: '' }),
  makeEvent(6, { name: 'Regatta', date: at('05-17T10:00'), location: 'River' }),
  ...later,
];

const setClock = (page: Page) => page.clock.install({ time: now });
const shared = shareClub(browser, club, {
  beforeLoad: setClock,
  permissions: ['clipboard-read', 'clipboard-write'],
});

const nextUp = (page: Page) => page.locator('.next-up');
const month = (page: Page) => page.locator('.small-month');
const field = (page: Page) => page.getByRole('textbox', { name: 'Go to a date' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Go to a date' });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);

describe('the next event', () => {
  it('is shown with its distance, and opened and copied by mouse and by keyboard', async () => {
    const page = await shared.show();
    await nextUp(page).getByRole('heading', { name: 'Social run' }).waitFor();
    expect((await nextUp(page).innerText()).split(/\s*\n+\s*/)).toEqual([
      'Next up',
      'in 8 hours',
      'Social run',
      'When',
      'Today at 18:30',
      'Where',
      'Clubhouse',
      'Open',
      'Copy message',
    ]);
    const open = nextUp(page).getByRole('button', { name: 'Open' });
    const panel = page.locator('.panel').getByRole('heading', { name: 'Social run' });
    await nextUp(page).getByRole('button', { name: 'Copy message' }).click();
    await nextUp(page).getByText('Message copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Social run\n/);
    for (const press of [() => open.click(), () => open.press('Enter')]) {
      await press();
      await panel.waitFor();
      expect(await focused(page)).toBe('panel-name');
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-event')))
        .toBe('4');
    }
  });

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

  it('is the first active one that has not begun, or is without a time today', () => {
    const events = club.slice(0, 6) as readonly Event[];
    const nextAt = (time: string) => nextEvent(events, new Date(at(time)))?.id;
    expect(['05-14T08:59', '05-14T09:00', '05-14T18:29', '05-14T18:30'].map(nextAt)).toEqual([
      1, 4, 4, 5,
    ]);
    const picnic = { date: new Date(2031, 4, 15).toISOString() };
    expect(isOver(picnic, new Date(2031, 4, 15, 23, 59))).toBe(false);
    expect(isOver(picnic, new Date(2031, 4, 16))).toBe(true);
  });
});

describe('the small month', () => {
  it('underlines days with events and leads to a day by mouse, even twice', async () => {
    const page = await shared.show();
    await page.getByRole('heading', { name: 'May 2031', level: 3, exact: true }).waitFor();
    const full = month(page).locator('[data-full]');
    expect(await full.allInnerTexts()).toEqual(['14', '15', '17']);
    expect(await month(page).locator('[aria-current="date"]').innerText()).toBe('14');
    for (let times = 0; times < 8; times += 1) {
      await page.getByLabel('Next month').click();
    }
    await page.getByRole('heading', { name: 'January 2032', level: 3 }).waitFor();
    const day = month(page).getByRole('button', { name: /Tuesday,? 6 January 2032: 1 event/ });
    const row = page.locator('[data-event="131"]');
    for (let times = 0; times < 2; times += 1) {
      await day.click();
      await row.waitFor();
      expect((await row.boundingBox())?.y).toBeGreaterThan(60);
      expect((await row.boundingBox())?.y).toBeLessThan(300);
      await page.mouse.move(400, 400);
      await page.mouse.wheel(0, -1200);
      // Rows far below the window are not rendered.
      const topOf = () =>
        page.evaluate(() => {
          const shown = document.querySelector('[data-event="131"]');
          return shown?.getBoundingClientRect().top ?? 9_999;
        });
      await expect.poll(topOf).toBeGreaterThan(800);
    }
    expect(await fragmentOf(page)).toBe('#day=2032-01-06');
    await page.goBack();
    expect(await fragmentOf(page)).toBe('');
  });

  it('has one tab stop, and arrow keys that lead across months', async () => {
    const page = await shared.show();
    await month(page).getByRole('button', { name: '14 May 2031' }).focus();
    expect(await month(page).locator('[tabindex="0"]').count()).toBe(1);
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowLeft']) {
      await page.keyboard.press(key);
    }
    const focusedDay = () => page.evaluate(() => document.activeElement?.getAttribute('data-day'));
    expect(await focusedDay()).toBe('2031-06-04');
    await page.keyboard.press('Home');
    await page.keyboard.press('PageUp');
    expect(await focusedDay()).toBe('2031-05-01');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    expect(await fragmentOf(page)).toBe('#day=2031-05-31');
  });
});

describe('the field for a date', () => {
  const locales: readonly (readonly [string, string, string, string, string])[] = [
    ['en-GB', '14 March', 'next Saturday', 'whenever', 'That isn’t a date.'],
    ['de-DE', '14. März', 'nächsten Samstag', 'irgendwann', 'Das ist kein Datum.'],
    ['fr-FR', '14 mars', 'samedi prochain', 'un jour', 'Ce n’est pas une date.'],
    ['nl-NL', '14 maart', 'volgende zaterdag', 'ooit', 'Dat is geen datum.'],
  ];

  it.each(choose(locales, locales.slice(0, 2)))(
    'understands %s: %s, %s',
    async (locale, date, weekday, other, problem) => {
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
      expect(await input.getAttribute('aria-invalid')).toBe('true');
    },
  );

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

    await page.evaluate(() => location.assign('#view=season&time=today'));
    await page.locator('.season').waitFor();
    await page.keyboard.press('g');
    await dialog(page).locator('input:focus').waitFor();
    await page.keyboard.type('3 june');
    await page.keyboard.press('Enter');
    // The filter would hide that day.
    await expect.poll(() => fragmentOf(page)).toBe('#day=2031-06-03');
    await page.locator('[data-event="100"]').click();
    await page.keyboard.press('g');
    await dialog(page).locator('input:focus').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('panel-name');
  });

  it('can be used without its key', async () => {
    const page = await shared.show();
    await field(page).fill('today');
    await field(page).press('Enter');
    expect(await fragmentOf(page)).toBe('');
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

  it('passes axe on a desktop, a phone and zoomed, in both themes', async () => {
    const page = await shared.show();
    await field(page).fill('whenever');
    await field(page).press('Enter');
    await page.getByRole('alert').waitFor();
    await expectPartForEverybody(page, 'the cards', '.side-cards');
    await page.keyboard.press('Escape');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.setViewportSize({ width: 390, height: 844 });
    await page.keyboard.press('g');
    await dialog(page).locator('input:focus').waitFor();
    await expectAccessible(page, 'the dialog');
  });
});
