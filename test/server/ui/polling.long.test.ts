import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { installClock, openPage, testBrowser } from '../../support/browser.ts';
import { changeEvents, daysFromNow, type ServedClub, serveClub } from '../../support/club.ts';
import { runCommand } from '../../support/command.ts';
import { makeEvent, makeTestFolder } from '../../support/home.ts';
import { tallyOf } from '../../support/tally.ts';

const browser = testBrowser();

/** Three pages in each direction. */
const events = Array.from({ length: 1_000 }, (_, at) =>
  makeEvent(at + 1, { name: `Training ${at + 1}`, date: daysFromNow(at - 500) }),
);

type OpenOptions = {
  /** The number of events, as the page shows it. */
  readonly count?: string;
  readonly beforeLoad?: (page: Page) => Promise<unknown>;
};

/** One page in each direction. */
const few = events.slice(495, 505);

const polls = 2;

/** Opens the page of a club and waits until it has read all events. */
async function openClub(
  { service, key }: ServedClub,
  { count = '10', beforeLoad }: OpenOptions = {},
): Promise<Page> {
  const page = await openPage(browser.current, service, {
    key,
    beforeLoad: async (opened) => {
      await installClock(opened);
      await beforeLoad?.(opened);
    },
  });
  await tallyOf(page, `${count} events`).waitFor();
  return page;
}

/** Records the requests of a page for events from now on, without those for the time zone. */
function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    const isForZone = 'club-events-page' in request.headers();
    if (!pathname.startsWith('/v1') || isForZone) return;
    requests.push(`${request.method()} ${pathname}${search}`);
  });
  return requests;
}

/** Advances the clock by the longest polling interval and waits for the rendering. */
async function pollOnce(page: Page): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().includes('/v1/events'));
  await page.clock.fastForward(61_000);
  await answered;
  await new Promise((resolve) => setTimeout(resolve, 300));
}

const surprise = makeEvent(9_001, { name: 'Surprise', date: daysFromNow(1) });

async function importElsewhere({ home, name }: ServedClub): Promise<void> {
  const csv = join(makeTestFolder(), 'more.csv');
  writeFileSync(csv, `id,name,date\n${surprise.id},Surprise,${surprise.date}\n`);
  const args = ['--home', home.directory, 'import', csv, '--user', name];
  const { status, stderr } = await runCommand(args);
  expect(status, stderr).toBe(0);
}

const poll = 'GET /v1/events?limit=1';

describe('a poll of the page', () => {
  it('is one small request for an unchanged club, and detects a change by another process', async () => {
    const club = await serveClub(few);
    const page = await openClub(club);
    const requests = watchRequests(page);
    for (let count = 1; count <= polls; count += 1) {
      await pollOnce(page);
      expect(requests).toEqual(Array(count).fill(poll));
    }
    await importElsewhere(club);
    await pollOnce(page);
    await tallyOf(page, '11 events').waitFor();
    await page.getByRole('button', { name: /Surprise/ }).waitFor();
    const revision = expect.stringMatching(/^GET \/v1\/events\?since=/);
    expect(requests).toEqual([...Array(polls + 1).fill(poll), revision]);
  });

  it('reads an event that was moved, one that was removed and one that was added', async () => {
    const club = await serveClub(few);
    const page = await openClub(club);
    const [moved, removed, ...others] = few as [EventDraft, EventDraft, ...EventDraft[]];
    const later = { ...moved, date: daysFromNow(30) };
    await changeEvents(club, [later, surprise]);
    const remove = ['event', 'remove', String(removed.id), '--user', club.name];
    expect((await runCommand(['--home', club.home.directory, ...remove])).status).toBe(0);
    await pollOnce(page);
    await page.getByRole('button', { name: /Surprise/ }).waitFor();
    const ids = () =>
      page
        .locator('[data-event]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-event')));
    const shown = [...others, surprise, later].toSorted((one, other) =>
      one.date < other.date ? -1 : Number(one.date > other.date),
    );
    await expect.poll(ids).toEqual(shown.map(({ id }) => String(id)));
  });

  it('renders nothing for an unchanged club', async () => {
    const page = await openClub(await serveClub(few), { beforeLoad: countRenders });
    // The page says how far away the next event is: these polls share a minute.
    const minute = new Date().setSeconds(0, 0);
    const pollAt = async (second: number) => {
      await page.clock.setFixedTime(minute + second * 1_000);
      await pollOnce(page);
    };
    await pollAt(0);
    await countMutations(page);
    const before = await rendersOf(page);
    expect(before).toBeGreaterThan(0);
    for (let count = 1; count <= polls; count += 1) await pollAt(count);
    expect(await mutationsOf(page)).toBe(0);
    expect(await rendersOf(page)).toBe(before);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByText(/^As of \d/).waitFor();
    expect(await mutationsOf(page)).toBeGreaterThan(0);
    expect(await rendersOf(page)).toBeGreaterThan(before);
  });

  it('detects a change made during the previous reading', async () => {
    const club = await serveClub(events);
    const changes: Promise<void>[] = [];
    const page = await openClub(club, {
      count: '1,000',
      beforeLoad: (opened) =>
        opened.route(/cursor=/, async (route) => {
          if (changes.length === 0) changes.push(changeEvents(club, [surprise]));
          await Promise.all(changes);
          await route.continue();
        }),
    });
    expect(changes).toHaveLength(1);
    await pollOnce(page);
    await tallyOf(page, '1,001 events').waitFor();
  });

  it('updates the time of the online service', async () => {
    let asOf = daysFromNow(-3);
    const page = await openClub(await serveClub(few), {
      beforeLoad: (opened) =>
        changeHeaders(opened, (headers) => ({ ...headers, 'Data-As-Of': asOf })),
    });
    const day = (moment: string) =>
      new Date(moment).toLocaleDateString('en-GB', { weekday: 'long' });
    await page.getByText(`As of ${day(asOf)}, out of date`).waitFor();
    asOf = daysFromNow(-2);
    await pollOnce(page);
    await page.getByText(`As of ${day(asOf)}, out of date`).waitFor();
  });

  it('reads all pages of a service that sends no revision', async () => {
    const club = await serveClub(events);
    const page = await openClub(club, {
      count: '1,000',
      beforeLoad: (opened) =>
        changeHeaders(opened, ({ 'events-revision': _, ...headers }) => headers),
    });
    const requests = watchRequests(page);
    await pollOnce(page);
    // The poll, and three pages in each direction.
    await vi.waitFor(() => expect(requests).toHaveLength(7));
    await page.waitForTimeout(300);
    await changeEvents(club, [surprise]);
    await pollOnce(page);
    await tallyOf(page, '1,001 events').waitFor();
  });
});

