import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { type HtmlOptions, writeHtml } from '../../../server/export/html.ts';
import { catalogues } from '../../../server/messages/messages.ts';
import { faultsOf, sharedBrowser } from '../../support/browser.ts';
import { testCopyFacts } from '../../support/events.ts';
import { makeEvent } from '../../support/home.ts';
import { choose } from '../../support/long.ts';
import { patience } from '../../support/patience.ts';
import { printFigure } from '../../support/print.ts';
import { createRandom } from '../../support/random.ts';
import { readCode } from '../ui/sheets.ts';

// Always a browser: members have no desktop application.
const browser = sharedBrowser();

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.UTC(2026, 10, 19, 7, 41);

const timeZone = 'Europe/Berlin';
const live = { page: 'https://rovers.example/u15', calendar: 'https://rovers.example/dates.ics' };

/** Writes the page as a service does at a time, in milliseconds. */
function writePage(
  events: readonly StoredEvent[],
  at: number,
  more: Partial<HtmlOptions> = {},
): string {
  const options = { club: 'Rovers', now: new Date(at), uidBase: '3f1c', timeZone, live };
  const copy = { ...testCopyFacts, asOf: new Date(at).toISOString() };
  const local = { language: 'en-GB', words: catalogues.en, copy, usualLength: 120 };
  return [...writeHtml(events, { ...options, ...local, ...more })].join('');
}

