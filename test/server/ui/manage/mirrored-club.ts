import type { Browser, Page } from 'playwright-core';
import type { StoredEvent } from '../../../../db/model.ts';
import type { ActionInput, ActionName, ActionResult } from '../../../../server/actions/bridge.ts';
import type { Home } from '../../../../server/base/home.ts';
import { daysFromNow } from '../../../support/club.ts';
import {
  type DesktopPageOptions,
  openDesktopPage,
  openScreen,
} from '../../../support/desktop-page.ts';
import { addMember, createdAt, makeEvent, makeTestHome } from '../../../support/home.ts';
import { performHere } from '../../../support/perform.ts';
import { serveUpstream, type UpstreamOptions } from '../../../support/upstream.ts';

/** Creates an event of an online service. */
export function onlineEvent(id: number, more: Partial<StoredEvent> = {}): StoredEvent {
  const event = makeEvent(id, { registrationOpen: true, date: daysFromNow(id), createdAt });
  return { ...(event as StoredEvent), ...more };
}

/** Performs an action beside the window. */
export async function performIn<Name extends ActionName>(
  home: Home,
  name: Name,
  args: ActionInput<Name>,
): Promise<ActionResult<Name>> {
  const options = { home, onProgress: () => undefined };
  return (await performHere(name, args, options)) as ActionResult<Name>;
}

/** Starts an online service and a data directory whose only club mirrors it. */
export async function mirrorClub(options: UpstreamOptions) {
  const upstream = await serveUpstream(options);
  const home = makeTestHome();
  await addMember(home, 'Chess');
  const { baseUrl: url, key, origin } = upstream;
  await performIn(home, 'mirror set', { user: 'Chess', url, key });
  return { upstream, home, host: new URL(origin).host };
}

/** Opens the window with a club that mirrors an online service. */
export async function openMirrored(
  browser: Browser,
  options: UpstreamOptions,
  pageOptions: DesktopPageOptions = {},
) {
  const mirrored = await mirrorClub(options);
  const opened = await openDesktopPage(browser, mirrored.home, pageOptions);
  const { page } = opened;
  await page
    .getByText(/^As of /)
    .first()
    .waitFor();
  return {
    ...mirrored,
    ...opened,
    /** Goes to the screen as a person does from the events. */
    async openScreen() {
      await openScreen(page, 'Sources');
      await page.getByRole('heading', { name: 'What is here' }).waitFor();
    },
  };
}

/** Creates events “Race 1”, “Race 2” and so on of an online service. */
export const races = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    onlineEvent(index + 1, { name: `Race ${index + 1}` }),
  );

/** The card with a title on the screen of the source. */
export const card = (page: Page, name: string) => page.getByRole('region', { name });

export const syncNow = (page: Page) => page.getByRole('button', { name: 'Sync now' }).first();

/** The fields of the form that connects a service. */
export const addressOf = (page: Page) => page.getByLabel('Address of the service');
export const keyOf = (page: Page) => page.getByLabel('Key', { exact: true });
