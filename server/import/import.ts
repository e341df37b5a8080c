import { statSync } from 'node:fs';
import { basename } from 'node:path';
import {
  beginEventImport,
  type DraftOutcome,
  type EventImport,
  type Identity,
  prepareStagedRows,
  readLeftOut,
  type StagedRows,
} from '../../db/event-import.ts';
import type {
  EventDraft,
  EventField,
  EventOrigin,
  SeriesRevision,
  StoredEvent,
} from '../../db/model.ts';
import type { Writer } from '../../db/open.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, fileError, problem } from '../base/errors.ts';
import { createDraftParser, type DraftProblem } from '../club/event-draft.ts';
import { descriptionAt, moveByDays } from '../club/event-values.ts';
import type { Progress } from '../club/tools.ts';
import { requireUnmirrored } from '../club/user-actions.ts';
import { completeDate, type DateOrder, parseDate } from '../dates/dates.ts';
import { createLocalDates, zoneNamed } from '../dates/zone.ts';
import { type Message, message } from '../messages/message.ts';
import { createEarlierPlan, numberOfId, weeksToNextSeason } from './earlier-plan.ts';
import type { ImportFormat } from './formats.ts';
import { createKnownValues, type FileParts } from './known-values.ts';
import { formatOf, type ReadFile, type Reading, readFile, readOpenable } from './reading.ts';
import { readFileOnThread } from './reading-thread.ts';
import {
  type CorrectableRow,
  createFileRecorder,
  type FileRecorder,
  type ImportReport,
  sumCounts,
} from './report.ts';
import {
  badRow,
  type Correction,
  type DateWindow,
  type FieldMap,
  type FileItem,
  labelOf,
  type RecordParts,
  type SourceRecord,
} from './source.ts';
import { displayEvents } from './table/remarks.ts';

export type ImportRequest = {
  readonly userId: number;
  readonly files: readonly string[];
  /** Format of all files; by default, chosen by the extension of each. */
  readonly format?: ImportFormat | undefined;
  readonly map: FieldMap;
  /** Time zone of times without an offset, an IANA name. */
  readonly timeZone: string;
  /** Range of imported dates of repeating events; by default, two years before and after now. */
  readonly window?: Partial<DateWindow> | undefined;
  /** Order of dates such as 5/1/2026; by default, inferred from the whole column. */
  readonly dateOrder?: DateOrder | undefined;
  /** Encoding of the files; by default, detected from their bytes. */
  readonly encoding?: string | undefined;
  /** Names of sheets of workbooks; by default, the first one with events and those like it. */
  readonly sheet?: readonly string[] | undefined;
  /** Language of words that are added to notes, such as `de-AT`; by default, English. */
  readonly language?: string | undefined;
  /** `table` to read a year planner, or a list in rounds, as an ordinary table. */
  readonly layout?: 'table' | undefined;
  /** Values that replace cells of tables; `file` is an index in `files`. */
  readonly corrections?: readonly (Correction & { readonly file: number })[] | undefined;
  /** The ids of events whose edits give way to other values in a file; by default, none. */
  readonly overwrite?: 'all' | ReadonlySet<number> | undefined;
  /** The answer for events of last season that come again a year later; without one, a question. */
  readonly moved?: 'move' | 'add' | undefined;
  /** New events that begin at another time, by file and by the place in its report, as JSON. */
  readonly begin?:
    | readonly { readonly file: number; readonly place: string; readonly date: string }[]
    | undefined;
  /** New events that are left out, in the same way. */
  readonly omit?: readonly { readonly file: number; readonly place: string }[] | undefined;
  /** Changes of events that are here already, made with the import. */
  readonly changes?: readonly ChangeHere[] | undefined;
  /** True to report what would happen and store nothing. */
  readonly dryRun: boolean;
  /** True to skip and report bad rows instead of refusing the file. */
  readonly skipBadRows: boolean;
  /** True to report added and changed rows too, which takes a few hundred bytes of memory each. */
  readonly details: boolean;
  /** Maximum number of rows of each kind in the report of a file; by default, all. */
  readonly maxRows?: number | undefined;
};