describe('the page of a large club', () => {
  /** Seven events on each day, so that pages end between events of the same moment. */
  const many = Array.from({ length: 6_000 }, (_, at) =>
    makeEvent(at + 1, { date: daysFromNow(Math.floor(at / 7) - 430) }),
  );
  const parametersOf = (request: string) => new URLSearchParams(request.split('?')[1]);

  it('reads each direction from both ends, and lists every event once and in order', async () => {
    const club = await serveClub(many);
    let requests: string[] = [];
    const { key, service } = club;
    const page = await openPage(browser.current, service, {
      key,
      beforeLoad: async (opened) => {
        await installClock(opened);
        requests = watchRequests(opened);
      },
    });
    await tallyOf(page, '6,000 events').waitFor();
    const starts = requests.filter((request) => !/cursor|limit/.test(request)).map(parametersOf);
    const kinds = starts.map((query) => `${query.get('order')} ${query.has('from')}`);
    expect(kinds.toSorted()).toEqual(['asc false', 'asc true', 'desc false', 'desc true']);
    // Two polls, 30 pages, and at most two more where the chains of a direction meet.
    expect(requests.length).toBeLessThan(38);
    // One day, two days, three days…: a gap or a wrong order changes one of the numbers.
    for (let days = 1; days <= 20; days += 1) {
      const first = daysFromNow(43 * days - 470);
      const last = daysFromNow(43 * days - 470 + days - 1);
      const fragment = `#from=${first.slice(0, 10)}&to=${last.slice(0, 10)}`;
      await page.evaluate((target) => location.assign(target), fragment);
      await tallyOf(page, `${7 * days} events`).waitFor();
    }
    await page.evaluate(() => location.assign('#'));
    await changeEvents(club, [surprise]);
    await pollOnce(page);
    await tallyOf(page, '6,001 events').waitFor();
  });
});

type Headers = Readonly<Record<string, string>>;

function changeHeaders(page: Page, change: (headers: Headers) => Headers): Promise<unknown> {
  return page.route('**/v1/**', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: change(response.headers()) });
  });
}

/** Counts every change of the document from now on. */
function countMutations(page: Page): Promise<void> {
  return page.evaluate(() => {
    const mutations = { count: 0 };
    Object.assign(window, { mutations });
    const options = { subtree: true, childList: true, attributes: true, characterData: true };
    new MutationObserver((records) => {
      mutations.count += records.length;
    }).observe(document, options);
  });
}

function mutationsOf(page: Page): Promise<number> {
  return page.evaluate(() => Reflect.get(window, 'mutations').count);
}

/** Counts the commits of React through the hook of its developer tools. */
function countRenders(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const renders = { count: 0 };
    const onCommitFiberRoot = () => {
      renders.count += 1;
    };
    const ignore = () => undefined;
    const calls = { inject: () => 1, onCommitFiberRoot, onCommitFiberUnmount: ignore };
    const hook = { renders, supportsFiber: true, checkDCE: ignore, ...calls };
    Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
  });
}

function rendersOf(page: Page): Promise<number> {
  return page.evaluate(() => Reflect.get(window, '__REACT_DEVTOOLS_GLOBAL_HOOK__').renders.count);
}
