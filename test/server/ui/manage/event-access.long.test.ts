import { it } from 'vitest';
import { type Language, languages } from '../../../../server/messages/messages.ts';
import { readAgain, testBrowser } from '../../../support/browser.ts';
import { changeEvents } from '../../../support/club.ts';
import { makeEvent } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { expectForEverybody } from '../axe.ts';
import { noticeOf, openClubWindow } from './event-window.ts';

const browser = testBrowser();

/** The words of each language for "31 November", and its sentence about it. */
const faults: Readonly<Record<Language, readonly [date: string, error: string]>> = {
  en: ['31 November', 'November has only 30 days.'],
  de: ['31. November', 'Der November hat nur 30 Tage.'],
  fr: ['31 novembre', 'Novembre n’a que 30 jours.'],
  nl: ['31 november', 'November heeft maar 30 dagen.'],
};

it.each(choose(Object.keys(languages) as Language[], ['de'] as const))(
  'axe finds no fault in the forms and their notices in %s, wide and narrow, light and dark',

  async (language) => {
    const [date, error] = faults[language];
    const { page, served } = await openClubWindow(browser.current, {
      desk: { settings: { language } },
    });
    const check = (what: string) => expectForEverybody(page, `${what} in ${language}`);
    await page.keyboard.press('n');
    await page.locator('#event-line').fill('Training 24.11.2026 19:00 Sports hall');
    await page.locator('#event-line').press('Enter');
    await noticeOf(page).hover();
    await page.keyboard.press('n');
    await page.locator('#event-line').fill('Training 24.11.2026 19:00 Sports hall');
    await page.locator('#event-date').fill(date);
    await page.locator('#event-name').fill('');
    await page.locator('#event-name').press('Enter');
    await page.getByText(error, { exact: true }).waitFor();
    await check('a form with errors, and a notice');

    await page.evaluate(() => location.assign('#event=4&form=edit'));
    await page.locator('#event-time').fill('16:00');
    await changeEvents(served, [
      makeEvent(4, { name: 'Rovers v City', date: '2026-11-28T14:00:00.000Z' }),
    ]);
    await readAgain(page);
    await page.locator('.event-conflict button').first().waitFor();
    await check('a conflict');
  },
);
