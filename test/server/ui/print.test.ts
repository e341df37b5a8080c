import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import type { EventDraft, StoredEvent } from '../../../db/model.ts';
import { layOutMonth } from '../../../server/ui/views/print/month-grid.ts';
import { openPage, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import { readText } from '../../support/ics.ts';
import { choose } from '../../support/long.ts';
import { type SharedClub, shareClub } from '../../support/shared-club.ts';
import { expectForEverybody } from './axe.ts';

const browser = testBrowser();

const data = join(import.meta.dirname, '../../../../shared/data/conferences.json');
const available = existsSync(data);

function conferences(from: string, to: string): EventDraft[] {
  const { events } = JSON.parse(readFileSync(data, 'utf8')) as { events: EventDraft[] };
  return events.filter(({ date }) => date >= from && date < to);
}

async function openSheet(events: readonly EventDraft[], fragment: string) {
  const { service, key } = await serveClub(events);
  const page = await openPage(browser.current, service, { key, fragment });
  await ready(page);
  return page;
}

/** Shows a sheet on a shared page. */
async function showSheet(shared: SharedClub, fragment: string) {
  const page = await shared.show(fragment);
  await ready(page);
  return page;
}

/** Waits until a sheet can be printed. */
async function ready(page: Page): Promise<void> {
  await page.locator('.sheet-paper').waitFor();
  await page.locator('.sheet-bar-wait:empty').waitFor({ state: 'attached' });
}

type Printed = {
  readonly pages: readonly string[];
  /** Width and height of each page, in points. */
  readonly sizes: readonly (readonly [number, number])[];
};

async function print(page: Page, format: 'A4' | 'Letter' = 'A4'): Promise<Printed> {
  const document = await getDocumentProxy(new Uint8Array(await page.pdf({ format })));
  const { text } = await extractText(document);
  const sizes: [number, number][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const [, , width = 0, height = 0] = (await document.getPage(number)).view;
    sizes.push([width, height]);
  }
  return { pages: text, sizes };
}

/** Removes blanks, because a line break on paper may replace one. */
const packed = (text: string) => text.replace(/\s/g, '');

function expectAllNames({ pages }: Printed, events: readonly EventDraft[]): void {
  const paper = packed(pages.join(''));
  const missing = events.filter(({ name }) => !paper.includes(packed(name)));
  expect(missing.map(({ name }) => name)).toEqual([]);
}

function expectNumbered({ pages }: Printed): void {
  for (const [index, text] of pages.entries()) {
    expect(packed(text)).toContain(`${index + 1}/${pages.length}`);
    expect(text).toMatch(/As of \d\d? \w+ \d{4}/);
  }
}

describe.skipIf(!available)('several hundred real conferences', () => {
  const events = available ? conferences('2019-01-01', '2019-07-01') : [];
  const shared = shareClub(browser, events);

  const formats = choose(['A4', 'Letter'] as const, ['A4'] as const);

  it.each(formats)('are printed as a complete list with page numbers on %s', async (format) => {
    expect(events.length).toBeGreaterThan(300);
    const page = await showSheet(shared, '#print=list&type=international');
    const shown = events.filter(({ eventType }) => eventType === 'international');
    const printed = await print(page, format);
    expect(printed.pages.length).toBeGreaterThan(shown.length / 25);
    expectNumbered(printed);
    expectAllNames(printed, shown);
    expect(packed(printed.pages[0] ?? '')).toContain('OureventsAsof');
    expect(printed.pages[0]).toContain('International');
    for (const text of printed.pages) {
      // Each page repeats the column headings and the heading of its month.
      expect(text).toMatch(/(January|February|March|April|May|June) 2019\s+When\s+What and where/);
      expect(text).not.toMatch(/When\s+What and where\s*$/);
      expect(text).not.toMatch(/Close|List for the notice board/);
    }
  });

  it('of a month are printed as one calendar page and a list of those that do not fit', async () => {
    const page = await showSheet(shared, '#print=month&day=2019-05-20');
    const printed = await print(page);
    expectNumbered(printed);
    expectAllNames(printed, conferences('2019-05-01', '2019-06-01'));
    const [[width, height] = [0, 0]] = printed.sizes;
    expect(width).toBeGreaterThan(height);
    const [first = '', ...others] = printed.pages;
    expect(first).toMatch(/May 2019[\s\S]*Monday[\s\S]*Sunday[\s\S]*\b31\b/);
    expect(first).toContain('more');
    for (const text of others) expect(text).toContain('May 2019 (continued)');
  });
});

describe('the printed month', () => {
  const texts = fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom('WWWW '.repeat(9), '東京'));
  const drafts = fc.array(fc.tuple(fc.integer({ min: 0, max: 44_639 }), texts), { maxLength: 80 });

  it('shows every event uncut in its day or in the list below', () => {
    const property = fc.property(drafts, fc.integer({ min: 0, max: 6 }), (all, weekStart) => {
      const events = all
        .map(([minute, name], id) => ({
          ...makeEvent(id, { name }),
          date: new Date(new Date(2026, 4, 1).getTime() + minute * 60_000).toISOString(),
        }))
        .toSorted((one, other) => one.date.localeCompare(other.date)) as StoredEvent[];
      const { weeks, continued } = layOutMonth(events, '2026-05-01', weekStart, () => '10:00 ');
      const cells = weeks.flat();
      expect(cells.filter(({ isInMonth }) => isInMonth)).toHaveLength(31);
      expect(cells.length % 7).toBe(0);
      const whole = cells
        .flatMap(({ entries }) => entries)
        .filter(({ event, text }) => event.name === text)
        .map(({ event }) => event.id);
      const listed = continued.map(({ id }) => id);
      expect(new Set([...whole, ...listed]).size).toBe(events.length);
      for (const { entries, more } of cells) {
        const cut = entries.filter(({ event, text }) => event.name !== text);
        for (const { event } of cut) expect(listed).toContain(event.id);
        expect(more === 0 || entries.length > 0).toBe(true);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('fits 200 events on one day and the last month of the year 9999', async () => {
    const many = Array.from({ length: 200 }, (_, id) =>
      makeEvent(id, {
        name: `Match ${id} of the tournament`,
        date: '9999-12-24T12:00:00.000Z',
        status: id === 0 ? 'cancelled' : 'active',
      }),
    );
    const page = await openSheet(many, '#print=month&day=9999-11-02');
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('heading', { name: 'December 9999' }).waitFor();
    const next = page.getByRole('button', { name: 'Next month' });
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    const printed = await print(page);
    expectAllNames(printed, many);
    expect(printed.pages[0]).toContain('Cancelled');
    expect(printed.pages[0]).toMatch(/\+ 19\d more/);
    const heights = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.sheet-grid tbody tr'), (row) => row.clientHeight),
    );
    // No text makes its week higher than the others.
    expect(new Set(heights).size).toBe(1);
  });
});

/** Decodes the QR code of a sheet from its rendered picture. */
async function readCode(page: Page): Promise<string> {
  const { dots, side } = await page.locator('.sheet-code svg').evaluate((svg) => {
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
    const printed = await print(page);
    expect(printed.pages).toHaveLength(1);
    expectNumbered(printed);
    expectAllNames(printed, [concert]);
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
    expect(printed.pages.length).toBeGreaterThan(2);
    expect(packed(printed.pages.join(''))).toContain('Ende.');
  });

  it('says if even the name is too long for a QR code and prints the whole event', async () => {
    const page = await showSheet(shared, '#print=event&event=9');
    await page.getByText('too long for a QR code').waitFor();
    const { pages } = await print(page);
    expect(pages.join('').match(/Wort/g)).toHaveLength(2_000);
    expect(packed(pages.join(''))).toContain('WortEnde');
  });
});

const club = [
  makeEvent(1, { name: 'Training', date: daysFromNow(1) }),
  makeEvent(2, { name: 'Summer party', date: daysFromNow(1), status: 'cancelled' }),
  concert,
];

const sharedClub = shareClub(browser, club);

/** Ways to open a sheet of the events from the agenda. */
const ways: Readonly<Record<string, (page: Page, sheet: 'list' | 'month') => Promise<void>>> = {
  async mouse(page, sheet) {
    await page.getByRole('button', { name: 'Save or print' }).click();
    await page.getByRole('menuitem', { name: new RegExp(sheet) }).click();
  },
  async keyboard(page, sheet) {
    await page.getByRole('button', { name: 'Save or print' }).press('Enter');
    await page.getByRole('menuitem', { name: new RegExp(sheet) }).press('Enter');
  },
  async address(page, sheet) {
    await page.evaluate((name) => location.assign(`#print=${name}`), sheet);
  },
};

describe.each(Object.entries(ways))('a sheet opened by %s', (_, openBy) => {
  it.each(['month', 'list'] as const)('has no empty page: %s', async (sheet) => {
    const page = await sharedClub.show();
    await openBy(page, sheet);
    await ready(page);
    for (const format of ['A4', 'Letter'] as const) {
      expect((await print(page, format)).pages, format).toHaveLength(1);
    }
  });
});

describe('the print preview', () => {
  it('opens from the menu, closes with Escape and returns the focus to the menu', async () => {
    const page = await sharedClub.show();
    for (const [item, title] of [
      [/list/, 'Our events'],
      [/month/, /\w+ \d{4}/],
    ] as const) {
      await page.getByRole('button', { name: 'Save or print' }).press('Enter');
      await page.getByRole('menuitem', { name: item }).press('Enter');
      await page.locator('.sheet-paper').getByRole('heading', { name: title }).waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.agenda').waitFor();
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Save or print');
    }
  });

  it('opens from the panel, prints and closes with Back, with the panel still open', async () => {
    const page = await sharedClub.show('#event=7');
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    await page.locator('.sheet-paper').getByRole('heading', { name: /Fête/ }).waitFor();
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', document.title);
    });
    await page.getByRole('button', { name: 'Print', exact: true }).click();
    expect(await page.locator('body').getAttribute('data-printed')).toBe(concert.name);
    expect((await print(page)).pages).toHaveLength(1);
    await page.goBack();
    await page.getByRole('button', { name: 'Print', exact: true }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('print-event');
    expect(await page.title()).toBe(`${concert.name} – Agenda – Club Events`);
  });

  it('is black on white in the dark theme', async () => {
    const page = await showSheet(sharedClub, '#print=list');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colours = await page.evaluate(() =>
      ['html', 'body', '.sheet-view', '.sheet-desk', '.sheet-paper'].map(
        (name) => getComputedStyle(document.querySelector(name) as Element).backgroundColor,
      ),
    );
    expect(new Set(colours)).toEqual(new Set(['rgb(255, 255, 255)']));
    const cancelled = page.locator('.sheet-what', { hasText: 'Summer party' });
    expect(await cancelled.textContent()).toContain('Cancelled');
    const line = await cancelled
      .locator('strong')
      .evaluate((name) => getComputedStyle(name).textDecorationLine);
    expect(line).toBe('line-through');
  });

  it.each(['print=list', 'print=month', 'print=event&event=7'])(
    'axe finds nothing against %s, in light and dark, wide and narrow',
    async (fragment) => {
      await expectForEverybody(await showSheet(sharedClub, `#${fragment}`), fragment);
    },
  );

  it('says that an unknown event does not exist', async () => {
    const page = await sharedClub.show('#print=event&event=9');
    await page.getByText('Event not found').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('.agenda').waitFor();
  });
});

describe('a printed list of thousands of events', () => {
  it('shows its number of pages and is laid out completely on request', async () => {
    const many = Array.from({ length: 2_500 }, (_, id) =>
      makeEvent(id, { date: daysFromNow(Math.floor(id / 10)) }),
    );
    const { service, key } = await serveClub(many);
    const page = await openPage(browser.current, service, { key, fragment: '#print=list' });
    await page.getByText(/2,500 events, about \d+ pages/).waitFor();
    expect(await page.locator('.sheet-paper').count()).toBe(0);
    await page.getByRole('button', { name: 'Prepare all pages' }).click();
    await ready(page);
    expect(await page.locator('.sheet-what').count()).toBe(2_500);
  });
});
