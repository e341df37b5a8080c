import jsqr from 'jsqr';
import type { Page } from 'playwright-core';
import { extractImages, extractText, getDocumentProxy } from 'unpdf';
import { expect } from 'vitest';
import type { EventDraft } from '../../../db/model.ts';
import { daysFromNow } from '../../support/club.ts';
import { makeEvent } from '../../support/home.ts';
import type { SharedClub } from '../../support/shared-club.ts';

/** Shows a sheet on a shared page, with the default choices. */
export async function showSheet(shared: SharedClub, fragment: string) {
  const page = await shared.show();
  await page.evaluate(() => localStorage.clear());
  await page.evaluate((next) => location.assign(next), fragment);
  await ready(page);
  return page;
}

/** Waits until a sheet can be printed. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.studio-fit[data-ready]').waitFor();
}

export const fitOf = (page: Page) => page.locator('.studio-fit b').innerText();

export type Printed = {
  readonly pages: readonly string[];
  /** Width and height of each page, in millimetres. */
  readonly sizes: readonly (readonly [number, number])[];
  /** Number of pictures on the first page. */
  readonly pictures: number;
};

export async function print(page: Page): Promise<Printed> {
  return readPdf(await page.pdf({ preferCSSPageSize: true }));
}

export async function readPdf(pdf: Uint8Array): Promise<Printed> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { text } = await extractText(document);
  const sizes: [number, number][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const [, , width = 0, height = 0] = (await document.getPage(number)).view;
    const inMillimetres = (points: number) => Math.round((points / 72) * 25.4);
    sizes.push([inMillimetres(width), inMillimetres(height)]);
  }
  const pictures = (await extractImages(document, 1)).length;
  return { pages: text, sizes, pictures };
}

/** Removes blanks and hyphens, because a line break on paper may add or replace one. */
export const packed = (text: string) => text.replace(/[\s\u00ad-]/g, '');

/** Returns the characters of a text in an order that does not depend on columns. */
const charactersOf = (text: string) => [...packed(text)].toSorted().join('');

export function expectAllNames({ pages }: Printed, events: readonly EventDraft[]): void {
  const paper = packed(pages.join(''));
  const missing = events.filter(({ name }) => !paper.includes(packed(name)));
  expect(missing.map(({ name }) => name)).toEqual([]);
}

export function expectNumbered({ pages }: Printed): void {
  for (const [index, text] of pages.entries()) {
    expect(packed(text)).toContain(`${index + 1}/${pages.length}`);
    expect(text).toMatch(/As of \d\d? \w+ \d{4}/);
  }
}

/** Expects that the preview shows the pages of the paper, each with the same text. */
export async function expectPreviewOf(page: Page, { pages }: Printed): Promise<void> {
  for (const [index, text] of pages.entries()) {
    await page.getByText(`Page ${index + 1} of ${pages.length}`).waitFor();
    await expect.poll(() => page.locator('.studio-pages .sheet-page').count()).toBe(1);
    await expect
      .poll(async () => charactersOf(await page.locator('.studio-pages .sheet-page').innerText()))
      .toBe(charactersOf(text));
    if (index < pages.length - 1) await page.getByRole('button', { name: 'Next page' }).click();
  }
}

/** Decodes the QR code of an event, or in another part of a page, from its rendered picture. */
export async function readCode(page: Page, part = '.sheet-figure svg'): Promise<string> {
  const { dots, side } = await page.locator(part).evaluate((svg) => {
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

/** An event with characters that a printed code must keep. */
export const concert = makeEvent(7, {
  name: 'Fête d’été, with “friends”',
  date: '2099-07-01T18:30:00.000Z',
  location: 'Zürich; Town hall',
  description: 'Doors open at 19:00.\nBring a cake.',
  status: 'cancelled',
});

/** Events of all kinds, most of them in the default period. */
export const club = [
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
