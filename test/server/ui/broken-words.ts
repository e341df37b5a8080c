import type { Page } from 'playwright-core';

/** Returns the words of a part of the page that are broken without a hyphen. */
export function brokenWords(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluateAll((parts) => {
    const found = new Set<string>();
    const topOf = (text: Text, at: number) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      // The first letter of a row has an empty box at the end of the row before it.
      return Array.from(range.getClientRects()).findLast(({ width }) => width > 0)?.top ?? 0;
    };
    for (const part of parts) {
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node as Text;
        if (text.parentElement?.closest('.only-spoken')) continue;
        for (const { index } of text.data.matchAll(/\p{L}(?=\p{L})/gu)) {
          if (Math.abs(topOf(text, index) - topOf(text, index + 1)) > 3) found.add(text.data);
        }
      }
    }
    return [...found];
  });
}
