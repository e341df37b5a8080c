import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { planMonth, shareHeight } from '../../../server/ui/views/print/month-plan.ts';
import { pressItem, testBrowser } from '../../support/browser.ts';
import { callCommand } from '../../support/command.ts';
import { openDesktopPage, shareDesktop } from '../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestFolder, makeTestHome } from '../../support/home.ts';
import { readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { performHere } from '../../support/perform.ts';
import { fc } from '../../support/random.ts';
import { shareClub } from '../../support/shared-club.ts';
import { trustTestAuthority } from '../../support/upstream.ts';
import { serveWebSpace } from '../../support/web-space.ts';
import { expectForEverybody } from './axe.ts';
import {
  club,
  concert,
  expectNumbered,
  fitOf,
  packed,
  print,
  readCode,
  ready,
  showSheet,
} from './sheets.ts';

const browser = testBrowser();

describe('the plan of a month', () => {
  const at = (day: string, id: number) => ({ day, id });

  it('has a field for each day of any month, with all of its events', () => {
    const property = fc.property(
      fc.integer({ min: 0, max: 9999 * 12 - 1 }),
      fc.integer({ min: 0, max: 6 }),
      fc.array(fc.integer({ min: 1, max: 28 }), { maxLength: 40 }),
      (number, weekStart, dates) => {
        const year = String(Math.floor(number / 12) + 1).padStart(4, '0');
        const month = `${year}-${String((number % 12) + 1).padStart(2, '0')}`;
        const sorted = dates.toSorted((one, other) => one - other);
        const entries = sorted.map((date, id) =>
          at(`${month}-${String(date).padStart(2, '0')}`, id),
        );
        const cells = planMonth(entries, `${month}-01`, weekStart).flat();
        const labels = cells.flatMap(({ label }) => (label === '' ? [] : label.split('/')));
        const days = labels.map(Number).toSorted((one, other) => one - other);
        expect(days).toEqual(Array.from({ length: days.length }, (_, index) => index + 1));
        expect(days.length).toBeGreaterThanOrEqual(28);
        expect(cells.length % 7).toBe(0);
        expect(cells.flatMap((cell) => cell.entries)).toEqual(entries);
      },
    );
    fc.assert(property, { numRuns: choose(200, 50) });
  });

  it('puts days of a sixth week beside the fifth, unless they have events', () => {
    // August 2026 begins on a Saturday.
    const weeks = planMonth([at('2026-08-24', 1)], '2026-08-01', 1);
    expect(weeks).toHaveLength(5);
    expect(weeks[4]?.map(({ label }) => label)).toEqual([
      '24/31',
      '25',
      '26',
      '27',
      '28',
      '29',
      '30',
    ]);
    expect(planMonth([at('2026-08-31', 1)], '2026-08-01', 1)).toHaveLength(6);
  });

  it('shares the height among the weeks, and limits only the highest', () => {
    expect(shareHeight([10, 30, 20], 90)).toEqual([20, 40, 30]);
    expect(shareHeight([10, 300, 200], 110)).toEqual([10, 50, 50]);
    expect(shareHeight([10, 70, 20], 60)).toEqual([10, 30, 20]);
  });
});

describe('a month sheet with very long names', () => {
  const long = 'Donaudampfschifffahrtsgesellschaftskapitän';
  const names = [long.repeat(4), `${long} `.repeat(7), 'Wettkampf der Vereine '.repeat(13)];
  const dates = ['2099-05-07', '2099-05-13', '2099-05-20', '2099-05-27', '2099-05-31'];
  const shared = shareClub(
    browser,
    dates.flatMap((day, week) =>
      names.map((name, index) =>
        makeEvent(10 * week + index, {
          name: `${week}${index} ${name.trim()}`,
          date: `${day}T1${index}:00:00.000Z`,
        }),
      ),
    ),
  );

  it('cuts no cell off, and lists what has no room on the next pages', {
    tags: 'long',
  }, async () => {
    const page = await showSheet(shared, '#print=month&day=2099-05-02');
    const sheet = page.locator('.studio-pages .sheet-page');
    const overflow = await sheet.evaluate((element) => {
      const bottomOf = (selector: string) =>
        element.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
      return bottomOf('.sheet-grid') - bottomOf('.sheet-body');
    });
    expect(overflow).toBeLessThanOrEqual(0);
    const { pages } = await print(page);
    const paper = packed(pages.join(''));
    for (const week of dates.keys())
      for (const index of names.keys()) expect(paper).toContain(`${week}${index}`);
  });
});

describe('the event sheet', () => {
  const shared = shareClub(browser, [concert]);

  it('shows the event in large letters and its calendar entry as a QR code', {
    tags: 'long',
  }, async () => {
    const page = await showSheet(shared, '#print=event&event=7');
    await page.getByRole('textbox', { name: 'Title' }).fill('Our summer concert');
    const printed = await print(page);
    expect(printed.pages).toHaveLength(1);
    expectNumbered(printed);
    expect(packed(printed.pages[0] ?? '')).toContain('Oursummerconcert');
    expect(packed(printed.pages[0] ?? '')).toMatch(
      /Cancelled.*1July2099.*20:30Zürich;Townhall.*Bringacake\./,
    );
    const code = await readCode(page);
    expect(code).toMatch(/^UID:event-7\.[0-9a-f]{16}@club-events\.invalid\r$/m);
    const { records } = await readText(code);
    expect(records.map(({ values }) => values)).toEqual([
      expect.objectContaining({
        name: concert.name,
        date: concert.date,
        location: concert.location,
        description: concert.description,
        status: 'cancelled',
      }),
    ]);
  });
});

describe('a code to subscribe', () => {
  const code = '.sheet-subscribe svg';

  it('is at the foot of the last page of each sheet, with the address of a file for members', {
    tags: 'long',
  }, async () => {
    const home = makeTestHome();
    await addMember(home, 'Rovers', club);
    const folder = makeTestFolder();
    trustTestAuthority();
    const space = await serveWebSpace({ certificate: 'valid' });
    space.isPublic = true;
    const { origin, host } = new URL(space.url);
    const add = (name: string, ...more: readonly string[]) =>
      callCommand(
        ['--home', home.directory, 'publish', 'add', '--user', 'Rovers'].concat(
          ['--to', join(folder, name)],
          more,
        ),
      );
    await add('dates.ics', '--address', `${origin}/dates`);
    await add('u15.html', '--address', `${origin}/u15/`, '--filter', 'Cup');
    // It has drafts, and is not for members.
    await add('copy.json', '--address', `${origin}/copy`);
    await add('old.ics', '--address', `${origin}/gone`);
    await add('board.html', '--address', `${origin}/board`, '--on-sheets', 'no');
    space.files.set('/dates', readFileSync(join(folder, 'dates.ics')));
    space.files.set('/u15/', readFileSync(join(folder, 'u15.html')));
    const options = { fragment: '#print=list' };
    const { page } = await openDesktopPage(browser.current, home, options);
    await page.getByText('The address for members leads to nothing').waitFor();
    await ready(page);
    // A page can offer each phone its own way.
    expect(await readCode(page, code)).toBe(`${origin}/u15/`);
    const field = page.getByRole('combobox', { name: 'Code to subscribe' });
    await expect
      .poll(() => field.locator('option').allInnerTexts())
      .toEqual(['Page for members · “Cup”', 'Calendar to subscribe to', 'None']);
    await page.getByRole('button', { name: 'Test with your phone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Test with your phone' });
    await dialog.getByText(`It opens ${host}/u15.`).waitFor();
    expect(await readCode(page, '.studio-test-code')).toBe(`${origin}/u15/`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await field.selectOption({ index: 1 });
    await page.getByText('All events in the calendar of your phone').waitFor();
    await ready(page);
    const { pages } = await print(page);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(new RegExp(`Subscribe[\\s\\S]*${host}/dates`));
    const width = await page.locator(code).evaluate((svg) => {
      const size = (svg as SVGSVGElement).viewBox.baseVal.width;
      const { offsetWidth: paper } = svg.closest('.sheet-page') as HTMLElement;
      const shown = svg.getBoundingClientRect().width;
      const scale = (svg.closest('.sheet-page') as Element).getBoundingClientRect().width / paper;
      return ((shown / scale) * (size - 8)) / size / (96 / 25.4);
    });
    expect(width).toBeGreaterThanOrEqual(30);
    for (const sheet of ['#print=month', '#print=event&event=7']) {
      await page.evaluate((next) => location.assign(next), sheet);
      await page
        .locator(`.sheet-${sheet.includes('event') ? 'event' : 'month'}`)
        .first()
        .waitFor();
      await ready(page);
      const printed = await print(page);
      const shown = printed.pages.map((text) => text.includes(`${host}/dates`));
      expect(shown).toEqual(printed.pages.map((_, index) => index === printed.pages.length - 1));
    }
    expect(await readCode(page, code)).toBe(`${origin}/dates`);
    await field.selectOption({ label: 'None' });
    await expect.poll(() => page.locator('.sheet-subscribe').count()).toBe(0);
  });

  it.each(
    choose(
      ['A4', 'Letter'].flatMap((paper) => [1, 2, 9].map((perDay) => [paper, perDay] as const)),
      [['A4', 2] as const],
    ),
  )('never covers a month of six weeks, on %s with %i events a day', async (paper, perDay) => {
    const home = makeTestHome();
    // August 2099 begins on a Saturday.
    const events = Array.from({ length: 31 * perDay }, (_, index) => {
      const date = String(Math.floor(index / perDay) + 1).padStart(2, '0');
      return makeEvent(index + 1, {
        name: `Match${index}.`,
        date: `2099-08-${date}T${10 + (index % perDay)}:00:00.000Z`,
      });
    });
    await addMember(home, 'Rovers', events);
    trustTestAuthority();
    const space = await serveWebSpace({ certificate: 'valid' });
    space.isPublic = true;
    const { origin, host } = new URL(space.url);
    const output = join(makeTestFolder(), 'dates.ics');
    const add = ['publish', 'add', '--user', 'Rovers', '--to', output];
    await callCommand(['--home', home.directory, ...add, '--address', `${origin}/dates`]);
    space.files.set('/dates', readFileSync(output));
    const { page } = await openDesktopPage(browser.current, home, {
      fragment: '#print=month&day=2099-08-02',
    });
    await page.getByRole('combobox', { name: 'Code to subscribe' }).waitFor();
    if (paper !== 'A4') await page.getByRole('radio', { name: paper }).check();
    await ready(page);
    // All pages, as for the printer.
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const pages = await page.locator('.studio-pages .sheet-page').evaluateAll((sheets) =>
      (sheets as HTMLElement[]).map((sheet) => {
        const part = (selector: string) => sheet.querySelector(selector)?.getBoundingClientRect();
        const body = part('.sheet-body');
        const content = part('.sheet-body > :last-child') ?? body;
        const box = part('.sheet-subscribe');
        const foot = part('.sheet-foot');
        const edges = [content?.bottom, body?.bottom, box?.top, box?.bottom, foot?.top];
        const inOrder = edges.filter((edge) => edge !== undefined);
        const whole = [...inOrder, foot?.bottom ?? 0, sheet.getBoundingClientRect().bottom];
        return { text: sheet.innerText, whole: whole.map(Math.round) };
      }),
    );
    for (const { whole } of pages)
      expect(whole).toEqual(whole.toSorted((one, other) => one - other));
    const shown = pages.map(({ text }) => text.includes(`${host}/dates`));
    expect(shown).toEqual(pages.map((_, index) => index === pages.length - 1));
    const texts = packed(pages.map(({ text }) => text).join(''));
    expect(events.filter(({ name }) => !texts.includes(name))).toEqual([]);
    // With two, the box has a page of its own; with nine, it follows the rest of the events.
    if (perDay <= 2) expect(pages).toHaveLength(perDay);
  });
});

const sharedClub = shareClub(browser, club);

/** Ways to open the studio from the agenda. */
const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async mouse(page) {
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('menuitem', { name: 'Print…' }).click();
  },
  async 'menu key'(page) {
    await page.getByRole('button', { name: 'Share' }).press('Enter');
    await pressItem(page, 'Print…');
  },
  async key(page) {
    await page.keyboard.press('p');
  },
  async 'Ctrl+P in a field'(page) {
    await page.locator('#search').press('ControlOrMeta+p');
  },
};

const chosenWays = choose(Object.keys(ways), ['mouse', 'Ctrl+P in a field']);

it.each(Object.entries(ways).filter(([name]) => chosenWays.includes(name)))(
  'opened by %s, no sheet has an empty page',
  { tags: 'long' },
  async (_, open) => {
    const page = await sharedClub.show();
    await page.locator('.agenda').waitFor();
    await open(page);
    for (const layout of ['List', 'Month sheet']) {
      await page.getByRole('radio', { name: layout }).check();
      await ready(page);
      const [, pages] = /(\d+) pages?$/.exec(await fitOf(page)) ?? [];
      expect((await print(page)).pages).toHaveLength(Number(pages));
    }
  },
);

describe('the choices', () => {
  it('begin with the club’s name, today, and no drafts, and each of them changes the paper', {
    tags: 'long',
  }, async () => {
    const page = await showSheet(sharedClub, '#print=list');
    const paper = page.locator('.studio-pages .sheet-page');
    const text = async () => packed(await paper.innerText());
    await expect.poll(() => fitOf(page)).toBe('Text 16 pt, 1 page');
    const first = await print(page);
    const [only = ''] = first.pages;
    expect(only).toMatch(/^club/);
    for (const name of ['Training', 'Summer party', 'Cancelled', 'Bring a cake.', 'Regional'])
      expect(only).toContain(name);
    for (const name of ['Yesterday', 'Secret plan', 'Fête']) expect(only).not.toContain(name);

    const changes = [
      ['Drafts', 'Secretplan', true],
      ['Cancelled', 'Summerparty', false],
      ['Notes', 'Bringacake', false],
      ['Places', 'Hall', false],
    ] as const;
    for (const [name, part, isThere] of changes) {
      await page.getByRole('checkbox', { name }).click();
      await expect.poll(async () => (await text()).includes(part), { message: name }).toBe(isThere);
    }
    await page.getByRole('button', { name: 'Regional' }).click();
    await expect.poll(text).not.toMatch(/Training|Secretplan/);
    await expect.poll(text).toMatch(/Cupfinal/);
    await page.getByRole('button', { name: 'All types' }).click();
    await page.getByRole('textbox', { name: 'From' }).fill('in 2 days');
    await page.getByRole('textbox', { name: 'To' }).fill('someday');
    await page.getByRole('textbox', { name: 'To' }).press('Enter');
    await page.getByText('Write a day, such as').waitFor();
    await page.getByRole('textbox', { name: 'To' }).fill('1 May 2020');
    await page.getByRole('textbox', { name: 'To' }).press('Enter');
    await page.getByText('This day is before the first one.').waitFor();
    // The sheet follows in steps: first all types, then the days from the day after tomorrow on.
    const listed = async () => (await text()).match(/Secretplan|Training/g);
    await expect.poll(listed).toEqual(['Secretplan']);
  });
});

describe('the print studio', () => {
  it('opens from the panel and closes with Back, with the panel still open', {
    tags: 'long',
  }, async () => {
    const page = await sharedClub.show('#event=7');
    await page.locator('.panel').getByRole('button', { name: 'Print', exact: true }).click();
    await ready(page);
    await page
      .locator('.studio-pages .sheet-page')
      .getByRole('heading', { name: /Fête/ })
      .waitFor();
    expect((await print(page)).pages).toHaveLength(1);
    await page.goBack();
    await page.locator('.panel').getByRole('button', { name: 'Print', exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('print-event');
    expect(await page.title()).toBe(`${concert.name} – Agenda – Club Events`);
  });

  const sheets = ['print=month', 'print=event&event=7', 'print=list'];

  it.each(choose(sheets, sheets.slice(0, 2)))(
    'has no fault for axe at %s, in both themes, on wide and narrow screens',
    { tags: 'long' },
    async (fragment) => {
      const page = await showSheet(sharedClub, `#${fragment}`);
      await expectForEverybody(page, fragment);
      const sizes = await page.evaluate(() => {
        const texts = Array.from(document.querySelectorAll('.studio-view *'))
          .filter((element) => element.closest('.sheet-page') === null)
          .filter((element) => element.checkVisibility() && element.matches('input, :not(:empty)'));
        return [...new Set(texts.map((element) => getComputedStyle(element).fontSize))];
      });
      expect(sizes.length, sizes.join(' ')).toBeLessThanOrEqual(4);
    },
  );
});

describe('days off and empty months', () => {
  const desktop = shareDesktop(browser, async (home) => {
    const { name: user } = await addMember(home, 'Rovers', [
      makeEvent(1, { name: 'First', date: '2099-02-10T18:00:00.000Z' }),
      makeEvent(2, { name: 'Last', date: '2099-04-10T18:00:00.000Z' }),
    ]);
    const days = [
      { first: '2099-01-04', last: '2099-01-08', name: 'Winter break' },
      { first: '2099-03-28', last: '2099-04-11', name: 'Easter holidays' },
      { first: '2099-05-01', last: '2099-05-01', name: 'Labour Day' },
    ];
    const readAt = '2026-11-01T00:00:00.000Z';
    const calendar = { kind: 'file', name: 'School', source: 'a.ics', readAt, days } as const;
    await performHere('days-off put', { user, calendar }, { home, onProgress: () => undefined });
  });
  const period = 'from=2099-01-01&to=2099-06-30';

  it('keeps months before the first and after the last event off the paper', {
    tags: 'long',
  }, async () => {
    const { page } = await desktop.show(`#print=month&${period}`);
    await page.evaluate(() => localStorage.clear());
    await ready(page);
    const { pages } = await print(page);
    expect(pages.map((text) => /(\w+) 2099/.exec(text)?.[1])).toEqual([
      'February',
      'March',
      'April',
    ]);
    expect(pages[0]).not.toContain('holidays');
    const named = pages.map((text) => packed(text).split('Easterholidays').length - 1);
    // Once in each of its weeks in a month.
    expect(named).toEqual([0, 2, 2]);
    await page.getByRole('checkbox', { name: 'Days off' }).uncheck();
    await ready(page);
    expect((await print(page)).pages.join('')).not.toContain('holidays');
    await page.getByRole('checkbox', { name: 'Days off' }).check();
  });

  it('lists the days off between the events, with their last day', async () => {
    const { page } = await desktop.show(`#print=list&${period}`);
    await ready(page);
    const [only = ''] = (await print(page)).pages;
    const text = packed(only);
    expect(text).toMatch(/February2099.*First.*March2099Sat28EasterholidaysSaturday,?28March/);
    expect(text).toMatch(/Easterholidays.*April2099.*Last/);
    expect(text).not.toMatch(/Winterbreak|LabourDay/);
    await expectForEverybody(page, 'a list with days off');
  });
});