/** The change of an event that is here, as the person knows it: its date guards against later edits. */
type ChangeHere = { readonly id: number; readonly date: string } & (
  | { readonly kind: 'cancel' }
  /** Moves the event to another day, at the same time. */
  | { readonly kind: 'move'; readonly days: number }
);

type ImportTools = {
  readonly now: Date;
  readonly onProgress: (progress: Progress) => void;
};

/** A checked item between reading and storing: an event, a bad row or the end of a series. */
type CheckedItem = { readonly place: Message } & (
  | {
      readonly kind: 'event';
      readonly draft: EventDraft;
      readonly origin: EventOrigin | undefined;
      readonly number?: string | undefined;
      readonly parts?: RecordParts | undefined;
    }
  | { readonly kind: 'bad'; readonly reason: Message; readonly correctable?: CorrectableRow }
  | { readonly kind: 'series'; readonly revision: SeriesRevision }
);

/** Minimum file size, in bytes, for which a second thread saves more time than its start takes. */
const largeSize = 2_000_000;

/** Share of reading in the progress of a file; storing has the rest. */
const shareOfReading = 0.5;

const itemsPerReport = 1_000;

/** Chooses the thread that reads a file; a large CSV file gets its own. */
function chooseReading({ path, format }: Reading): ReadFile {
  // Other formats yield records one by one; a message for each costs what the thread saves.
  if (format !== 'csv') return readFile;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size < largeSize ? readFile : readFileOnThread;
}

type Refusal = DraftOutcome & { readonly kind: 'repeated' | 'taken' | 'exhausted' };

function isRefusal(outcome: DraftOutcome): outcome is Refusal {
  return ['repeated', 'taken', 'exhausted'].includes(outcome.kind);
}

function describeRefusal(outcome: Refusal, timeZone: string): Message {
  switch (outcome.kind) {
    case 'repeated':
      return message('reason:id_repeated', { name: outcome.first.name });
    case 'taken': {
      const { name, date } = outcome.by;
      return message('reason:id_taken', { name, date: createLocalDates(timeZone)(date) });
    }
    case 'exhausted':
      return message('reason:ids_exhausted');
  }
}

type Labels = SourceRecord['labels'];

function placeOf(place: Message, field: EventField, labels: Labels, map: FieldMap): Message {
  return message('place:field_at', { place, field: labels?.[field] ?? labelOf(field, map) });
}

/** Returns the days that may be meant by a day that its month does not have, such as 31.11. */
function suggestDays(text: string): string[] {
  const date = parseDate(text, undefined);
  const { year, month, time } = date ?? {};
  if (date === undefined || year === undefined || month === undefined) return [];
  if (completeDate(date, year) !== undefined) return [];
  // Day 0 is the last day of the month before.
  return [0, 1].map((day) => {
    const found = new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
    return time === undefined ? found : `${found}T${time}`;
  });
}

/** Describes an event that cannot be imported, with its cells if it is a row of a table. */
function describeBad(
  item: SourceRecord,
  { field, reason }: DraftProblem,
  map: FieldMap,
): CheckedItem {
  const bad = { kind: 'bad', place: placeOf(item.place, field, item.labels, map), reason } as const;
  const { row, sheet, values } = item;
  if (row === undefined) return bad;
  const texts = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  const cells = Object.fromEntries(texts);
  const suggestions = field === 'date' ? suggestDays(cells[field] ?? '') : [];
  return { ...bad, correctable: { row, sheet, cells, field, suggestions } };
}

function createChecker({ map, timeZone }: ImportRequest): (item: FileItem) => CheckedItem {
  const parse = createDraftParser(timeZone);
  return (item) => {
    const { place } = item;
    if ('revision' in item) return { kind: 'series', place, revision: item.revision };
    if ('problem' in item) {
      const { row, field, problem: reason } = item;
      if (row === undefined || field === undefined) return { kind: 'bad', place, reason };
      return { kind: 'bad', place, reason, correctable: { ...row, field, suggestions: [] } };
    }
    const draft = parse(item);
    if ('reason' in draft) return describeBad(item, draft, map);
    const { origin, number, parts } = item;
    return { kind: 'event', place, draft, origin, number, parts };
  };
}

