import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { testBrowser } from '../../../support/browser.ts';
import { choose } from '../../../support/long.ts';
import { openForm, shareClubWindow } from './event-window.ts';

const browser = testBrowser();
const shared = shareClubWindow(browser);

/** Left, top, right and bottom of each row of a text, in pixels. */
type Rows = readonly (readonly number[])[];

/** Reads the tinted words: their place in the text, and where they are on the screen. */
function readTints(page: Page): Promise<{ start: number; end: number; rows: Rows }[]> {
  return page.locator('.words-marks').evaluate((marks) => {
    const walker = document.createTreeWalker(marks, NodeFilter.SHOW_TEXT);
    const tints: { start: number; end: number; rows: number[][] }[] = [];
    for (let at = 0, node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node as Text;
      if (text.parentElement?.closest('i')) continue;
      if (text.parentElement?.closest('mark')) {
        const range = document.createRange();
        range.selectNodeContents(text);
        const rows = Array.from(range.getClientRects(), (row) => [row.left, row.top, row.right]);
        tints.push({ start: at, end: at + text.length, rows });
      }
      at += text.length;
    }
    return tints;
  });
}

/** Reads where parts of the text are in the field; its text is in a tree of the browser's own. */
async function readField(
  page: Page,
  parts: readonly { readonly start: number; readonly end: number }[],
): Promise<Rows[]> {
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', {
    nodeId: root.nodeId,
    selector: '#event-line',
  });
  const { node } = await session.send('DOM.describeNode', { nodeId, depth: -1, pierce: true });
  const backendNodeId = node.shadowRoots?.[0]?.backendNodeId ?? 0;
  const { object } = await session.send('DOM.resolveNode', { backendNodeId });
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId ?? '',
    functionDeclaration: `function (parts) {
      const walker = document.createTreeWalker(this, NodeFilter.SHOW_TEXT);
      const texts = [];
      while (walker.nextNode()) texts.push(walker.currentNode);
      const [text] = texts.sort((one, other) => other.length - one.length);
      return parts.map(({ start, end }) => {
        const range = document.createRange();
        range.setStart(text, start);
        range.setEnd(text, end);
        return Array.from(range.getClientRects(), (row) => [row.left, row.top, row.right]);
      });
    }`,
    arguments: [{ value: parts }],
    returnByValue: true,
  });
  await session.detach();
  return result.value as Rows[];
}

it('tints each word where it is in the field, however many rows there are', {
  tags: 'long',
}, async () => {
  const { page } = await shared.show();
  await openForm(page, 'New event');
  const sentences = [
    'Stalled event Wed 9 Dec 18:00 Clubhouse',
    'Training every Tuesday 19:00-20:30 Sports hall until 29 June 2027',
    'Spring camp 9 to 11 April Lake Farm with everybody who helped in the kitchen',
    'Under-15 end-of-season get-together Fri 4 Dec 18:00-22:30 Club-house, Mill-Lane',
    'Annual meeting on Monday 7 December 2026 at 19:00 in the Town Hall',
    'A_name_without_any_blank_that_is_longer_than_a_row Fri 4 Dec 18:00 Hall',
  ];
  for (const width of choose([1280, 1152, 768, 390, 320], [1280, 390])) {
    await page.setViewportSize({ width, height: 800 });
    for (const sentence of sentences) {
      await page.locator('#event-line').fill(sentence);
      await expect
        .poll(async () => (await page.locator('.words-marks').textContent())?.slice(0, 6))
        .toBe(sentence.slice(0, 6));
      const tints = await readTints(page);
      expect(tints.length, sentence).toBeGreaterThan(2);
      const field = await readField(page, tints);
      for (const [index, { rows, start, end }] of tints.entries()) {
        const what = `"${sentence.slice(start, end)}" of "${sentence}" at ${width} px`;
        const there = field[index] ?? [];
        expect(rows, what).toHaveLength(there.length);
        for (const [row, sides] of rows.entries())
          for (const [side, at] of sides.entries())
            expect(Math.abs(at - (there[row]?.[side] ?? 0)), what).toBeLessThan(1);
      }
    }
  }
});
