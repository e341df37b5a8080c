import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { prepareUserReads } from '../../../db/users.ts';
import type { Home } from '../../../server/base/home.ts';
import { listTeams } from '../../../server/club/team-actions.ts';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { catalogues, type Language, translator } from '../../../server/messages/messages.ts';
import { listBackups } from '../../../server/store/backup-records.ts';
import { withReader } from '../../../server/store/store.ts';
import type { PageOptions } from '../../support/browser.ts';
import type { DesktopPage } from '../../support/desktop-page.ts';
import { storedEvents } from '../../support/events.ts';
import { makeTestFolder } from '../../support/home.ts';
import { printFigure } from '../../support/print.ts';
import { performIn } from './manage/mirrored-club.ts';
import { openNew } from './manage/welcome-page.ts';
import { createPerson, type Person, type Way } from './person.ts';

/**
 * Real matches of August 2026 with the times of their kick-off in Berlin, for two teams of a club, from
 * https://github.com/odoral/sportscalendars (Apache License 2.0). Their days here are made up.
 */
const matches = {
  U15: `16:00 Hull City – Manchester United, 16:00 Nottingham Forest – Leeds Utd, 16:00 Ipswich Town – Sunderland,
    17:00 Everton – Crystal Palace, 18:30 Brentford – Tottenham, 15:00 Manchester City – Bournemouth,
    17:00 Brighton – Aston Villa, 18:30 Newcastle – Liverpool, 21:30 Fulham – Chelsea,
    15:30 Liverpool – Nottingham Forest, 16:00 Bournemouth – Everton, 17:00 Coventry City – Hull City`,
  U13: `18:30 Udinese – Como 1907, 19:00 Inter de Milan – A.C. Monza, 20:45 Genoa – Nápoles, 21:00 Parma – Cagliari,
    18:30 Venezia F.C. – U.S. Lecce, 19:00 Frosinone – Juventus, 20:45 Torino – A.C. Milan,
    21:30 Atalanta – Sassuolo, 19:00 Bologna – Lazio, 21:00 Roma – Fiorentina, 21:00 A.C. Milan – Venezia F.C.,
    18:30 Fiorentina – Frosinone`,
} as const;

type Match = {
  readonly name: string;
  /** Days after Saturday, 6 September 2031. */
  readonly day: number;
  readonly time: string;
};

/** The matches of U15 on Saturdays, and those of U13 on Sundays. */
const plan = Object.entries(matches).flatMap(([team, list], at) =>
  list.split(/,\s+/).map((match, week): Match => {
    const [time = '', ...names] = match.trim().split(' ');
    return { name: `${team} ${names.join(' ')}`, day: 7 * week + at, time };
  }),
);

/** The match that the secretary moves, then those that the league moves, adds and takes out. */
const own = 'U15 Hull City – Manchester United';
const later = 'U15 Ipswich Town – Sunderland';
const added: Match = { name: 'U15 Tottenham – Newcastle', day: 84, time: '18:30' };
const gone = 'U13 Fiorentina – Frosinone';

/** The plan of the league as it comes again in September. */
const nextPlan = [...plan.filter(({ name }) => name !== gone), added].map((match) =>
  match.name === later ? { ...match, day: match.day + 1 } : match,
);

/** Words of the secretary in each language, which the window has to understand. */
const texts = {
  en: {
    locale: 'en-GB',
    head: 'Date;Time;Match;Place',
    places: ['Sports hall', 'away'],
    region: 'germany, bay',
    training: 'Training U15 every Tue 17:00-18:30 Sports hall until 29 June 2032 except holidays',
    newDay: '7 September 2031',
    reason: 'Hall closed',
  },
  de: {
    locale: 'de-DE',
    head: 'Datum;Uhrzeit;Spiel;Ort',
    places: ['Sporthalle', 'auswärts'],
    region: 'deutschland, bay',
    training: 'Training U15 jeden Di 17:00-18:30 Sporthalle bis 29. Juni 2032 außer Ferien',
    newDay: '7. September 2031',
    reason: 'Halle gesperrt',
  },
  fr: {
    locale: 'fr-FR',
    head: 'Date;Heure;Rencontre;Lieu',
    places: ['Gymnase', 'extérieur'],
    region: 'allemagne, bay',
    training:
      'Entraînement U15 tous les mardis 17h-18h30 Gymnase jusqu’au 29 juin 2032 sauf vacances',
    newDay: '7 septembre 2031',
    reason: 'Gymnase fermé',
  },
  nl: {
    locale: 'nl-NL',
    head: 'Datum;Tijd;Wedstrijd;Plaats',
    places: ['Sporthal', 'uit'],
    region: 'duitsland, bay',
    training: 'Training U15 elke dinsdag 17:00-18:30 Sporthal tot 29 juni 2032 behalve vakanties',
    newDay: '7 september 2031',
    reason: 'Hal gesloten',
  },
} as const satisfies Record<Language, unknown>;

