import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { writeIcs } from '../../../server/export/ics.ts';
import { createMembersForm } from '../../../server/export/members.ts';
import { catalogues } from '../../../server/messages/messages.ts';
import { sharedBrowser } from '../../support/browser.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { now, readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { expectForEverybody, expectNoSidewaysScrolling } from '../ui/axe.ts';
import { type FileOptions, openFile as openPageFile, writePage } from './members-page.ts';

// Always a browser: members have no desktop application.
const browser = sharedBrowser();

const hostileText = '</script></style><img src=x onerror=alert(1)>"\'&amp;<!--';

const season = [
  makeEvent(1, { name: 'Winter cup', date: '2025-12-05T18:00:00.000Z', eventType: null }),
  makeEvent(2, { name: 'May fair', date: '2026-05-30T10:00:00.000Z', eventType: 'regional' }),
  makeEvent(3, { name: 'Before dawn', date: '2026-05-31T22:30:00.000Z', eventType: 'national' }),
  makeEvent(4, {
    name: 'Sommerfest',
    date: '2026-06-12T22:00:00.000Z',
    location: 'Zürich',
    description: 'Bring a cake.\nTickets at the door.',
    status: 'cancelled',
  }),
  makeEvent(5, { name: 'Łódź relay', date: '2026-07-01T16:00:00.000Z', status: 'draft' }),
  makeEvent(6, {
    name: hostileText,
    date: '9999-12-31T23:59:59.999Z',
    location: hostileText,
    description: `${hostileText}\u0001\r\n${'x'.repeat(500)}`,
    eventType: 'international',
  }),
] as StoredEvent[];

const write = writePage;

it('lets an event without an end last as long as is usual in the club', () => {
  const event = makeEvent(1, { date: '2026-05-01T18:00:00.000Z' }) as StoredEvent;
  const page = write([event], { usualLength: 90 });
  expect(page).toContain('data-usual="90"');
  expect(page).not.toContain('data-minutes');
  const noted = { ...event, description: 'Until 22:00' };
  expect(write([noted], { usualLength: 90 })).toContain('data-minutes="120"');
});

const openFile = (html: string, options: FileOptions = {}) =>
  openPageFile(browser.current, html, options);

const namesIn = (page: Page, part: string) =>
  page.locator(`${part} .month li:not([hidden]) .name`).allTextContents();
const searchIn = (page: Page) => page.getByRole('searchbox', { name: 'Search events' });

