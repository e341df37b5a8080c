import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { openPage, type PageOptions, pressItem, testBrowser } from '../../support/browser.ts';
import { daysFromNow, serveClub } from '../../support/club.ts';
import { addMember, makeEvent } from '../../support/home.ts';
import { readText } from '../../support/ics.ts';
import { readOnce } from '../../support/patience.ts';
import { shareClub } from '../../support/shared-club.ts';
import {
  club,
  concert,
  expectAllNames,
  expectNumbered,
  expectPreviewOf,
  fitOf,
  packed,
  print,
  readCode,
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

describe('the event sheet', () => {
  const description = `Ünser ${'langer Text; '.repeat(500)}Ende.`;
  const name = `<b>${'Wort '.repeat(2_000)}Ende`;
  const shared = shareClub(browser, [
    { ...concert, id: 8, description },
    { ...concert, id: 9, name },
  ]);

  it('shortens a long description only in the QR code and says so', async () => {
    const page = await showSheet(shared, '#print=event&event=8');
    await page.getByText('It contains a shortened note.').waitFor();
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

const sharedClub = shareClub(browser, club);

describe('the choices', () => {
  it('are kept after a reload, for each club by itself', async () => {
    const { page, served } = await openSheet(club, '#print=list');
    const other = await addMember(served.home, 'others', club);
    await page.getByRole('textbox', { name: 'Title' }).fill('Notice board');
    await page.getByRole('checkbox', { name: 'Cancelled' }).uncheck();
    await page.getByRole('textbox', { name: 'To' }).fill('in 3 weeks');
    await page.getByRole('radio', { name: 'Letter' }).check();
    await page.getByRole('radio', { name: 'Month sheet' }).check();
    await ready(page);
    const last = await readOnce(page.getByRole('textbox', { name: 'To' }).inputValue());
    const expectKept = async () => {
      await ready(page);
      const { pages, sizes } = await print(page);
      expect(pages[0]).toMatch(/^Notice board/);
      expect(pages.join('')).not.toContain('Summer party');
      expect(sizes[0]).toEqual([279, 216]);
      await expect.poll(() => page.getByRole('textbox', { name: 'To' }).inputValue()).toBe(last);
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
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Title' }).inputValue())
      .toBe('others');
    await expect.poll(() => page.getByRole('radio', { name: 'List' }).isChecked()).toBe(true);
    // Damaged choices are those of the beginning.
    await page.evaluate(() => {
      for (const name of Object.keys(localStorage)) localStorage.setItem(name, '{"paper":7,');
    });
    await page.reload();
    await ready(page);
    await expect.poll(() => page.getByRole('radio', { name: 'A4' }).isChecked()).toBe(true);
  });

  it('keep the search and the filters of the view, which can be ignored', async () => {
    const page = await showSheet(sharedClub, '#q=Cup&type=regional&print=list');
    expect((await print(page)).pages[0]).not.toContain('Training');
    await page.getByRole('checkbox', { name: 'Only Regional · “Cup”' }).uncheck();
    await ready(page);
    expect((await print(page)).pages[0]).toContain('Training');
    await showSheet(sharedClub, '#time=today&print=list');
    await expect.poll(() => page.getByRole('textbox', { name: 'To' }).inputValue()).toBe('Today');
  });
});

describe('the paper', () => {
  const papers: readonly (readonly [name: string, size: readonly number[]])[] = [
    ['A4', [210, 297]],
    ['A3', [297, 420]],
    ['Letter', [216, 279]],
  ];

  it.each(papers)(
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

  const locales = ['en-GB', 'de-DE', 'fr-FR', 'nl-NL'];

  it.each(locales)('has the largest text that fits, in %s', async (locale) => {
    const { page } = await openSheet(comingEvents(12), '#print=list', { locale });
    await expect.poll(() => fitOf(page)).toMatch(/ 16 pt, 1 /);
    const short = await print(page);
    expect(short.pages).toHaveLength(1);
    await page.close();
    const long = await openSheet(comingEvents(60), '#print=list', { locale });
    const printed = await print(long.page);
    const { pages } = printed;
    expect(pages.length).toBeGreaterThan(1);
    await expect.poll(() => fitOf(long.page)).toMatch(new RegExp(` 1\\d pt, ${pages.length} `));
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
  await expect.poll(() => page.locator('.sheet-logo').count()).toBe(0);
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
    await expect.poll(() => page.locator('.studio-problem').innerText()).toBe('');
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
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    await pressItem(page, 'Print…');
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
    await expect.poll(() => page.locator('body').getAttribute('data-printed')).toBe('By keys');
    await page.keyboard.press('Escape');
    await page.locator('.agenda').waitFor();
    expect(await focused()).toBe('Share');
  });

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
    await expect.poll(() => sheets.count()).toBe(1);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expect.poll(() => sheets.count()).toBe(Number(pages));
    await expect.poll(() => page.locator('.studio-pages li').count()).toBe(600);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await expect.poll(() => sheets.count()).toBe(1);
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