/** A file that has been read but not stored. */
type StagedFile = {
  readonly name: string;
  /** Places of events that are left out, as JSON. */
  readonly omitted: ReadonlySet<string>;
  readonly items: number;
  /** The parts that at least one of its events has. */
  readonly has: FileParts;
  readonly labels: Labels;
  readonly recorder: FileRecorder;
};

/** Reads and checks a file without the write lock, because a file may be slow or a pipe. */
async function stageFile(
  staged: StagedRows<CheckedItem>,
  fileIndex: number,
  request: ImportRequest,
  { now, onProgress }: ImportTools,
): Promise<StagedFile> {
  const { map, layout, timeZone, dateOrder, encoding, window, skipBadRows, language } = request;
  const path = request.files[fileIndex] as string;
  const name = basename(path);
  const recorder = createFileRecorder(name, request);
  const check = createChecker(request);
  const begins = new Map(
    request.begin?.flatMap(({ file, place, date }) => (file === fileIndex ? [[place, date]] : [])),
  );
  /** Moves a new event to the time at which it begins instead, and its end with it. */
  const beginLater = (item: CheckedItem): CheckedItem => {
    const date = item.kind === 'event' && begins.get(JSON.stringify(item.place));
    if (item.kind !== 'event' || !date) return item;
    const description = descriptionAt({ description: null, ...item.draft }, date, timeZone);
    return { ...item, draft: { ...item.draft, date, description }, parts: undefined };
  };
  let items = 0;
  const has = { times: false, ends: false };
  let labels: Labels;
  const share = (read: number) =>
    onProgress({ file: name, share: read * shareOfReading, rows: items, done: false });
  const format = formatOf(path, request.format);
  // Among several files, the name of a sheet concerns the workbooks.
  const hasSheets = format === 'xlsx' || format === 'ods' || request.files.length === 1;
  const sheet = hasSheets ? request.sheet : undefined;
  const overrides = { ...(dateOrder && { dateOrder }), ...(encoding && { encoding }) };
  const corrections = request.corrections?.filter(({ file }) => file === fileIndex);
  const found = { format, window, map, timeZone, sheet, layout, language, corrections, now };
  const options = { ...found, ...overrides };
  try {
    await readOpenable(path, async (openable) => {
      const reading = { path: openable, ...options };
      const read = chooseReading(reading);
      for await (const chunk of read(reading, { ...recorder, share })) {
        for (const rawItem of chunk) {
          const item = beginLater(check(rawItem));
          if (item.kind === 'bad' && !skipBadRows) throw badRow(name, item.place, item.reason);
          staged.add(fileIndex, item);
          if (item.kind !== 'series') items += 1;
          if (item.kind === 'event') {
            has.times ||= !item.parts?.hasNoTime;
            has.ends ||= Boolean(item.parts?.end);
          }
          if ('labels' in rawItem) labels = rawItem.labels;
        }
      }
    });
  } catch (error) {
    throw fileError(error, path);
  }
  const omitted = new Set(
    request.omit?.flatMap(({ file, place }) => (file === fileIndex ? place : [])),
  );
  return { name, omitted, items, has, labels, recorder };
}

/** Returns a draft as that of a new event. */
function withoutId(draft: EventDraft): EventDraft {
  if (draft.id === undefined) return draft;
  const { id: _id, createdAt: _createdAt, ...values } = draft;
  return values;
}

type CheckedEvent = CheckedItem & { readonly kind: 'event' };

/**
 * Stores the items of a file. Events that may be here under another identity wait until all others
 * are known, as a plan that comes again has moved some of its events.
 */
