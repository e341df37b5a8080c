import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedBrowser } from '../../support/browser.ts';
import { readText } from '../../support/ics.ts';
import { readCode } from '../ui/sheets.ts';
import { type FileOptions, openFile, writePage } from './members-page.ts';
import { rovers, roversNow, roversOptions } from './rovers.ts';

// Always a browser: members have no desktop application.
const browser = sharedBrowser();

const open = (options: FileOptions = {}, html = writePage(rovers, roversOptions)) =>
  openFile(browser.current, html, { at: roversNow, ...options });

const visible = (page: Page, selector: string) =>
  page.locator(selector).filter({ visible: true }).allTextContents();
const namesIn = (page: Page) => visible(page, '#coming .name');

/** Saves what a button gives, and returns its name and the names of its events. */
async function saved(page: Page, press: () => Promise<unknown>) {
  const download = page.waitForEvent('download');
  await press();
  const file = await download;
  const { records } = await readText(readFileSync(await file.path(), 'utf8'));
  return [file.suggestedFilename(), ...records.map(({ values: { name } }) => name)];
}

const ofU15 = ['U15 training', 'U15 v Kingsway'];
const ofFirst = ['Rovers v City', 'Athletic v Rovers', 'Rovers v Wanderers'];

describe.each([true, false])('the teams of a page for members, with a script: %s', (hasScript) => {
  it('are chips that show the events, the next one, the calendar and the code of a team', async () => {
    const page = await open({ javaScriptEnabled: hasScript });
    const heroes = () => visible(page, '.hero h2');
    const ways = () =>
      page
        .locator('#follow a[href^="webcal:"]')
        .filter({ visible: true })
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    await page.locator('#follow summary').click();
    await expect.poll(() => namesIn(page)).toHaveLength(rovers.length - 1);
    await expect.poll(() => heroes()).toEqual(['U15 training']);
    await expect.poll(() => ways()).toEqual(['webcal://rovers.example/dates.ics']);

    await page.getByRole('radio', { name: 'U15', exact: true }).check();
    await expect.poll(() => namesIn(page)).toEqual(ofU15);
    await expect.poll(() => heroes()).toEqual(['U15 training']);
    await expect
      .poll(() => visible(page, '#follow summary span'))
      .toEqual(['Follow U15 in my calendar']);
    await expect.poll(() => ways()).toEqual(['webcal://rovers.example/u15.ics']);
    expect(await readCode(page, '#phone .for-0 svg')).toBe('https://rovers.example/dates?only=U15');
    await expect.poll(() => visible(page, '#changed a')).toEqual(['U15 v Kingsway']);

    await page.getByRole('radio', { name: 'First team' }).check();
    await expect.poll(() => namesIn(page)).toEqual(ofFirst);
    await expect.poll(() => heroes()).toEqual(['Rovers v City']);
    // It has no calendar that is kept up to date.
    await expect
      .poll(() => visible(page, '#follow summary span'))
      .toEqual(['Follow in my calendar']);
    await expect.poll(() => ways()).toEqual(['webcal://rovers.example/dates.ics']);
    await expect
      .poll(async () => (await visible(page, '.ways > p'))[0])
      .toMatch(/^First team has no calendar of its own/);
    await expect
      .poll(() => visible(page, '#phone .code p'))
      .toEqual(['rovers.example/dates?only=First+team']);

    await page.getByRole('radio', { name: 'Board' }).check();
    await expect.poll(() => namesIn(page)).toEqual([]);
    await expect.poll(() => heroes()).toEqual([]);
    await expect.poll(() => visible(page, '.none')).toEqual(['Nothing planned for Board.']);
    await page.getByRole('radio', { name: 'Everyone' }).check();
    await expect.poll(() => visible(page, '.none')).toEqual([]);
  });
});

