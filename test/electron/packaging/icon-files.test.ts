import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { icnsFile, icoFile } from '../../../electron/packaging/icons.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path));
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** The width of a PNG, in pixels. */
const widthOf = (path: string) => read(path).readUInt32BE(16);

/** The widths of the pictures in an icon of Windows, in pixels. */
function icoSizes(path: string): (number | undefined)[] {
  const ico = read(path);
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => ico[6 + 16 * index]);
}

describe('the icons', () => {
  it('the icons have the sizes that each platform requires', () => {
    const names = readdirSync(join(root, 'electron/packaging/icons'));
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      const width = widthOf(`electron/packaging/icons/${name}`);
      expect(name).toBe(`${width}x${width}.png`);
    }
    for (const name of ['tray', 'trayTemplate']) {
      expect(widthOf(`electron/icons/${name}.png`)).toBe(16);
      expect(widthOf(`electron/icons/${name}@2x.png`)).toBe(32);
    }
    // 256, which Windows asks for, is written as 0.
    expect(icoSizes('electron/packaging/icon.ico')).toEqual([16, 24, 32, 48, 64, 0]);
    for (const name of ['tray-light', 'tray-dark']) {
      expect(icoSizes(`electron/icons/${name}.ico`)).toEqual([16, 20, 24, 32]);
    }
    const icns = read('electron/packaging/icon.icns');
    expect(icns.readUInt32BE(4)).toBe(icns.length);
    expect(icns.includes('ic10')).toBe(true);
  });

  it('the icons have a correct index of their pictures', () => {
    const ico = Buffer.from(icoFile([16, 32].map((size) => ({ size, png }))));
    for (const index of [0, 1]) {
      const entry = ico.subarray(6 + 16 * index);
      const at = entry.readUInt32LE(12);
      expect(ico.subarray(at, at + entry.readUInt32LE(8))).toEqual(png);
    }
    expect(() => icnsFile([{ size: 31, png }])).toThrow(/no picture of 31 pixels/);
  });
});
