import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoredEvent } from '../../../db/model.ts';
import { catalogues } from '../../../server/messages/messages.ts';
import { sharedBrowser } from '../../support/browser.ts';
import { makeEvent } from '../../support/home.ts';
import { readOnce } from '../../support/patience.ts';
import { printFigure } from '../../support/print.ts';
import { expectAccessible, expectForEverybody, expectNoSidewaysScrolling } from '../ui/axe.ts';
import { print } from '../ui/sheets.ts';
import { openFile, writePage } from './members-page.ts';
import { planYears, rovers, roversNow, roversOptions } from './rovers.ts';

// Always a browser: members have no desktop application.
const browser = sharedBrowser();

/** Screens from 9:16 to 21:9, and from 800 × 600 to 4K. */
const sizes = [
  [720, 1280],
  [768, 1024],
  [800, 600],
  [1024, 768],
  [1080, 1920],
  [1280, 720],
  [1280, 800],
  [1280, 1024],
  [1366, 768],
  [1440, 960],
  [1600, 1200],
  [1920, 1080],
  [2560, 1080],
  [3840, 2160],
].map(([width = 0, height = 0]) => ({ width, height }));

const languages = [
  ['en', 'en-GB'],
  ['en', 'en-US'],
  ['de', 'de-DE'],
  ['fr', 'fr-FR'],
  ['nl', 'nl-NL'],
] as const;

/** More events than any screen shows at once, with long names. */
const many = [
  ...rovers,
  ...Array.from({ length: 30 }, (_, index) =>
    makeEvent(100 + index, {
      name:
        ['Jahreshauptversammlung des Fördervereins mit Neuwahlen', 'Training', 'Ü'][index % 3] ??
        '',
      date: new Date(roversNow.getTime() + (20 + index) * 86_400_000).toISOString(),
      location: ['Mehrzweckhalle Obertürkheim, Eingang Gartenstraße', '', 'Gym'][index % 3] ?? '',
      status: index % 7 === 0 ? 'cancelled' : 'active',
    }),
  ),
] as StoredEvent[];

const pageIn = (tag: keyof typeof catalogues, language: string) =>
  writePage(many, { ...roversOptions, language, words: catalogues[tag] });

/**
 * Returns what is wrong on a board: a clock of two lines, a text that leaves its box or the screen, two
 * texts on each other, or a row that is not whole.
 */
function findFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const boxOf = (element: Element) => element.getBoundingClientRect();
    const [clock] = document.querySelectorAll<HTMLElement>('.board-clock');
    if (clock === undefined) return ['no clock'];
    const style = getComputedStyle(clock);
    if (boxOf(clock).height > 1.5 * Number.parseFloat(style.fontSize)) faults.push('clock wraps');
    const list = document.querySelector('.board-rows') as Element;
    const rows = [...list.children];
    if (rows.length === 0) faults.push('no row');
    for (const row of rows) {
      if (boxOf(row).bottom > boxOf(list).bottom + 1) faults.push(`cut: ${row.textContent}`);
    }
    const texts: { readonly text: string; readonly box: DOMRect }[] = [];
    const walker = document.createTreeWalker(document.querySelector('.board') as Node, 4);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement as Element;
      if (text === '' || parent.closest('svg') !== null) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        texts.push({ text, box });
        const section = boxOf(parent.closest('section') as Element);
        const isInside =
          box.left >= section.left - 1 &&
          box.right <= section.right + 1 &&
          box.top >= section.top - 1 &&
          box.bottom <= section.bottom + 4;
        if (!isInside) faults.push(`outside: ${text}`);
      }
      if (parent.scrollWidth > parent.clientWidth + 1 && parent.clientWidth > 0)
        faults.push(`too wide: ${text}`);
    }
    const hits = ({ box: one }: (typeof texts)[number], { box: other }: (typeof texts)[number]) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
      // Lines of one paragraph touch.
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.3 * one.height;
    for (const [index, one] of texts.entries()) {
      for (const other of texts.slice(index + 1)) {
        if (hits(one, other)) faults.push(`${one.text} on ${other.text}`);
      }
    }
    return faults;
  });
}