function storeFile(
  batch: EventImport,
  items: () => Iterable<CheckedItem>,
  { name, omitted, items: total, has, labels, recorder }: StagedFile,
  { skipBadRows, timeZone, map, moved }: ImportRequest,
  { now, onProgress }: ImportTools,
): void {
  const plan = createEarlierPlan(batch, { clock: zoneNamed(timeZone), now });
  const known = createKnownValues(has, timeZone);
  let shifted = 0;
  let weeks = 0;

  function take({ place, draft }: CheckedEvent, outcome: DraftOutcome): void {
    if (outcome.kind === 'outdated') {
      recorder.skip(place, message('reason:outdated'));
    } else if (isRefusal(outcome)) {
      const where = draft.id === undefined ? place : placeOf(place, 'id', labels, map);
      const reason = describeRefusal(outcome, timeZone);
      if (!skipBadRows) throw badRow(name, where, reason);
      recorder.skip(where, reason);
    } else {
      recorder.take(place, outcome);
      if (outcome.kind !== 'changed') return;
      const later = weeksToNextSeason(outcome.before.date, outcome.event.date, now);
      if (later !== undefined) shifted += 1;
      weeks = later ?? weeks;
    }
  }

  /** Returns true for an event of last season that comes again as a new one. */
  const isAddedAgain = ({ date }: EventDraft, before: StoredEvent | undefined) =>
    moved === 'add' &&
    before !== undefined &&
    weeksToNextSeason(before.date, date, now) !== undefined;

  /** Stores an event under an identity. */
  function applyAs(item: CheckedEvent, identity: Identity): void {
    const { record, as = record } = identity;
    const { draft, takesPlace } = known(item, withoutId(item.draft), as);
    take(item, batch.apply(draft, identity, takesPlace));
  }

  /** Stores an event, unless it has to wait. */
  function storeEvent(item: CheckedEvent, position: number): void {
    const { id } = item.draft;
    const before = id === undefined ? undefined : batch.read(id);
    // An earlier import may have added the event of this id again, for this season.
    const copy = before && plan.addedAgain(before, item.draft);
    const isAgain = copy !== undefined || isAddedAgain(item.draft, before);
    if (id !== undefined && !isAgain) {
      const values = known(item, item.draft, batch.find(id));
      take(item, batch.apply(values.draft, undefined, values.takesPlace));
      return;
    }
    const draft = withoutId(item.draft);
    const number = id === undefined ? item.number : numberOfId(id);
    const found = batch.identify(draft, item.origin, number);
    if (copy && moved !== 'add' && weeksToNextSeason(copy.event.date, draft.date, now)) {
      applyAs(item, { ...found, as: copy });
      return;
    }
    const isNew = isAddedAgain(draft, found.record?.event);
    const identity = isNew ? { ...found, as: null } : found;
    if (!isNew && plan.defers(position, draft, identity, number)) return;
    applyAs(item, identity);
  }

  const series: (CheckedItem & { readonly kind: 'series' })[] = [];
  let position = 0;
  for (const item of items()) {
    position += 1;
    if (item.kind === 'bad') recorder.skip(item.place, item.reason, item.correctable);
    else if (item.kind === 'series') series.push(item);
    else if (omitted.size > 0 && omitted.has(JSON.stringify(item.place))) {
      batch.leaveOut(item.draft, item.origin);
      recorder.skip(item.place, message('reason:left_out'));
    } else storeEvent(item, position);
    if (position % itemsPerReport !== 0) continue;
    const share = shareOfReading + (position / total) * (1 - shareOfReading);
    onProgress({ file: name, share: Math.min(share, 1), rows: total, done: false });
  }
  const { identities, unsure, reused } = plan.resolve();
  if (identities.size > 0) {
    let at = 0;
    for (const item of items()) {
      at += 1;
      const identity = identities.get(at);
      if (item.kind !== 'event' || identity === undefined) continue;
      applyAs(item, identity);
    }
  }
  for (const { place, revision } of series) {
    for (const outcome of batch.cancelMissing(revision)) recorder.take(place, outcome);
  }
  if (moved === undefined && shifted * 2 > total) {
    throw asUsage(problem('import_moved_or_added', { count: shifted, weeks }));
  }
  if (unsure.length > 0) {
    const texts = displayEvents(unsure, timeZone);
    recorder.note(message('note:maybe_moved', { count: unsure.length, texts }));
  }
  if (reused > 0) recorder.note(message('note:uids_reused', { count: reused }));
  recorder.miss(plan.missing());
  onProgress({ file: name, share: 1, rows: total, done: true });
}