describe('the page for members', () => {
  it('shows upcoming events by month in local time, and folds past ones away', async () => {
    const page = await openFile(write(season.toReversed()));
    expect(await page.title()).toBe('TSV <Köln>');
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toBe('TSV <Köln>');
    await page.getByText('As of 1 June 2026. Times: Central European Time.').waitFor();
    await expect
      .poll(() => namesIn(page, '#coming'))
      .toEqual(['Before dawn', 'Sommerfest', 'Łódź relay', hostileText]);
    await expect
      .poll(() => page.locator('#coming h3').allTextContents())
      .toEqual(['June 2026', 'July 2026', 'January 10000']);
    // Midnight means that the time is not known.
    await expect
      .poll(async () =>
        (await page.locator('#coming time').allTextContents()).map((text) => text.trim()),
      )
      .toEqual(['Mon 1 00:30', 'Sat 13', 'Wed 1 18:00', 'Sat 1 00:59']);
    await expect
      .poll(() => page.locator('#coming .state').allTextContents())
      .toEqual(['Cancelled', 'Draft']);
    await expect
      .poll(() => page.locator('#coming .type').allTextContents())
      .toEqual(['▲ National', '● Club', '● Club', '◆ International']);
    await expect.poll(() => page.getByText('May fair').isVisible()).toBe(false);
    await page.getByText('Past events').click();
    await expect.poll(() => page.getByText('May fair').isVisible()).toBe(true);
    await expect.poll(() => namesIn(page, '#past')).toEqual(['May fair', 'Winter cup']);
  });

  it('shows names and notes with markup as text, and runs nothing in them', async () => {
    const page = await openFile(write(season, { club: hostileText }));
    await expect
      .poll(() => page.getByRole('heading', { level: 1 }).textContent())
      .toBe(hostileText);
    await expect.poll(() => page.locator('#coming .at').last().textContent()).toBe(hostileText);
    await expect.poll(() => page.locator('img').count()).toBe(0);
    await expect.poll(() => page.locator('script').count()).toBe(3);
  });

  it('shows whether registration is open, unless the event is over or cancelled', {
    tags: 'long',
  }, async () => {
    const page = await openFile(
      write([
        makeEvent(1, { date: '2026-07-01T16:00:00.000Z', registrationOpen: true }),
        makeEvent(2, { date: '2026-07-02T16:00:00.000Z', registrationOpen: false }),
        makeEvent(3, { date: '2026-07-03T16:00:00.000Z' }),
        makeEvent(4, {
          date: '2026-07-04T16:00:00.000Z',
          status: 'cancelled',
          registrationOpen: true,
        }),
        makeEvent(5, { date: '2026-05-01T16:00:00.000Z', registrationOpen: true }),
      ] as StoredEvent[]),
    );
    await page.getByText('Past events').click();
    await page.getByText('Event 5').waitFor();
    const lines = page.locator('.registration').filter({ visible: true });
    await expect
      .poll(() => lines.allTextContents())
      .toEqual(['Registration is open', 'Registration is closed']);
  });

  it('makes web addresses in notes links, and nothing else', { tags: 'long' }, async () => {
    const description = [
      'Sign up at https://example.org/form?a=1&b="2"&c=\'3\'.',
      '(HTTP://example.org/map)',
      'javascript:alert(1) data:text/html,x ftp://example.org www.example.org',
      'https://example.org/<img src=x onerror=alert(1)>',
      "https://example.org/'onclick='alert(1)",
    ].join('\n');
    const events = [makeEvent(1, { date: '2026-07-01T16:00:00.000Z', description })];
    const page = await openFile(write(events as StoredEvent[]));
    const note = page.locator('.note');
    await expect.poll(() => note.textContent()).toBe(description);
    const links = await note.locator('a').evaluateAll((all) =>
      all.map((link) => ({
        text: link.textContent,
        attributes: Object.fromEntries(
          [...link.attributes].map(({ name, value }) => [name, value]),
        ),
      })),
    );
    const link = (href: string) => ({
      text: href,
      attributes: { href, target: '_blank', rel: 'noreferrer' },
    });
    expect(links).toEqual([
      link('https://example.org/form?a=1&b='),
      link('HTTP://example.org/map'),
      link('https://example.org/'),
      link("https://example.org/'onclick='alert(1)"),
    ]);
    await expect.poll(() => page.locator('img').count()).toBe(0);
    await expectForEverybody(page, 'page for members with links');
  });

  it('runs no script but its own, and loads nothing', async () => {
    const page = await openFile(write(season), {
      mayFail: /Content Security Policy|request to https:\/\/example\.invalid/,
    });
    const outcome = await page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        violations.push(effectiveDirective),
      );
      const script = document.createElement('script');
      script.textContent = 'globalThis.hasRun = true';
      document.body.append(script);
      const image = document.createElement('img');
      image.src = 'https://example.invalid/pixel.gif';
      document.body.append(image);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return { violations, hasRun: 'hasRun' in globalThis };
    });
    expect(outcome).toEqual({ violations: ['script-src-elem', 'img-src'], hasRun: false });
  });

  it('finds beginnings of words without accents, also among past events', {
    tags: 'long',
  }, async () => {
    const page = await openFile(write(season));
    await searchIn(page).focus();
    await page.keyboard.type('zurich TICK');
    await page.getByRole('status').getByText('1 event', { exact: true }).waitFor();
    await expect.poll(() => namesIn(page, 'main')).toEqual(['Sommerfest']);
    await expect.poll(() => page.locator('.month:visible').count()).toBe(1);
    await searchIn(page).fill('lodz');
    await expect.poll(() => namesIn(page, 'main')).toEqual(['Łódź relay']);
    await searchIn(page).fill('odz');
    await page.getByRole('status').getByText('0 events').waitFor();
    await searchIn(page).fill('cup');
    await expect.poll(() => page.getByText('Winter cup').isVisible()).toBe(true);
    await searchIn(page).fill('');
    await expect.poll(() => page.getByText('Winter cup').isVisible()).toBe(false);
    await expect.poll(() => namesIn(page, 'main')).toHaveLength(season.length);
    await expect.poll(() => page.getByRole('status').textContent()).toBe('');
  });

  it('saves a calendar of its events, named after the club', async () => {
    const page = await openFile(write(season));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save all to calendar' }).press('Enter');
    const file = await download;
    expect(file.suggestedFilename()).toBe('TSV Köln.ics');
    const path = join(makeTestFolder(), 'saved.ics');
    await file.saveAs(path);
    const text = readFileSync(path, 'utf8');
    const options = { calendarName: 'TSV <Köln>', now, uidBase: '3f1c', timeZone: 'Europe/Berlin' };
    const local = { language: 'en-GB', words: catalogues.en, usualLength: 120 };
    const forMembers = createMembersForm({ ...options, ...local });
    expect(text).toBe([...writeIcs(season, { ...options, forMembers })].join(''));
    expect(text).toContain('SUMMARY:Cancelled: Sommerfest');
    const { records } = await readText(text);
    expect(records.map(({ values }) => values)).toEqual(season);
  });

  it('folds away events that have passed since the export', async () => {
    const page = await openFile(write(season), { at: new Date('2026-06-14T10:00:00.000Z') });
    await page.getByText('Past events').click();
    await expect
      .poll(() => namesIn(page, '#past'))
      .toEqual(['Sommerfest', 'Before dawn', 'May fair', 'Winter cup']);
    await expect
      .poll(() => page.locator('#past h3').allTextContents())
      .toEqual(['June 2026', 'May 2026', 'December 2025']);
    await expect.poll(() => namesIn(page, '#coming')).toEqual(['Łódź relay', hostileText]);
    await expect.poll(() => page.locator('#coming h3').first().textContent()).toBe('July 2026');
  });

  it('keeps an event among the upcoming ones until its day has ended', async () => {
    const at = new Date('2026-06-13T21:59:00.000Z');
    const page = await openFile(write(season), { at });
    await expect.poll(async () => (await namesIn(page, '#coming'))[0]).toBe('Sommerfest');
  });

  it('says so if nothing is coming, and folds nothing away if nothing has passed', {
    tags: 'long',
  }, async () => {
    const past = await openFile(write(season.slice(0, 2)));
    await past.getByText('No upcoming events.').waitFor();
    const coming = await openFile(write(season.slice(2)));
    await expect.poll(() => coming.getByText('No upcoming events.').isVisible()).toBe(false);
    await expect.poll(() => coming.getByText('Past events').isVisible()).toBe(false);
  });

  it('shows every event without scripts', { tags: 'long' }, async () => {
    const page = await openFile(write(season), { javaScriptEnabled: false });
    await page.getByText('Sommerfest').waitFor();
    await expect.poll(() => page.getByRole('button').count()).toBe(0);
    await page.getByText('Past events').click();
    await page.getByText('Winter cup').waitFor();
  });

  it('prints the upcoming events without controls', { tags: 'long' }, async () => {
    const page = await openFile(write(season), { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => searchIn(page).isVisible()).toBe(false);
    await expect.poll(() => page.getByText('Sommerfest').isVisible()).toBe(true);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe('rgb(255, 255, 255)');
  });

  it.each(choose(['en', 'de', 'fr', 'nl'] as const, ['de'] as const))(
    'passes axe in %s and fits 320 pixels',
    { tags: 'long' },
    async (tag) => {
      const live = { page: 'https://rovers.example', calendar: 'https://rovers.example/dates.ics' };
      const html = write(season, { language: tag, words: catalogues[tag], live });
      // The policy would keep axe out; what it refuses is tested above.
      const page = await openFile(html, { bypassCSP: true });
      await page.locator('#past summary').click();
      await expectForEverybody(page, `the page for members in ${tag}`);
      await page.setViewportSize({ width: 320, height: 640 });
      await expectNoSidewaysScrolling(page, `the page for members in ${tag}`);
      const board = await openFile(html, { bypassCSP: true, search: '?board' });
      await expectForEverybody(board, `the board in ${tag}`);
    },
  );

  it.each([
    [
      'de',
      'de-DE',
      ['Juni 2026', 'Juli 2026'],
      'Stand: 1. Juni 2026. Zeiten: Mitteleuropäische Zeit.',
    ],
    [
      'en',
      'en-US',
      ['June 2026', 'July 2026'],
      'As of June 1, 2026. Times: Central European Time.',
    ],
    [
      'fr',
      'fr-FR',
      ['juin 2026', 'juillet 2026'],
      'Au 1 juin 2026. Horaires : heure d’Europe centrale.',
    ],
    [
      'nl',
      'nl-NL',
      ['juni 2026', 'juli 2026'],
      'Stand van 1 juni 2026. Tijden: Midden-Europese tijd.',
    ],
  ] as const)(
    'the page for members has the words and dates of %s',
    async (tag, language, months, asOf) => {
      const page = await openFile(write(season, { language, words: catalogues[tag] }));
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
      await expect
        .poll(async () => (await page.locator('#coming h3').allTextContents()).slice(0, 2))
        .toEqual(months);
      await page.getByText(asOf).waitFor();
    },
  );
});
