import { z } from 'zod';
import type { Writer } from '../../db/open.ts';
import { asUsage, fileError, problem } from '../base/errors.ts';
import { requireOtherFile } from '../base/home.ts';
import { TimeZone } from '../club/event-values.ts';
import { parseTimestamp } from '../club/timestamp.ts';
import { type ActionTools, isLanguageTag } from '../club/tools.ts';
import { requireUnmirrored, requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import { dateOrders } from '../dates/dates.ts';
import { addDays, isDay } from '../dates/days.ts';
import type { Message, ProblemCode } from '../messages/message.ts';
import { withWriter } from '../store/store.ts';
import { parseWebUrl } from '../web/address.ts';
import { type Encoding, findEncoding, usualEncodings } from './encoding.ts';
import { type ImportFormat, importFormats } from './formats.ts';
import { importFiles, importLeftOut } from './import.ts';
import type { ImportPreview } from './preview.ts';
import { formatOf, loadReader, sourceAt } from './reading.ts';
import type { ImportReport } from './report.ts';
import { type DateWindow, type SourceOptions, tableFields } from './source.ts';

type PreviewRequest = Pick<
  SourceOptions,
  'map' | 'timeZone' | 'dateOrder' | 'encoding' | 'sheet' | 'layout' | 'language' | 'window' | 'now'
> & {
  readonly path: string;
  /** Format of the file; by default, chosen by its extension. */
  readonly format: ImportFormat | undefined;
  readonly maxRows: number;
};

/**
 * Previews the first rows of a file and the choices that the import needs. Throws the errors of the
 * readers if nothing of the file can be read.
 */
async function previewFile({
  path,
  format,
  maxRows,
  ...options
}: PreviewRequest): Promise<ImportPreview> {
  const notes: Message[] = [];
  const note = (message: Message) => void notes.push(message);
  const file = sourceAt(path);
  const found = formatOf(path, format);
  try {
    const reader = await loadReader(found, file);
    const shown = await reader.preview(
      file,
      { ...options, note, ignore: () => undefined },
      maxRows,
    );
    return { file: file.name, format: found, notes, ...shown };
  } catch (error) {
    throw fileError(error, path);
  }
}

function parseEncoding(name: string): Encoding {
  const encoding = findEncoding(name);
  if (encoding !== undefined) return encoding;
  throw asUsage(problem('encoding_unknown', { name, usual: usualEncodings }));
}

/** Days by which an import moves an event that is here, at most. */
const maxMove = 366;

export const ImportEvents = z.strictObject({
  files: z.array(z.string().min(1)).min(1),
  user: UserName,
  format: z
    .enum(importFormats, { error: 'import_format_unknown' satisfies ProblemCode })
    .optional(),
  sheet: z.array(z.string()).min(1).optional(),
  layout: z.literal('table').optional(),
  map: z
    .partialRecord(
      z.enum(tableFields),
      z.union([z.string(), z.array(z.string()).min(1)]).nullable(),
    )
    .default({}),
  /** Values that replace cells of tables; `file` is an index in `files`. */
  corrections: z
    .array(
      z.strictObject({
        file: z.int().nonnegative(),
        row: z.int().positive(),
        sheet: z.string().optional(),
        field: z.enum(tableFields),
        text: z.string(),
      }),
    )
    .default([]),
  /** New events that are left out; `place` is their place in the report of a dry run, as JSON. */
  omit: z.array(z.strictObject({ file: z.int().nonnegative(), place: z.string() })).default([]),
  /** New events that begin at another time than their file says. */
  begin: z
    .array(
      z.strictObject({
        file: z.int().nonnegative(),
        place: z.string(),
        date: z.iso.datetime({ precision: 3 }),
      }),
    )
    .default([]),
  /** The answer for events of last season that come again a year later. */
  moved: z.enum(['move', 'add']).optional(),
  /** Events that are here, to move or to cancel with the import. */
  changes: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('cancel'), id: z.int(), date: z.string() }),
        z.strictObject({
          kind: z.literal('move'),
          id: z.int(),
          date: z.string(),
          days: z.int().min(-maxMove).max(maxMove),
        }),
      ]),
    )
    .default([]),
  from: z.string().optional(),
  to: z.string().optional(),
  dateOrder: z.enum(dateOrders, { error: 'date_order_unknown' satisfies ProblemCode }).optional(),
  encoding: z.string().transform(parseEncoding).optional(),
  language: z.string().refine(isLanguageTag, 'Not a language tag such as de-AT.').optional(),
  dryRun: z.boolean().default(false),
  skipBadRows: z.boolean().default(false),
  details: z.boolean().default(false),
  maxRows: z.int().positive().optional(),
  /** True to take the values of the files for fields that were edited by hand. */
  overwriteEdits: z.boolean().default(false),
  /** The ids of events for which to take them. */
  overwrite: z.array(z.int()).default([]),
  timeZone: TimeZone.optional(),
});

