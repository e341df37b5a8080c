import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { EventDraft, EventOrigin, SeriesRevision } from '../../../db/model.ts';
import type { Writer } from '../../../db/open.ts';
import { prepareUserReads } from '../../../db/read/users.ts';
import {
  beginEventImport,
  type DraftOutcome,
  type EventImport,
} from '../../../db/write/event-import.ts';
import { prepareStagedRows, type StagedRows } from '../../../db/write/staged-rows.ts';
import { ClubEventsError, fileError } from '../../errors.ts';
import { createLocalDates } from '../local-date.ts';
import { createDraftParser } from './draft.ts';
import type { IcsWindow } from './ics.ts';
import { openableFile } from './pieces.ts';
import type { Progress } from './progress.ts';
import { formatOf, type ImportFormat, type ReadFile, type Reading, readFile } from './reading.ts';
import { readFileOnThread } from './reading-thread.ts';
import { createFileRecorder, type FileRecorder, type ImportReport, sumCounts } from './report.ts';
import {
  badSource,
  type DateOrder,
  type EventField,
  type FieldMap,
  type FileItem,
  labelOf,
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
  /** The encoding of the files; by default, detected from their bytes. */
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

/** An item of a file between reading and storing: an event, a bad row or the end of a series. */
type CheckedItem = { readonly place: string } & (
  | {
      readonly kind: 'event';
      readonly draft: EventDraft;
      readonly origin: EventOrigin | undefined;
      /** The place of the id, where there is one. */
      readonly idPlace: string | undefined;
    }
  | { readonly kind: 'bad'; readonly reason: string }
  | { readonly kind: 'series'; readonly revision: SeriesRevision }
);

/** From how many bytes on a second thread gains more time than its start takes. */
const largeSize = 2_000_000;

/** The part of an import's time that reading takes; storing takes the rest. */
const shareOfReading = 0.5;

/** Items stored between two reports of progress. */
const itemsPerReport = 1_000;

/** Chooses the thread that reads a file: a large table has one of its own. */
function chooseReading({ path, format }: Reading): ReadFile {
  // Other formats have their records one by one, and a message for each takes what a thread gains.
  if (format !== 'csv') return readFile;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size < largeSize ? readFile : readFileOnThread;
}

type Refusal = DraftOutcome & { readonly kind: 'repeated' | 'taken' | 'exhausted' };

function isRefusal(outcome: DraftOutcome): outcome is Refusal {
  return ['repeated', 'taken', 'exhausted'].includes(outcome.kind);
}

/** Words the reason why the store refuses a draft. */
function describeRefusal(outcome: Refusal, timeZone: string): string {
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
  }
}

/** Names a field of a record as the source does. */
function placeOf({ place, labels }: SourceRecord, field: EventField, map: FieldMap): string {
  return `${place}, ${labels?.[field] ?? labelOf(field, map)}`;
}

/** Makes the check of a file's items. */
function createChecker({ map, timeZone }: ImportRequest): (item: FileItem) => CheckedItem {
  const parse = createDraftParser(timeZone);
  return (item) => {
    const { place } = item;
    if ('revision' in item) return { kind: 'series', place, revision: item.revision };
    if ('problem' in item) return { kind: 'bad', place, reason: item.problem };
    const draft = parse(item);
    if ('what' in draft) {
      return { kind: 'bad', place: placeOf(item, draft.field, map), reason: draft.what };
    }
    const idPlace = draft.id === undefined ? undefined : placeOf(item, 'id', map);
    return { kind: 'event', place, draft, origin: item.origin, idPlace };
  };
}

/** A file between reading and storing. */
type StagedFile = {
  readonly name: string;
  readonly items: number;
  readonly recorder: FileRecorder;
};

