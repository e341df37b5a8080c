import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';

/** A square picture. */
type Picture = {
  /** Width and height in pixels. */
  readonly size: number;
  readonly png: Uint8Array;
};

/** Returns a Windows icon (ICO) with PNG pictures, which Windows Vista and later can read. */
export function icoFile(pictures: readonly Picture[]): Uint8Array {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // One byte each; 0 means 256.
    header.writeUInt8(size % 256, entry);
    header.writeUInt8(size % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)]);
}

/** Types of the pictures in a macOS icon by size, for standard and Retina displays. */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

function icnsBlock(type: string, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header.write(type, 'latin1');
  header.writeUInt32BE(content.length + header.length, 4);
  return Buffer.concat([header, content]);
}

/** Returns a macOS icon (ICNS) with PNG pictures. Throws for an unsupported size. */
export function icnsFile(pictures: readonly Picture[]): Uint8Array {
  const blocks = pictures.flatMap(({ size, png }) => {
    const types = icnsTypes[size];
    if (types === undefined) throw new Error(`An icon of macOS has no picture of ${size} pixels.`);
    return types.map((type) => icnsBlock(type, png));
  });
  return icnsBlock('icns', Buffer.concat(blocks));
}

/** `npm run icons`: draws the icons of the packages, the window and the tray. */

const root = join(import.meta.dirname, '../..');
const appIcon = readFileSync(join(root, 'server/ui/base/icon.svg'), 'utf8');

/** Returns a calendar with few bold lines, because tray icons may be 16 pixels wide. */
function trayShape(colour: string): string {
  return `<path d="M4 0v3M12 0v3" stroke="${colour}" stroke-width="2"/>
    <rect x="1" y="3" width="14" height="12" rx="2" fill="none" stroke="${colour}" stroke-width="2"/>
    <rect x="1" y="3" width="14" height="4" fill="${colour}"/>
    <rect x="6" y="9" width="4" height="4" rx="1" fill="${colour}"/>`;
}

function trayIcon(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${content}</svg>`;
}

/** A white icon with a dark edge: Linux panels are light or dark, and Electron cannot say which. */
const outlinedTrayIcon = trayIcon(`<g transform="translate(1 1) scale(.875)">
  <g stroke="#1b4d5a" fill="#1b4d5a">
    <path d="M4 0v3M12 0v3" stroke-width="4"/>
    <rect x="1" y="3" width="14" height="12" rx="2" stroke-width="4"/>
  </g>
  ${trayShape('#ffffff')}
</g>`);

/** Draws a square SVG. `share` is the part of the width that it fills; macOS needs a margin. */
async function draw(browser: Browser, svg: string, size: number, share = 1): Promise<Picture> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const inner = Math.round(size * share);
  const at = Math.round((size - inner) / 2);
  await page.setContent(
    `<body style="margin:0;background:transparent"><div style="position:absolute;left:${at}px;top:${at}px;width:${inner}px;height:${inner}px">${svg}</div>`,
  );
  const png = await page.screenshot({ omitBackground: true });
  await page.close();
  return { size, png };
}

async function drawAll(
  browser: Browser,
  svg: string,
  sizes: readonly number[],
  share?: number,
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const size of sizes) pictures.push(await draw(browser, svg, size, share));
  return pictures;
}

function write(path: string, content: Uint8Array): void {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
}

/** Draws the icons of the installers and of the desktops of the three platforms. */
async function drawPackageIcons(browser: Browser): Promise<void> {
  write(
    'electron/packaging/icon.ico',
    icoFile(await drawAll(browser, appIcon, [16, 24, 32, 48, 64, 256])),
  );
  // 824 of 1024 points: the grid of Apple's templates.
  const mac = await drawAll(browser, appIcon, [32, 64, 128, 256, 512, 1024], 824 / 1024);
  write('electron/packaging/icon.icns', icnsFile(mac));
  for (const { size, png } of await drawAll(browser, appIcon, [16, 32, 48, 64, 128, 256, 512])) {
    write(`electron/packaging/icons/${size}x${size}.png`, png);
  }
}

/** Draws the icons of the window, and of the tray on light and dark panels. */
async function drawProgramIcons(browser: Browser): Promise<void> {
  write('electron/icons/window.png', (await draw(browser, appIcon, 256)).png);
  for (const [name, colour] of [
    ['tray-light', '#1b4d5a'] as const,
    ['tray-dark', '#fff'] as const,
  ]) {
    const pictures = await drawAll(browser, trayIcon(trayShape(colour)), [16, 20, 24, 32]);
    write(`electron/icons/${name}.ico`, icoFile(pictures));
  }
  // If the name of an icon ends in "Template", macOS uses only its shape and colours it.
  const trays = { tray: outlinedTrayIcon, trayTemplate: trayIcon(trayShape('#000')) };
  for (const [name, svg] of Object.entries(trays)) {
    for (const [suffix, size] of [['', 16] as const, ['@2x', 32] as const]) {
      const { png } = await draw(browser, svg, size);
      write(`electron/icons/${name}${suffix}.png`, png);
    }
  }
}

if (import.meta.main) {
  const browser = await launchBrowser();
  await drawPackageIcons(browser);
  await drawProgramIcons(browser);
  await browser.close();
}
