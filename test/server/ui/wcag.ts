import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectNoSidewaysScrolling } from './axe.ts';

/** Functions in the page for colours and what is beside them; as text, because the page has none. */
const colourTools = `({
  context: Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true }),
  /** Paints colours over each other, the last one on top, and returns red, green and blue. */
  paint(colours) {
    this.context.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      this.context.fillStyle = colour;
      this.context.fillRect(0, 0, 1, 1);
    }
    return [...this.context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  },
  grounds(element) {
    if (element === null) return ['white'];
    return [...this.grounds(element.parentElement), getComputedStyle(element).backgroundColor];
  },
  luminance(rgb) {
    const [red, green, blue] = rgb.map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  },
  /** Returns the contrast of a colour to the ground of an element (WCAG 2.2, contrast ratio). */
  contrast(colour, element) {
    const grounds = this.grounds(element);
    const [one, other] = [this.paint([...grounds, colour]), this.paint(grounds)]
      .map((rgb) => this.luminance(rgb))
      .sort((first, second) => second - first);
    return (one + 0.05) / (other + 0.05);
  },
})`;

/**
 * Expects that the boundaries of fields, the tracks of switches and their thumbs, the edges of chosen
 * toggles and the icons of controls without words have a contrast of 3:1 (WCAG 1.4.11). A button with words needs no boundary.
 */
export async function expectControlContrast(page: Page, what: string): Promise<void> {
  const faint = await page.evaluate<string[]>(`(() => {
    const tools = ${colourTools};
    const found = [];
    const expectContrast = (element, colour, ground) => {
      const contrast = tools.contrast(colour, ground);
      if (contrast < 3) found.push(contrast.toFixed(2) + ' ' + element.outerHTML.slice(0, 160));
    };
    for (const input of document.querySelectorAll('[role="switch"]:not(:disabled)')) {
      const track = input.nextElementSibling;
      const thumb = track.querySelector('.mantine-Switch-thumb');
      expectContrast(track, getComputedStyle(track).backgroundColor, track.parentElement);
      expectContrast(thumb, getComputedStyle(thumb).backgroundColor, track);
    }
    const all = document.querySelectorAll('button, a, input, select, textarea');
    for (const element of all) {
      const { width } = element.getBoundingClientRect();
      if (!element.checkVisibility({ opacityProperty: true }) || width < 8) continue;
      if (element.matches(':disabled, [role="switch"]')) continue;
      const style = getComputedStyle(element);
      const { borderTopWidth, borderTopColor, backgroundColor, color } = style;
      const hasBorder = Number.parseFloat(borderTopWidth) > 0;
      if (element.matches(':checked')) {
        // The browser fills a box of its own with the accent.
        const isOwn = style.appearance !== 'none' && style.accentColor !== 'auto';
        const filled = isOwn ? style.accentColor : backgroundColor;
        expectContrast(element, filled, element.parentElement);
      }
      else if (element.matches('input, select, textarea')) {
        if (hasBorder) expectContrast(element, borderTopColor, element.parentElement);
      } else if (element.matches('[aria-pressed="true"], [data-chosen]') && hasBorder) {
        expectContrast(element, borderTopColor, element.parentElement);
      } else if (element.innerText.trim() === '' && element.querySelector('svg') !== null) {
        expectContrast(element, color, element);
      }
    }
    return found;
  })()`);
  expect(faint, `contrast of controls: ${what}`).toEqual([]);
}

/** Most tab stops that a screen of these tests has. */
const maxTabStops = 80;

/**
 * Expects that each tab stop has a visible ring (WCAG 2.4.7), at least 2 pixels wide, with a
 * contrast of 3:1 to what is beside it (1.4.11). Starts after the first button.
 */
