/** A square picture. */
export type Picture = {
  /** Its width and height, in pixels. */
  readonly size: number;
  readonly png: Uint8Array;
};

/** An icon of Windows (ICO) with these pictures, each as PNG, as Windows Vista and later read it. */
export function icoFile(pictures: readonly Picture[]): Uint8Array {
  const header = Buffer.alloc(6 + 16 * pictures.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  let offset = header.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = 6 + 16 * index;
    // A byte each, in which 256 is 0.
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

/** What a picture of a size is in an icon of macOS: for plain displays and for Retina ones. */
const icnsTypes: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
};

function icnsBlock(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(content.length + head.length, 4);
  return Buffer.concat([head, content]);
}

/** An icon of macOS (ICNS) with these pictures, each as PNG; throws for a size that it has not. */
export function icnsFile(pictures: readonly Picture[]): Uint8Array {
  const blocks = pictures.flatMap(({ size, png }) => {
    const types = icnsTypes[size];
    if (types === undefined) throw new Error(`An icon of macOS has no picture of ${size} pixels.`);
    return types.map((type) => icnsBlock(type, png));
  });
  return icnsBlock('icns', Buffer.concat(blocks));
}
