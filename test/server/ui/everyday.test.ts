import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { zoneNamed } from '../../../server/dates/zone.ts';
import { samePlaceEvents } from '../../../server/event/places.ts';
import type { Event } from '../../../server/http/contract.ts';
import { boundsOf } from '../../../server/ui/data/event-queries.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { workedMs } from '../../support/measure.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import { expectAccessible } from './axe.ts';

const clock = zoneNamed(new Intl.DateTimeFormat().resolvedOptions().timeZone);

const browser = testBrowser();

/** A Wednesday. */
const today = '2031-05-14';
const at = (day: number, time: string) => new Date(`2031-05-${day}T${time}:00+02:00`).toISOString();
const ground = 'Home Ground';

const club = [
  makeEvent(1, { name: 'Club day', date: at(14, '00:00'), location: 'Lake' }),
  makeEvent(2, { name: 'Training', date: at(16, '19:00'), location: 'Hall' }),
  makeEvent(3, { name: 'Rovers v City', date: at(17, '15:00'), location: ground }),
  makeEvent(4, { name: 'Youth match', date: at(17, '14:00'), location: ground }),
  makeEvent(5, { name: 'Quiz night', date: at(17, '20:00'), location: ground }),
  makeEvent(6, { name: 'Picnic', date: at(18, '11:00'), location: 'Park' }),
  makeEvent(7, { name: 'Meeting', date: at(20, '18:00'), location: 'Office' }),
  makeEvent(8, { name: 'Regatta', date: at(21, '10:00'), location: 'River', status: 'cancelled' }),
  makeEvent(9, { name: 'June run', date: '2031-06-30T10:00:00.000Z', location: 'Forest' }),
  makeEvent(10, { name: 'July run', date: '2031-07-01T10:00:00.000Z', location: 'Forest' }),
];

const setClock = (page: Page) => page.clock.install({ time: `${today}T08:00:00Z` });

const shared = shareClub(browser, club, {
  beforeLoad: setClock,
  permissions: ['clipboard-read', 'clipboard-write'],
});

const row = (page: Page, id: number) => page.locator(`[data-event="${id}"]`);

async function namesOf(page: Page): Promise<string[]> {
  return page.locator('.agenda-what strong').allInnerTexts();
}

describe('an event without a time', () => {
  it.each(
    choose(['', '#view=table', '#view=calendar', '#view=calendar&span=week', '#print=list'], ['']),
  )('has none at %j', { tags: 'long' }, async (fragment) => {
    const page = await shared.show(fragment);
    await page.getByText('Club day').first().waitFor();
    await page.getByText(/19:00/).first().waitFor();
    await expect.poll(() => page.locator('body').innerText()).not.toContain('00:00');
  });

  it('has none in the panel, on its sheet, on the sheet of its month and in a copied text', {
    tags: 'long',
  }, async () => {
    const page = await shared.show('#event=1');
    const panel = page.locator('.panel');
    await panel.getByText(/^Wednesday,? 14 May$/).waitFor();
    await panel.getByText('Today', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Message' }).click();
    await panel.getByText(/^Message copied/).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^Club day\nWednesday,? 14 May 2031\nLake\n$/,
    );
    for (const sheet of ['event', 'month']) {
      await page.evaluate((to) => {
        location.hash = `#event=1&print=${to}`;
      }, sheet);
      await page.locator(`.studio-pages .sheet-${sheet}`).getByText('Club day').waitFor();
      await expect.poll(() => page.locator('body').innerText()).not.toContain('00:00');
    }
  });
});

describe('events at one place', () => {
  it('clash only at the same time; the panel names the others', async () => {
    const page = await shared.show();
    await row(page, 3).getByText('Clash').waitFor();
    await row(page, 4).getByText('Clash').waitFor();
    await expect.poll(() => row(page, 5).getByText('Clash').count()).toBe(0);
    await row(page, 3).click();
    const panel = page.locator('.panel');
    const near = panel.locator('.changes-text').filter({ hasText: 'at about the same time' });
    await expect
      .poll(() => near.getByRole('button').allInnerTexts())
      .toEqual(['14:00 Youth match']);
    const far = panel.locator('.changes-text').filter({ hasText: 'on the same day' });
    await expect.poll(() => far.getByRole('button').allInnerTexts()).toEqual(['20:00 Quiz night']);
    await expectAccessible(page, 'the panel with a clash');
  });

  it('do not clash without a time', () => {
    const [one, other] = [1, 2].map((id) => ({
      ...makeEvent(id, { date: new Date(2031, 4, 14).toISOString() }),
      createdAt: '',
    })) as [Event, Event];
    expect(samePlaceEvents(clock, one, [one, other], 120)).toEqual({
      clashes: [],
      others: [other],
    });
  });

  it('are found for a whole day in about the time of one event', { tags: 'long' }, () => {
    const spent = { one: 0, all: 0 };
    // Clocks of processor time tick every few milliseconds.
    for (let round = 0; round < 100; round += 1) {
      const busy = Array.from({ length: 400 }, (_, id) => ({
        ...makeEvent(id, { date: new Date(2031, 4, 14, 7, id).toISOString() }),
        createdAt: '',
      })) as Event[];
      const timeOf = (events: typeof busy) => {
        const began = workedMs();
        for (const event of events) samePlaceEvents(clock, event, busy, 120);
        return workedMs() - began;
      };
      spent.one += timeOf(busy.slice(0, 1));
      spent.all += timeOf(busy);
    }
    // Without the index of the day, 400 times as long.
    expect(spent.all / spent.one).toBeLessThan(50);
  });
});

