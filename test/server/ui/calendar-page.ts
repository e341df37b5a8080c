import type { Page } from 'playwright-core';
import type { SharedDesktop } from '../../support/desktop-page.ts';
import { makeEvent } from '../../support/home.ts';
import type { SharedClub } from '../../support/shared-club.ts';

/** A full day, one event whose day is another one in UTC, and one at each end of time. */
export const club = [
  ...Array.from({ length: 60 }, (_, index) =>
    makeEvent(index + 1, { name: `Heat ${index + 1}`, date: '2031-05-14T10:00:00.000Z' }),
  ),
  makeEvent(301, { name: 'Night run', date: '2031-05-20T22:30:00.000Z' }),
  makeEvent(302, { name: 'Off', date: '2031-05-22T10:00:00.000Z', status: 'cancelled' }),
  makeEvent(306, {
    name: 'A very long name of an event that does not fit in a single line of a day',
    date: '2031-06-10T10:00:00.000Z',
  }),
  makeEvent(307, { name: 'Cup', date: '2031-06-10T12:00:00.000Z', eventType: 'national' }),
  makeEvent(303, { name: 'First run', date: '0001-01-01T00:00:00.000Z' }),
  makeEvent(304, { name: 'Last run', date: '9999-12-31T12:00:00.000Z' }),
  makeEvent(305, { name: 'Old run', date: '2019-03-03T10:00:00.000Z' }),
];

/** Shows the calendar at a day and waits for its days. */
export async function showCalendar(shared: SharedClub, fragment: string): Promise<Page> {
  const page = await shared.show(`#view=calendar&${fragment}`);
  await untilThere(page);
  return page;
}

/** Waits for the days of a calendar. */
export function untilThere(page: Page): Promise<void> {
  return page.locator('[data-date]').filter({ visible: true }).first().waitFor();
}

export const day = (page: Page, date: string) => page.locator(`[data-date="${date}"]`);

export const title = (page: Page, text: string) =>
  page.getByRole('heading', { level: 2, name: text, exact: true });

/** An event on a day of the calendar. */
export const item = (page: Page, date: string, name: RegExp) =>
  day(page, date).getByRole('button', { name });

/** Shows the calendar, in May 2031 unless a fragment says otherwise, in the desktop window. */
export async function showMay(desktop: SharedDesktop, fragment = 'day=2031-05-21'): Promise<Page> {
  const { page } = await desktop.show(`#view=calendar&${fragment}`);
  await untilThere(page);
  return page;
}
