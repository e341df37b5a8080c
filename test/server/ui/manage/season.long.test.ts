import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { listUsers } from '../../../../server/club/user-actions.ts';
import { catalogues } from '../../../../server/messages/messages.ts';
import { type PageOptions, testBrowser } from '../../../support/browser.ts';
import { printFigure } from '../../../support/print.ts';
import { makeXlsx } from '../../../support/workbook.ts';
import { writeTestFile } from '../../import/files.ts';
import { openNew } from './welcome-page.ts';

const browser = testBrowser();

/** The folder for a picture of each step, if a person wants to look at them. */
const pictures = process.env['SEASON_PICTURES'];

/** Times of a slow person: to press a key of a text, and to find a control and use it. */
const keyMs = 250;
const actionMs = 2_500;

type Way = 'mouse' | 'keyboard';

/** Actions of a person, counted: clicks, keys, typed texts, and ways to a control by Tab. */
function createPerson(page: Page, way: Way, title: string) {
  const count = { actions: 0, letters: 0, steps: 0 };
  const isFocused = (target: Locator) =>
    target.evaluate((element) => element === document.activeElement);
  /** Moves the focus as Tab does; fails if the control is no tab stop. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    if (await isFocused(target)) return;
    count.actions += 1;
    for (let stops = 0; stops < 150; stops += 1) {
      await page.keyboard.press('Tab');
      if (await isFocused(target)) return;
    }
    throw new Error(`No tab stop leads to ${target}.`);
  }
  const person = {
    count,
    async look(name: string) {
      count.steps += 1;
      const isWide = 'document.documentElement.scrollWidth > innerWidth';
      expect(await page.evaluate(isWide), name).toBe(false);
      if (pictures === undefined) return;
      mkdirSync(pictures, { recursive: true });
      const number = String(count.steps).padStart(2, '0');
      await page.screenshot({ path: join(pictures, `${title}-${number}-${name}.png`) });
    },
    async key(name: string) {
      count.actions += 1;
      await page.keyboard.press(name);
    },
    async use(target: Locator) {
      if (way === 'keyboard') {
        await tabTo(target);
        return await person.key('Enter');
      }
      count.actions += 1;
      await target.click();
    },
    /** Chooses an entry of the open menu; on the keyboard, by its first letter. */
    async item(name: string) {
      const target = page.getByRole('menuitem', { name, exact: true });
      if (way === 'mouse') return await person.use(target);
      await page.locator('[role=menu]:focus-within').waitFor();
      while (!(await isFocused(target))) await person.key(name.charAt(0).toLowerCase());
      await person.key('Enter');
    },
    async type(text: string) {
      count.actions += 1;
      count.letters += text.length;
      await page.keyboard.insertText(text);
    },
    /** Goes to a field and types a text into it. */
    async fill(field: Locator, text: string) {
      if (way === 'keyboard') await tabTo(field);
      else {
        count.actions += 1;
        await field.click();
      }
      await person.type(text);
    },
    /** Opens the dialog for files with a button, and chooses one there. */
    async choose(button: Locator, desk: { chosen: string[] }, path: string) {
      desk.chosen = [path];
      await person.use(button);
      // A file in the dialog, and its button.
      count.actions += 2;
    },
  };
  return person;
}

/** A fixture each Saturday from 5 December 2026, as serial numbers of a spreadsheet. */
const rounds = Array.from({ length: 30 }, (_, round) => ({
  date: 46_361 + 7 * round,
  place: round % 2 === 0,
}));

const seasons = {
  en: {
    options: { locale: 'en-GB' } satisfies PageOptions,
    head: ['Date', 'Time', 'Match', 'Place'],
    places: ['Sports hall', 'away'],
    match: (round: number) => `Rovers v Team ${round + 1}`,
    region: 'germany, bay',
    found: 'Germany, Bayern',
    trainings: [
      'Training juniors every Tue and Thu 17:00-18:30 Sports hall until 30 June 2027 except holidays',
      'Training seniors every Mon and Thu 19:00-20:30 Sports hall until 30 June 2027 except holidays',
      'Fitness every Wed 18:00 Clubhouse until 30 June 2027 except holidays',
    ],
    camp: 'Training camp 17 to 21 May 2027 Lake Farm',
  },
  de: {
    options: { locale: 'de-DE' } satisfies PageOptions,
    head: ['Datum', 'Uhrzeit', 'Spiel', 'Ort'],
    places: ['Sporthalle', 'auswärts'],
    match: (round: number) => `Rovers – Team ${round + 1}`,
    region: 'deutschland, bay',
    found: 'Deutschland, Bayern',
    trainings: [
      'Training Jugend jeden Di und Do 17:00-18:30 Sporthalle bis 30. Juni 2027 außer Ferien',
      'Training Aktive jeden Mo und Do 19:00-20:30 Sporthalle bis 30. Juni 2027 außer Ferien',
      'Fitness jeden Mi 18:00 Vereinsheim bis 30. Juni 2027 außer Ferien',
    ],
    camp: 'Trainingslager 17. bis 21. Mai 2027 Seehof',
  },
} as const;