export async function expectVisibleFocus(page: Page, what: string): Promise<void> {
  const missing: string[] = [];
  let count = 0;
  await page.locator('button').first().focus();
  for (let at = 0; at < maxTabStops; at += 1) {
    await page.keyboard.press('Tab');
    const fault = await page.evaluate<string | null>(`(() => {
      const tools = ${colourTools};
      const focused = document.activeElement;
      const seen = (globalThis.seenStops ??= new Set());
      if (focused === null || focused === document.body || seen.has(focused)) return null;
      seen.add(focused);
      // Components draw the ring of a hidden input on its label, or on a layer over the control.
      const drawn = [
        [focused], [focused, '::after'], [focused.nextElementSibling], [focused.parentElement],
      ].filter(([element]) => element !== null);
      const read = () => drawn.map((of) => {
        const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(...of);
        const width = outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
        return { width, outlineColor, offset: Number.parseFloat(outlineOffset) };
      });
      const rings = read();
      // The next press of Tab continues here.
      focused.blur();
      const before = read();
      const at = rings.findIndex(({ width }, index) => width >= 2 && before[index].width < width);
      const name = focused.outerHTML.slice(0, 160);
      if (at === -1) return 'no ring: ' + name;
      const { outlineColor, offset } = rings[at];
      const [element] = drawn[at];
      const beside = offset < 0 ? element : element.parentElement;
      const contrast = tools.contrast(outlineColor, beside);
      return contrast < 3 ? 'contrast ' + contrast.toFixed(2) + ': ' + name : '';
    })()`);
    if (fault === null) break;
    count += 1;
    if (fault !== '') missing.push(fault);
  }
  await page.evaluate('globalThis.seenStops.clear()');
  expect(count, `tab stops: ${what}`).toBeGreaterThan(6);
  expect(missing, `focus: ${what}`).toEqual([]);
}

/** Text spacing that a reader may set (WCAG 1.4.12). */
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }';

/** Finds texts that are cut off or overlap, in the window as it is. */
const findUnreadable = `(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    const parent = currentNode.parentElement;
    if (currentNode.textContent.trim() === '' || !parent.checkVisibility()) continue;
    const ancestors = [];
    for (let element = parent; element !== null; element = element.parentElement) {
      ancestors.push([element, getComputedStyle(element), element.getBoundingClientRect()]);
    }
    if (ancestors.some(([, style, box]) => style.clipPath !== 'none' || box.width <= 1)) continue;
    // A text that ends in "…" is whole in the panel of its event, or in the menu.
    const isShortened = ancestors.some(([, style]) =>
      style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none');
    // The row of chips scrolls.
    const isScrolled = ancestors.some(([element, style]) =>
      ['auto', 'scroll'].includes(style.overflowX) && element !== document.documentElement);
    if (isScrolled) continue;
    const layer = ancestors.find(([, style]) => ['sticky', 'fixed'].includes(style.position))?.[0];
    const range = document.createRange();
    range.selectNodeContents(currentNode);
    for (const box of range.getClientRects()) {
      const isBeside = box.bottom < 0 || box.top > innerHeight || box.width === 0;
      if (!isBeside) texts.push({ box, parent, ancestors, isShortened, layer });
    }
  }
  const nameOf = ({ parent }) => parent.className + ' "' + parent.textContent.slice(0, 50) + '"';
  const cut = texts.filter(({ box, ancestors, isShortened }) => !isShortened && ancestors.some(
    ([element, style, around]) => {
      const isEdge = style.overflowX !== 'visible' || element.matches('button, .badge');
      if (!isEdge || element === document.body || element === document.documentElement) return false;
      return box.right > around.right + 2 || box.left < around.left - 2 ||
        box.bottom > around.bottom + 4 || box.top < around.top - 4;
    }));
  const overlapping = texts.filter((one, index) => texts.slice(index + 1).some((other) => {
    if (one.layer !== other.layer || one.parent === other.parent) return false;
    if (one.parent.contains(other.parent) || other.parent.contains(one.parent)) return false;
    if (one.isShortened || other.isShortened) return false;
    const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    return width > 2 && height > 6;
  }));
  // A name or a place ends in "…" and is whole in the panel; a date, status or type must be whole.
  const cells = [...document.querySelectorAll('.table-cell:not(.table-name, .table-location)')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth + 1);
  return [...cells.map((cell) => 'cut: ' + cell.className + ' "' + cell.textContent + '"'),
    ...cut.map((text) => 'cut: ' + nameOf(text)),
    ...overlapping.map((text) => 'overlapping: ' + nameOf(text))];
})()`;

/** Expects that no text is cut off or overlaps with wide text spacing (WCAG 1.4.12). */
export async function expectTextSpacing(page: Page, what: string): Promise<void> {
  const before = page.viewportSize();
  const setStyles = (css: string) =>
    page.evaluate((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      document.adoptedStyleSheets = text === '' ? [] : [sheet];
    }, css);
  try {
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await setStyles(spacing);
      await expectNoSidewaysScrolling(page, `${what} with text spacing, ${width} pixels wide`);
      const found = await page.evaluate<string[]>(findUnreadable);
      expect(found, `text spacing: ${what}, ${width} pixels wide`).toEqual([]);
    }
  } finally {
    await setStyles('');
    if (before !== null) await page.setViewportSize(before);
  }
}
