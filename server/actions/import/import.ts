import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Writer } from '../../../db/open.ts';
import {
  beginEventImport,
  type DraftOutcome,
  type EventImport,
} from '../../../db/write/event-import.ts';
import { ClubEventsError, fileError } from '../../errors.ts';
import { readCsv } from './csv.ts';
import { createDraftParser } from './draft.ts';
import { readJson } from './json.ts';
import { badSource, type FieldMap, labelOf, type ReadSource } from './source.ts';

export const importFormats = ['csv', 'json'] as const;
export type ImportFormat = (typeof importFormats)[number];

const readers: Readonly<Record<ImportFormat, ReadSource>> = { csv: readCsv, json: readJson };

export type ImportRequest = {
  readonly userId: number;
  readonly files: readonly string[];
  /** How the files are written; by default, each as its name ends. */
  readonly format?: ImportFormat | undefined;
  readonly map: FieldMap;
  /** Where times without an offset are local: an IANA name. */
  readonly timeZone: string;
};

export type ImportCounts = {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
};

export type FileReport = ImportCounts & {
  readonly file: string;
  /** Columns or members that no field took, as the file names them. */
  readonly ignored: readonly string[];
};

export type ImportReport = ImportCounts & { readonly files: readonly FileReport[] };

/** How many names of ignored members a report lists; a hostile file could have millions. */
const mostIgnored = 50;

function formatOf(path: string, format: ImportFormat | undefined): ImportFormat {
  if (format !== undefined) return format;
  const ending = extname(path).slice(1).toLowerCase();
  const found = importFormats.find((name) => name === ending);
  if (found !== undefined) return found;
  const choices = importFormats.join(' or ');
  throw new ClubEventsError(
    'wrong_usage',
    `${path} does not end in ${importFormats.map((name) => `.${name}`).join(' or ')}; say what it is with --format ${choices}.`,
  );
}

/** As what a draft counts; refuses the file when it could not be taken. */
function countAs(outcome: DraftOutcome, refuse: (what: string) => never): keyof ImportCounts {
  switch (outcome.kind) {
    case 'repeated':
      return refuse(`this id stands before, at ${outcome.firstPlace}; give one of them another`);
    case 'taken': {
      const { name, date } = outcome.by;
      const owner = `this id is that of "${name}" (${date}), which came without one`;
      return refuse(`${owner}; leave the id out, or import for another user`);
    }
    case 'exhausted':
      return refuse('there is no id left above those in use; give the event one');
    default:
      return outcome.kind;
  }
}

async function importFile(
  batch: EventImport,
  path: string,
  { format, map, timeZone }: ImportRequest,
  now: Date,
): Promise<FileReport> {
  const file = basename(path);
  const read = readers[formatOf(path, format)];
  const parse = createDraftParser(file, map, timeZone);
  const ignored = new Set<string>();
  const ignore = (name: string) => {
    if (ignored.size < mostIgnored) ignored.add(name);
  };
  const counts = { added: 0, changed: 0, unchanged: 0 };
  batch.beginFile();
  const source = { name: file, open: () => createReadStream(path) };
  const options = { map, timeZone, now, ignore, note: () => undefined };
  for await (const record of read(source, options)) {
    const outcome = batch.apply(parse(record), record.place);
    const counted = countAs(outcome, (what) => {
      throw badSource(file, `${record.place}, ${labelOf('id', map)}`, what);
    });
    counts[counted] += 1;
  }
  return { file, ...counts, ignored: [...ignored] };
}

/** Reads a file into the batch; a file that cannot be read gives a sentence that names it. */
async function importNamedFile(
  batch: EventImport,
  path: string,
  request: ImportRequest,
  now: Date,
): Promise<FileReport> {
  try {
    return await importFile(batch, path, request, now);
  } catch (error) {
    const failed = error as NodeJS.ErrnoException | null;
    throw failed?.syscall === undefined ? error : fileError(error, path);
  }
}

function sum(files: readonly FileReport[], count: keyof ImportCounts): number {
  return files.reduce((total, file) => total + file[count], 0);
}

/**
 * Adds or updates the events of all files, or of none: the first error takes everything back.
 * Throws `bad_input` naming file, row and field, `unavailable` naming the file, or SQLite's own
 * error. New events that do not tell their `createdAt` get `now`.
 */
export async function importFiles(
  db: Writer,
  request: ImportRequest,
  now: Date,
): Promise<ImportReport> {
  for (const path of request.files) formatOf(path, request.format);
  const batch = beginEventImport(db, request.userId, now.toISOString());
  try {
    const files: FileReport[] = [];
    for (const path of request.files) files.push(await importNamedFile(batch, path, request, now));
    batch.commit();
    return {
      files,
      added: sum(files, 'added'),
      changed: sum(files, 'changed'),
      unchanged: sum(files, 'unchanged'),
    };
  } catch (error) {
    batch.rollback();
    throw error;
  }
}
