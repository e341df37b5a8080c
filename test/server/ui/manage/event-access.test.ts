import { it } from 'vitest';
import { type Language, languages } from '../../../../server/messages/messages.ts';
import { testBrowser } from '../../../support/browser.ts';
import { changeEvents } from '../../../support/club.ts';
import { makeEvent } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { expectAccessibleInAnyLight, expectNoSidewaysScrolling } from '../axe.ts';
import { noticeOf, openClubWindow, readAgain } from './event-window.ts';

const browser = testBrowser();

/** The words of each language for "31 November", and its sentence about it. */
const faults: Readonly<Record<Language, readonly [date: string, error: string]>> = {
  en: ['31 November', 'November has only 30 days.'],
  de: ['31. November', 'Der November hat nur 30 Tage.'],
  fr: ['31 novembre', 'Le mois de novembre n’a que 30 jours.'],
  nl: ['31 november', 'november heeft maar 30 dagen.'],
};

/** Two widths for each language, or one in turn. */
const widthsOf = (index: number) => choose([320, 1280], [index % 2 === 0 ? 1280 : 320]);

it.each(Object.keys(languages).map((language, index) => [language, index] as const))(
  'axe finds no fault in the forms and their notices in %s, light and dark',
  async (code, index) => {
    const language = code as Language;
    const [date, error] = faults[language];
    const { page, served } = await openClubWindow(browser.current, {
      desk: { settings: { language } },
    });
    const check = async (what: string) => {
      for (const width of widthsOf(index)) {
        await page.setViewportSize({ width, height: 800 });
        const where = `${what} in ${language}, ${width} pixels wide`;
        await expectAccessibleInAnyLight(page, where);
        await expectNoSidewaysScrolling(page, where);
      }
    };
    await page.keyboard.press('n');
    await page.locator('#event-line').fill('Training 24.11.2026 19:00 Sports hall');
    await page.locator('#event-line').press('Enter');
    await noticeOf(page).hover();
    await page.keyboard.press('n');
    await page.locator('#event-line').fill('Training 24.11.2026 19:00 Sports hall');
    await page.locator('#event-date').fill(date);
    await page.locator('#event-name').fill('');
    await page.locator('#event-name').press('Enter');
    await page.getByText(error).waitFor();
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
