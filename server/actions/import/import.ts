import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Writer } from '../../../db/open.ts';
import {
  beginEventImport,
  type DraftOutcome,
  type EventImport,
} from '../../../db/write/event-import.ts';
import { createLocalDates } from '../local-date.ts';
import { createDraftParser, type ParseDraft } from './draft.ts';
import type { IcsWindow } from './ics.ts';
import type { Progress } from './progress.ts';
import {
  formatOf,
  type ImportFormat,
  type ReadFile,
  type Reading,
  readFile,
  readingError,
} from './reading.ts';
import { readFileOnThread } from './reading-thread.ts';
import {
  createFileRecorder,
  type FileRecorder,
  type FileReport,
  type ImportReport,
  sumCounts,
} from './report.ts';
import {
  badSource,
  type DateOrder,
  type EventField,
  type FieldMap,
  labelOf,
  type SourceItem,
  type SourceRecord,
} from './source.ts';

export type ImportRequest = {
  readonly userId: number;
  readonly files: readonly string[];
  /** How the files are written; by default, each as its name ends. */
  readonly format?: ImportFormat | undefined;
  readonly map: FieldMap;
  /** Where times without an offset are local: an IANA name. */
  readonly timeZone: string;
  /** Which occurrences of repeating events are taken; by default, two years around now. */
  readonly window?: Partial<IcsWindow> | undefined;
  /** How dates such as 5/1/2026 are written; by default, as the whole column tells. */
  readonly dateOrder?: DateOrder | undefined;
  /** How the text of the files is written; by default, as their bytes tell. */
  readonly encoding?: string | undefined;
  /** Only report what would happen. */
  readonly dryRun: boolean;
  /** Leave bad rows out and report them, rather than refuse the file. */
  readonly skipBadRows: boolean;
  /** Report the new and the changed rows, too: in memory, a few hundred bytes each. */
  readonly details: boolean;
  /** How many rows of each kind the report of a file lists at most; by default, all. */
  readonly mostRows?: number | undefined;
};

/** What an import is given of the world. */
export type ImportTools = {
  readonly now: Date;
  readonly onProgress: (progress: Progress) => void;
};

/** A row as it was taken, or why it could not be. */
type Taken = DraftOutcome | { readonly kind: 'bad'; readonly place: string; readonly what: string };

/** From how many bytes on a second thread gains more time than its start takes. */
const largeSize = 2_000_000;

/** How a file is read: a large table on a thread of its own, while its events are stored. */
function chooseReading({ path, format }: Reading): ReadFile {
  // Other formats have their records one by one, and a message for each takes what a thread gains.
  if (format !== 'csv') return readFile;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size < largeSize ? readFile : readFileOnThread;
}

/** Why the store refuses a draft; undefined when it does not. */
function describeRefusal(outcome: DraftOutcome, timeZone: string): string | undefined {
  switch (outcome.kind) {
    case 'repeated':
      return `this id stands before, with the name "${outcome.first.name}"; give one another`;
    case 'taken': {
      const { name, date } = outcome.by;
      const when = createLocalDates(timeZone)(date);
      const owner = `this id is that of "${name}" (${when}), which came without one`;
      return `${owner}; leave the id out, or import for another user`;
    }
    case 'exhausted':
      return 'there is no id left above those in use; give the event one';
    default:
      return undefined;
  }
}

/** Where a field stands, as the source names it. */
function placeOf({ place, labels }: SourceRecord, field: EventField, map: FieldMap): string {
  return `${place}, ${labels?.[field] ?? labelOf(field, map)}`;
}

/** Puts one record through the check and into the batch. */
function createTaker(batch: EventImport, { map, timeZone }: ImportRequest, parse: ParseDraft) {
  return (record: SourceItem): Taken => {
    if ('problem' in record) return { kind: 'bad', place: record.place, what: record.problem };
    const draft = parse(record);
    if ('what' in draft) {
      return { kind: 'bad', place: placeOf(record, draft.field, map), what: draft.what };
    }
    const outcome = batch.apply(draft, record.origin);
    const what = describeRefusal(outcome, timeZone);
    if (what === undefined) return outcome;
    return { kind: 'bad', place: placeOf(record, 'id', map), what };
  };
}

function recordOutcome(recorder: FileRecorder, place: string, outcome: Taken): void {
  const { kind } = outcome;
  if (kind === 'bad') recorder.skip(outcome.place, outcome.what);
  if (kind === 'outdated') recorder.skip(place, 'a newer revision of this event is here already');
  if (kind === 'added' || kind === 'changed' || kind === 'unchanged') recorder.take(place, outcome);
}

async function importFile(
  batch: EventImport,
  path: string,
  request: ImportRequest,
  { now, onProgress }: ImportTools,
): Promise<FileReport> {
  const { map, timeZone, dateOrder, encoding, window, skipBadRows } = request;
  const file = basename(path);
  const recorder = createFileRecorder(file, request);
  let rows = 0;
  const tell = (share: number, done = false) => onProgress({ file, share, rows, done });
  const take = createTaker(batch, request, createDraftParser(timeZone));
  const format = formatOf(path, request.format);
  const given = { ...(dateOrder && { dateOrder }), ...(encoding && { encoding }) };
  const reading = { path, format, window, map, timeZone, now, ...given };
  batch.beginFile();
  const read = chooseReading(reading);
  for await (const records of read(reading, { ...recorder, share: tell })) {
    for (const record of records) {
      const outcome = take(record);
      if (outcome.kind === 'bad' && !skipBadRows) {
        throw badSource(file, outcome.place, outcome.what);
      }
      recordOutcome(recorder, record.place, outcome);
      rows += 1;
    }
  }
  tell(1, true);
  return recorder.report();
}

/** Reads a file into the batch; a file that cannot be read gives a sentence that names it. */
async function importNamedFile(
  batch: EventImport,
  path: string,
  request: ImportRequest,
  tools: ImportTools,
): Promise<FileReport> {
  try {
    return await importFile(batch, path, request, tools);
  } catch (error) {
    throw readingError(error, path);
  }
}

/**
 * Adds or updates the events of all files, or of none: the first error takes everything back.
 * Throws `bad_input` naming file, row and field, `unavailable` naming the file, or SQLite's own
 * error. New events that do not tell their `createdAt` get `now`.
 */
export async function importFiles(
  db: Writer,
  request: ImportRequest,
  tools: ImportTools,
): Promise<ImportReport> {
  const { userId, files: paths } = request;
  for (const path of paths) formatOf(path, request.format);
  const source = paths.map((path) => basename(path)).join(', ');
  const batch = beginEventImport(db, { userId, now: tools.now.toISOString(), source });
  try {
    const files: FileReport[] = [];
    for (const path of paths) files.push(await importNamedFile(batch, path, request, tools));
    const number = request.dryRun ? batch.rollback() : batch.commit();
    return { ...sumCounts(files), files, ...(number !== undefined && { batch: number }) };
  } catch (error) {
    batch.rollback();
    throw error;
  }
}
