import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { isDamaged } from '../../db/check.ts';
import { eachEvent, type SourcedEvent } from '../../db/event-list.ts';
import { readChangeTimes, readLastBatch } from '../../db/history.ts';
import type { StoredEvent } from '../../db/model.ts';
import { StoreError } from '../../db/open.ts';
import { salvageEvents } from '../../db/salvage.ts';
import { readSettings } from '../../db/settings.ts';
import { teamMatcher } from '../../db/team-filter.ts';
import { prepareUserReads } from '../../db/users.ts';
import { asUsage, problem } from '../base/errors.ts';
import { requireOutsideHome } from '../base/home.ts';
import { writeWholeFile } from '../base/write-file.ts';
import { TimeZone } from '../club/event-values.ts';
import { requireTeam } from '../club/team-actions.ts';
import { type ActionTools, isLanguageTag } from '../club/tools.ts';
import { requireUser, UserName, zoneOfClub } from '../club/user-actions.ts';
import type { CopyFacts } from '../copy/club-copy.ts';
import { readCopyFacts } from '../copy/facts.ts';
import type { ProblemCode } from '../messages/message.ts';
import { withReader } from '../store/store.ts';
import { csvSeparators, writeCsv, writeSpreadsheet } from './csv.ts';
import { type HtmlOptions, writeHtml } from './html.ts';
import { type IcsOptions, writeIcs } from './ics.ts';
import { type SheetOptions, WorkbookError } from './sheet.ts';
import { writeXlsx } from './xlsx.ts';

/** Writes events as `{"events":[…]}`, one per line, with exactly the members of an API event. */
export function* writeJson(events: Iterable<StoredEvent>): Generator<string> {
  let separator = '\n';
  yield '{"events":[';
  for (const event of events) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}

const exportFormats = ['csv', 'json', 'ics', 'xlsx', 'html'] as const;
type ExportFormat = (typeof exportFormats)[number];

function* withoutSource(events: Iterable<SourcedEvent>) {
  for (const { sourceKey, ...event } of events) yield event;
}

export const ExportEvents = z.strictObject({
  user: UserName,
  format: z
    .enum(exportFormats, { error: 'export_format_unknown' satisfies ProblemCode })
    .optional(),
  /** The file to write; without it, the result goes to `write`. */
  output: z.string().min(1, 'The name of the file is empty.').optional(),
  /** The name of the team whose events are exported; by default all. */
  team: z.string().optional(),
  /** Exports every readable event of a damaged database and counts the others. */
  salvage: z.boolean().optional(),
  /** Cell separator of CSV for spreadsheet programs; see `writeSpreadsheet`. */
  spreadsheet: z.enum(csvSeparators).optional(),
  /** Language of a page, a workbook or CSV for spreadsheet programs; by default English. */
  language: z.string().refine(isLanguageTag, 'Not a language tag such as de-AT.').optional(),
  /** Time zone of local dates in these; by default that of the club. */
  timeZone: TimeZone.optional(),
});
type ExportRequest = z.infer<typeof ExportEvents>;

type ExportReport = {
  readonly user: string;
  readonly format: ExportFormat;
  readonly events: number;
  readonly output: string | null;
  /** The number of events that cannot be read, for `salvage`. */
  readonly lost?: number;
};

function chooseFormat({ format, output }: ExportRequest): ExportFormat {
  const ending = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const found = format ?? exportFormats.find((name) => name === ending);
  if (found !== undefined) return found;
  throw asUsage(problem('export_format_missing', { formats: exportFormats.join(' or ') }));
}

/** Returns the language and time zone of a page or a spreadsheet. */
export async function localOptions(
  // Not American English: its dates are ambiguous elsewhere.
  { language = 'en-GB' }: Pick<ExportRequest, 'language'>,
  timeZone: string,
): Promise<SheetOptions & Pick<HtmlOptions, 'language' | 'words'>> {
  // Loaded on demand: most actions do not word anything.
  const { catalogues, supportedLanguage } = await import('../messages/messages.ts');
  const supported = supportedLanguage([language]);
  return {
    words: catalogues[supported],
    // Dates in a language that the program does not have would not fit its words.
    language: language.startsWith(supported) ? language : supported,
    timeZone,
  };
}

