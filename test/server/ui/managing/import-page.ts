import type { Browser, Locator } from 'playwright-core';
import type { PageOptions } from '../../../support/browser.ts';
import { type DesktopPage, openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { fetchPage } from '../../../support/list.ts';

/** The import screen of a club, and what a test does and sees there. */
export type ImportPage = DesktopPage & {
  /** The key of the club for scripts. */
  readonly key: string;
  /** Chooses files in the dialog. */
  choose(...paths: readonly string[]): Promise<void>;
  button(name: string | RegExp): Locator;
  /** The select of the column that holds a field. */
  column(field: string): Locator;
  /** Waits for the first events to have this text in some row. */
  seeFirst(text: string | RegExp): Promise<void>;
  /** Checks, and tells the counts on the tabs. */
  check(): Promise<string[]>;
  /** How many events a script finds with the key of the club. */
  count(): Promise<number>;
};

/** Opens the import screen of a club with so many events. */
export async function openImport(
  browser: Browser,
  { events = 0, ...options }: PageOptions & { readonly events?: number } = {},
): Promise<ImportPage> {
  const home = makeTestHome();
  const own = Array.from({ length: events }, (_, at) => makeEvent(at + 1));
  const { key } = await addMember(home, 'Chess', own);
  const desktop = await openDesktopPage(browser, home, { fragment: '#manage=import', ...options });
  const { page, desk, service } = desktop;
  const main = page.getByRole('main');
  const button = (name: string | RegExp) => main.getByRole('button', { name, exact: true });
  return {
    ...desktop,
    key,
    button,
    async choose(...paths) {
      desk.chosen = [...paths];
      await main.getByRole('button', { name: /^(Choose a file|One more file)…$/ }).click();
    },
    column: (field) => main.getByRole('combobox', { name: new RegExp(`^${field}( needed)?$`) }),
    seeFirst: (text) =>
      main
        .getByRole('region', { name: /^The first events/ })
        .getByText(text)
        .first()
        .waitFor(),
    async check() {
      await button(/^Check( again)?$/).click();
      // Large files take their time on a busy machine.
      await main.getByRole('tab', { name: /^New/ }).waitFor({ timeout: 30_000 });
      return main.getByRole('tab').allInnerTexts();
    },
    count: async () => (await fetchPage(service, '/v1/events?limit=1', key)).total,
  };
}
