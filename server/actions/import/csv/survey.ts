import { crc32 } from 'node:zlib';
import { badSource, type SourceFile } from '../source.ts';
import { createUtf8Check } from '../utf8.ts';

/** The size and checksum by which two readings of a file are compared. */
export type Fingerprint = { readonly size: number; readonly checksum: number };

export type Survey = {
  readonly fingerprint: Fingerprint;
  /** The first bytes, at most eight. */
  readonly start: Uint8Array;
  readonly isUtf8: boolean;
  readonly hasNul: boolean;
};

const startLength = 8;

const signatures: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP file, such as an Excel workbook (.xlsx)'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an old Office file, such as an Excel workbook (.xls)'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
];

/** Throws `bad_input` for a file whose first bytes show that it is not text. */
function refuseSignature(start: Uint8Array, file: string): void {
  for (const [signature, what] of signatures) {
    if (signature.some((byte, at) => start[at] !== byte)) continue;
    throw badSource(file, undefined, `this is ${what}, not a CSV file; save it as CSV first`);
  }
}

/** Surveys a file in one fast reading. Throws `bad_input` for a workbook or a PDF. */
export async function surveyFile(file: SourceFile): Promise<Survey> {
  const utf8 = createUtf8Check();
  let size = 0;
  let checksum = 0;
  let start: Uint8Array = new Uint8Array();
  let hasNul = false;
  for await (const chunk of file.open({ reuse: true })) {
    if (start.length < startLength) {
      start = Buffer.concat([start, chunk.subarray(0, startLength - start.length)]);
      refuseSignature(start, file.name);
    }
    size += chunk.length;
    checksum = crc32(chunk, checksum);
    hasNul ||= chunk.includes(0);
    utf8.push(chunk);
  }
  return { fingerprint: { size, checksum }, start, isUtf8: utf8.end(), hasNul };
}

/** Reads a file again. Throws `bad_input` at its end if it has changed. */
export async function* openAgain(
  file: SourceFile,
  fingerprint: Fingerprint,
): AsyncGenerator<Buffer> {
  let size = 0;
  let checksum = 0;
  for await (const chunk of file.open()) {
    size += chunk.length;
    checksum = crc32(chunk, checksum);
    yield Buffer.isBuffer(chunk)
      ? chunk
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (size === fingerprint.size && checksum === fingerprint.checksum) return;
  throw badSource(file.name, undefined, 'the file changed while it was read; try again');
}