describe('the script of a page for members', () => {
  it('keeps the team in the address, and saves what is shown', async () => {
    const page = await open({ search: '?only=%C3%BC15&x=1' });
    await expect.poll(() => namesIn(page)).toEqual(ofU15);
    await expect.poll(() => page.title()).toBe('U15 · Harbour Rovers');
    const save = page.locator('#save');
    await expect.poll(() => save.textContent()).toBe('Save 3 events to calendar');
    expect(await saved(page, () => save.click())).toEqual([
      'Harbour Rovers.ics',
      'U15 trial',
      ...ofU15,
    ]);
    await page.getByRole('searchbox').fill('kings');
    await expect.poll(() => save.textContent()).toBe('Save 1 event to calendar');
    await page.getByRole('radio', { name: 'First team' }).check();
    await expect.poll(() => namesIn(page)).toEqual([]);
    await page.getByRole('status').getByText('0 events').waitFor();
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => namesIn(page)).toEqual(ofFirst);
    expect(new URL(page.url()).search).toBe('?only=First+team&x=1');
    await page.getByRole('radio', { name: 'Everyone' }).check();
    expect(new URL(page.url()).search).toBe('?x=1');
    await expect.poll(() => save.textContent()).toBe('Save all to calendar');
  });

  it('shows everybody’s events if there is no such team, and says so', {
    tags: 'long',
  }, async () => {
    const page = await open({ search: '?only=U16' });
    await page.getByRole('status').getByText('No team “U16” here').waitFor();
    await expect.poll(() => namesIn(page)).toHaveLength(rovers.length - 1);
    // In a club without teams, the words of names have chosen events all along.
    const without = writePage(rovers, { ...roversOptions, teams: [] });
    const words = await open({ search: '?only=v%20rovers' }, without);
    await words.getByText('Only “v rovers”').waitFor();
    await expect.poll(() => namesIn(words)).toEqual(ofFirst);
    const none = await open({ search: '?only=U16' }, without);
    await none.getByText('No team “U16” here').waitFor();
    await expect.poll(() => namesIn(none)).toHaveLength(rovers.length - 1);
  });

  it('has no teams on a page of chosen events, where others would seem to have none', async () => {
    const page = await open({}, writePage(rovers, { ...roversOptions, isChosen: true }));
    await expect.poll(() => page.getByRole('radio').count()).toBe(0);
  });

  it('opens one event by its address, adds it, and gives it away', async () => {
    const page = await open({ search: '?only=First+team#event-4' });
    // Another team was chosen.
    await expect.poll(() => namesIn(page)).toHaveLength(rovers.length - 1);
    const acts = page.locator('#event-4 .acts');
    expect(await saved(page, () => acts.getByRole('button', { name: 'Add' }).click())).toEqual([
      'U15 v Kingsway.ics',
      'U15 v Kingsway',
    ]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'));
    await acts.getByRole('button', { name: 'Share' }).click();
    await acts.getByRole('button', { name: 'Link copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      'U15 v Kingsway, Sunday 22 November, 10:00, Mill Road, pitch 2\nhttps://rovers.example/dates#event-4',
    );
    await page.getByRole('link', { name: 'Athletic v Rovers' }).last().click();
    await page.locator('#event-6 .acts').waitFor();
    await expect
      .poll(() => page.locator('#event-6').getByRole('button').allTextContents())
      .toEqual(['Share']);
    await page.goto(page.url().replace(/#.*/, '#event-1'));
    await page.locator('#past[open] #event-1 .acts').waitFor();
  });

  it('shows the next event, today, and how far it is; the next one after its end', async () => {
    const page = await open();
    const hero = page.locator('.hero').filter({ visible: true });
    const lines = async () => (await hero.locator('p, h2').allInnerTexts()).filter(Boolean);
    await expect
      .poll(() => lines())
      .toEqual([
        'Next in 10 hours',
        'U15 training',
        'Today, 18:30–20:00',
        'Sports hall, Mill Lane Map',
      ]);
    expect(await saved(page, () => hero.getByText('Add to calendar').click())).toEqual([
      'U15 training.ics',
      'U15 training',
    ]);
    const later = await open({ at: new Date('2026-11-20T08:00:00.000Z') });
    await expect
      .poll(() => visible(later, '.hero .when, .hero .soon'))
      .toEqual(['Tomorrow, 14:00']);
    await expect.poll(() => later.locator('#past-count').textContent()).toBe(', 2');
    await expect.poll(() => later.locator('.today').count()).toBe(0);
  });
});

it('is complete without a script: the next event with its entry, maps, numbers, a moved and a cancelled one', async () => {
  const page = await open({ javaScriptEnabled: false });
  const hero = page.locator('.hero').filter({ visible: true });
  await expect
    .poll(() => hero.locator('.when').innerText())
    .toBe('Thursday 19 November, 18:30–20:00');
  expect(await saved(page, () => hero.getByText('Add to calendar').click())).toEqual([
    'U15 training.ics',
    'U15 training',
  ]);
  const map = page.locator('#event-3 .map');
  await expect
    .poll(() => map.getAttribute('href'))
    .toBe('https://www.openstreetmap.org/search?query=Home%20Ground');
  // One that is open, and one where nobody should go.
  for (const id of [5, 6])
    await expect.poll(() => page.locator(`#event-${id} .map`).count()).toBe(0);
  await expect
    .poll(() =>
      page
        .locator('#event-5 .note a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    )
    .toEqual(['tel:+491701234567', 'mailto:maria@rovers.example']);
  await expect
    .poll(() => page.locator('#event-4 .moved').innerText())
    .toBe(
      'Sunday, 11:00 → 10:00, changed on Tuesday · moved 3 times, first planned for 14 November',
    );
  const off = page.locator('#event-6');
  await expect
    .poll(() => off.locator('.name').evaluate((name) => getComputedStyle(name).textDecorationLine))
    .toBe('line-through');
  await off.getByText('The pitch is frozen. A new date follows.').waitFor();
  await expect.poll(() => page.locator('.registration').count()).toBe(0);
  await expect
    .poll(() => visible(page, '#changed li'))
    .toEqual([
      expect.stringContaining('U15 v Kingsway'),
      expect.stringContaining('Athletic v Rovers'),
    ]);
});

it('has a title, an icon and a description for a shared link', async () => {
  const page = await open();
  const head = await page.locator('head').evaluate((element) => ({
    icon: element.querySelector('link[rel=icon]')?.getAttribute('href')?.slice(0, 19),
    ...Object.fromEntries(
      [...element.querySelectorAll('meta[property], meta[name=description]')].map((meta) => [
        meta.getAttribute('property') ?? meta.getAttribute('name'),
        meta.getAttribute('content'),
      ]),
    ),
  }));
  const description = 'What is on at Harbour Rovers: dates, places and changes.';
  expect(head).toEqual({
    icon: 'data:image/svg+xml,',
    description,
    'og:type': 'website',
    'og:title': 'Harbour Rovers',
    'og:site_name': 'Harbour Rovers',
    'og:description': description,
    'og:locale': 'en_GB',
    'og:url': 'https://rovers.example/dates',
  });
});

it('runs nothing and requests nothing whatever the texts of a club are', {
  tags: 'long',
}, async () => {
  const hostile = `</script></style></template>"'><img src=https://evil.example/x onerror=alert(1)><script>alert(2)</script><!--{{team}}$&`;
  const events = rovers.map((event) => ({
    ...event,
    name: hostile,
    location: hostile,
    description: `${hostile}\n+49 170 1234567"onclick="alert(3)\na@b.example"onclick="alert(4)\nhttps://x.example/"onclick="alert(5)`,
  }));
  const teams = roversOptions.teams.map((team, index) => ({
    ...team,
    name: `${hostile}${index}`,
    letters: '<b>"',
    words: index === 2 ? 'nobody' : 'script',
  }));
  const live = {
    page: `https://rovers.example/?x="><script>alert(6)</script>`,
    calendar: `https://rovers.example/"><script>alert(7)</script>.ics`,
    teamCalendars: new Map([[1, `https://rovers.example/'onclick='alert(8)`]]),
  };
  const news = new Map(
    events.map((event) => [
      event.id,
      {
        before: { ...event, location: `${hostile} before` },
        changedAt: roversNow,
        until: new Date(roversNow.getTime() + 1e8),
      },
    ]),
  );
  const html = writePage(events, { ...roversOptions, teams, live, news, club: hostile });
  for (const search of ['', '?board', `?only=${encodeURIComponent(`${hostile}0`)}#event-3`]) {
    // A dialog, a request or an error of the policy fails the test.
    const page = await open({ search }, html);
    await page
      .locator(search === '?board' ? '.board-hero h2' : '.hero h2')
      .first()
      .waitFor();
    await expect
      .poll(() => page.locator('img, iframe, object, [onclick], [onerror]').count())
      .toBe(0);
    await expect.poll(() => page.locator('script').count()).toBe(3);
    const links = await page
      .locator('a[href]')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).protocol));
    const allowed = ['https:', 'webcal:', 'file:', 'data:', 'tel:', 'mailto:'];
    expect(links.filter((protocol) => !allowed.includes(protocol))).toEqual([]);
    if (search !== '?board') {
      await expect.poll(() => page.locator('#event-3 .name').textContent()).toBe(hostile);
    }
  }
});