/** Parses a bound of the import window; a `to` without a time is the end of that day. */
function parseBound(name: 'from' | 'to', text: string, timeZone: string): Date {
  const timestamp = parseTimestamp(text, timeZone);
  if (timestamp !== undefined) {
    const next = name === 'to' && isDay(text) ? addDays(text, 1) : undefined;
    const end = next === undefined ? undefined : parseTimestamp(next, timeZone);
    return end === undefined ? new Date(timestamp) : new Date(Date.parse(end) - 1);
  }
  throw asUsage(problem('import_bound_invalid', { option: `--${name}`, text }));
}

function parseWindow(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  timeZone: string,
): Partial<DateWindow> {
  return {
    ...(from !== undefined && { from: parseBound('from', from, timeZone) }),
    ...(to !== undefined && { to: parseBound('to', to, timeZone) }),
  };
}

/** Adds or updates a user's events from files, all or nothing. */
export async function importEvents(
  { user, timeZone, from, to, overwriteEdits, overwrite, ...request }: z.infer<typeof ImportEvents>,
  tools: ActionTools,
): Promise<ImportReport & { user: string; dryRun: boolean; timeZone: string }> {
  for (const path of request.files) {
    if (parseWebUrl(path) !== null) throw asUsage(problem('import_address'));
    requireOtherFile(path, tools.home);
  }
  const run = async (db: Writer) => {
    const userId = requireUser(db, user);
    const zone = timeZone ?? zoneOfClub(db, userId, tools);
    const window = parseWindow({ from, to }, zone);
    // Before the files are read, and again when they are stored.
    requireUnmirrored(db, userId);
    const report = await importFiles(
      db,
      {
        ...request,
        overwrite: overwriteEdits ? 'all' : new Set(overwrite),
        details: request.details || request.dryRun,
        userId,
        timeZone: zone,
        window,
      },
      { now: tools.now(), onProgress: tools.onProgress },
    );
    return { user, dryRun: request.dryRun, timeZone: zone, ...report };
  };
  return withWriter(tools.home, run, tools);
}

export const ImportRest = z.strictObject({ user: UserName, id: z.int() });

/** Imports the events that an import left out. Throws `import_unknown` if it left out none. */
export function importRest({ user, id }: z.output<typeof ImportRest>, tools: ActionTools) {
  const run = (db: Writer) => {
    const userId = requireUser(db, user);
    requireUnmirrored(db, userId);
    return { user, ...importLeftOut(db, userId, { id, now: tools.now() }) };
  };
  return withWriter(tools.home, run, tools);
}

export const PreviewImport = ImportEvents.pick({
  format: true,
  sheet: true,
  layout: true,
  map: true,
  from: true,
  dateOrder: true,
  encoding: true,
  language: true,
  timeZone: true,
}).extend({
  files: z.tuple([z.string().min(1)]),
  rows: z.int().min(1).max(20).default(10),
});

/** Previews the first rows of a file without importing them; reads as little as possible. */
export function previewImport(
  {
    files: [path],
    rows: maxRows,
    format,
    timeZone,
    from,
    ...choices
  }: z.infer<typeof PreviewImport>,
  { home, now, systemTimeZone }: ActionTools,
): Promise<ImportPreview> {
  requireOtherFile(path, home);
  const zone = timeZone ?? systemTimeZone();
  return previewFile({
    path,
    format,
    ...choices,
    timeZone: zone,
    window: parseWindow({ from }, zone),
    now: now(),
    maxRows,
  });
}
