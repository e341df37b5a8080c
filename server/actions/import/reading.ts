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

/** How a file is written: as it is said, or as its name ends. Throws `wrong_usage`. */
export function formatOf(path: string, format: ImportFormat | undefined): ImportFormat {
  if (format !== undefined) return format;
  const ending = extname(path).slice(1).toLowerCase();
  const found = importEndings.find((name) => name === ending);
  if (found !== undefined) return formatByEnding[found];
  const endings = importFormats.map((name) => `.${name}`).join(' or ');
  const formats = importFormats.join(' or ');
  throw new ClubEventsError('wrong_usage', (front) => {
    return `${path} does not end in ${endings}; ${wording[front].tellFormat(formats)}.`;
  });
}

/** What a reading tells beside the records. */
export type ReadingListener = Pick<SourceOptions, 'ignore' | 'note'> & {
  /** Told, at most every tenth of a second, which share of the file was read. */
  readonly share: (share: number) => void;
};

/** A file to read and how, in values that another thread can be given as well. */
export type Reading = Omit<SourceOptions, keyof ReadingListener> & {
  readonly path: string;
  readonly format: ImportFormat;
  /** Which occurrences of repeating events are taken; by default, two years around now. */
  readonly window?: Partial<IcsWindow> | undefined;
};

export type ReadFile = (
  reading: Reading,
  listener: ReadingListener,
) => AsyncGenerator<Iterable<FileItem>, void>;

/** The reader of a format, loaded when it is needed: each brings libraries of its own. */
async function loadReader({ format, window }: Reading): Promise<ReadSource> {
  if (format === 'csv') return (await import('./csv.ts')).readCsv;
  if (format === 'json') return (await import('./json.ts')).readJson;
  const { aroundNow, createIcsReader } = await import('./ics.ts');
  return createIcsReader((now) => ({ ...aroundNow(now), ...window }));
}

/** A file of this machine to read from; `watch` is shown what is read of it. */
export function sourceAt(path: string, watch: Watch = (bytes) => bytes): SourceFile {
  return {
    name: basename(path),
    open: ({ reuse } = { reuse: false }) => watch(readPieces(path, reuse)),
  };
}

/** Reads the records of a file of any format, on this thread. Throws as its reader does. */
export const readFile: ReadFile = async function* readFile(reading, listener) {
  const source = sourceAt(reading.path, createShareMeter(reading.path, listener.share));
  const read = await loadReader(reading);
  yield* read(source, { ...reading, ...listener });
};
