import type { Page } from 'playwright-core';
import { makeEvent } from '../../support/home.ts';

/** Returns a moment of 2031 in UTC, given as month, day and time in Berlin. */
export const at = (moment: string) => new Date(`2031-${moment}:00+02:00`).toISOString();

/** Wednesday 14 May 2031, ten in the morning in Berlin. */
const now = at('05-14T10:00');

export const run = makeEvent(4, {
  name: 'Social run',
  date: at('05-14T18:30'),
  location: 'Clubhouse',
});

const later = Array.from({ length: 60 }, (_, week) =>
  makeEvent(100 + week, {
    name: `Training ${week}`,
    date: new Date(Date.parse(at('06-03T18:00')) + week * 7 * 86_400_000).toISOString(),
  }),
);

export const club = [
  makeEvent(1, { name: 'Breakfast', date: at('05-14T09:00') }),
  makeEvent(2, { name: 'Called off', date: at('05-14T12:00'), status: 'cancelled' }),
  makeEvent(3, { name: 'Only an idea', date: at('05-14T13:00'), status: 'draft' }),
  run,
  makeEvent(5, { name: 'Picnic', date: at('05-15T00:00'), location: '' }),
  makeEvent(6, { name: 'Regatta', date: at('05-17T10:00'), location: 'River' }),
  ...later,
];

/** Sets the clock of a page to ten in the morning of that Wednesday; for `beforeLoad`. */
export const setClock = (page: Page) => page.clock.install({ time: now });

export const nextUp = (page: Page) => page.locator('.next-up');

export const month = (page: Page) => page.locator('.small-month');

export const dialog = (page: Page) => page.getByRole('dialog', { name: 'Go to a date' });

export const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
