import fc from 'fast-check';
import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { planMonth, shareHeight } from '../../../server/ui/views/print/month-plan.ts';
import { openPage, type PageOptions, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { addMember, makeEvent } from '../../support/home.ts';
import { readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { shareClub } from '../../support/shared-club.ts';
import { expectForEverybody } from './axe.ts';
import {
  expectAllNames,
  expectNumbered,
  expectPreviewOf,
  fitOf,
  packed,
  print,
  ready,
  showSheet,
} from './sheets.ts';

const browser = testBrowser();

/** Serves a club of its own and shows a sheet. */
async function openSheet(
  events: readonly EventDraft[],
  fragment: string,
  options: PageOptions = {},
) {
  const served = await serveClub(events);
  const { service, key } = served;
  const page = await openPage(browser.current, service, { key, fragment, ...options });
  await ready(page);
  return { page, served };
}

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
    fc.assert(property, { numRuns: 200 });
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

/** Decodes the QR code of a sheet from its rendered picture. */
async function readCode(page: Page): Promise<string> {
  const { dots, side } = await page.locator('.sheet-code').evaluate((svg) => {
    const size = (svg as SVGSVGElement).viewBox.baseVal.width;
    const zoom = 4;
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size * zoom;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(zoom, zoom);
    context.fillStyle = '#000';
    context.fill(new Path2D(svg.querySelector('path')?.getAttribute('d') ?? ''));
    const { data: bytes } = context.getImageData(0, 0, canvas.width, canvas.height);
    // One letter per pixel: a million numbers would take seconds to transfer.
    const reds = bytes.filter((_, at) => at % 4 === 0);
    return {
      dots: Array.from(reds, (red) => (red < 128 ? '#' : ' ')).join(''),
      side: canvas.width,
    };
  });
  const pixels = [...dots].flatMap((dot) => (dot === '#' ? [0, 0, 0, 255] : [255, 255, 255, 255]));
  const found = jsqr.default(Uint8ClampedArray.from(pixels), side, side, {
    inversionAttempts: 'dontInvert',
  });
  return new TextDecoder().decode(Uint8Array.from(found?.binaryData ?? []));
}

const concert = makeEvent(7, {
  name: 'Fête d’été, with “friends”',
  date: '2099-07-01T18:30:00.000Z',
  location: 'Zürich; Town hall',
  description: 'Doors open at 19:00.\nBring a cake.',
  status: 'cancelled',
});

describe('the event sheet', () => {
  const description = `Ünser ${'langer Text; '.repeat(500)}Ende.`;
  const name = `<b>${'Wort '.repeat(2_000)}Ende`;
  const shared = shareClub(browser, [
    concert,
    { ...concert, id: 8, description },
    { ...concert, id: 9, name },
  ]);

  it('shows the event in large letters and its calendar entry as a QR code', async () => {
    const page = await showSheet(shared, '#print=event&event=7');
    await page.getByRole('textbox', { name: 'Title' }).fill('Our summer concert');
    const printed = await print(page);
    expect(printed.pages).toHaveLength(1);
    expectNumbered(printed);
    expect(packed(printed.pages[0] ?? '')).toContain('Oursummerconcert');
    expect(packed(printed.pages[0] ?? '')).toMatch(
      /Cancelled.*1July2099.*20:30CEST.*Zürich;Townhall.*Bringacake\./,
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

  it('shortens a long description only in the QR code and says so', async () => {
    const page = await showSheet(shared, '#print=event&event=8');
    await page.getByText('It contains a shortened description.').waitFor();
    const { records } = await readText(await readCode(page));
    const coded = String(records[0]?.values.description);
    expect(coded.length).toBeGreaterThan(200);
    expect(description.startsWith(coded.replace(/…$/, ''))).toBe(true);
    const printed = await print(page);
    expect(printed.pages.length).toBeGreaterThan(1);
    expectNumbered(printed);
    expect(packed(printed.pages.join(''))).toContain('Ende.');
  });

  it('says if even the name is too long for a QR code and prints the whole event', async () => {
    const page = await showSheet(shared, '#print=event&event=9');
    await page.getByText('too long for a QR code').waitFor();
    const { pages } = await print(page);
    // The title has the beginning, and the text below it the whole name.
    expect(pages.join('').match(/Wort/g)?.length).toBeGreaterThan(2_000);
    expect(packed(pages.join(''))).toContain('WortEnde');
  });
});

/** Events of the next weeks; all of them are in the default period. */
function comingEvents(count: number): EventDraft[] {
  return Array.from({ length: count }, (_, index) =>
    makeEvent(index + 100, {
      name: `Training number ${index + 1}`,
      date: daysFromNow(1 + Math.floor((index * 25) / count)),
      location: 'Sports hall, Mill Lane',
      description: null,
      eventType: null,
    }),
  );
}

const club = [
  makeEvent(1, { name: 'Training', date: daysFromNow(1), eventType: 'club', location: 'Hall' }),
  makeEvent(2, { name: 'Summer party', date: daysFromNow(1), status: 'cancelled' }),
  makeEvent(3, { name: 'Yesterday', date: daysFromNow(-1) }),
  makeEvent(4, { name: 'Secret plan', date: daysFromNow(2), status: 'draft' }),
  makeEvent(5, {
    name: 'Cup final',
    date: daysFromNow(3),
    eventType: 'regional',
    description: 'Bring a cake.',
  }),
  concert,
];

const sharedClub = shareClub(browser, club);

/** Ways to open the studio from the agenda. */
const ways: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async mouse(page) {
    await page.getByRole('button', { name: 'Print', exact: true }).click();
  },
  async 'menu key'(page) {
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: /month/ }).press('Enter');
  },
  async key(page) {
    await page.keyboard.press('p');
  },
};

/** The menu opens it in the test of the keyboard, too. */
const chosenWays = choose(Object.keys(ways), ['mouse', 'key']);

it.each(Object.entries(ways).filter(([name]) => chosenWays.includes(name)))(
  'opened by %s, no sheet has an empty page',
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
  it('begin with the club’s name, today, and no drafts, and each of them changes the paper', async () => {
    const page = await showSheet(sharedClub, '#print=list');
    const paper = page.locator('.studio-pages .sheet-page');
    const text = async () => packed(await paper.innerText());
    expect(await fitOf(page)).toBe('Text 16 pt, 1 page');
    const first = await print(page);
    const [only = ''] = first.pages;
    expect(only).toMatch(/^club/);
    for (const name of ['Training', 'Summer party', 'Cancelled', 'Bring a cake.', 'Regional'])
      expect(only).toContain(name);
    for (const name of ['Yesterday', 'Secret plan', 'Fête']) expect(only).not.toContain(name);
    expect(only).toContain('Next event in your calendar');
    expect(await readText(await readCode(page))).toMatchObject({
      records: [{ values: { name: 'Training' } }],
    });

    const changes = [
      ['Drafts', 'Secretplan', true],
      ['Cancelled', 'Summerparty', false],
      ['Notes', 'Bringacake', false],
      ['Places', 'Hall', false],
    ] as const;
    for (const [name, part, isThere] of changes) {
      await page.getByRole('checkbox', { name }).click();
      await ready(page);
      expect((await text()).includes(part), name).toBe(isThere);
    }
    await page.getByRole('button', { name: 'Regional' }).click();
    await ready(page);
    expect(await text()).toMatch(/Cupfinal/);
    expect(await text()).not.toMatch(/Training|Secretplan/);
    await page.getByRole('button', { name: 'All types' }).click();
    await page.getByRole('textbox', { name: 'From' }).fill('in 2 days');
    await page.getByRole('textbox', { name: 'To' }).fill('someday');
    await page.getByRole('textbox', { name: 'To' }).press('Enter');
    await page.getByText('Write a day, such as').waitFor();
    await page.getByRole('textbox', { name: 'To' }).fill('1 May 2020');
    await page.getByRole('textbox', { name: 'To' }).press('Enter');
    await page.getByText('This day is before the first one.').waitFor();
    await ready(page);
    expect(await text()).toMatch(/Secretplan/);
    expect(await text()).not.toMatch(/Training/);
  });

  it('are kept after a reload, for each club by itself', async () => {
    const { page, served } = await openSheet(club, '#print=list');
    const other = await addMember(served.home, 'others', club);
    await page.getByRole('textbox', { name: 'Title' }).fill('Notice board');
    await page.getByRole('checkbox', { name: 'Cancelled' }).uncheck();
    await page.getByRole('textbox', { name: 'To' }).fill('in 3 weeks');
    await page.getByRole('radio', { name: 'Letter' }).check();
    await page.getByRole('radio', { name: 'Month sheet' }).check();
    await ready(page);
    const last = await page.getByRole('textbox', { name: 'To' }).inputValue();
    const expectKept = async () => {
      await ready(page);
      const { pages, sizes } = await print(page);
      expect(pages[0]).toMatch(/^Notice board/);
      expect(pages.join('')).not.toContain('Summer party');
      expect(sizes[0]).toEqual([279, 216]);
      expect(await page.getByRole('textbox', { name: 'To' }).inputValue()).toBe(last);
    };
    await expectKept();
    await page.reload();
    await expectKept();
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.locator('.agenda').waitFor();
    await page.keyboard.press('p');
    await expectKept();
    await page.evaluate((key) => location.assign(`#key=${key}`), other.key);
    await page.locator('.agenda').waitFor();
    await page.keyboard.press('p');
    await ready(page);
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('others');
    expect(await page.getByRole('radio', { name: 'List' }).isChecked()).toBe(true);
    // Damaged choices are those of the beginning.
    await page.evaluate(() => {
      for (const name of Object.keys(localStorage)) localStorage.setItem(name, '{"paper":7,');
    });
    await page.reload();
    await ready(page);
    expect(await page.getByRole('radio', { name: 'A4' }).isChecked()).toBe(true);
  });

  it('keep the search and the filters of the view, which can be ignored', async () => {
    const page = await showSheet(sharedClub, '#q=Cup&type=regional&print=list');
    expect((await print(page)).pages[0]).not.toContain('Training');
    await page.getByRole('checkbox', { name: 'Only Regional · “Cup”' }).uncheck();
    await ready(page);
    expect((await print(page)).pages[0]).toContain('Training');
    await showSheet(sharedClub, '#time=today&print=list');
    expect(await page.getByRole('textbox', { name: 'To' }).inputValue()).toBe('Today');
  });
});

describe('the paper', () => {
  const papers: readonly (readonly [name: string, size: readonly number[]])[] = [
    ['A4', [210, 297]],
    ['A3', [297, 420]],
    ['Letter', [216, 279]],
  ];

  it.each(choose(papers, papers.slice(1, 2)))(
    'has the size %s, upright for a list and on its side for a month',
    async (name, size) => {
      const page = await showSheet(sharedClub, '#print=list');
      await page.getByRole('radio', { name }).check();
      await ready(page);
      expect((await print(page)).sizes).toEqual([size]);
      await page.getByRole('radio', { name: 'Month sheet' }).check();
      await ready(page);
      expect((await print(page)).sizes[0]).toEqual(size.toReversed());
    },
  );

  const locales = choose(['en-GB', 'de-DE', 'fr-FR', 'nl-NL'], ['en-GB']);

  it.each(locales)('has the largest text that fits, in %s', async (locale) => {
    const { page } = await openSheet(comingEvents(12), '#print=list', { locale });
    expect(await fitOf(page)).toMatch(/ 14 pt, 1 /);
    const short = await print(page);
    expect(short.pages).toHaveLength(1);
    await page.close();
    const long = await openSheet(comingEvents(60), '#print=list', { locale });
    const printed = await print(long.page);
    const { pages } = printed;
    expect(pages.length).toBeGreaterThan(1);
    expect(await fitOf(long.page)).toMatch(new RegExp(` 1\\d pt, ${pages.length} `));
    expectAllNames(printed, comingEvents(60));
    if (locale === 'en-GB') {
      expectNumbered(printed);
      await expectPreviewOf(long.page, printed);
    }
  });

  it('is black on white in the dark theme', async () => {
    const page = await showSheet(sharedClub, '#print=list');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const grounds = ['html', 'body', '.studio-view', '.studio-bench', '.sheet-page'];
    const colours = await page.evaluate(
      (names) =>
        names.map(
          (name) => getComputedStyle(document.querySelector(name) as Element).backgroundColor,
        ),
      grounds,
    );
    expect(new Set(colours)).toEqual(new Set(['rgb(255, 255, 255)']));
    const cancelled = page.locator('.studio-pages li', { hasText: 'Summer party' }).locator('b', {
      hasText: 'party',
    });
    const line = await cancelled.evaluate((name) => getComputedStyle(name).textDecorationLine);
    expect(line).toBe('line-through');
  });

  it('has room for a month with 200 events on one day, at the end of time', async () => {
    const many = Array.from({ length: 200 }, (_, id) =>
      makeEvent(id, { name: `Match ${id} of the cup`, date: '9999-12-24T12:00:00.000Z' }),
    );
    const { page } = await openSheet(many, '#print=month&day=9999-12-02');
    const printed = await print(page);
    expectAllNames(printed, many);
    expectNumbered(printed);
    const [first = '', ...others] = printed.pages;
    expect(first).toMatch(/December 9999[\s\S]*Monday[\s\S]*Sunday[\s\S]*\b31\b/);
    expect(first).toMatch(/\+ 1\d\d more/);
    expect(first).toContain('More events are listed on the next page.');
    for (const text of others) expect(text).toContain('December 9999 (continued)');
    await page.getByText('Some details are left out to fit.').waitFor();
    await expectPreviewOf(page, printed);
  });
});

/** A picture of colours that do not compress. */
function noise(page: Page, side: number): Promise<string> {
  return page.evaluate((size) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = size;
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const pixels = context.createImageData(size, size);
    for (let at = 0; at < pixels.data.length; at += 1) {
      pixels.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251;
    }
    context.putImageData(pixels, 0, 0);
    return canvas.toDataURL('image/jpeg').replace(/^.*,/, '');
  }, side);
}

