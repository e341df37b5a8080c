import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { neighboursOf } from '../../../server/ui/data/event-queries.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { openDesktopPage } from '../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../support/home.ts';
import { readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { fetchWithKey } from '../../support/service.ts';
import { shareClub } from '../../support/shared-club.ts';
import { tallyOf } from '../../support/tally.ts';
import {
  expectAccessibleInAnyLight,
  expectNoSidewaysScrolling,
  expectPartForEverybody,
} from './axe.ts';
import { openExport, saveButton } from './downloads.ts';

const browser = testBrowser();

const concert = makeEvent(7, {
  name: 'Spring concert',
  date: '2099-07-01T18:30:00.000Z',
  location: 'Zürich',
  description: 'Doors open at 19:00.\nTickets: https://example.org/tickets?a=1&b=2.',
  status: 'cancelled',
  eventType: 'regional',
  registrationOpen: false,
});

const club = [
  makeEvent(1, { name: 'Training', date: daysFromNow(1) }),
  makeEvent(2, { name: 'Summer party', date: daysFromNow(2), description: '' }),
  makeEvent(3, { name: 'Long jump', date: daysFromNow(3), eventType: null, location: '' }),
  concert,
];

type Options = Parameters<typeof openPage>[2];

async function openClub(events: readonly EventDraft[], options: Options = {}) {
  const served = await serveClub(events);
  const page = await openPage(browser.current, served.service, { key: served.key, ...options });
  return { ...served, page };
}

const links = [
  'http://example.org/a_(b) (see https://example.org/x).',
  'javascript:alert(1) data:text/html,x JAVASCRIPT:https://example.org/',
  '<a href="javascript:alert(1)">x</a> file:///etc/passwd https://[bad',
].join('\n');

const hostile = makeEvent(8, {
  name: `<img src=x onerror=alert(1)> ${'مرحبا🏃‍♀️'.repeat(1_000)}`,
  location: '</dd><script>alert(1)</script>',
  description: 'x'.repeat(100_000),
  date: '9999-12-31T23:59:59.999Z',
});

/** The club, with permission to copy. */
const shared = shareClub(browser, club, { permissions: ['clipboard-read', 'clipboard-write'] });

/** A club with unusual events. */
const odd = shareClub(browser, [
  ...club,
  hostile,
  makeEvent(9, { date: '2020-01-01T12:00:00.000Z', description: links }),
]);

/** Refuses to copy, as a browser does for a page in a frame; most allow it after a click. */
const refuseCopying = (page: Page) =>
  page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  });