const schoolHolidays = [
  ['20261224', '20270109', 'Weihnachten'],
  ['20270208', '20270213', 'Fasching'],
  ['20270322', '20270403', 'Ostern'],
  ['20270518', '20270529', 'Pfingsten'],
].map(([first, end, name], at) =>
  [
    ...['BEGIN:VEVENT', `UID:${at}`, `DTSTART;VALUE=DATE:${first}`, `DTEND;VALUE=DATE:${end}`],
    ...[`SUMMARY:${name}`, 'END:VEVENT'],
  ].join('\r\n'),
);

it.each([
  ['mouse', 'en'],
  ['keyboard', 'en'],
  ['mouse', 'de'],
  ['keyboard', 'de'],
] as const)(
  'a season of 120 events by %s takes 60 actions and 5 minutes, in %s',
  async (way, language) => {
    const season = seasons[language];
    const words = catalogues[language];
    const began = performance.now();
    const { page, desk, home } = await openNew(browser.current, {
      ...season.options,
      beforeLoad: (blank) => blank.clock.setFixedTime(new Date('2026-11-26T08:00:00.000Z')),
    });
    const person = createPerson(page, way, `${language}-${way}`);
    const { use, type, key, look } = person;
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const work = page.locator('.work-foot button').last();

    // The fixtures of the federation make the club.
    const fixtures = rounds.map(({ date, place }, round) => [
      { date },
      '15:00',
      season.match(round),
      season.places[place ? 0 : 1],
    ]);
    const workbook = writeTestFile(
      'Harbour Rovers 2026-27.xlsx',
      makeXlsx([season.head, ...fixtures]),
    );
    await look('welcome');
    await person.choose(button(words.welcome.chooseFile), desk, workbook);
    await expect
      .poll(() => page.getByLabel(words.welcome.name).inputValue())
      .toBe('Harbour Rovers');
    await look('name');
    await key('Enter');
    await page.getByRole('heading', { name: words.importColumns.columns }).waitFor();
    await look('columns');
    await use(work);
    await page.locator('.import-check').waitFor();
    await look('check');
    await use(work);
    await button(words.import.show).waitFor();
    await look('imported');
    await use(button(words.import.show));

    // The days on which nobody trains.
    await use(button(words.more.more));
    await person.item(words.more.manage);
    await use(
      page.getByRole('navigation').getByRole('button', { name: words.manage['club-settings'] }),
    );
    await person.fill(page.getByRole('combobox', { name: words.daysOff.region }), season.region);
    await look('typed-region');
    await page.getByRole('option', { name: season.found }).waitFor();
    await look('region');
    await key('ArrowDown');
    await key('Enter');
    const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...schoolHolidays];
    const holidays = writeTestFile('Ferien.ics', [...calendar, 'END:VCALENDAR', ''].join('\r\n'));
    await person.choose(button(words.daysOff.addFile), desk, holidays);
    await page.getByText('Ferien').first().waitFor();
    await look('days-off');
    await use(button(words.manage.back));

    // Three trainings and a camp, each in one line.
    for (const [at, line] of season.trainings.entries()) {
      await (way === 'mouse' ? use(button(words.eventForm.new)) : key('n'));
      await page.locator('.event-form :focus').waitFor();
      await type(line);
      await page.locator('.agenda-draft').first().waitFor();
      if (at === 0) await look('repetition');
      await key('Enter');
      await page.locator('.event-form').waitFor({ state: 'detached' });
      if (at === 0) await look('repeated');
    }
    await (way === 'mouse' ? use(button(words.eventForm.new)) : key('n'));
    await page.locator('.event-form :focus').waitFor();
    await type(season.camp);
    await expect.poll(() => page.locator('#event-ends').inputValue()).toContain('21');
    await look('camp');
    await key('Enter');
    await page.locator('.event-form').waitFor({ state: 'detached' });
    await look('season');

    const elapsed = performance.now() - began;
    const { actions, letters } = person.count;
    const seconds = (elapsed + letters * keyMs + actions * actionMs) / 1_000;
    const [club] = (await listUsers({}, { home })).users;
    expect(club?.events).toBeGreaterThanOrEqual(120);
    printFigure(
      `${club?.events} events by ${way}, ${language}: ${actions} actions, ${letters} letters, ${Math.round(seconds)} s`,
    );
    expect(actions).toBeLessThanOrEqual(60);
    expect(seconds).toBeLessThanOrEqual(300);
  },
);
