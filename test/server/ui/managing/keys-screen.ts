import type { Browser, Page } from 'playwright-core';
import type { EventDraft } from '../../../../db/model.ts';
import type { Bridge } from '../../../../server/bridge.ts';
import type { PageOptions } from '../../../support/browser.ts';
import { type DesktopPage, openDesktopPage } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';

/** The zone of this machine: that of the actions, which the window shares with them. */
const timezoneId = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export type KeysPage = DesktopPage & { readonly home: ReturnType<typeof makeTestHome> };

/** Opens the screen of the keys of a club with these events. */
export async function openKeys(
  browser: Browser,
  options: PageOptions & { readonly events?: readonly EventDraft[] } = {},
): Promise<KeysPage> {
  const { events = [makeEvent(1, { name: 'Fête d’hiver' })], ...more } = options;
  const home = makeTestHome();
  await addMember(home, 'Chess', events);
  const opened = await openDesktopPage(browser, home, {
    fragment: '#manage=keys',
    timezoneId,
    ...more,
  });
  await opened.page.locator('.access-item').first().waitFor();
  return { ...opened, home };
}

/** Creates a key with a label, and gives the key. */
export async function createKey(page: Page, label = ''): Promise<string> {
  await page.locator('.access-form input').first().fill(label);
  await page.locator('.access-form button').click();
  return page.locator('.access-new .access-value').innerText();
}

/** Has the settings want another port than the one that the service has. */
export async function wantPort({ page, desk, send }: DesktopPage, port: number): Promise<void> {
  desk.settings = { ...desk.settings, port };
  const answer = await page.evaluate(() => {
    const { clubEvents } = globalThis as unknown as { readonly clubEvents: Bridge };
    return clubEvents.readState(null);
  });
  if (!answer.ok) throw new Error(answer.message);
  await send({ kind: 'state', state: answer.value });
}
