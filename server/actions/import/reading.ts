import { basename } from 'node:path';
import type { IcsWindow } from './ics.ts';
import { readPieces } from './pieces.ts';
import { createShareMeter } from './progress.ts';
import type { ReadSource, SourceOptions, SourceRecord } from './source.ts';

export const importFormats = ['csv', 'json', 'ics'] as const;
export type ImportFormat = (typeof importFormats)[number];

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
) => AsyncGenerator<Iterable<SourceRecord>, void>;

/** The reader of a format, loaded when it is needed: each brings libraries of its own. */
async function loadReader({ format, window }: Reading): Promise<ReadSource> {
  if (format === 'csv') return (await import('./csv.ts')).readCsv;
  if (format === 'json') return (await import('./json.ts')).readJson;
  const { aroundNow, createIcsReader } = await import('./ics.ts');
  return createIcsReader((now) => ({ ...aroundNow(now), ...window }));
}

/** Reads the records of a file of any format, on this thread. Throws as its reader does. */
export const readFile: ReadFile = async function* readFile(reading, listener) {
  const { path } = reading;
  const watch = createShareMeter(path, listener.share);
  const source = {
    name: basename(path),
    open: ({ reuse } = { reuse: false }) => watch(readPieces(path, reuse)),
  };
  const read = await loadReader(reading);
  yield* read(source, { ...reading, ...listener });
};