describe('the filter by time', () => {
  const inGerman = choose(['This weekend', 'Next 7 days'], ['This weekend']);

  it.each([
    ['This weekend', 'Dieses Wochenende', ['Youth match', 'Rovers v City', 'Quiz night', 'Picnic']],
    [
      'Next 7 days',
      'Nächste 7 Tage',
      ['Club day', 'Training', 'Youth match', 'Rovers v City', 'Quiz night', 'Picnic', 'Meeting'],
    ],
  ])('offers “%s”, in German “%s”', { tags: 'long' }, async (name, german, expected) => {
    const page = await shared.show();
    const chip = page.getByRole('search').getByRole('button', { name, exact: true });
    await chip.click();
    await expect.poll(() => namesOf(page)).toEqual(expected);
    await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true');
    if (inGerman.includes(name)) {
      const { service, key } = shared.served;
      const fragment = await page.evaluate<string>('location.hash');
      const other = await openPage(browser.current, service, {
        key,
        fragment,
        locale: 'de-DE',
        beforeLoad: setClock,
      });
      await other.getByRole('button', { name: german, pressed: true }).waitFor();
      await expect.poll(() => namesOf(other)).toEqual(expected);
    }
    await chip.click();
    await expect.poll(() => namesOf(page)).toHaveLength(club.length);
  });

  it.each(['2031-05-12', '2031-05-16', '2031-05-17', '2031-05-18'])(
    'takes the same weekend on each day of a week: %s',
    (day) => {
      expect(boundsOf('weekend', day, 7)).toEqual({ from: '2031-05-17', to: '2031-05-18' });
    },
  );
});

describe('a status', () => {
  it('is shown only where it is unusual', { tags: 'long' }, async () => {
    const page = await shared.show('#view=table');
    await row(page, 8).getByText('Cancelled').waitFor();
    await expect.poll(() => page.getByText('Planned').count()).toBe(0);
    await row(page, 8).click();
    await page.locator('.panel').getByText('Cancelled', { exact: true }).waitFor();
    await row(page, 7).click();
    await page.locator('.panel').getByRole('heading', { name: 'Meeting' }).waitFor();
    await expect.poll(() => page.getByText('Planned').count()).toBe(0);
    await expect.poll(() => page.locator('.panel').getByText('Status').isVisible()).toBe(false);
  });
});

describe('names', () => {
  it('of the tab are those of the event and the view', { tags: 'long' }, async () => {
    const page = await shared.show();
    await expect.poll(() => page.title()).toBe('Agenda – Club Events');
    await row(page, 6).click();
    await expect.poll(() => page.title()).toBe('Picnic – Agenda – Club Events');
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    await expect.poll(() => page.title()).toBe('Calendar – Club Events');
    await page.keyboard.press('p');
    await expect.poll(() => page.title()).toBe('club');
    await page.goBack();
    await expect.poll(() => page.title()).toBe('Calendar – Club Events');
  });

  it('of events have the weekday, the date, the month and the year', { tags: 'long' }, async () => {
    const page = await shared.show();
    await page
      .getByRole('button', { name: /^Picnic – Sunday,? 18 May 2031, 11:00 Park/ })
      .waitFor();
    const calendar = await shared.show('#view=calendar');
    await calendar
      .getByRole('button', { name: /^11:00 Picnic\s?, Sunday,? 18 May 2031, Club$/ })
      .waitFor();
  });
});

describe('a view opens', () => {
  it.each(choose([360, 640, 1280], [1280]))(
    'at today in the table, %i pixels wide',
    { tags: 'long' },
    async (width) => {
      const days = Array.from({ length: 120 }, (_, index) => index - 60);
      const events = days.map((day, index) =>
        makeEvent(index + 1, { name: `Day ${day}`, date: daysFromNow(day) }),
      );
      const { service, key } = await serveClub(events);
      const page = await openPage(browser.current, service, {
        key,
        fragment: '#view=table',
        viewport: { width, height: 800 },
      });
      const first = () =>
        page.evaluate(() => {
          const head = document.querySelector('.table-head')?.getBoundingClientRect();
          // On narrow screens, where each row is a card, the headings scroll away.
          const top = Math.max(head?.bottom ?? 0, 0);
          const rows = Array.from(document.querySelectorAll('.table-row'));
          const row = rows.find((one) => one.getBoundingClientRect().top >= top - 1);
          return row?.querySelector('strong')?.textContent;
        });
      await tallyOf(page, '120 events').waitFor();
      await expect.poll(first).toBe('Day 0');
    },
  );
});

it('takes keys at once after Escape closed a dialog', { tags: 'long' }, async () => {
  const { service, key } = shared.served;
  const page = await openPage(browser.current, service, { key, reducedMotion: 'no-preference' });
  await page.locator('.agenda-row').first().waitFor();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await dialog.evaluate((element) =>
    Promise.all(element.getAnimations({ subtree: true }).map(({ finished }) => finished)),
  );
  await page.keyboard.press('Escape');
  await page.keyboard.type('/regatta');
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('regatta');
});
