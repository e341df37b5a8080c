/** A square picture. */
export type Picture = {
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