/** Reads and checks a file. The write lock is free meanwhile, as a file may be slow or a pipe. */
async function stageFile(
  staged: StagedRows<CheckedItem>,
  at: number,
  request: ImportRequest,
  { now, onProgress }: ImportTools,
): Promise<StagedFile> {
  const { map, timeZone, dateOrder, encoding, window, skipBadRows } = request;
  const path = request.files[at] as string;
  const name = basename(path);
  const recorder = createFileRecorder(name, request);
  const check = createChecker(request);
  let items = 0;
  const share = (read: number) =>
    onProgress({ file: name, share: read * shareOfReading, rows: items, done: false });
  const format = formatOf(path, request.format);
  const given = { ...(dateOrder && { dateOrder }), ...(encoding && { encoding }) };
  const options = { format, window, map, timeZone, now, ...given };
  try {
    await using file = await openableFile(path);
    const reading = { path: file.path, ...options };
    const read = chooseReading(reading);
    for await (const some of read(reading, { ...recorder, share })) {
      for (const each of some) {
        const item = check(each);
        if (item.kind === 'bad' && !skipBadRows) throw badSource(name, item.place, item.reason);
        staged.add(at, item);
        items += 1;
      }
    }
  } catch (error) {
    throw fileError(error, path);
  }
  return { name, items, recorder };
}

/** Puts one item of a file into the batch. */
function storeItem(
  batch: EventImport,
  item: CheckedItem,
  { name, recorder }: StagedFile,
  { skipBadRows, timeZone }: ImportRequest,
): void {
  const { place } = item;
  if (item.kind === 'bad') {
    recorder.skip(place, item.reason);
    return;
  }
  if (item.kind === 'series') {
    for (const outcome of batch.cancelMissing(item.revision)) recorder.take(place, outcome);
    return;
  }
  const outcome = batch.apply(item.draft, item.origin);
  if (outcome.kind === 'outdated') {
    recorder.skip(place, 'a newer revision of this event is here already');
  } else if (isRefusal(outcome)) {
    const [where, reason] = [item.idPlace ?? place, describeRefusal(outcome, timeZone)];
    if (!skipBadRows) throw badSource(name, where, reason);
    recorder.skip(where, reason);
  } else {
    recorder.take(place, outcome);
  }
}

/** Stores the files in one transaction: synchronously, so that others wait no longer than needed. */
function storeFiles(
  db: Writer,
  staged: StagedRows<CheckedItem>,
  files: readonly StagedFile[],
  request: ImportRequest,
  { now, onProgress }: ImportTools,
): ImportReport {
  const { userId, dryRun } = request;
  const source = files.map(({ name }) => name).join(', ');
  const batch = beginEventImport(db, { userId, now: now.toISOString(), source });
  try {
    if (!prepareUserReads(db).exists(userId)) throw userRemoved();
    for (const [at, file] of files.entries()) {
      batch.beginFile();
      let stored = 0;
      for (const item of staged.each(at)) {
        storeItem(batch, item, file, request);
        stored += 1;
        if (stored % itemsPerReport !== 0) continue;
        const share = shareOfReading + (stored / file.items) * (1 - shareOfReading);
        onProgress({ file: file.name, share, rows: file.items, done: false });
      }
      onProgress({ file: file.name, share: 1, rows: file.items, done: true });
    }
    const number = dryRun ? batch.rollback() : batch.commit();
    const reports = files.map(({ recorder }) => recorder.report());
    return {
      ...sumCounts(reports),
      files: reports,
      ...(number !== undefined && { batch: number }),
    };
  } catch (error) {
    batch.rollback();
    throw error;
  }
}

function userRemoved(): ClubEventsError {
  const sentence = 'The club was removed while its file was read; nothing was imported.';
  return new ClubEventsError('unavailable', sentence);
}

/**
 * Adds or updates the events of all files, or of none: the first error undoes everything. Throws
 * `bad_input` naming file, row and field, `unavailable` naming the file, or SQLite's own error. New
 * events without a `createdAt` get `now`.
 */
export async function importFiles(
  db: Writer,
  request: ImportRequest,
  tools: ImportTools,
): Promise<ImportReport> {
  for (const path of request.files) formatOf(path, request.format);
  const staged = prepareStagedRows<CheckedItem>(db);
  try {
    const files: StagedFile[] = [];
    for (const at of request.files.keys()) {
      files.push(await stageFile(staged, at, request, tools));
    }
    return storeFiles(db, staged, files, request, tools);
  } finally {
    staged.clear();
  }
}
