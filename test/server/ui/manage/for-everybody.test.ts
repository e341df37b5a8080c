import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type DesktopState, managingScreens } from '../../../../server/bridge.ts';
import { catalogues, type Language } from '../../../../server/messages/messages.ts';
import { testBrowser } from '../../../support/browser.ts';
import { openDesktopPage, shareDesktop } from '../../../support/desktop-page.ts';
import { addMember, makeEvent, makeTestHome } from '../../../support/home.ts';
import { choose } from '../../../support/long.ts';
import { writeTestFile } from '../../actions/import/files.ts';
import {
  expectForEverybody,
  expectNoSidewaysScrolling,
  expectPartForEverybody,
  windowSizes,
} from '../axe.ts';
import { expectControlContrast, expectTextSpacing, expectVisibleFocus } from '../wcag.ts';
import { addClub, type Look, walks, walkWelcome } from './walks.ts';

const browser = testBrowser();

/** With everything on view that a screen can have at once. */
const state: Partial<DesktopState> = { update: { kind: 'ready', version: '0.2.0' } };

const desktop = shareDesktop(browser, (home) => addMember(home, 'Chess', [makeEvent(1)]));
let clubs = 0;

/** Shows a screen of a new club in a language. */
async function showScreen(screen: string, language: Language = 'en') {
  const desk = { state, settings: { language } };
  const club = await addClub(desktop.home, clubs);
  clubs += 1;
  const { page } = await desktop.show('#manage=clubs', { desk });
  await page.locator('.club').filter({ hasText: club }).locator('button').first().click();
  await page.locator('.managing-club').filter({ hasText: club }).waitFor();
  return desktop.show(`#manage=${screen}`, { desk });
}

function openWelcome(language: Language = 'en') {
  return openDesktopPage(browser.current, makeTestHome(), { desk: { settings: { language } } });
}

/** Situations with no parts that others do not have; the short form checks their texts alone. */
const alike: readonly string[] = choose(
  [],
  [
    ...['season.xls', 'a.pdf', 'a.json', 'a.ics', 'a.csv', 'the key in Excel', 'the undone import'],
    ...['a refused key', 'a corrected row and others left out', 'the backups'],
  ],
);

/** Expects that a situation is accessible at each width and in each theme, in four sizes of text. */
const expectFine: Look = async (page, what) => {
  if (!alike.includes(what)) await expectPartForEverybody(page, what);
};

/** Returns all texts of a catalogue. */
function textsOf(messages: object): readonly string[] {
  return Object.values(messages).flatMap((value) =>
    typeof value === 'string' ? [value] : textsOf(value),
  );
}

const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Creates a test for texts of a language, with any values in their places. */
function createMatcher(language: Language): (text: string) => boolean {
  const texts = textsOf(catalogues[language]).filter((text) =>
    /\p{L}{3}/u.test(text.replaceAll(/\{\{\w+\}\}/g, '')),
  );
  const patterns = texts.map((text) =>
    text
      .split(/\{\{\w+\}\}/)
      .map(escapePattern)
      .join('.+'),
  );
  const whole = new RegExp(`^(?:${patterns.join('|')})$`, 's');
  // Longer ones are found within other text, too.
  const long = patterns.filter((_, index) => /\p{L}.{12,} /u.test(texts[index] ?? ''));
  const within = new RegExp(long.join('|'), 's');
  return (text) => whole.test(text) || within.test(text);
}

/** Returns the texts on the page and the names of its controls. */
const wordsOn = (page: Page) =>
  page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement?.closest('pre') === null) found.add(node.textContent?.trim() ?? '');
    }
    for (const name of ['aria-label', 'placeholder', 'title']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        found.add(element.getAttribute(name) ?? '');
      }
    }
    found.delete('');
    return [...found];
  });

