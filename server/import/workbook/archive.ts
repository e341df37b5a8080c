import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { Problem } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { badSource, type SourceFile } from '../source.ts';

/** Maximum size of a file in MiB; it is held in memory, because a ZIP file is read from its end. */
const maxFileSize = 64;

/** Maximum number of parts; a workbook with a thousand sheets and pictures has fewer. */
const maxParts = 10_000;

const mebibyte = 1024 * 1024;

/** Returns the problem of a file that is cut off or was not written by a spreadsheet program. */
export function damagedWorkbook(file: string): Problem {
  return badSource(file, undefined, message('reason:workbook_damaged'));
}

/** Returns the problem of a workbook, or of one of its parts, that needs too much memory or time. */
export function oversizedWorkbook(file: string): Problem {
  return badSource(file, undefined, message('reason:workbook_too_large'));
}

/** A file inside a ZIP file. */
export type Part = {
  readonly file: string;
  /** Unpacked size in bytes; reading fails if the part is larger or smaller. */
  readonly size: number;
  /** Unpacks the part. Throws `bad_input` if it is damaged. */
  open(): AsyncGenerator<Buffer>;
};

/** The parts of a ZIP file by path, in lower case and without a slash in front. */
export type Archive = ReadonlyMap<string, Part>;

async function* unpack(zip: ZipFile, entry: Entry, file: string): AsyncGenerator<Buffer> {
  let checksum = 0;
  const refuse = (): never => {
    throw damagedWorkbook(file);
  };
  const stream = await zip.openReadStreamPromise(entry).catch(refuse);
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(refuse);
      if (done === true) break;
      checksum = crc32(value, checksum);
      yield value as Buffer;
    }
  } finally {
    stream.destroy();
  }
  if (checksum !== entry.crc32) refuse();
}

function pathOf(entry: Entry): string {
  const name = entry.fileNameRaw.toString('utf8');
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

/** Reads a file into memory. Throws `bad_input` if it is too large. */
export async function readWhole(file: SourceFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.open()) {
    size += chunk.length;
    if (size > maxFileSize * mebibyte) throw oversizedWorkbook(file.name);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Opens a ZIP file. Throws `bad_input` if it is damaged. */
export async function openArchive(bytes: Buffer, file: string): Promise<Archive> {
  const parts = new Map<string, Part>();
  try {
    // Names are never paths on this machine, so those that the library finds unsafe do no harm.
    const zip = await fromBufferPromise(bytes, { decodeStrings: false });
    if (zip.entryCount > maxParts) throw oversizedWorkbook(file);
    for await (const entry of zip.eachEntry()) {
      const open = () => unpack(zip, entry, file);
      parts.set(pathOf(entry), { file, size: entry.uncompressedSize, open });
    }
  } catch (error) {
    throw error instanceof Problem ? error : damagedWorkbook(file);
  }
  return parts;
}
