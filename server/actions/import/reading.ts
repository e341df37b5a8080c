import { basename, extname } from 'node:path';
import { ClubEventsError } from '../../errors.ts';
import { wording } from '../wording.ts';
import { formatByEnding, importEndings } from './endings.ts';
import type { IcsWindow } from './ics.ts';
import { readPieces } from './pieces.ts';
import { createShareMeter, type Watch } from './progress.ts';
import type { FileItem, ReadSource, SourceFile, SourceOptions } from './source.ts';

export const importFormats = ['csv', 'json', 'ics'] as const;
export type ImportFormat = (typeof importFormats)[number];

/**
 * Returns the requested format, or that of the extension. Throws `wrong_usage` if there is none.
 */
export function formatOf(path: string, format: ImportFormat | undefined): ImportFormat {
  if (format !== undefined) return format;
  const ending = extname(path).slice(1).toLowerCase();
  const found = importEndings.find((name) => name === ending);
  if (found !== undefined) return formatByEnding[found];
  const endings = importFormats.map((name) => `.${name}`).join(' or ');
  const formats = importFormats.join(' or ');
  throw new ClubEventsError('wrong_usage', (audience) => {
    return `${path} does not end in ${endings}; ${wording[audience].formatRemedy(formats)}.`;
  });
}

export type ReadingListener = Pick<SourceOptions, 'ignore' | 'note'> & {
  /** Receives the share of the file that was read, from 0 to 1, at most every 100 ms. */
  readonly share: (share: number) => void;
};

/** A file to read and its options, as values that can be sent to a thread. */
export type Reading = Omit<SourceOptions, keyof ReadingListener> & {
  readonly path: string;
  readonly format: ImportFormat;
  /** Range of imported dates of repeating events; by default, two years before and after now. */
  readonly window?: Partial<IcsWindow> | undefined;
};

export type ReadFile = (
  reading: Reading,
  listener: ReadingListener,
) => AsyncGenerator<Iterable<FileItem>, void>;

/** Loads the reader of a format on demand, because each reader has its own libraries. */
async function loadReader({ format, window }: Reading): Promise<ReadSource> {
  if (format === 'csv') return (await import('./csv.ts')).readCsv;
  if (format === 'json') return (await import('./json.ts')).readJson;
  const { aroundNow, createIcsReader } = await import('./ics.ts');
  return createIcsReader((now) => ({ ...aroundNow(now), ...window }));
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
  const read = await loadReader(reading);
  yield* read(source, { ...reading, ...listener });
};
