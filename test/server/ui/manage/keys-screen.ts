import type { Browser, Page } from 'playwright-core';
import type { EventDraft } from '../../../../db/model.ts';
import type { Bridge } from '../../../../server/actions/bridge.ts';
import type { Home } from '../../../../server/base/home.ts';
import type { PageOptions } from '../../../support/browser.ts';
import { type DesktopPage, openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, type Member, makeEvent, makeTestHome } from '../../../support/home.ts';
import { readOnce } from '../../../support/patience.ts';

/** The time zone of this machine, which actions use; the window shares it. */
const timezoneId = new Intl.DateTimeFormat().resolvedOptions().timeZone;

type KeysPage = DesktopPage & {
  readonly home: Home;
  /** The club whose keys are shown. */
  readonly club: Member;
};

const fragment = '#manage=keys';
const standardEvents = [makeEvent(1, { name: 'Fête d’hiver' })];

/** Opens the screen of the keys of a club. */
export async function openKeys(browser: Browser): Promise<KeysPage> {
  const home = makeTestHome();
  const club = await addMember(home, 'Chess', standardEvents);
  const opened = await openDesktopPage(browser, home, { fragment, timezoneId });
  await opened.page.locator('.access-item').first().waitFor();
  return { ...opened, home, club };
}

/** Opens one window in which each test has the keys of its own club. */
export function shareKeys(browser: { readonly current: Browser }, options: PageOptions = {}) {
  const desktop = shareDesktop(browser, (home) => addMember(home, 'No club of a test'), {
    timezoneId,
    ...options,
  });
  let clubs = 0;
  let last: DesktopPage | undefined;
  return {
    /** Shows the keys of a new club with these events. */
    async show(events: readonly EventDraft[] = standardEvents): Promise<KeysPage> {
      // The page asks before it leaves a key that is not stored.
      const stored = last?.page.locator('.access-stored');
      if ((await readOnce(stored?.count())) === 1) await stored?.click();
      clubs += 1;
      const club = await addMember(desktop.home, `Chess-${clubs}`, events);
      const shown = await desktop.show(fragment, { club: club.name });
      last = shown;
      await shown.page.locator('.access-item').first().waitFor();
      return { ...shown, club };
    },
  };
}

/** Creates a key with a label and returns it. */
export async function createKey(page: Page, label = ''): Promise<string> {
  await page.locator('.access-form input').first().fill(label);
  await page.locator('.access-form button').click();
  return page.locator('.access-new .access-value').innerText();
}

/** Sets a port in the settings that the service does not use. */
export async function wantPort({ page, desk, send }: DesktopPage, port: number): Promise<void> {
  desk.settings = { ...desk.settings, port };
  const answer = await page.evaluate(() => {
    const { clubEvents } = globalThis as unknown as { readonly clubEvents: Bridge };
    return clubEvents.readState(null);
  });
  if (!answer.ok) throw new Error(answer.code);
  await send({ kind: 'state', state: answer.value });
}
