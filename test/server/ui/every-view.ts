import { daysFromNow } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import type { SharedClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';

/** Past and coming events, with every mark of a row. */
export const club = [
  makeEvent(1, { name: 'Committee meeting', date: daysFromNow(-40), status: 'completed' }),
  makeEvent(2, { name: 'Spring concert', date: daysFromNow(-2), status: 'cancelled' }),
  makeEvent(3, { name: 'Summer party', date: daysFromNow(0), description: 'Bring a cake.' }),
  makeEvent(4, { name: 'Long jump', date: daysFromNow(2), eventType: 'national' }),
  makeEvent(5, { name: 'High jump', date: daysFromNow(2), eventType: null, status: 'draft' }),
  makeEvent(6, { name: 'Fête d’hiver', date: daysFromNow(33), location: 'Zürich' }),
];

export const views = ['agenda', 'table', 'calendar'] as const;

/** Shows a view and waits for its first event. */
export async function showView(shared: SharedClub, view: string) {
  const page = await shared.show(`#view=${view}`);
  await tallyOf(page, '6 events').waitFor();
  await page.locator('#events').waitFor();
  return page;
}
