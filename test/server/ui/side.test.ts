import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { isOver } from '../../../server/event/values.ts';
import type { Event } from '../../../server/http/contract.ts';
import { nextEvent } from '../../../server/ui/data/event-queries.ts';
import { fragmentOf, testBrowser } from '../../support/browser.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectAccessible, expectPartForEverybody } from './axe.ts';
import { at, club, dialog, focused, month, nextUp, setClock } from './side-page.ts';

const clock = zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone);

const browser = testBrowser();
const shared = shareClub(browser, club, { beforeLoad: setClock });
const field = (page: Page) => page.getByRole('textbox', { name: 'Go to a date' });

describe('the next event', () => {
  it('is shown with its distance, and opened by mouse and by keyboard', async () => {
    const page = await shared.show();
    await nextUp(page).getByRole('heading', { name: 'Social run' }).waitFor();
    await expect
      .poll(async () => (await nextUp(page).innerText()).split(/\s*\n+\s*/))
      .toEqual([
        'Next up',
        'in 8 hours',
        'Social run',
        'When',
        'Today at 18:30',
        'Where',
        'Clubhouse',
      ]);
    const open = nextUp(page).getByRole('link', { name: 'Social run' });
    const panel = page.locator('.panel').getByRole('heading', { name: 'Social run' });
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

  it('is the first active one that has not begun, or is without a time today', () => {
    const events = club.slice(0, 6) as readonly Event[];
    const nextAt = (time: string) => nextEvent(clock, events, new Date(at(time)))?.id;
    expect(['05-14T08:59', '05-14T09:00', '05-14T18:29', '05-14T18:30'].map(nextAt)).toEqual([
      1, 4, 4, 5,
    ]);
    const picnic = { date: new Date(2031, 4, 15).toISOString() };
    expect(isOver(clock, picnic, new Date(2031, 4, 15, 23, 59))).toBe(false);
    expect(isOver(clock, picnic, new Date(2031, 4, 16))).toBe(true);
  });
});

describe('the small month', () => {
  it('underlines days with events and leads to a day by mouse, even twice', {
    tags: 'long',
  }, async () => {
    const page = await shared.show();
    await page.getByRole('heading', { name: 'May 2031', level: 3, exact: true }).waitFor();
    const full = month(page).locator('[data-full]');
    await expect.poll(() => full.allInnerTexts()).toEqual(['14', '15', '17']);
    await expect.poll(() => month(page).locator('[aria-current="date"]').innerText()).toBe('14');
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
});

describe('the field for a date', () => {
  it('can be used without its key', async () => {
    const page = await shared.show();
    await field(page).fill('today');
    await field(page).press('Enter');
    expect(await fragmentOf(page)).toBe('');
  });
});

describe('the column', () => {
  it('passes axe on a desktop, a phone and zoomed, in both themes', { tags: 'long' }, async () => {
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