/** Writes a plan of the league as a spreadsheet of a language. */
function writePlan(folder: string, rows: readonly Match[], language: Language): string {
  const { head, places } = texts[language];
  const lines = rows.map(({ name, day, time }, at) => {
    const date = new Date(Date.UTC(2031, 8, 6 + day));
    const written = `${date.getUTCDate()}/${date.getUTCMonth() + 1}/${date.getUTCFullYear()}`;
    const dated = language === 'de' ? written.replaceAll('/', '.') : written;
    return [dated, time, name, places[at % 2]].join(';');
  });
  const path = join(folder, 'Harbour Rovers 2031-32.csv');
  writeFileSync(path, [head, ...lines, ''].join('\n'));
  return path;
}

/** A window of a new user. */
type Computer = DesktopPage & { readonly home: Home };

/** The secretary's year in one language and one way to use a window. */
export type Year = {
  readonly way: Way;
  readonly language: Language;
  readonly computer: Computer;
  readonly person: Person;
  /** A folder that other computers see. */
  readonly folder: string;
  /** Looks at a screen. */
  readonly look: (name: string) => Promise<void>;
  /** Begins a day at the computer, with the events in the window. */
  readonly begin: (day: string) => Promise<void>;
  /** Goes on at a new computer, whose window is empty. */
  readonly moveOn: () => Promise<void>;
};

type Act = (year: Year) => Promise<void>;

/** A wish of the secretary. */
type Step = {
  readonly wish: string;
  /** Fulfils it. Where the keyboard has a shorter way than the control, its key stands beside that. */
  readonly act: Act;
  /** Expects what must be true after it. */
  readonly after: Act;
};

const wordsOf = ({ language }: Year) => catalogues[language];

/** The control with a name, which is all of its name or the beginning. */
const button = ({ computer: { page } }: Year, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });

const place = ({ computer: { page } }: Year, name: string) =>
  page.getByRole('navigation').getByRole('button', { name, exact: true });

/** The strong button at the foot of the import. */
const foot = ({ computer: { page } }: Year) => page.locator('.work-foot button').last();

const eventRow = ({ computer: { page } }: Year, name: string) =>
  page.locator('#events [data-event]', { hasText: name }).first();

/** Returns the width of the window: a narrow one has one column, and other menus on a phone. */
const widthOf = ({ computer: { page } }: Year) => page.viewportSize()?.width ?? 0;

/** Reads the events of the club from the database, with their dates on its clock: `2031-09-06T16:00`. */
async function readStored({ computer: { home } }: Year): Promise<readonly StoredEvent[]> {
  return withReader(home, (db) => {
    const [club] = prepareUserReads(db).all();
    if (club === undefined) return [];
    const clock = zoneNamed(club.zone);
    return storedEvents(db, club.id).map((event) => ({
      ...event,
      date: new Date(clock.wallOf(event.date)).toISOString().slice(0, 16),
    }));
  });
}

const namesOf = (list: readonly { readonly name: string }[]) =>
  list.map(({ name }) => name).toSorted();

async function storedEvent(year: Year, name: string): Promise<StoredEvent | undefined> {
  return (await readStored(year)).find((event) => event.name === name);
}

const isTraining = ({ name }: StoredEvent) => name.includes('U15') && !name.includes(' – ');

/** Opens the settings of the club, from the events. */
async function openSettings(year: Year): Promise<void> {
  const { more } = wordsOf(year);
  await year.person.use(button(year, more.more), 'm');
  if (year.way !== 'keyboard') await year.person.item(more.manage);
}

/** Goes back from a screen to the events. */
async function goBack(year: Year): Promise<void> {
  await year.person.use(button(year, wordsOf(year).manage.back), 'Control+1');
  await eventRow(year, own).waitFor();
}

