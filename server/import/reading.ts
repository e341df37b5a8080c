import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { asUsage, problem } from '../base/errors.ts';
import { startOf } from '../base/file-start.ts';
import { createShareMeter, type Watch } from '../club/tools.ts';
import { message } from '../messages/message.ts';
import {
  documentEndings,
  formatByEnding,
  type ImportFormat,
  importEndings,
  importFormats,
} from './formats.ts';
import type { FormatReader } from './preview.ts';
import { badSource, type FileItem, type SourceFile, type SourceOptions } from './source.ts';

/** Number of bytes read at once. */
const pieceLength = 64 * 1024;

/** Reads a file in pieces. With `reuse`, they share one buffer and are valid one at a time. */
async function* readPieces(path: string, reuse: boolean): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    let buffer = Buffer.allocUnsafeSlow(pieceLength);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceLength);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      if (!reuse) buffer = Buffer.allocUnsafeSlow(pieceLength);
    }
  } finally {
    await file.close();
  }
}

/** Maximum number of bytes from a pipe or a device; some devices never end. */
const maxPipeLength = 256 * 1024 * 1024;

type Pieces = AsyncIterable<string | Buffer>;

async function* limitLength(name: string, pieces: Pieces): AsyncGenerator<string | Buffer> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > maxPipeLength) throw badSource(name, undefined, message('reason:pipe_too_long'));
    yield piece;
  }
}

/** Reads a temporary copy of a stream, which has this name. */
export async function readCopy<Result>(
  name: string,
  pieces: Pieces,
  read: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'club-events-'));
  try {
    const copy = join(folder, name);
    await writeFile(copy, limitLength(name, pieces), { mode: 0o600 });
    return await read(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Reads a file that can be opened several times: the file itself, or a temporary copy of a pipe or a
 * device, which has the same name.
 */
export async function readOpenable<Result>(
  path: string,
  read: (path: string) => Promise<Result>,
): Promise<Result> {
  if ((await stat(path)).isFile()) return await read(path);
  return await readCopy(basename(path), readPieces(path, false), read);
}

/**
 * Returns the requested format, or that of the extension. Throws `wrong_usage` if there is none.
 */
export function formatOf(path: string, format: ImportFormat | undefined): ImportFormat {
  if (format !== undefined) return format;
  const ending = extname(path).slice(1).toLowerCase();
  const found = importEndings.find((name) => name === ending);
  if (found !== undefined) return formatByEnding[found];
  if (documentEndings.some((name) => name === ending)) return 'xlsx';
  throw asUsage(
    problem('import_format_missing', {
      path: basename(path),
      endings: importFormats.map((name) => `.${name}`).join(', '),
      formats: importFormats.join(', '),
    }),
  );
}

export type ReadingListener = Pick<SourceOptions, 'ignore' | 'taken' | 'note'> & {
  /** Receives the share of the file that was read, from 0 to 1, at most every 100 ms. */
  readonly share: (share: number) => void;
};

/** A file to read and its options, as values that can be sent to a thread. */
export type Reading = Omit<SourceOptions, keyof ReadingListener> & {
  readonly path: string;
  readonly format: ImportFormat;
};

export type ReadFile = (
  reading: Reading,
  listener: ReadingListener,
) => AsyncGenerator<Iterable<FileItem>, void>;

/** The readers, loaded on demand because each has its own libraries. */
const readers: Readonly<Record<ImportFormat, () => Promise<{ readonly reader: FormatReader }>>> = {
  csv: () => import('./csv/reader.ts'),
  json: () => import('./json/reader.ts'),
  ics: () => import('./ics/reader.ts'),
  xlsx: () => import('./workbook/reader.ts'),
  ods: () => import('./workbook/reader.ts'),
};

/** Reads the first piece of a file; empty for an empty file. */
async function readStart({ open }: SourceFile): Promise<Uint8Array> {
  for await (const piece of open()) return piece;
  return new Uint8Array();
}

/** Throws `bad_input` for a document named like a text file, such as a workbook named .csv. */
async function refuseDocument(file: SourceFile, format: ImportFormat): Promise<void> {
  const start = startOf(await readStart(file));
  // A failed copy may have gigabytes of zeros.
  if (start === 'zeros') throw badSource(file.name, undefined, message('reason:not_a_text_file'));
  const isDocument = start === 'zip' || start === 'office' || start === 'pdf';
  if (!isDocument && !(format === 'csv' && start === 'page')) return;
  const { describeDocument } = await import('./workbook/reader.ts');
  throw badSource(file.name, undefined, await describeDocument(file));
}

/** Loads the reader for a file. Throws `bad_input` if the file is a document of another kind. */
export async function loadReader(format: ImportFormat, file: SourceFile): Promise<FormatReader> {
  if (file.name.startsWith('~$')) {
    throw badSource(file.name, undefined, message('reason:file_is_lock'));
  }
  if (format === 'json' && /\.html?$/i.test(file.name)) {
    return (await import('./json/page.ts')).reader;
  }
  if (format === 'csv' || format === 'json' || format === 'ics') await refuseDocument(file, format);
  return (await readers[format]()).reader;
}

/** Returns a file of this machine as a source; its bytes pass through `watch`. */
export function sourceAt(path: string, watch: Watch = (bytes) => bytes): SourceFile {
  return {
    name: basename(path),
    open: ({ reuse } = { reuse: false }) => watch(readPieces(path, reuse)),
  };
}

/** Reads the records of a file of any format on this thread. Throws the errors of its reader. */
export const readFile: ReadFile = async function* readFile(reading, listener) {
  const source = sourceAt(reading.path, createShareMeter(reading.path, listener.share));
  const reader = await loadReader(reading.format, sourceAt(reading.path));
  yield* reader.read(source, { ...reading, ...listener });
};
