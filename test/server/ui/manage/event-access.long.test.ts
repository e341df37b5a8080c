import { expect, it } from 'vitest';
import { type Language, languages } from '../../../../server/messages/messages.ts';
import { readAgain, testBrowser } from '../../../support/browser.ts';
import { changeEvents } from '../../../support/club.ts';
import { makeEvent } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { expectForEverybody, windowSizes } from '../axe.ts';
import { expectTextSpacing } from '../wcag.ts';
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

/** A repetition in the words of each language. */
const repetitions: Readonly<Record<Language, string>> = {
  en: 'Training every Tue 19:00-20:30 Sports hall until 30 June 2027 except 6 April',
  de: 'Training jeden Dienstag 19:00-20:30 Sporthalle bis 30. Juni 2027 außer 6. April',
  fr: 'Entraînement chaque mardi 19h à 20h30 Gymnase jusqu’au 30 juin 2027 sauf le 6 avril',
  nl: 'Training elke dinsdag 19:00-20:30 Sporthal tot 30 juni 2027 behalve 6 april',
};

it.each(Object.keys(languages) as Language[])(
  'wide text spacing does no harm to the list and to the form of a repetition, in %s',
  async (language) => {
    const { page } = await openClubWindow(browser.current, { desk: { settings: { language } } });
    await page.locator('.agenda-event').first().waitFor();
    await expectTextSpacing(page, `the list in ${language}`);
    await page.keyboard.press('n');
    await page.locator('#event-line').fill(repetitions[language]);
    await page.locator('.event-weekdays').waitFor();
    await expectTextSpacing(page, `a repetition in ${language}`);
  },
);

it.each([windowSizes.low, windowSizes.phone, { width: 800, height: 600 }])(
  'the notice leaves the buttons of the form free at $width × $height pixels',
  async (size) => {
    const { page } = await openClubWindow(browser.current, {
      desk: { settings: { language: 'de' } },
    });
    await page.setViewportSize(size);
    await page.evaluate(() => location.assign('#form=new'));
    await page.locator('#event-line').fill('Sitzung 24.11.2026 19:00');
    const another = page.getByRole('button', { name: 'Und noch einer' });
    await another.click();
    await noticeOf(page).waitFor();
    await another.evaluate((button) => button.scrollIntoView({ block: 'end' }));
    for (const name of ['Termin hinzufügen', 'Und noch einer']) {
      const button = page.getByRole('button', { name, exact: true });
      const isFree = () =>
        button.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(left + width / 2, top + height - 2));
        });
      await expect.poll(isFree, { message: name }).toBe(true);
    }
  },
);