const panelOf = (page: Page) => page.locator('.panel');
const headingOf = (page: Page) => panelOf(page).getByRole('heading', { level: 2 });
/** Returns the id of the focused element, or of its event. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const { id, dataset } = document.activeElement as HTMLElement;
    return dataset['event'] ?? id;
  });

const openScripts = (page: Page) => panelOf(page).getByText('Details').click();

async function copy(page: Page, button: string): Promise<string> {
  await panelOf(page).getByRole('button', { name: button }).click();
  await panelOf(page)
    .getByText(/^(?:Message copied|Copied)/)
    .waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

describe('the event panel', () => {
  it('shows every field, and the time in the local zone', async () => {
    const page = await shared.show('#event=7');
    await headingOf(page).getByText('Spring concert').waitFor();
    await openScripts(page);
    const fields = await panelOf(page)
      .locator('dl > div')
      .evaluateAll((all) =>
        all.map((field) =>
          Array.from(field.querySelectorAll('dt, dd'), (part) =>
            (part as HTMLElement).innerText.trim(),
          ),
        ),
      );
    const when = panelOf(page).locator('time').first();
    await expect.poll(() => when.getAttribute('title')).toBe('2099-07-01 18:30 UTC');
    await expect
      .poll(() => panelOf(page).locator('.panel-marks').innerText())
      .toMatch(/^Regional\s+Cancelled$/);
    expect(Object.fromEntries(fields)).toEqual({
      When: expect.stringMatching(/^Wednesday,? 1 July 2099, 20:30\s+In \d+ years$/),
      Where: 'Zürich Map',
      Note: concert.description,
      Registration: 'Registration is closed',
      ID: '7',
      UTC: '2099-07-01T18:30:00.000Z',
      Added: '1 Jan 2026, 01:00',
    });
    const map = panelOf(page).getByRole('link', { name: 'Map' });
    await expect
      .poll(() => map.getAttribute('href'))
      .toBe('https://www.openstreetmap.org/search?query=Z%C3%BCrich');
    await expect.poll(() => map.getAttribute('rel')).toBe('noreferrer noopener');
  });

  it('turns only web addresses in the description into links', { tags: 'long' }, async () => {
    const page = await odd.show('#event=9');
    await panelOf(page).getByText('file:///etc/passwd').waitFor();
    const shown = await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLAnchorElement>('.panel-description a'), (link) => [
        link.getAttribute('href'),
        link.rel,
        link.target,
      ]),
    );
    const safely = ['noreferrer noopener', '_blank'];
    expect(shown).toEqual([
      ['http://example.org/a_(b)', ...safely],
      ['https://example.org/x', ...safely],
      ['https://example.org/', ...safely],
    ]);
    await expect.poll(() => page.locator('.panel-description').textContent()).toBe(links);
  });

  it('says how long ago a past event was, dimmed and without a status', {
    tags: 'long',
  }, async () => {
    const page = await odd.show('#event=9');
    const when = panelOf(page).locator('time');
    await panelOf(page)
      .getByText(/^\d+ years ago$/)
      .waitFor();
    await expect.poll(() => panelOf(page).innerText()).not.toMatch(/Planned|Active|Completed/);
    const colour = () => when.evaluate((element) => getComputedStyle(element).color);
    const past = await colour();
    await page.evaluate(() => location.assign('#event=1'));
    await panelOf(page).getByText('Tomorrow', { exact: true }).waitFor();
    expect(await colour()).not.toBe(past);
  });

  it('copies the event as a message', async () => {
    const page = await shared.show('#event=7');
    expect(await copy(page, 'Message')).toMatch(
      /^Spring concert \(Cancelled\)\nWednesday 1 July 2099, 20:30\nZürich\nRegistration is closed\n\nDoors open at 19:00\.\nTickets: .*\n$/,
    );
  });

  it('copies the same JSON as the service sends', { tags: 'long' }, async () => {
    const page = await shared.show('#event=3');
    const { service, key } = shared.served;
    await openScripts(page);
    const copied = await copy(page, 'Copy as JSON');
    const answer = await fetchWithKey(service, '/v1/events/3', key);
    const { event } = (await answer.json()) as { event: object };
    expect(copied).toBe(`${JSON.stringify(event, null, 2)}\n`);
  });

  it('copies a curl command with KEY in place of the key', async () => {
    const page = await shared.show('#event=3');
    const { service, key } = shared.served;
    await openScripts(page);
    const copied = await copy(page, 'Copy as curl');
    expect(copied).not.toContain(key);
    const [, header = '', url = ''] = /^curl --noproxy "\*" -H "(.*)" (\S+)$/.exec(copied) ?? [];
    expect(url).toBe(`${service.baseUrl}/v1/events/3`);
    const [name = '', value = ''] = header.replace('KEY', key).split(': ');
    expect((await fetch(url, { headers: { [name]: value } })).status).toBe(200);
  });

  it('selects the text if copying is not allowed', { tags: 'long' }, async () => {
    const page = await odd.show('#event=3');
    await refuseCopying(page);
    await panelOf(page).getByRole('button', { name: 'Message' }).click();
    const text = page.getByLabel(/didn’t allow copying/);
    await text.waitFor();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('Long jump');
    await expect.poll(() => text.inputValue()).toContain('Long jump');
  });
});

describe('an event saved to a calendar', () => {
  const save = (page: Page) => panelOf(page).getByRole('button', { name: 'Calendar file' });
  const fileOf = async (file: Download) => readFileSync(await file.path(), 'utf8');

  it.each(choose(['mouse', 'keyboard'], ['mouse']))(
    'has the UID of a saved calendar of all events, by %s',
    { tags: 'long' },
    async (by) => {
      const page = await shared.show('#event=7');
      await headingOf(page).getByText('Spring concert').waitFor();
      const one = page.waitForEvent('download');
      if (by === 'mouse') await save(page).click();
      else {
        await headingOf(page).focus();
        while (!(await save(page).evaluate((button) => button === document.activeElement))) {
          await page.keyboard.press('Tab');
        }
        await page.keyboard.press('Enter');
      }
      const saved = await one;
      expect(saved.suggestedFilename()).toBe('Spring concert.ics');
      await panelOf(page).getByText('Saved as Spring concert.ics. Open the file').waitFor();
      const { records, notes } = await readText(await fileOf(saved));
      expect(notes).toEqual([]);
      expect(records.map(({ values }) => values)).toMatchObject([
        {
          name: concert.name,
          date: concert.date,
          location: concert.location,
          description: concert.description,
          status: 'cancelled',
        },
      ]);
      const all = page.waitForEvent('download');
      await openExport(page);
      await saveButton(page, /ICS/).click();
      const uid = /^UID:event-7\..*\r$/m;
      const [expected] = uid.exec(await fileOf(await all)) ?? [];
      expect(expected).toBeDefined();
      expect(uid.exec(await fileOf(saved))?.[0]).toBe(expected);
      await page.keyboard.press('Escape');
    },
  );

  // The page of a browser reads what the file needs for its head.
  it('says so in the desktop window if the service does not answer', { tags: 'long' }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Chess', club);
    const { page } = await openDesktopPage(browser.current, home, {
      fragment: '#event=2',
      mayFail: /Failed to load|console/,
    });
    await headingOf(page).getByText('Summer party').waitFor();
    await page.route('**/v1/**', (route) => route.abort());
    await save(page).click();
    await panelOf(page).getByText('Club Events isn’t responding').waitFor();
    await page.unroute('**/v1/**');
    const file = page.waitForEvent('download');
    await save(page).click();
    expect((await file).suggestedFilename()).toBe('Summer party.ics');
  });
});

describe('navigation in the panel', () => {
  it('steps to the previous and next event and stops at both ends of the list', async () => {
    const page = await shared.show('#event=2');
    const next = page.getByRole('button', { name: 'Next event' });
    const previous = page.getByRole('button', { name: 'Previous event' });
    for (const name of ['Long jump', 'Spring concert']) {
      await next.click();
      await headingOf(page).getByText(name).waitFor();
    }
    await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true');
    await next.click({ force: true });
    await expect.poll(() => headingOf(page).textContent()).toBe('Spring concert');
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
    for (let step = 0; step < 3; step += 1) await previous.click();
    await headingOf(page).getByText('Training').waitFor();
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBe('true');
    await page.goBack();
    await headingOf(page).getByText('Summer party').waitFor();
  });

  it('steps through the filtered list, also from an event outside it', () => {
    const events = [1, 3, 5, 9].map((id) => ({
      ...makeEvent(id),
      date: `2026-05-0${id === 3 ? 1 : id}T18:00:00.000Z`,
    })) as Parameters<typeof neighboursOf>[1];
    const around = (id: number, day: number) => {
      const event = { ...events[0], id, date: `2026-05-0${day}T18:00:00.000Z` };
      const { previous, next } = neighboursOf(event as (typeof events)[0], events);
      return [previous?.id, next?.id];
    };
    expect(around(1, 1)).toEqual([undefined, 3]);
    expect(around(2, 1)).toEqual([1, 3]);
    expect(around(3, 1)).toEqual([1, 5]);
    expect(around(4, 1)).toEqual([3, 5]);
    expect(around(7, 7)).toEqual([5, 9]);
    expect(around(9, 9)).toEqual([5, undefined]);
  });

  it('focuses the heading, and returns to the event with Escape', { tags: 'long' }, async () => {
    const many = Array.from({ length: 60 }, (_, id) =>
      makeEvent(id, { name: `Training ${id}`, date: daysFromNow(id) }),
    );
    const { page } = await openClub(many);
    await page.getByRole('button', { name: /Training 3\b/ }).waitFor();
    await page.evaluate(() => window.scrollBy(0, 500));
    const row = page.getByRole('button', { name: /Training 12\b/ });
    const top = async () => (await row.boundingBox())?.y;
    const before = await top();
    await row.click();
    await headingOf(page).getByText('Training 12').waitFor();
    expect(await focused(page)).toBe('panel-name');
    expect(await top()).toBe(before);
    await page.getByRole('button', { name: /Training 13\b/ }).click();
    await headingOf(page).getByText('Training 13').waitFor();
    expect(await focused(page)).toBe('panel-name');
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('13');
  });

  it('returns the focus to the row of a view that it lies over', { tags: 'long' }, async () => {
    const page = await shared.show('#view=table');
    await page.locator('[data-event="2"]').click();
    await headingOf(page).getByText('Summer party').waitFor();
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('2');
  });

  it('returns the focus to the list if the event is not in it', { tags: 'long' }, async () => {
    const page = await shared.show('#event=7&status=draft');
    await headingOf(page).getByText('Spring concert').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await panelOf(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('events');
  });
});

describe('an event outside the list', () => {
  it('is requested separately while the club is still being read', { tags: 'long' }, async () => {
    const held = Promise.withResolvers<void>();
    const { page } = await openClub(club, {
      fragment: '#event=7',
      beforeLoad: (opened) =>
        opened.route('**/v1/events?*', async (route) => {
          // The page waits for its time zone, which comes with the shortest list.
          if (!route.request().url().endsWith('?limit=1')) await held.promise;
          await route.continue();
        }),
    });
    await headingOf(page).getByText('Spring concert').waitFor();
    held.resolve();
    await tallyOf(page, '4 events').waitFor();
    await expect.poll(() => headingOf(page).textContent()).toBe('Spring concert');
  });

  it('is reported as absent if the club does not have it', { tags: 'long' }, async () => {
    const page = await shared.show('#event=12345');
    await headingOf(page).getByText('Event not found').waitFor();
    await panelOf(page).getByRole('status').getByRole('button', { name: 'Close' }).click();
    await panelOf(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => location.hash)).toBe('');
  });

  it('can be requested again after a failure', { tags: 'long' }, async () => {
    let isGone = true;
    const { page } = await openClub(club, {
      fragment: '#event=7',
      beforeLoad: (opened) =>
        opened.route('**/v1/**', (route) => (isGone ? route.abort() : route.continue())),
    });
    await headingOf(page).getByText('couldn’t be loaded').waitFor();
    isGone = false;
    await panelOf(page).getByRole('button', { name: 'Try again' }).click();
    await headingOf(page).getByText('Spring concert').waitFor();
  });
});

