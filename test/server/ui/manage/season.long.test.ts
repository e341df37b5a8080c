import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { listUsers } from '../../../../server/club/user-actions.ts';
import { catalogues } from '../../../../server/messages/messages.ts';
import { type PageOptions, testBrowser } from '../../../support/browser.ts';
import { printFigure } from '../../../support/print.ts';
import { makeXlsx } from '../../../support/workbook.ts';
import { writeTestFile } from '../../import/files.ts';
import { createPerson } from '../person.ts';
import { openNew } from './welcome-page.ts';

const browser = testBrowser();

/** The folder for a picture of each step, if a person wants to look at them. */
const pictures = process.env['SEASON_PICTURES'];

/** Times of a slow person: to press a key of a text, and to find a control and use it. */
const keyMs = 250;
const actionMs = 2_500;

/** Returns a function that looks at a screen of a season, which is no wider than its window. */
function createLook(page: Page, title: string) {
  let looks = 0;
  return async (name: string) => {
    looks += 1;
    const isWide = 'document.documentElement.scrollWidth > innerWidth';
    expect(await page.evaluate(isWide), name).toBe(false);
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    const number = String(looks).padStart(2, '0');
    await page.screenshot({ path: join(pictures, `${title}-${number}-${name}.png`) });
  };
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
    const opened = await openNew(browser.current, {
      ...season.options,
      beforeLoad: (blank) => blank.clock.setFixedTime(new Date('2026-11-26T08:00:00.000Z')),
    });
    const { page, home } = opened;
    const person = createPerson(way, opened);
    const { use, type, key } = person;
    const look = createLook(page, `${language}-${way}`);
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
    await person.choose(button(words.welcome.chooseFile), workbook);
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
    await person.choose(button(words.daysOff.addFile), holidays);
    await page.getByText('Ferien').first().waitFor();
    await look('days-off');
    await use(button(words.manage.back));

    // Three trainings and a camp, each in one line.
    for (const [at, line] of season.trainings.entries()) {
      await use(button(words.eventForm.new), 'n');
      await page.locator('.event-form :focus').waitFor();
      await type(line);
      await page.locator('.agenda-draft').first().waitFor();
      if (at === 0) await look('repetition');
      await key('Enter');
      await page.locator('.event-form').waitFor({ state: 'detached' });
      if (at === 0) await look('repeated');
    }
    await use(button(words.eventForm.new), 'n');
    await page.locator('.event-form :focus').waitFor();
    await type(season.camp);
    await expect.poll(() => page.locator('#event-ends').inputValue()).toContain('21');
    await look('camp');
    await key('Enter');
    await page.locator('.event-form').waitFor({ state: 'detached' });
    await look('season');

    const elapsed = performance.now() - began;
    const { presses, travels, texts, letters } = person.acts;
    // To find a control by Tab is one action.
    const actions = presses + travels + texts;
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
