import type { StoredEvent } from '../../db/model.ts';
import { zoneNamed } from '../dates/zone.ts';
import type { Catalogue } from '../messages/message.ts';
import { createSheetDates } from './sheet-dates.ts';

/** The columns of a spreadsheet; the keys of their headings. */
export const sheetColumns = [
  'name',
  'date',
  'time',
  'location',
  'eventType',
  'status',
  'registrationOpen',
  'description',
  'id',
  'createdAt',
] as const satisfies readonly (keyof Catalogue['spreadsheet'])[];

export type SheetOptions = {
  /** The messages of the language of the spreadsheet. */
  readonly words: Pick<Catalogue, 'spreadsheet' | 'event'>;
  /** Time zone of the dates, an IANA name. */
  readonly timeZone: string;
};

/**
 * A cell: a text, an integer, a local date and time in epoch milliseconds as if in UTC, or null for
 * an empty cell. The text '' differs from an empty cell.
 */
export type SheetCell =
  | string
  | number
  | null
  | { readonly kind: 'date' | 'time' | 'moment'; readonly local: number };

/** Returns the headings of the columns. */
export function sheetHeadings({ words }: SheetOptions): string[] {
  return sheetColumns.map((column) => words.spreadsheet[column]);
}

/**
 * Creates a function that returns an event as cells. An event at the start of its day has no time, and a
 * timestamp that local dates cannot hold exactly is a text.
 */
export function createSheetRows({ words, timeZone }: SheetOptions) {
  const dateOf = createSheetDates(timeZone);
  const zone = zoneNamed(timeZone);
  const { spreadsheet, event: names } = words;

  function dateCells(timestamp: string): readonly [SheetCell, SheetCell] {
    const local = dateOf(timestamp, 1000);
    if (typeof local === 'string') return [local, null];
    const hasTime = !zone.isDayStart(timestamp);
    const time = hasTime ? ({ kind: 'time', local } as const) : null;
    return [{ kind: 'date', local }, time];
  }

  function createdCell(timestamp: string): SheetCell {
    const local = dateOf(timestamp, 1);
    return typeof local === 'string' ? local : { kind: 'moment', local };
  }

  return (event: StoredEvent): readonly SheetCell[] => {
    const { registrationOpen, eventType } = event;
    const [date, time] = dateCells(event.date);
    const cells: Readonly<Record<(typeof sheetColumns)[number], SheetCell>> = {
      name: event.name,
      date,
      time,
      location: event.location === '' ? null : event.location,
      eventType: eventType === null ? null : names[eventType],
      status: names[event.status],
      registrationOpen:
        registrationOpen === undefined ? null : spreadsheet[registrationOpen ? 'yes' : 'no'],
      description: event.description,
      id: event.id,
      createdAt: createdCell(event.createdAt),
    };
    return sheetColumns.map((column) => cells[column]);
  };
}

/** The reason why events cannot be written as a workbook. The page and the actions word it. */
type WorkbookProblem =
  | {
      readonly code: 'text_too_long_for_cell';
      readonly values: { readonly name: string; readonly length: number; readonly limit: number };
    }
  | { readonly code: 'too_many_events_for_workbook'; readonly values: { readonly rows: number } };

export class WorkbookError extends Error {
  override readonly name = 'WorkbookError';
  readonly problem: WorkbookProblem;

  constructor(problem: WorkbookProblem) {
    super(`${problem.code} ${JSON.stringify(problem.values)}`);
    this.problem = problem;
  }
}
