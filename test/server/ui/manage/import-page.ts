import type { Browser, Locator } from 'playwright-core';
import type { Home } from '../../../../server/home.ts';
import type { PageOptions } from '../../../support/browser.ts';
import { type DesktopPage, openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { fetchPage } from '../../../support/list.ts';

/** Page object of the import screen. */
export type ImportPage = DesktopPage & {
  readonly home: Home;
  /** The key of the club for scripts. */
  readonly key: string;
  /** Chooses files in the dialog; on the step of the columns, in place of the present ones. */
  choose(...paths: readonly string[]): Promise<void>;
  button(name: string | RegExp): Locator;
  /** The select of the column that holds a field, or of one of several. */
  column(field: string, part?: number): Locator;
  /** Waits for the first events to have this text in some row. */
  seeFirst(text: string | RegExp): Promise<void>;
  /** Runs the check and returns the counts on the chips. */
  check(): Promise<string[]>;
  counts(): Promise<string[]>;
  /** The row of the check with this number in the file. */
  row(number: number): Locator;
  /** Returns the number of events that a script reads with the key of the club. */
  count(): Promise<number>;
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
  const { key } = await addMember(home, 'Chess', eventsOf(events));
  const desktop = await openDesktopPage(browser, home, { fragment, ...options });
  return importPageOf({ ...desktop, home }, key);
}

/** Opens one window in which each test has the import screen of its own club. */
export function shareImport(browser: { readonly current: Browser }) {
  const desktop = shareDesktop(browser, (home) => addMember(home, 'No club of a test'));
  let clubs = 0;
  return {
    /** Shows the import screen of a new club with `events` events. */
    async show(events = 0): Promise<ImportPage> {
      clubs += 1;
      const club = `Chess-${clubs}`;
      const { home } = await desktop.show();
      const { key } = await addMember(home, club, eventsOf(events));
      const shown = await desktop.show(fragment, { club });
      // Clears the columns that an earlier test chose.
      await shown.page.evaluate(() => localStorage.clear());
      return importPageOf(shown, key);
    },
  };
}

function importPageOf(desktop: DesktopPage & { readonly home: Home }, key: string): ImportPage {
  const { page, desk, service } = desktop;
  const main = page.getByRole('main');
  const button = (name: string | RegExp) => main.getByRole('button', { name, exact: true });
  const chips = main.getByRole('group', { name: 'Show' });
  const counts = async () => {
    const texts = await chips.getByRole('button').allInnerTexts();
    return texts.map((text) => text.replaceAll(/\s+/g, ' '));
  };
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
      await chips.getByRole('button', { name: /^New/ }).waitFor({ timeout: 30_000 });
      return counts();
    },
    counts,
    row: (number) =>
      main
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: String(number), exact: true }) }),
    count: async () => (await fetchPage(service, '/v1/events?limit=1', key)).total,
  };
}