/** Checks a plan, and imports it. */
async function importPlan(year: Year, answer?: Act): Promise<void> {
  const { page } = year.computer;
  await page.locator('.import-map').waitFor();
  await year.look('columns');
  await year.person.use(foot(year));
  await page.locator('.import-check').waitFor();
  await answer?.(year);
  await year.look('check');
  await year.person.use(foot(year));
  await button(year, wordsOf(year).import.show).waitFor();
  await year.look('imported');
}

/** Keeps a file of a kind up to date in the folder that others see. */
async function keepFile(year: Year, kind: 'page' | 'copy', name: string): Promise<void> {
  const { published } = wordsOf(year);
  const { page } = year.computer;
  await year.person.use(button(year, published.add));
  const card = page.locator('.published-add .option-card', { hasText: published[kind] });
  await card.waitFor();
  await year.look(`${kind}-kind`);
  await year.person.use(card);
  await button(year, published.continue).waitFor();
  await year.look(`${kind}-events`);
  await year.person.use(button(year, published.continue));
  await year.person.save(button(year, published.choose), join(year.folder, name));
  await page.getByText(name).first().waitFor();
  await year.look(`${kind}-place`);
  await year.person.use(button(year, published.keep));
  await page.locator('.export-outcome svg').waitFor();
  await year.look(`${kind}-kept`);
}