/** Moves or cancels an event that is here. Throws `event_changed_meanwhile` if it has another date. */
function changeHere(batch: EventImport, change: ChangeHere, timeZone: string): boolean {
  const { id } = change;
  const event = batch.read(id);
  if (event === undefined) throw problem('event_unknown', { id });
  const { name, date } = event;
  if (date !== change.date) {
    const fields = [message('field:date')];
    throw problem('event_changed_meanwhile', { id, name, fields, current: JSON.stringify(event) });
  }
  if (change.kind === 'cancel') return batch.change(id, { status: 'cancelled' });
  const moved = moveByDays(date, change.days, timeZone);
  return batch.change(id, { date: moved, description: descriptionAt(event, moved, timeZone) });
}

/** Stores the files in one synchronous transaction, to hold the write lock only briefly. */
function storeFiles(
  db: Writer,
  staged: StagedRows<CheckedItem>,
  files: readonly StagedFile[],
  request: ImportRequest,
  tools: ImportTools,
): ImportReport {
  const { now } = tools;
  const { userId, dryRun, overwrite } = request;
  const source = files.map(({ name }) => name).join(', ');
  const batch = beginEventImport(db, { userId, now: now.toISOString(), source, overwrite });
  try {
    if (!prepareUserReads(db).exists(userId)) throw problem('user_removed_while_reading');
    requireUnmirrored(db, userId);
    for (const [index, file] of files.entries()) {
      batch.beginFile();
      storeFile(batch, () => staged.each(index), file, request, tools);
    }
    const { changes = [], timeZone } = request;
    const changedHere = changes.filter((change) => changeHere(batch, change, timeZone)).length;
    const batchNumber = dryRun ? batch.rollback() : batch.commit();
    const reports = files.map(({ recorder }) => recorder.report());
    const leftOut = batch.countLeftOut();
    return {
      ...sumCounts(reports),
      ...(leftOut > 0 && { leftOut }),
      ...(changedHere > 0 && { changedHere }),
      files: reports,
      ...(batchNumber !== undefined && { batch: batchNumber }),
    };
  } catch (error) {
    batch.rollback();
    throw error;
  }
}

/** The result of an import of events that an earlier one left out. */
type RestReport = Pick<ImportReport, 'added' | 'changed' | 'unchanged' | 'skipped' | 'batch'>;

/** Imports the events that an earlier import left out, as one change. Throws `import_unknown`. */
export function importLeftOut(
  db: Writer,
  userId: number,
  { id, now }: { readonly id: number; readonly now: Date },
): RestReport {
  const rest = readLeftOut(db, userId, id);
  if (rest === undefined) throw problem('import_unknown', { id });
  const { source, events } = rest;
  const batch = beginEventImport(db, { userId, now: now.toISOString(), source, restOf: id });
  try {
    requireUnmirrored(db, userId);
    batch.beginFile();
    const outcomes = events.map(
      ({ draft, origin }) => batch.apply(draft, origin && batch.identify(draft, origin)).kind,
    );
    const batchNumber = batch.commit();
    const count = (kind: DraftOutcome['kind']) => outcomes.filter((one) => one === kind).length;
    const [added, changed, unchanged] = [count('added'), count('changed'), count('unchanged')];
    const skipped = events.length - added - changed - unchanged;
    const counts = { added, changed, unchanged, skipped };
    return { ...counts, ...(batchNumber !== undefined && { batch: batchNumber }) };
  } catch (error) {
    batch.rollback();
    throw error;
  }
}

/**
 * Adds or updates the events of all files, or of none if there is an error. Throws `bad_input`
 * naming file, row and field, `unavailable` naming the file, or the error of SQLite. New events
 * without a `createdAt` get `now`.
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
    for (const index of request.files.keys()) {
      files.push(await stageFile(staged, index, request, tools));
    }
    return storeFiles(db, staged, files, request, tools);
  } finally {
    staged.clear();
  }
}
