import type { Browser, Locator, Page } from 'playwright-core';
import type { ActionInput, ActionName } from '../../../../server/actions/bridge.ts';
import type { Home } from '../../../../server/base/home.ts';
import type { PageOptions } from '../../../support/browser.ts';
import {
  type DesktopPage,
  type DesktopPageOptions,
  openDesktopPage,
  shareDesktop,
} from '../../../support/desktop-page.ts';
import { addMember, type Member, makeEvent, makeTestHome } from '../../../support/home.ts';
import { fetchPage } from '../../../support/list.ts';
import { performHere } from '../../../support/perform.ts';
import { writeTestFile } from '../../import/files.ts';

/** Page object of the import screen. */
export type ImportPage = DesktopPage & {
  readonly home: Home;
  /** The key of the club for scripts. */
  readonly key: string;
  /** Performs an action on the club, as the window or the command line does. */
  perform<Name extends ActionName>(
    name: Name,
    args: Omit<ActionInput<Name>, 'user'>,
  ): Promise<void>;
  /** Chooses files in the dialog; on the step of the columns, in place of the present ones. */
  choose(...paths: readonly string[]): Promise<void>;
  button(name: string | RegExp): Locator;
  /** The select of the column that holds a field, or of one of several. */
  column(field: string, part?: number): Locator;
  /** Waits for the first events to have this text in some row. */
  seeFirst(text: string | RegExp): Promise<void>;
  /** Runs the check, and returns the function that reads the counts on the chips. */
  check(): Promise<() => Promise<string[]>>;
  counts(): Promise<string[]>;
  /** The row of the check with this number in the file. */
  row(number: number): Locator;
  /** Returns the number of events that a script reads with the key of the club. */
  count(): Promise<number>;
  /** Returns the places of these events, by their names. */
  places(): Promise<Readonly<Record<string, string>>>;
};

type ImportOptions = PageOptions & { readonly events?: number };

const eventsOf = (count: number) => Array.from({ length: count }, (_, at) => makeEvent(at + 1));

const fragment = '#manage=import';

/** Opens the import screen of a club with `events` events. */
export async function openImport(
  browser: Browser,
  { events = 0, ...options }: ImportOptions = {},
): Promise<ImportPage> {
  const home = makeTestHome();
  const club = await addMember(home, 'Chess', eventsOf(events));
  const desktop = await openDesktopPage(browser, home, { fragment, ...options });
  return importPageOf({ ...desktop, home }, club);
}

/** Opens one window in which each test has the import screen of its own club. */
export function shareImport(
  browser: { readonly current: Browser },
  options: DesktopPageOptions = {},
) {
  const desktop = shareDesktop(browser, (home) => addMember(home, 'No club of a test'), options);
  const clubs = '#manage=clubs';
  let count = 0;
  return {
    /** Shows the import screen of a new club with `events` events. */
    async show(events = 0): Promise<ImportPage> {
      count += 1;
      const club = await addMember(desktop.home, `Chess-${count}`, eventsOf(events));
      const shown = await desktop.show(clubs);
      const { page } = shown;
      // Clears the columns that an earlier test chose.
      await page.evaluate(() => localStorage.clear());
      await page.getByRole('button', { name: `Show ${club.name}`, exact: true }).click();
      await page.getByRole('navigation').getByText(club.name).waitFor();
      await page.getByRole('button', { name: 'Sources' }).click();
      await page.locator('.import-drop').waitFor();
      return importPageOf(shown, club);
    },
  };
}

function importPageOf(
  desktop: DesktopPage & { readonly home: Home },
  { name: user, key }: Member,
): ImportPage {
  const { page, desk, service, home } = desktop;
  const main = page.getByRole('main');
  const button = (name: string | RegExp) => main.getByRole('button', { name, exact: true });
  const chips = main.getByRole('group', { name: 'Show' });
  const counts = async () =>
    (await chips.getByRole('button').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
  return {
    ...desktop,
    key,
    button,
    async choose(...paths) {
      desk.chosen = [...paths];
      const names = /^(Choose a file|Add another file|Choose another file)…$/;
      await main.getByRole('button', { name: names }).first().click();
    },
    column: (field, part) =>
      main.getByRole('combobox', {
        name: `Column for ${field}${part === undefined ? '' : `, part ${part}`}`,
        exact: true,
      }),
    seeFirst: (text) =>
      main
        .getByRole('region', { name: /^Preview/ })
        .getByText(text)
        .first()
        .waitFor(),
    async check() {
      await button(/^Check( again| [\d,]+ events?)?$/).click();
      // Large files take long on a busy machine.
      await chips.getByRole('button', { name: /^New/ }).waitFor();
      return counts;
    },
    counts,
    row: (number) =>
      main
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: String(number), exact: true }) }),
    count: async () => (await fetchPage(service, '/v1/events?limit=1', key)).total,
    async perform(name, args) {
      const input = { user, timeZone: 'Europe/Berlin', ...args };
      await performHere(name, input, { home, onProgress: () => undefined });
    },
    async places() {
      const { events } = await fetchPage(service, '/v1/events', key);
      return Object.fromEntries(events.map(({ name, location }) => [name, location]));
    },
  };
}

/** The accessible name of the focused control. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent;
    return label || element?.getAttribute('aria-label') || element?.textContent || '';
  });

/** Presses Tab until the control has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}; it is at “${await focused(page)}”.`);
}

/** Goes from the first page of the club to the import, with the keyboard alone. */
export async function goToImport(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back to events' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /^Chess/ }).waitFor();
  await tabTo(page, /^Import/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor();
}

/** A table with two events. */
export const season = 'Titel;Datum;Ort\nSommerfest;1.5.2026 18:00;Halle\nTurnier;2.5.2026;Klubheim';

/** A table with a day that does not exist. */
export const faultySeason = [
  'Titel;Datum;Ort;Status',
  'Cross;22.11.2026;Buchenwald;active',
  'Putzen;31.11.2026;Vereinsheim;active',
  'Versammlung;7.12.2026;Rathaus;active',
].join('\n');

/** A table with times, places in two columns, and columns that no field takes. */
export const fixtures = [
  'Anlass;Datum;Beginn;Halle;Stadt;Helfer;Kosten',
  'Cross;22.11.2026;10:00;Buchenwald;Kappeln;Anna;5',
  'Versammlung;7.12.2026;19:00;Rathaus;Kappeln;;',
].join('\n');

/** Returns the label of the focused control. */
export const focusedLabel = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

/** Writes a table with a name, a date, a place and a note in each row. */
export const writePlan = (rows: readonly string[]) =>
  writeTestFile('plan.csv', ['Titel;Datum;Ort;Notiz', ...rows].join('\n'));

/** The rows that `showEdited` imports. */
export const planRows = ['A;1.5.2026 18:00;Hall;x', 'B;2.5.2026;Pool;y', 'C;3.5.2026;Lake;z'];

/** Shows the import of a new club whose events were imported, and then changed by hand. */
export async function showEdited(shared: ReturnType<typeof shareImport>): Promise<ImportPage> {
  const opened = await shared.show();
  const { perform } = opened;
  await perform('import', { files: [writePlan(planRows)] });
  await perform('event edit', { id: 1, changes: { location: 'Hall, room 2' } });
  await perform('event edit', { id: 2, changes: { location: 'Deep', description: 'later' } });
  await perform('event edit', { id: 3, changes: { location: 'Sea' } });
  return opened;
}
