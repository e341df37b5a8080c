import { strToU8, Zip, ZipDeflate } from 'fflate';

/** A part of a ZIP file: its path, and its text in pieces. */
export type ZipPart = readonly [path: string, pieces: Iterable<string>];

/** Minimum number of characters to compress at a time. */
const chunkLength = 64 * 1024;

/** Joins pieces of text to chunks in UTF-8. */
function* encode(pieces: Iterable<string>): Generator<Uint8Array<ArrayBuffer>> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < chunkLength) continue;
    yield strToU8(text);
    text = '';
  }
  yield strToU8(text);
}

/**
 * Writes a ZIP file in chunks, one part after the other. Throws `tooLarge` for a part of more than
 * `maxBytes`, before compression.
 */
export function* writeZip(
  parts: Iterable<ZipPart>,
  maxBytes: number,
  tooLarge: () => Error,
): Generator<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    chunks.push(chunk);
  });
  for (const [path, pieces] of parts) {
    const part = new ZipDeflate(path);
    // Office programs give all parts this date.
    part.mtime = new Date(1980, 0, 1);
    zip.add(part);
    let size = 0;
    for (const bytes of encode(pieces)) {
      size += bytes.length;
      if (size > maxBytes) throw tooLarge();
      part.push(bytes);
      yield* chunks.splice(0);
    }
    part.push(new Uint8Array(), true);
  }
  zip.end();
  yield* chunks;
}