const steps: readonly Step[] = [
  {
    wish: 'the plan of the league becomes a club',
    async act(year) {
      const { person, computer, language, look } = year;
      const { welcome } = wordsOf(year);
      const { page, desk } = computer;
      await look('welcome');
      const path = writePlan(desk.folder, plan, language);
      await person.choose(button(year, welcome.chooseFile), path);
      const name = page.getByLabel(welcome.name);
      await expect.poll(() => name.inputValue()).toBe('Harbour Rovers');
      await look('name');
      await person.use(button(year, welcome.continue), 'Enter');
      await importPlan(year);
    },
    async after(year) {
      const stored = await readStored(year);
      expect(namesOf(stored)).toEqual(namesOf(plan));
      expect(await storedEvent(year, own)).toMatchObject({ date: '2031-09-06T16:00' });
    },
  },
  {
    wish: 'days off are known',
    async act(year) {
      const { person, look, computer } = year;
      const { daysOff, manage } = wordsOf(year);
      const { page } = computer;
      if (year.way === 'keyboard') {
        await goBack(year);
        await openSettings(year);
      } else await person.use(place(year, manage.settings));
      await page.locator('.club-settings').waitFor();
      await look('settings');
      await person.fill(
        page.getByRole('combobox', { name: daysOff.region }),
        texts[year.language].region,
      );
      const option = page.getByRole('option', { name: /, Bayern/ });
      await option.waitFor();
      await look('region');
      await person.use(option, 'Enter');
      await page.locator('.days-off-holiday').first().waitFor();
      await look('days-off');
      await goBack(year);
    },
    async after({ computer: { home } }) {
      const { calendars } = await performIn(home, 'days-off list', { user: 'Harbour Rovers' });
      const [calendar] = calendars;
      expect(calendar?.days.map(({ first }) => first)).toContain('2032-01-06');
    },
  },
  {
    wish: 'a training each week is one line',
    async act(year) {
      const { person, computer, look } = year;
      const { page } = computer;
      await look('events');
      await person.use(button(year, wordsOf(year).shell.newEvent), 'n');
      await page.locator('.event-form :focus').waitFor();
      await person.type(texts[year.language].training);
      // On a phone, the form covers the list.
      await page.locator('.event-form-foot button[type=submit]', { hasText: /\d\d/ }).waitFor();
      await look('repetition');
      await person.use(page.locator('.event-form-foot button[type=submit]'), 'Enter');
      await page.locator('.event-form').waitFor({ state: 'detached' });
      await look('repeated');
    },
    async after(year) {
      const trainings = (await readStored(year)).filter(isTraining).map(({ date }) => date);
      expect(trainings.length).toBeGreaterThan(30);
      expect(trainings).toContain('2031-09-02T17:00');
      expect(trainings).not.toContain('2032-01-06T17:00');
    },
  },
  {
    wish: 'a match moves, is cancelled with a reason, and takes place again',
    async act(year) {
      const { person, computer, look } = year;
      const { page } = computer;
      const { panel } = wordsOf(year);
      await person.row(eventRow(year, own));
      await page.getByRole('heading', { name: own }).waitFor();
      await look('event');
      await person.use(button(year, panel.edit), 'e');
      await page.locator('.event-form :focus').waitFor();
      await look('edit');
      await person.fill(page.locator('#event-date'), texts[year.language].newDay);
      await person.use(page.locator('.event-form-foot button[type=submit]'), 'Enter');
      await page.locator('.event-form').waitFor({ state: 'detached' });
      await look('moved');
      await person.use(button(year, panel.cancelEvent));
      await page.locator('.event-cancel :focus').waitFor();
      await person.type(texts[year.language].reason);
      await look('reason');
      await person.use(page.locator('.event-cancel button[type=submit]'), 'Enter');
      await button(year, panel.reactivate).waitFor();
      await look('cancelled');
      await person.use(button(year, panel.reactivate));
      await button(year, panel.cancelEvent).waitFor();
      await look('active');
    },
    async after(year) {
      expect(await storedEvent(year, own)).toMatchObject({
        date: '2031-09-07T16:00',
        status: 'active',
      });
      const { home } = year.computer;
      const { history } = await performIn(home, 'history', { user: 'Harbour Rovers' });
      expect(history.slice(0, 3).map(({ changed }) => changed)).toEqual([1, 1, 1]);
    },
  },
  {
    wish: 'the plan of the league comes again',
    async act(year) {
      const { person, computer, language } = year;
      const { importMoved } = wordsOf(year);
      const { page, desk } = computer;
      await year.begin('2031-09-01');
      await eventRow(year, own).waitFor();
      await person.bring(writePlan(desk.folder, nextPlan, language));
      await importPlan(year, async () => {
        const radio = page.locator('.import-missing').getByLabel(importMoved.cancelIt);
        await person.tick(radio);
        await expect.poll(() => radio.isChecked()).toBe(true);
      });
      await person.use(button(year, wordsOf(year).import.show), 'Control+1');
      await eventRow(year, own).waitFor();
      await year.look('plan-again');
    },
    async after(year) {
      expect(await storedEvent(year, later)).toMatchObject({ date: '2031-09-21T16:00' });
      expect(await storedEvent(year, added.name)).toMatchObject({ status: 'active' });
      expect(await storedEvent(year, gone)).toMatchObject({ status: 'cancelled' });
      // The move by hand stays.
      expect(await storedEvent(year, own)).toMatchObject({ date: '2031-09-07T16:00' });
    },
  },
  {
    wish: 'teams are suggested, and one is chosen',
    async act(year) {
      const { person, computer, look } = year;
      const { page } = computer;
      const { teams } = wordsOf(year);
      await person.use(button(year, teams.teams), 'v');
      const use = translator(year.language)('teams:use', { count: 2, shown: '2' });
      await button(year, use).waitFor();
      await look('teams');
      await person.use(button(year, use));
      await button(year, teams.all).waitFor();
      await person.use(button(year, teams.all), 'v');
      await page.getByRole('menuitem', { name: /U15/ }).waitFor();
      await look('team-menu');
      await person.item(/U15/);
      await page.locator('.page-club-state', { hasText: 'U15' }).waitFor();
      await expect.poll(() => page.locator('#events').getByText('U13').count()).toBe(0);
      await look('team');
    },
    async after({ computer: { home } }) {
      const { teams } = await listTeams({ user: 'Harbour Rovers' }, { home });
      expect(teams.map(({ name }) => name)).toEqual(['U15', 'U13']);
    },
  },
  {
    wish: 'members get a page that stays up to date',
    async act(year) {
      const { person, computer, look } = year;
      const { more, manage } = wordsOf(year);
      const { page } = computer;
      const isPhone = widthOf(year) <= 700;
      await person.use(button(year, isPhone ? more.more : manage.share));
      await page.getByRole('menu').waitFor();
      await look('share-menu');
      await person.item(isPhone ? more.share : new RegExp(`^${more.members}`), 'End');
      await page.locator('.published').waitFor();
      await look('share');
      await keepFile(year, 'page', 'rovers.html');
    },
    async after(year) {
      const page = readFileSync(join(year.folder, 'rovers.html'), 'utf8');
      expect(page).toContain('Ipswich Town');
      expect(page).toContain('Fiorentina');
    },
  },
  {
    wish: 'another computer gets a copy',
    act: (year) => keepFile(year, 'copy', 'rovers.json'),
    async after(year) {
      const copy = readFileSync(join(year.folder, 'rovers.json'), 'utf8');
      const { events } = JSON.parse(copy) as { events: readonly StoredEvent[] };
      expect(namesOf(events)).toEqual(namesOf(await readStored(year)));
    },
  },
  {
    wish: 'a month is printed',
    async act(year) {
      const { person, computer, look } = year;
      const { page } = computer;
      const { share, print } = wordsOf(year);
      await person.use(page.locator('.share-way', { hasText: share.print }), 'Control+p');
      await page.locator('.studio-fit[data-ready]').waitFor();
      await look('print');
      await person.use(page.locator('#print-sheet'), 'Control+p');
      // The button of the system's dialog.
      person.acts.presses += 1;
      await page.locator('html[data-printed]').waitFor({ state: 'attached' });
      await person.use(button(year, print.back), 'Control+1');
      await eventRow(year, own).waitFor();
    },
    async after({ computer: { page } }) {
      expect(await page.evaluate(() => document.documentElement.dataset['printed'])).toBe('1');
    },
  },
  {
    wish: 'members get a message about the changes',
    async act(year) {
      const { person, computer, look } = year;
      const { page } = computer;
      await page.locator('.waits a[href*="message"]').waitFor();
      await look('waits');
      await person.use(page.locator('.waits a[href*="message"]'));
      await button(year, wordsOf(year).message.copy).waitFor();
      await look('message');
      await person.use(button(year, wordsOf(year).message.copy));
      await page.locator('.saved-note .badge').waitFor();
      await look('told');
    },
    async after({ computer: { page } }) {
      // Tab may have left the page for the controls of the browser: then nothing can be read.
      await page.locator('.managing-title').click();
      const message = await page.evaluate(() => navigator.clipboard.readText());
      for (const name of [own, later, gone]) expect(message).toContain(name);
    },
  },
  {
    wish: 'a backup is made',
    async act(year) {
      const { person, computer, look } = year;
      const { page } = computer;
      const { manage, backups } = wordsOf(year);
      if (year.way === 'keyboard') {
        await goBack(year);
        await person.key('h');
      } else await person.use(place(year, manage.history));
      await button(year, backups.now).waitFor();
      await look('history');
      await person.use(button(year, backups.now));
      await page.locator('.backups-outcome svg').waitFor();
      await look('backup');
    },
    async after({ computer: { home } }) {
      expect(listBackups(home).map(({ reason }) => reason)).toContain('hand');
    },
  },
  {
    wish: 'the trainings come again in the next season',
    async act(year) {
      const { person, computer, look } = year;
      const { page } = computer;
      await year.begin('2032-06-10');
      await page.locator('.season-offer').waitFor();
      await look('offer');
      await person.use(page.locator('.season-offer').getByRole('button').first());
      await page.locator('.season-take').waitFor();
      const add = page.locator('.event-form-foot button[type=submit]', { hasText: /\d\d/ });
      await add.waitFor();
      await look('next-season');
      await person.use(add, 'Enter');
      await page.locator('.event-form').waitFor({ state: 'detached' });
      await page.locator('.undo-notice').waitFor();
      await look('season-added');
    },
    async after(year) {
      const coming = (await readStored(year)).filter(({ date }) => date >= '2032-07');
      expect(coming.length).toBeGreaterThan(30);
      expect(coming.every(isTraining)).toBe(true);
      expect(coming.map(({ date }) => date)).toContain('2032-08-31T17:00');
    },
  },
  {
    wish: 'the club is given to somebody',
    async act(year) {
      const { person, look, folder, computer } = year;
      const { clubs } = wordsOf(year);
      await openSettings(year);
      await button(year, clubs.giveButton).waitFor();
      await look('give');
      await person.save(button(year, clubs.giveButton), join(folder, 'rovers.sqlite'));
      await computer.page.getByText('rovers.sqlite').waitFor();
      await look('given');
    },
    async after({ folder }) {
      expect(existsSync(join(folder, 'rovers.sqlite'))).toBe(true);
    },
  },
  {
    wish: 'a new computer has the club',
    async act(year) {
      const before = await readStored(year);
      await year.moveOn();
      const { person, look, folder } = year;
      const { page } = year.computer;
      const { welcome, backups } = wordsOf(year);
      const file = join(folder, 'rovers.sqlite');
      await person.choose(button(year, welcome.fromBackup), file);
      await page.getByRole('dialog').waitFor();
      await look('from-backup');
      await person.use(page.getByRole('dialog').getByRole('button', { name: backups.confirm }));
      await page.locator('#events [data-event]').first().waitFor();
      await look('new-computer');
      expect(await readStored(year)).toEqual(before);
    },
    async after({ computer: { home } }) {
      const { teams } = await listTeams({ user: 'Harbour Rovers' }, { home });
      expect(teams).toHaveLength(2);
    },
  },
];