describe('accessibility of the panel', () => {
  it('passes axe on a desktop, a phone and zoomed, in both themes', { tags: 'long' }, async () => {
    const page = await odd.show('#event=7');
    await refuseCopying(page);
    await headingOf(page).getByText('Spring concert').waitFor();
    await expectPartForEverybody(page, 'panel', '.panel');
    await openScripts(page);
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    await page.getByLabel(/didn’t allow copying/).waitFor();
    await expectAccessibleInAnyLight(page, 'with a text to copy');
    await page.getByRole('button', { name: 'Next event' }).click();
    await headingOf(page).getByText('onerror').waitFor();
    await expectNoSidewaysScrolling(page, 'with a long name', '.panel');
    await expectAccessibleInAnyLight(page, 'with a long name');
  });

  it('traps the focus over a narrow page and returns it', { tags: 'long' }, async () => {
    const page = await shared.show();
    await page.setViewportSize({ width: 400, height: 700 });
    await page.getByRole('button', { name: /Summer party/ }).click();
    await page.getByRole('dialog', { name: 'Summer party' }).waitFor();
    for (let stop = 0; stop < 12; stop += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('.panel'))).not.toBeNull();
    }
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('2');
  });

  it('shows the rest of a very long description on request', { tags: 'long' }, async () => {
    const page = await odd.show('#event=8');
    await page.getByRole('button', { name: 'Show the full text (100,000 characters)' }).click();
    const description = page.locator('.panel-description');
    await expect.poll(async () => (await description.textContent())?.length).toBe(100_000);
    await expect.poll(() => page.locator('.panel img, .panel script').count()).toBe(0);
  });
});