/** Writes a workbook. Throws a problem if the events do not fit in one. */
function* writeWorkbook(events: Iterable<StoredEvent>, options: SheetOptions) {
  try {
    yield* writeXlsx(events, options);
  } catch (error) {
    if (!(error instanceof WorkbookError)) throw error;
    throw problem(error.problem.code, error.problem.values);
  }
}

/** Minimum length of a chunk, except the last, in characters. */
const chunkLength = 64 * 1024;

function* joinPieces(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

/** The parts of a club that a file has beside its events. */
type ExportedClub = {
  readonly uidBase: string;
  readonly timeZone: string;
  readonly usualLength: number;
  // These read more tables than the events: only a calendar and a page need them.
  readonly readChanges: () => Pick<IcsOptions, 'changedAt'>;
  readonly readCopy: () => CopyFacts;
  readonly isChosen: boolean;
};

/** Returns the events in a format, in pieces. */
async function writeEvents(
  events: Iterable<SourcedEvent>,
  format: ExportFormat,
  request: ExportRequest,
  tools: ActionTools,
  { uidBase, timeZone, usualLength, readChanges, readCopy, isChosen }: ExportedClub,
): Promise<Iterable<string | Uint8Array>> {
  const { user, spreadsheet } = request;
  switch (format) {
    case 'json':
      return joinPieces(writeJson(withoutSource(events)));
    case 'ics':
      return joinPieces(
        writeIcs(events, {
          ...{ calendarName: user, now: tools.now(), uidBase, timeZone },
          ...readChanges(),
        }),
      );
    case 'xlsx':
      return writeWorkbook(events, await localOptions(request, timeZone));
    case 'html': {
      const options = { ...(await localOptions(request, timeZone)), club: user, uidBase };
      const present = { copy: readCopy(), now: tools.now(), ...readChanges() };
      return joinPieces(writeHtml(events, { ...options, ...present, usualLength, isChosen }));
    }
    case 'csv': {
      if (spreadsheet === undefined) return joinPieces(writeCsv(events));
      const options = { ...(await localOptions(request, timeZone)), separator: spreadsheet };
      return joinPieces(writeSpreadsheet(events, options));
    }
  }
}

/** Writes a snapshot of all events of a user to a file or to `write`. */
export function exportEvents(request: ExportRequest, tools: ActionTools): Promise<ExportReport> {
  const { home, write, umask = 0o022 } = tools;
  const format = chooseFormat(request);
  const output = request.output === undefined ? null : resolve(request.output);
  if (output !== null) requireOutsideHome(output, home);
  return withReader(home, async (db) => {
    const userId = requireUser(db, request.user);
    // A damaged index would leave out events.
    if (!request.salvage && isDamaged(db)) throw new StoreError('damaged', home.database);
    const { team } = request;
    const isIn =
      team === undefined ? () => true : teamMatcher(requireTeam(db, userId, request.user, team));
    const salvage = request.salvage ? salvageEvents(db, userId) : undefined;
    let events = 0;
    function* counted() {
      for (const event of salvage?.events ?? eachEvent(db, userId)) {
        if (!isIn(event)) continue;
        events += 1;
        yield event;
      }
    }
    const club = { club: request.user, timeZone: zoneOfClub(db, userId, tools) };
    // A damaged database may have lost its history.
    const hasHistory = request.salvage !== true;
    const isFiltered = !hasHistory || team !== undefined;
    // The same events give the same file.
    const asOf = () => new Date((hasHistory && readLastBatch(db, userId)?.at) || tools.now());
    const readChanges = () => {
      if (!hasHistory) return {};
      const times = readChangeTimes(db, userId);
      return {
        changedAt: ({ id, createdAt }: StoredEvent) => new Date(times.get(id) ?? createdAt),
      };
    };
    const exported = {
      uidBase: prepareUserReads(db).uidBase(userId),
      timeZone: request.timeZone ?? club.timeZone,
      usualLength: readSettings(db, userId).usualLength,
      readChanges,
      readCopy: () => readCopyFacts(db, userId, { ...club, asOf: asOf(), isFiltered }),
      isChosen: team !== undefined,
    };
    const pieces = await writeEvents(counted(), format, request, tools, exported);
    if (output !== null) writeWholeFile(output, pieces, { umask });
    else for (const piece of pieces) await write(piece);
    const lost = salvage && { lost: salvage.lost };
    return { user: request.user, format, events, output, ...lost };
  });
}
