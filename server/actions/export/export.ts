import { extname, resolve } from 'node:path';
import { z } from 'zod';
import { eachEvent, type SourcedEvent } from '../../../db/event-list.ts';
import type { StoredEvent } from '../../../db/model.ts';
import { prepareUserReads } from '../../../db/users.ts';
import { problem } from '../../errors.ts';
import { requireOutsideHome } from '../../home.ts';
import type { ProblemCode } from '../../messages/message.ts';
import { withReader } from '../../store.ts';
import { writeWholeFile } from '../../write-file.ts';
import type { ActionTools } from '../tools.ts';
import { requireUser, UserName } from '../users.ts';
import { csvSeparators, writeCsv, writeSpreadsheet } from './csv.ts';
import { type IcsOptions, writeIcs } from './ics.ts';

/** Writes events as `{"events":[…]}`, one per line, with exactly the members of an API event. */
function* writeJson(events: Iterable<StoredEvent>): Generator<string> {
  let separator = '\n';
  yield '{"events":[';
  for (const event of events) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}

const exportFormats = ['csv', 'json', 'ics'] as const;
type ExportFormat = (typeof exportFormats)[number];

function* withoutSource(events: Iterable<SourcedEvent>) {
  for (const { sourceKey, ...event } of events) yield event;
}

export const ExportEvents = z.strictObject({
  user: UserName,
  format: z
    .enum(exportFormats, { error: 'export_format_unknown' satisfies ProblemCode })
    .optional(),
  /** The file to write; without it, the text goes to `write`. */
  output: z.string().min(1, 'The name of the file is empty.').optional(),
  /** Cell separator of CSV for spreadsheet programs; see `writeSpreadsheet`. */
  spreadsheet: z.enum(csvSeparators).optional(),
});
type ExportRequest = z.infer<typeof ExportEvents>;

type ExportReport = {
  readonly user: string;
  readonly format: ExportFormat;
  readonly events: number;
  readonly output: string | null;
};

function chooseFormat({ format, output }: ExportRequest): ExportFormat {
  const ending = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  const found = format ?? exportFormats.find((name) => name === ending);
  if (found !== undefined) return found;
  throw problem('export_format_missing', { formats: exportFormats.join(' or ') });
}

function writeEvents(
  events: Iterable<SourcedEvent>,
  format: ExportFormat,
  { user, spreadsheet }: ExportRequest,
  stamp: Pick<IcsOptions, 'now' | 'uidBase'>,
): Iterable<string> {
  if (format === 'json') return writeJson(withoutSource(events));
  if (format === 'ics') return writeIcs(events, { calendarName: user, ...stamp });
  return spreadsheet === undefined ? writeCsv(events) : writeSpreadsheet(events, spreadsheet);
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

/** Writes a snapshot of all events of a user to a file or to `write`. */
export function exportEvents(
  request: ExportRequest,
  { home, now, write }: ActionTools,
): Promise<ExportReport> {
  const format = chooseFormat(request);
  const output = request.output === undefined ? null : resolve(request.output);
  if (output !== null) requireOutsideHome(output, home);
  return withReader(home, async (db) => {
    const userId = requireUser(db, request.user);
    let events = 0;
    function* counted() {
      for (const event of eachEvent(db, userId)) {
        events += 1;
        yield event;
      }
    }
    const stamp = { now: now(), uidBase: prepareUserReads(db).uidBase(userId) };
    const pieces = joinPieces(writeEvents(counted(), format, request, stamp));
    if (output !== null) writeWholeFile(output, pieces);
    else for (const piece of pieces) await write(piece);
    return { user: request.user, format, events, output };
  });
}
