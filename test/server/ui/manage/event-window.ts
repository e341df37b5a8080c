import type { Browser, Locator, Page } from 'playwright-core';
import type { Home } from '../../../../server/base/home.ts';
import {
  type DesktopPage,
  type DesktopPageOptions,
  openDesktopPage,
  shareDesktop,
} from '../../../support/desktop-page.ts';
import { addMember, type Member, makeEvent, makeTestHome } from '../../../support/home.ts';
import { fetchWithKey } from '../../../support/service.ts';

/** A Thursday, 09:00 in the time zone of the page. */
const now = '2026-11-19T08:00:00.000Z';

const club = [
  makeEvent(1, { name: 'Core and stretch', date: '2026-11-21T09:00:00.000Z' }),
  makeEvent(2, { name: 'Photo evening', date: '2026-11-24T18:30:00.000Z', eventType: null }),
  makeEvent(3, { name: 'Team night', date: '2026-11-27T18:00:00.000Z', registrationOpen: true }),
  makeEvent(4, {
    name: 'Rovers v City',
    date: '2026-11-28T13:00:00.000Z',
    location: 'Sports hall, Mill Lane',
    eventType: 'regional',
  }),
  makeEvent(5, { name: 'Annual meeting', date: '2026-12-07T18:00:00.000Z' }),
];

const setClock = (page: Page) => page.clock.setFixedTime(new Date(now));

/** Opens the desktop window of a club on a fixed day, at its start page. */
export async function openClubWindow(browser: Browser, options: DesktopPageOptions = {}) {
  const home = makeTestHome();
  const member = await addMember(home, 'Harbour', club);
  const opened = await openDesktopPage(browser, home, {
    ...options,
    beforeLoad: setClock,
  });
  return clubWindowOf({ ...opened, home }, member);
}

/** Opens one such window in which each test has a club of its own. */
export function shareClubWindow(
  browser: { readonly current: Browser },
  options: DesktopPageOptions = {},
) {
  const desktop = shareDesktop(browser, (home) => addMember(home, 'No club of a test'), {
    ...options,
    beforeLoad: setClock,
  });
  let clubs = 0;
  return {
    /** Shows a new club at a fragment. */
    async show(fragment = '', { desk }: Pick<DesktopPageOptions, 'desk'> = {}) {
      clubs += 1;
      const member = await addMember(desktop.home, `Harbour-${clubs}`, club);
      return clubWindowOf(
        await desktop.show(fragment, { club: member.name, ...(desk && { desk }) }),
        member,
      );
    },
  };
}

async function clubWindowOf(opened: DesktopPage & { readonly home: Home }, member: Member) {
  const { page, service, home } = opened;
  await page.locator('[data-event="4"]').waitFor();
  return {
    ...opened,
    served: { home, service, ...member },
    /** The stored events as "name, date, place, status", by date. */
    async stored(): Promise<readonly string[]> {
      const answer = await fetchWithKey(service, '/v1/events?sort=date&order=asc', member.key);
      const { events } = (await answer.json()) as {
        events: { name: string; date: string; location: string; status: string }[];
      };
      return events.map(({ name, date, location, status }) =>
        [name, date.slice(5, 16), location, status].join(', '),
      );
    },
  };
}

/** Opens a form with its button in the head or in the panel. */
export async function openForm(page: Page, name: 'New event' | 'Edit') {
  await page.getByRole('button', { name, exact: true }).click();
  await page.locator('.event-form :focus').waitFor();
}

/** The text of the focused element, or the number of its event. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) return '';
    return element.dataset['event'] ?? (element.id || element.innerText.slice(0, 60));
  });
}

/** The notice about the last change. */
export const noticeOf = (page: Page): Locator => page.locator('.undo-notice');

/** Adds an event by its line. */
export async function addPicnic(page: Page): Promise<void> {
  await openForm(page, 'New event');
  await page.keyboard.insertText('Picnic Sunday');
  await page.keyboard.press('Enter');
  await noticeOf(page).getByText('Picnic').waitFor();
}