it('a logo is scaled down, printed and kept; a file that is none gets a sentence', async () => {
  const { page } = await openSheet(club, '#print=list');
  const file = page.locator('input[type=file]');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 2"><path fill="red" d="M0 0h4v2H0z"/></svg>';
  const chosen = async (name: string, mimeType: string, buffer: Buffer) => {
    await file.setInputFiles({ name, mimeType, buffer });
  };
  expect((await print(page)).pictures).toBe(0);
  await chosen('broken.png', 'image/png', Buffer.from('no picture'));
  await page.getByText('This file can’t be read as a picture.').waitFor();
  // Made in the page, because sending so many bytes there takes long.
  await file.evaluate((input) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(20_000_001)], 'huge.png', { type: 'image/png' }));
    (input as HTMLInputElement).files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.getByText('This picture is too large.').waitFor();
  expect(await page.locator('.sheet-logo').count()).toBe(0);
  for (const [name, type, buffer] of [
    ['photo.jpg', 'image/jpeg', Buffer.from(await noise(page, 900), 'base64')],
    ['logo.svg', 'image/svg+xml', Buffer.from(svg)],
  ] as const) {
    await chosen(name, type, buffer);
    await page.getByRole('button', { name: 'Change…' }).waitFor();
    await page.waitForFunction((isWide) => {
      const logo = document.querySelector<HTMLCanvasElement>('.studio-pages .sheet-logo');
      return logo !== null && logo.width <= 512 && logo.width > logo.height === isWide;
    }, name === 'logo.svg');
    await ready(page);
    expect(await page.locator('.studio-problem').innerText()).toBe('');
    const stored = await page.evaluate(() =>
      Math.max(...Object.values(localStorage).map(({ length }) => length)),
    );
    expect(stored).toBeLessThan(280_000);
  }
  expect((await print(page)).pictures).toBe(1);
  await page.reload();
  await ready(page);
  expect((await print(page)).pictures).toBe(1);
  const red = await page.locator('.studio-pages .sheet-logo').evaluate((canvas) => {
    const context = (canvas as HTMLCanvasElement).getContext('2d');
    return Array.from(context?.getImageData(9, 9, 1, 1).data ?? []);
  });
  expect(red).toEqual([255, 0, 0, 255]);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.locator('.sheet-logo').first().waitFor({ state: 'detached' });
});

