import { encode } from 'uqr';

/** Width of the white border in modules, which scanners need (ISO/IEC 18004). */
const quietZone = 4;

/** A QR code as a picture of `size` × `size` modules, with its white border. */
export type QrCode = {
  readonly size: number;
  /** Dark modules as the path of an SVG. */
  readonly path: string;
};

/** Returns an SVG path with one rectangle for each run of dark modules in a row. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      const width = x + 1 - start;
      path += `M${start} ${y}h${width}v1h-${width}z`;
    }
  }
  return path;
}

/** The longest text of a code with error correction M, in octets. */
export const maxQrOctets = 2_331;

/** Creates the QR code of a text, with error correction M. Throws for a text over `maxQrOctets`. */
export function makeQrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  return { size, path: pathOf(data) };
}