/** Serves a page at an address, and opens it in a browser whose clock only the test moves. */
async function openAddress(html: string, search = '', at = start) {
  const site = { html, status: 200, requests: 0 };
  const server = http.createServer((_, response) => {
    site.requests += 1;
    response.writeHead(site.status, { 'content-type': 'text/html; charset=utf-8' }).end(site.html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const context = await browser.current.newContext({
    locale: 'en-GB',
    // Differs from the club's, which counts.
    timezoneId: 'America/New_York',
    viewport: { width: 1280, height: 720 },
  });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults = faultsOf(page, (each) => each === origin);
  onTestFinished(async () => {
    await context.close();
    server.closeAllConnections();
    server.close();
    expect(faults).toEqual([]);
  });
  await page.clock.install({ time: at });
  await page.goto(`${origin}/${search}`);
  await page.clock.pauseAt(at + 1_000);
  return { page, site };
}

/** Lets ten minutes pass, and waits for the answer to the page's question. */
async function letPageAsk(page: Page, site: { readonly requests: number }): Promise<void> {
  const before = site.requests;
  const answer = page.waitForResponse(() => true);
  await page.clock.runFor(10 * minute);
  await answer.then((response) => response.finished());
  expect(site.requests).toBe(before + 1);
}

const season = (names: readonly string[]) =>
  names.map((name, index) =>
    makeEvent(index + 1, {
      name,
      date: new Date(start + (index + 1) * day).toISOString(),
      location: 'Mill Lane',
      description: null,
    }),
  ) as StoredEvent[];

const names = Array.from({ length: 40 }, (_, index) => `U15 training ${index + 1}`);

describe('a page that was opened from an address', () => {
  it.each([
    ['with a later revision', 'a1b2.8'],
    ['of other data', 'c3d4.1'],
  ])('takes a state %s although its own time is to come', async (_, revision) => {
    const { page, site } = await openAddress(writePage(season(names), start + 365 * day));
    const copy = { ...testCopyFacts, revision, asOf: new Date(start).toISOString() };
    site.html = writePage(season(['Final']), start, { copy });
    await letPageAsk(page, site);
    await page.getByText('As of 19 November 2026 at 08:41').waitFor();
    await page.locator('.name').filter({ hasText: 'Final' }).waitFor();
  });

  it('takes a newer state without losing its place, and says when it cannot be reached', {
    tags: 'long',
  }, async () => {
    const { page, site } = await openAddress(writePage(season(names), start));
    await page.getByText('As of 19 November 2026 at 08:41').waitFor();
    await page.getByText('Follow in my calendar').click();
    const apple = page.getByRole('link', { name: 'iPhone, iPad or Mac' });
    await expect.poll(() => apple.getAttribute('href')).toBe('webcal://rovers.example/dates.ics');
    expect(await readCode(page, '#phone svg')).toBe(live.page);
    const named = (name: string) =>
      page.locator('.name').filter({ hasText: new RegExp(`${name}$`) });
    const row = named('U15 training 30');
    await row.scrollIntoViewIfNeeded();
    const placeOf = async (name: string) => (await named(name).boundingBox())?.y ?? 0;
    const place = await placeOf('U15 training 30');

    const later = start + 10 * minute;
    site.html = writePage(season(['Committee', 'Final', ...names].slice(0, 40)), later);
    // The events keep their ids; two are new, and the rest have other names.
    await letPageAsk(page, site);
    await page.getByText('As of 19 November 2026 at 08:51').waitFor();
    await named('Final').waitFor();
    expect(Math.abs((await placeOf('U15 training 28')) - place)).toBeLessThan(4);

    await page.getByRole('searchbox').fill('final');
    await page.getByRole('status').getByText('1 event', { exact: true }).waitFor();
    site.html = writePage(season(['Committee', 'Final', 'Final replay']), later + 1_000);
    await letPageAsk(page, site);
    await page.getByRole('status').getByText('2 events', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('final');

    const unreachable = page.getByText('can’t be reached at the moment');
    const good = site.html;
    for (const fault of [
      () => Object.assign(site, { status: 502 }),
      () => Object.assign(site, { html: '<!doctype html><title>Sign in</title>' }),
      () => Object.assign(site, { html: writePage([], later + 2_000).slice(0, -200) }),
    ]) {
      fault();
      await letPageAsk(page, site);
      await unreachable.waitFor();
      Object.assign(site, { status: 200, html: good });
      await letPageAsk(page, site);
      await unreachable.waitFor({ state: 'hidden' });
    }
    // An older state, such as one that a cache brings back, is not taken.
    site.html = writePage(season(['Old']), start);
    await letPageAsk(page, site);
    await expect.poll(() => page.getByText('Final replay').isVisible()).toBe(true);
    await expect.poll(() => page.locator('#as-of.old').count()).toBe(0);
    const moved = {
      before: {
        date: new Date(start + day - hour).toISOString(),
        ...{ location: 'Mill Lane', description: null },
      },
      changedAt: new Date(start - 5 * day),
      until: new Date(start + 2 * day),
    };
    const news = new Map([[1, moved]]);
    await page.getByRole('searchbox').fill('');
    site.html = writePage(season(names), later + 3_000, { news });
    await letPageAsk(page, site);
    await expect.poll(() => page.locator('#coming .news').innerText()).toBe('Moved');
    await expect
      .poll(() => page.locator('.moved').innerText())
      .toBe('Friday, 07:41 → 08:41, changed on Saturday');
    // No later state: news end by themselves.
    await page.clock.runFor(3 * day);
    await page.locator('#as-of.old').waitFor();
    await expect.poll(() => page.locator('.news, .moved').count()).toBe(0);
  });

  it('shows only the events with the words of its address, also after a newer state', async () => {
    const events = season(['Ü15 Cup', 'Seniors', 'U15 final', 'U150 friends']);
    const { page, site } = await openAddress(writePage(events, start), '?only=u15%20');
    await page.getByText('Only “u15”').waitFor();
    const shown = () => page.locator('main li .name').allInnerTexts();
    // Folded as the search does: beginnings of words, without accents.
    await expect.poll(shown).toEqual(['Ü15 Cup', 'U15 final', 'U150 friends']);
    site.html = writePage(events.slice(1), start + minute);
    await letPageAsk(page, site);
    await page.getByText('Ü15 Cup').waitFor({ state: 'detached' });
    await expect.poll(shown).toHaveLength(2);
  });
});

/** An event with the time of its end, in milliseconds. */
type Planned = { readonly event: StoredEvent; readonly end: number };

/** Plans events at random: with and without a time, with and without an end, some cancelled. */
function planEvents(count: number, days: number): readonly Planned[] {
  const pick = createRandom(30);
  // In winter, midnight in Berlin is 23:00 in UTC.
  const midnight = Date.UTC(2026, 10, 18, 23);
  return Array.from({ length: count }, (_, index) => {
    const first = midnight + pick(days) * day;
    const kind = pick(4);
    const from = kind === 0 ? first : first + (8 + pick(10)) * hour + pick(4) * 15 * minute;
    const until = first + 20 * hour;
    const end = kind === 0 ? from + day : kind === 1 ? until : from + 2 * hour;
    const event = makeEvent(index + 1, {
      name: `Event ${index + 1}`,
      date: new Date(from).toISOString(),
      description: kind === 1 ? 'Until 20:00\nBring a cake.' : null,
      status: pick(6) === 0 ? 'cancelled' : 'active',
    }) as StoredEvent;
    return { event, end };
  });
}

/** Returns the event that is next at a time: the first one to come that takes place. */
function nextAt(plan: readonly Planned[], at: number): string | undefined {
  const open = plan.filter(
    ({ event, end }) =>
      end > at && Date.parse(event.date) < at + 8 * 7 * day && event.status !== 'cancelled',
  );
  const [first] = open.toSorted(
    (one, other) => Date.parse(one.event.date) - Date.parse(other.event.date),
  );
  return first?.event.date;
}

describe('the board', () => {
  it('never shows a past event as next, and needs no more memory after weeks', {
    tags: 'long',
  }, async () => {
    const hours = choose(3 * 24, 4, 30 * 24);
    const plan = planEvents(hours / 4, Math.ceil(hours / 24) + 20);
    const endOf = new Map(plan.map(({ event, end }) => [event.name, end]));
    const dateOf = new Map(plan.map(({ event }) => [event.name, event.date]));
    const write = (at: number) =>
      writePage(
        plan.map(({ event }) => event),
        at,
      );
    const { page, site } = await openAddress(write(start), '?board=dark');
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const memory = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
      return { bytes: metric('JSHeapUsedSize'), nodes: metric('Nodes') };
    };
    let before: Awaited<ReturnType<typeof memory>> | undefined;
    for (let at = start + 1_000; at <= start + hours * hour; ) {
      // A service writes the page once a day while the club does not change.
      if (at % day < 10 * minute) site.html = write(at);
      await letPageAsk(page, site);
      at += 10 * minute;
      const shown = await page.evaluate(() => ({
        hero: document.querySelector('.board-hero h2')?.textContent ?? '',
        rows: [...document.querySelectorAll('.board-rows .what b')].map(
          ({ textContent }) => textContent,
        ),
      }));
      expect(dateOf.get(shown.hero), new Date(at).toISOString()).toBe(nextAt(plan, at));
      for (const name of shown.rows) expect(endOf.get(name ?? '') ?? 0).toBeGreaterThan(at);
      before ??= await memory();
    }
    const after = await memory();
    const grown = (after.bytes - (before?.bytes ?? 0)) / 1e6;
    printFigure(
      `The board after ${hours} hours: ${(after.bytes / 1e6).toFixed(1)} MB, ${grown.toFixed(1)} MB more, ${after.nodes} nodes (${before?.nodes} before), ${site.requests} requests`,
    );
    expect(grown).toBeLessThan(20);
    expect(after.bytes).toBeLessThan(20e6);
    await expect.poll(() => page.locator('.board-state.old').count()).toBe(0);
  });

  it('is large, turns its pages, marks what is now and cancelled, and says how old it is', {
    tags: 'long',
  }, async () => {
    const at = (text: string) => new Date(`${text}:00+01:00`).toISOString();
    const events = [
      {
        name: 'U15 training',
        date: at('2026-11-19T18:30'),
        eventType: 'club',
        location: 'Sports hall, Mill Lane',
      },
      {
        name: 'Rovers v City',
        date: at('2026-11-21T14:00'),
        eventType: 'regional',
        location: 'Home Ground',
      },
      { name: 'Athletic v Rovers', date: at('2026-11-28T15:00'), status: 'cancelled' },
      ...Array.from({ length: 5 }, (_, index) => ({
        name: `Match ${index}`,
        date: at(`2026-12-0${index + 1}T10:00`),
      })),
      { name: 'In the new year', date: at('2027-03-01T10:00') },
    ].map((event, index) =>
      makeEvent(index + 1, { eventType: null, description: null, ...event } as object),
    ) as StoredEvent[];
    const { page, site } = await openAddress(writePage(events, start), '?board');
    const board = page.locator('.board');
    await board.getByText('08:41').first().waitFor();
    await board.getByText('Thursday 19 November').waitFor();
    await board.getByText('Today, 18:30').waitFor();
    await board.getByText('in 10 hours').waitFor();
    await board.getByText('On your phone').waitFor();
    const rows = () => board.locator('.board-rows .what b').allInnerTexts();
    await expect
      .poll(rows)
      .toEqual(['Rovers v City', 'Athletic v Rovers', 'Match 0', 'Match 1', 'Match 2']);
    await board.getByText('Cancelled').waitFor();
    await board.locator('.day').getByText('December').first().waitFor();
    await page.clock.runFor(15_000);
    await expect.poll(rows).toEqual(['Match 3', 'Match 4']);
    await page.clock.runFor(10 * hour);
    await board.getByText('Now, 18:30').waitFor();
    await page.clock.runFor(2 * hour);
    await board.getByText('Saturday 21 November, 14:00').waitFor();
    site.status = 500;
    await page.clock.runFor(4 * hour);
    await board.getByText('can’t be reached at the moment').waitFor();
    await page.clock.fastForward(20 * day);
    await page.clock.runFor(minute);
    await board.getByText('Nothing planned in the next eight weeks').waitFor();
    const height = await board.evaluate(
      ({ scrollHeight, clientHeight }) => scrollHeight - clientHeight,
    );
    expect(height).toBe(0);
  });
});