/** Expects that something on the screen leads on: on the page, or in what covers it. */
async function expectWayOn(page: Page, what: string): Promise<void> {
  const countWays = () =>
    page.evaluate(() => {
      const covers = Array.from(document.querySelectorAll('[role="dialog"], [role="menu"]'));
      const part = covers.findLast((cover) => cover.checkVisibility()) ?? document.body;
      const ways = part.querySelectorAll('a[href], button:enabled, [role^="menuitem"]');
      return Array.from(ways).filter((way) => way.checkVisibility()).length;
    });
  await expect.poll(countWays, { message: `ways on: ${what}` }).toBeGreaterThan(0);
}

/** The folder for pictures of each screen, if a person wants to look at them. */
const pictures = process.env['YEAR_PICTURES'];

type YearOptions = {
  readonly way: Way;
  readonly language: Language;
  readonly screen: PageOptions;
  /** Expects of each screen what everybody needs. */
  readonly check: (page: Page, what: string) => Promise<void>;
};

/** Opens an empty window on a day. */
function openWindow(browser: Browser, day: string, { language, screen }: YearOptions) {
  return openNew(browser, {
    locale: texts[language].locale,
    permissions: ['clipboard-read', 'clipboard-write'],
    // The zone of the club, which the program takes from the machine.
    timezoneId: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...screen,
    beforeLoad: async (page) => {
      await page.clock.setFixedTime(new Date(`${day}T08:00:00.000Z`));
      await page.addInitScript(() => {
        window.print = () => {
          const { dataset } = document.documentElement;
          dataset['printed'] = String(Number(dataset['printed'] ?? 0) + 1);
        };
      });
    },
  });
}