describe('the board at 14 sizes', () => {
  it.each(languages.flatMap((one) => ['dark', 'light'].map((theme) => [...one, theme] as const)))(
    'has a clock of one line, whole rows and no cut letter in %s, %s, %s',
    async (tag, language, theme) => {
      const page = await openFile(browser.current, pageIn(tag, language), {
        ...{ at: roversNow, search: `?board=${theme}`, bypassCSP: true },
      });
      const figures: string[] = [];
      for (const size of sizes) {
        await page.setViewportSize(size);
        await expect
          .poll(() => findFaults(page), { message: `${size.width} × ${size.height}` })
          .toEqual([]);
        const rows = await readOnce(page.locator('.board-rows li').count());
        figures.push(`${size.width}×${size.height}: ${rows}`);
        if (size.width % 1280 === 0) await expectAccessible(page, `board, ${size.width}, ${theme}`);
      }
      printFigure(`Rows of the board, ${language}, ${theme}: ${figures.join(', ')}`);
    },
  );

  it('shows each event once as its pages turn', async () => {
    const page = await openFile(browser.current, pageIn('en', 'en-GB'), {
      ...{ at: roversNow, search: '?board', runs: true },
      viewport: { width: 1024, height: 768 },
    });
    const pages = await readOnce(page.locator('.board-pages i').count());
    const seen: string[] = [];
    for (let turn = 0; turn < pages; turn += 1) {
      seen.push(...(await readOnce(page.locator('.board-rows li').allTextContents())));
      await page.clock.runFor(15_000);
    }
    expect(pages).toBeGreaterThan(3);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe('the page at 14 sizes', () => {
  it.each(languages)('fits, and passes axe, in %s, %s', async (tag, language) => {
    const html = pageIn(tag, language);
    const page = await openFile(browser.current, html, { at: roversNow, bypassCSP: true });
    await page.locator('#follow summary').click();
    await page.locator('#past summary').click();
    await page.locator('#event-4 .name a').click();
    await expectForEverybody(page, `the page in ${language}`);
    for (const size of [...sizes, { width: 320, height: 640 }, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectNoSidewaysScrolling(page, `${language}, ${size.width} pixels, ${colorScheme}`);
      }
    }
    const plain = await openFile(browser.current, html, {
      ...{ at: roversNow, javaScriptEnabled: false },
    });
    for (const size of sizes) {
      await plain.setViewportSize(size);
      await plain.locator('#event-3 .name').waitFor();
    }
  });

  it('prints one column without buttons, with its time and its code', async () => {
    const page = await openFile(browser.current, pageIn('en', 'en-GB'), {
      ...{ at: roversNow, search: '?only=U15', colorScheme: 'dark' },
    });
    await page.emulateMedia({ media: 'print' });
    const controls = page.locator('button, input, .b, fieldset, summary');
    await expect.poll(() => controls.filter({ visible: true }).count()).toBe(0);
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(ground).toBe('rgb(255, 255, 255)');
    const { pages } = await print(page);
    const text = pages.join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/U15 · As of 19 November 2026/);
    expect(text).toContain('rovers.example/dates?only=U15');
    expect(text).not.toMatch(/Rovers v City|Add to calendar|Follow/);
  });
});

it('a page of 5,000 events shows its first row within a second on a processor that is slowed four times', async () => {
  const html = Buffer.from(writePage(planYears(5_000), roversOptions));
  // Compressed, the first 14 KB, which a server sends at once; the rest comes when the row is there.
  const first = 256 * 1024;
  let finish: () => unknown = () => undefined;
  const painted = Promise.withResolvers<void>();
  const server = http.createServer(({ url }, response) => {
    if (url !== '/') {
      response.end();
      if (url === '/painted') painted.resolve();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.write(html.subarray(0, first));
    finish = () => response.end(html.subarray(first));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await browser.current.newPage();
  onTestFinished(async () => {
    await page.close();
    server.close();
  });
  const session = await page.context().newCDPSession(page);
  // Processor time, as other programs may run.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const { port } = server.address() as AddressInfo;
  // The page says so itself, as looking at it takes time too.
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('#coming li') === null) requestAnimationFrame(look);
      // The next frame comes when this one is painted.
      else requestAnimationFrame(() => void fetch('/painted'));
    };
    look();
  });
  await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'commit' });
  await painted.promise;
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = 4 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  finish();
  await page.locator('#event-1').waitFor({ state: 'attached' });
  printFigure(`The first row of 5,000 events, slowed four times: ${seconds.toFixed(2)} s`);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(1);
});

it('a page of 5,000 events has at most 300 KB when it is compressed', () => {
  const html = writePage(planYears(5_000), roversOptions);
  const size = gzipSync(html).length;
  printFigure(`A page of 5,000 events: ${Math.round(size / 1_000)} KB of ${html.length / 1e6} MB`);
  expect(size).toBeLessThanOrEqual(300_000);
});
