import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { catalogues, type Language } from '../../../../server/messages/messages.ts';
import type { Look } from './scenarios.ts';

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

/** Creates an expectation that all words of a page are of a language, in formats for everybody. */
export function expectWordsOf(language: Language): Look {
  const isEnglish = createMatcher('en');
  const isOwn = createMatcher(language);
  return async (page, what) => {
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
    const words = await wordsOn(page);
    const english = words.filter((text) => isEnglish(text) && !isOwn(text));
    expect(english, `English on ${what}`).toEqual([]);
    expect(
      words.filter((text) => technical.test(text)),
      what,
    ).toEqual([]);
  };
}