/** Formats that only programmers write, outside the names of files and folders. */
const technical = /\d{4}-\d\d-\d\d(?!\.csv)|YYYY|.UTC\b|\bnull\b|undefined|\{\{|^\w+:\w+$/;

/** Expects the same, and that all texts fit where they have the least room. */
const expectFit = choose<Look>(expectFine, async (page, what) => {
  await expectFine(page, what);
  await page.setViewportSize(windowSizes.zoomed);
  await expectNoSidewaysScrolling(page, what);
  await page.setViewportSize(windowSizes.wide);
});

const languages = choose<readonly Language[]>(['en', 'de', 'fr', 'nl'], ['de']);

describe.each(languages)('in the language %s', (language) => {
  const isEnglish = createMatcher('en');
  const isOwn = createMatcher(language);
  const expectWords: Look = async (page, what) => {
    expect(await page.locator('html').getAttribute('lang')).toBe(language);
    const words = await wordsOn(page);
    const english = words.filter((text) => isEnglish(text) && !isOwn(text));
    expect(english, `English on ${what}`).toEqual([]);
    expect(
      words.filter((text) => technical.test(text)),
      what,
    ).toEqual([]);
    await expectFit(page, what);
  };

  it.each(walks)(
    'all texts on the screen of %s are of that language, fit and are accessible',
    async (_, way) => {
      await way.walk(await showScreen(way.screen, language), expectWords);
    },
  );

  it('all texts of the welcome screen are of that language, fit and are accessible', async () => {
    await walkWelcome(await openWelcome(language), expectWords);
  });
});

describe('beyond the rules of axe, in German', () => {
  const desk = { settings: { language: 'de' } } as const;

  it.each(['event=1', 'manage=import', 'manage=history', 'manage=sync', 'manage=settings'])(
    'controls contrast, the focus is visible and wide text spacing does no harm on %s',
    async (fragment) => {
      const { page } = await desktop.show(`#${fragment}`, { desk });
      if (fragment === 'event=1') {
        await page.locator('.panel').waitFor();
        await page.keyboard.press('e');
        await page.locator('.event-form').waitFor();
      } else await page.locator('.managing-title').waitFor();
      await expectVisibleFocus(page, fragment);
      await expectControlContrast(page, fragment);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectControlContrast(page, `${fragment}, dark`);
      await expectTextSpacing(page, fragment);
    },
  );

  it('the button that deletes an event is red in both themes', async () => {
    const { page } = await desktop.show('#event=1', { desk });
    await page.locator('.panel').waitFor();
    await page.keyboard.press('e');
    const button = page.locator('.event-delete');
    for (const [colorScheme, red] of [
      ['light', 'rgb(191, 36, 36)'],
      ['dark', 'rgb(255, 143, 143)'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(() => button.evaluate((it) => getComputedStyle(it).color)).toBe(red);
    }
    await page.keyboard.press('Escape');
  });
});

/** Returns the share of the window's height that shows the work, without what stays in place. */
const shareOfWork = (page: Page) =>
  page.evaluate(() => {
    window.scrollTo(0, document.documentElement.scrollHeight / 2);
    const x = window.innerWidth / 2;
    const staysInPlace = (element: Element) =>
      ['sticky', 'fixed'].includes(getComputedStyle(element).position);
    const isWork = (element: Element | null): boolean => {
      if (element === null || staysInPlace(element)) return false;
      return element.matches('.work, .welcome') || isWork(element.parentElement);
    };
    const points = Array.from({ length: 40 }, (_, at) => ((at + 0.5) / 40) * window.innerHeight);
    return points.filter((y) => isWork(document.elementFromPoint(x, y))).length / points.length;
  });

it('the work has most of a small window, on every screen', async () => {
  const { page, desk } = await showScreen('import');
  const expectRoom = async (what: string) => {
    for (const size of [windowSizes.zoomed, { width: 740, height: 360 }]) {
      await page.setViewportSize(size);
      expect(await shareOfWork(page), `${what} at ${size.width}`).toBeGreaterThanOrEqual(0.6);
    }
  };
  desk.chosen = [writeTestFile('a.csv', 'name,date\nA,2026-05-01\nB,2026-02-30')];
  await page.locator('.import-drop button').click();
  await page.locator('.import-map').waitFor();
  await expectRoom('columns');
  await page.locator('.work-foot button').last().click();
  await page.locator('.import-check').waitFor();
  await expectRoom('check');
  for (const screen of managingScreens) {
    await page.evaluate((next) => location.assign(next), `#manage=${screen}`);
    await page.getByRole('heading', { level: 1, name: catalogues.en.manage[screen] }).waitFor();
    await expectRoom(screen);
  }
});

it('a club can be created, opened and removed with the keyboard', async () => {
  const { page } = await showScreen('clubs');
  await page.getByLabel('New club').focus();
  await page.keyboard.type('Curling');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Show Curling' }).press('Enter');
  await page.locator('.managing-club', { hasText: 'Curling' }).waitFor();
  await page.getByRole('button', { name: 'Remove Curling…' }).press('Enter');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Cancel');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.club', { hasText: 'Curling' }).waitFor({ state: 'detached' });
});

describe('the events in the desktop window', () => {
  const notices = ['Your settings couldn’t be read, so the defaults apply.'];
  const show = async () => {
    const desk = { state: { ...state, notices }, settings: { port: 28_470 } };
    const { page } = await desktop.show('', { desk });
    await page.locator('#events').waitFor();
    return page;
  };

  it('are accessible with menus and notices', async () => {
    const page = await show();
    await expectForEverybody(page, 'events');
    await page.locator('.club-menu-button').click();
    await page.getByRole('menuitemradio', { name: 'Chess' }).waitFor();
    await expectForEverybody(page, 'menu of clubs');
  });

  it('have a club menu that can be opened, used and closed with the keyboard', async () => {
    const page = await show();
    const button = page.locator('.club-menu-button');
    await button.press('Enter');
    const chess = page.getByRole('menuitemradio', { name: 'Chess' });
    await chess.waitFor();
    await page.keyboard.press('Escape');
    await chess.waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.press('Enter');
    await chess.press('Enter');
    await page.getByRole('button', { name: 'Club: Chess' }).waitFor();
  });
});