/**
 * Lives a year as the secretary of a club, from an empty window to the next season and a new computer.
 * Each control is reached from what is on the screen. Returns the acts of each step.
 */
export async function liveYear(browser: Browser, options: YearOptions) {
  const { way, language, check } = options;
  const title = `${language}-${way}-${options.screen.viewport?.width}`;
  let computer = await openWindow(browser, '2031-08-28', options);
  let person = createPerson(way, computer);
  let looks = 0;
  const year: Year = {
    way,
    language,
    folder: makeTestFolder(),
    get computer() {
      return computer;
    },
    get person() {
      return person;
    },
    async look(name) {
      const { page } = computer;
      looks += 1;
      const shown = `${title}-${String(looks).padStart(2, '0')}-${name}`;
      if (pictures !== undefined) {
        mkdirSync(pictures, { recursive: true });
        await page.screenshot({ path: join(pictures, `${shown}.png`) });
      }
      await expectWayOn(page, shown);
      // A phone would show a wider page smaller.
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(width, { message: shown }).toBeLessThanOrEqual(widthOf(year));
      await check(page, shown);
    },
    async begin(day) {
      const { page, service } = computer;
      await page.clock.setFixedTime(new Date(`${day}T08:00:00.000Z`));
      await page.goto(`${service.baseUrl}/`);
      await page.locator('#events [data-event]').first().waitFor();
    },
    async moveOn() {
      computer = await openWindow(browser, '2032-06-11', options);
      person = createPerson(way, computer, person.acts);
    },
  };
  const used: { wish: string; presses: number; tabs: number; texts: number }[] = [];
  for (const { wish, act, after } of steps) {
    const before = { ...person.acts };
    await act(year);
    await after(year);
    const { presses, tabs, texts: typed } = person.acts;
    used.push({
      wish,
      presses: presses - before.presses,
      tabs: tabs - before.tabs,
      texts: typed - before.texts,
    });
  }
  const { presses, tabs, texts: typed } = person.acts;
  const words = used.map(
    (step) => `  ${step.presses} + ${step.tabs} + ${step.texts}  ${step.wish}`,
  );
  printFigure(
    [
      `A year by ${way}, ${title}: ${presses} presses, ${tabs} of Tab, ${typed} texts, ${looks} screens`,
      ...words,
    ].join('\n'),
  );
  return person.acts;
}