describe('the print studio', () => {
  it('is used with the keyboard alone, and returns the focus to where it was', async () => {
    const page = await sharedClub.show();
    await page.getByRole('button', { name: 'More' }).press('Enter');
    await page.getByRole('menuitem', { name: /list/ }).press('Enter');
    await ready(page);
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', document.title);
    });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toBe('Print');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Print…');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('By keys');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Choose…');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowLeft');
    await page.locator('.studio-pages .sheet-month').getByText('By keys').waitFor();
    await ready(page);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    expect(await page.locator('body').getAttribute('data-printed')).toBe('By keys');
    await page.keyboard.press('Escape');
    await page.locator('.agenda').waitFor();
    expect(await focused()).toBe('Print');
  });

  it('opens from the panel and closes with Back, with the panel still open', async () => {
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

  it('says that an unknown event does not exist', async () => {
    const page = await sharedClub.show('#print=event&event=9');
    await page.getByText('Event not found').waitFor();
    await page.getByRole('button', { name: 'Back to events' }).click();
    await page.locator('.agenda').waitFor();
  });

  it('renders only the visible one of many pages, and all of them for the printer', async () => {
    const { page } = await openSheet(comingEvents(600), '#print=list');
    const [, pages] = /(\d+) pages$/.exec(await fitOf(page)) ?? [];
    expect(Number(pages)).toBeGreaterThan(10);
    const sheets = page.locator('.studio-pages .sheet-page');
    expect(await sheets.count()).toBe(1);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    expect(await sheets.count()).toBe(Number(pages));
    expect(await page.locator('.studio-pages li').count()).toBe(600);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await sheets.count()).toBe(1);
  });

  it('says that month sheets of many years are too many', async () => {
    const page = await showSheet(sharedClub, '#print=month');
    await page.getByRole('textbox', { name: 'To' }).fill('1 May 2099');
    await page.getByRole('textbox', { name: 'To' }).press('Enter');
    await page.getByText('Month sheets cover at most 36 months.').waitFor();
    await page.getByRole('radio', { name: 'List' }).check();
    await ready(page);
  });
});
