import type { EventField } from '../../../db/model.ts';
import { unescapeCell } from '../../club/csv-cell.ts';
import { createDraftParser, isFormulaError } from '../../club/event-draft.ts';
import { looksLikeDate, parseDate, readSerial } from '../../dates/dates.ts';
import { isOpenTime, looksLikeTime } from '../../dates/times.ts';
import { displayText, type Message, type MessageKey, message } from '../../messages/message.ts';
import { textOfHtml } from '../html.ts';
import {
  type BadRecord,
  type Correction,
  RecordError,
  type RecordParts,
  type SourceItem,
  type SourceOptions,
  type SourceRecord,
} from '../source.ts';
import {
  type FieldColumns,
  type MatchedColumns,
  nameOfColumn,
  placeOf,
  readWeekday,
  type SideColumns,
} from './columns.ts';
import { createCourseTest } from './courses.ts';
import { createDateColumn, type DateColumn, joinedCell } from './date-column.ts';
import { createEndReader } from './ends.ts';
import {
  isBoolean,
  isBye,
  isStatus,
  isType,
  markOfSide,
  readBoolean,
  readMark,
  readStatus,
  readType,
  rolesOf,
} from './field-names.ts';
import { createYearCheck } from './first-day.ts';
import { distinctCells, type TableLayout } from './header.ts';
import {
  createCellNotes,
  createRowNotes,
  createUnfitNotes,
  isCount,
  isRemark,
  isTotal,
  type LeftOut,
  legendForm,
  markThatCancels,
  saysCancelled,
  saysChanged,
} from './remarks.ts';
import type { Row, Table } from './table.ts';
import { createZoneReader } from './zones.ts';

/** Parses an integer if no digit is lost; the schema refuses any other cell. */
function integer(cell: string): unknown {
  const text = cell.trim();
  const value = Number(text);
  return /^-?\d+$/.test(text) && Number.isSafeInteger(value) ? value : text;
}

type DateField = 'date' | 'createdAt';
type TextField = 'name' | 'location' | 'description';

/** Parsers of cells by field; undefined means that the cell has no value. */
const readCell: Readonly<
  Record<Exclude<EventField, DateField | TextField>, (cell: string) => unknown>
> = {
  id: (cell) => (cell.trim() === '' ? undefined : integer(cell)),
  status: (cell) => (cell.trim() === '' ? undefined : readStatus(cell)),
  eventType: (cell) => (cell.trim() === '' ? null : readType(cell)),
  registrationOpen: (cell) => (cell.trim() === '' ? undefined : readBoolean(cell)),
};

/** Tests of cells by field, for columns that nobody chose. */
const isValue: Readonly<Record<keyof typeof readCell, (cell: string) => boolean>> = {
  id: () => true,
  status: isStatus,
  eventType: isType,
  registrationOpen: isBoolean,
};

/** Returns the words of a text between blanks, so that whole words can be searched. */
function wordsOf(text: string): string {
  return ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
}

/** Removes empty texts, and texts whose words are in another one. */
function withoutRepetitions(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts.map((text) => text.trim()))];
  return distinct.filter(
    (text) =>
      text !== '' &&
      !distinct.some((other) => other !== text && wordsOf(other).includes(wordsOf(text))),
  );
}

/** Returns the texts of the parts of a value that are not empty. */
function readParts(parts: FieldColumns['parts'], cellAt: (index: number) => string): string[] {
  return parts
    .map((indexes) => withoutRepetitions(indexes.map(cellAt)).join(' '))
    .filter((text) => text !== '');
}

/** Returns where a match takes place: "H", "A", or another word of the file. */
function readSide({ word, home, away }: SideColumns, cellAt: (index: number) => string): string {
  if (word !== undefined) return markOfSide(cellAt(word));
  const [isHome, isAway] = [home, away].map((at) =>
    at === undefined ? undefined : readMark(cellAt(at)),
  );
  // In a column of its own, "no" is the other side.
  if (isHome === true || (home === undefined && isAway === false))
    return isAway === true ? '' : 'H';
  return isAway === true || (away === undefined && isHome === false) ? 'A' : '';
}

/** Reads a text field. A note of several columns names those that are not notes themselves. */
function readText(
  { field, parts, otherwise, side }: Pick<FieldColumns, 'field' | 'parts' | 'otherwise' | 'side'>,
  layout: TableLayout,
  cellAt: (index: number) => string,
): string | null {
  if (otherwise !== undefined) {
    const isOther = parts.flat().every((at) => cellAt(at) === '');
    const own = isOther ? { field, parts: otherwise, ...(side && { side }) } : { field, parts };
    return readText(own, layout, cellAt);
  }
  const where = side === undefined ? '' : readSide(side, cellAt);
  const [opponent = 0] = parts.at(-1) ?? [];
  if (where !== '' && cellAt(opponent) !== '') {
    return `${readText({ field, parts }, layout, cellAt)} (${where})`;
  }
  const [index = 0, second] = parts[0] ?? [];
  if (parts.length === 1 && second === undefined) return cellAt(index);
  switch (field) {
    case 'description': {
      const lines = parts.map(([at = 0]) => {
        const [text, name] = [cellAt(at), nameOfColumn(layout, at)];
        return text === '' || rolesOf(name).includes('description') ? text : `${name}: ${text}`;
      });
      return lines.filter((line) => line !== '').join('\n');
    }
    case 'location':
      return withoutRepetitions(readParts(parts, cellAt)).join(', ');
    default:
      return readParts(parts, cellAt).join(' – ');
  }
}

const isoDay = /^\d{4}-\d\d-\d\d$/;

/** Number of cells of a row that are searched for the word that cancels it. */
const maxCells = 50;

type ReadField = { readonly field: EventField; readonly read: (row: Row) => unknown };

export type RecordReader = {
  readonly dates: readonly DateColumn[];
  /** Returns a bad record for a row that is broken or does not match the header in length. */
  check(row: Row): BadRecord | undefined;
  /** Returns a row with corrected cells; the other functions expect such rows. */
  prepare(row: Row): Row;
  /** Returns the text of a row that is left out, such as a total, a bye or a match without a date. */
  findLeftOut(row: Row): LeftOut | undefined;
  /** Returns messages about cells that were left out or read in an unusual way. */
  notes(): readonly Message[];
  /** Returns the record of a checked row, once the order of its dates is known. */
  read(row: Row): SourceItem;
};

function readValues(row: Row, fields: readonly ReadField[]): SourceRecord['values'] {
  const values: Partial<Record<EventField, unknown>> = {};
  for (const { field, read } of fields) {
    const value = read(row);
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/** Returns the length of the rows, which may all lack the last columns of the header. */
function widthOf(
  { header, data }: TableLayout,
  columns: readonly FieldColumns[],
): number | undefined {
  const [common = 0, ...others] = new Set(data.map(({ cells }) => cells.length));
  const last = Math.max(...columns.flatMap(({ parts }) => parts.flat()));
  const isCommon = data.length > 2 && others.length === 0 && common > last;
  return header === undefined || !isCommon ? header?.cells.length : common;
}

/** Describes a row that does not match the header in length; surplus cells may be empty. */
function findWidthProblem({ cells }: Row, width: number): Message | undefined {
  if (cells.length === width) return undefined;
  if (cells.length > width && cells.slice(width).every((cell) => cell === '')) return undefined;
  return message('reason:row_width', { cells: cells.length, width });
}

/** A number that is no date, such as the count of the events below them. */
function isBareNumber(cell: string): boolean {
  if (!/^\d+(?:[.,]\d+)?$/.test(cell) || /^\d\d?[.,]\d{4}$|^(?:19[789]|20\d)\d$/.test(cell)) {
    return false;
  }
  return readSerial(cell) === undefined && parseDate(cell, 'dmy') === undefined;
}

/** Creates the function that finds rows without an event, or with one that lacks its date or name. */
function createLeftOutTest(
  layout: TableLayout,
  columns: readonly FieldColumns[],
  isText: boolean,
): (row: Row) => LeftOut | undefined {
  const [date, name, time] = (['date', 'name', 'time'] as const).map((wanted) =>
    columns.find(({ field }) => field === wanted),
  );
  const names = name?.parts.flat() ?? [];
  // A fixture without a date is not arranged yet.
  const isFixtures = name?.isFixture === true;
  const header = layout.header?.cells.join('\n');
  const width = isText ? (layout.header?.cells.length ?? 0) : 0;
  const isDate = (cell: string) => looksLikeDate(cell) || readSerial(cell) !== undefined;
  const dateOf = (row: Row) => (date === undefined ? '' : joinedCell(date, row).trim());
  const cells = layout.data.map(dateOf).filter((cell) => cell !== '');
  const areDates = cells.filter(isDate).length * 2 >= cells.length;
  const allNames = [...names, ...(name?.otherwise ?? []).flat()];
  const isNamed = (row: Row) => allNames.some((at) => row.cells[at]?.trim());
  const dated = layout.data.filter((row) => isDate(dateOf(row)));
  const named = dated.filter(isNamed).length;
  // Else the names may be in another column. An event with an id is one even without its name.
  const hasNames = named > 0 && columns.every(({ field }) => field !== 'id');
  const areMostNamed = named * 2 >= dated.length;
  let lastRow = layout.header?.row ?? 0;
  return (row) => {
    const isAfterGap = row.row > lastRow + 1;
    lastRow = row.row;
    // Nothing is known about a row before its date and name are.
    if (date === undefined || name === undefined) return undefined;
    const dateCell = dateOf(row);
    if (row.hasNoDate !== undefined) return { text: row.hasNoDate, lacks: 'date' };
    const hasBye = names.some((at) => isBye(row.cells[at] ?? ''));
    const teams = () =>
      [...new Set(names.flatMap((at) => row.cells[at]?.trim() || []))].join(' – ');
    if (hasBye || (isFixtures && dateCell === '')) {
      const isMatch = !hasBye && isNamed(row) && distinctCells(row).length > 1 && !isTotal(teams());
      return { text: teams() || distinctCells(row)[0], lacks: isMatch ? 'date' : 'event' };
    }
    // Fast path: nearly every row has a date, which begins with a digit.
    if (/^\d{1,4}[./-]\d\d?[./-]\d/.test(dateCell) || looksLikeDate(dateCell)) {
      if (isNamed(row) || row.cells.length < width) return undefined;
      const texts = distinctCells(row);
      const isSlot = (text: string) => text !== dateCell && readWeekday(text) === undefined;
      const isLeftOut = hasNames && (areMostNamed || !texts.some(isSlot));
      return isLeftOut ? { text: texts.join(' '), lacks: 'name' } : undefined;
    }
    const [first = '', ...others] = distinctCells(row);
    const text = isFixtures ? teams() : joinedCell(name, row).trim();
    const remark = { text: first, lacks: 'event' } as const;
    // "n.n.b." or "tbd": the day is not known yet.
    if (areDates && isOpenTime(dateCell)) return text ? { text, lacks: 'date' } : remark;
    if (row.cells.join('\n') === header) return remark;
    const hasTime = time !== undefined && looksLikeTime(joinedCell(time, row));
    if (areDates && isBareNumber(dateCell) && !hasTime)
      return { text: text || first, lacks: 'event' };
    const isAlone = others.length === 0;
    if (dateCell === '' && isAlone && legendForm.test(first)) return remark;
    const found = (isLeftOut: boolean) => (isLeftOut ? remark : undefined);
    // Spreadsheets fill up short rows; another one may have been cut off, even within a number.
    if (row.cells.length < width) return found(isAlone && !/^\d+$/.test(first) && isRemark(first));
    const isUndated = dateCell === first || isFormulaError(dateCell);
    if (isUndated && isTotal(first) && !hasTime) return remark;

    const isSum = isRemark(first) && others.every((one) => /^[\d.,]+$/.test(one) || isCount(one));
    if (text === '') return found(dateCell === '' || isAlone || isSum);
    return found(isAlone ? isAfterGap || isSum : isSum && (dateCell === '' || dateCell === first));
  };
}

/** Creates the test for columns beside the table, such as a legend: an empty one is between them. */
function createBesideTest({ header, names, data }: TableLayout): (index: number) => boolean {
  const last = names.findLastIndex((name) => name !== '');
  const isEmpty = (at: number) => data.every(({ cells }) => (cells[at] ?? '').trim() === '');
  const gap = names.findIndex((_, at) => at > last && at < maxCells && isEmpty(at));
  return (index) => header !== undefined && gap !== -1 && index > gap;
}

/** Creates the reader of the matched columns. */
export function createRecordReader(
  table: Table,
  layout: TableLayout,
  { columns, ends, movedTo, movedTime, cancelled, weekday, zone, number }: MatchedColumns,
  options: SourceOptions,
  { sheet, team }: { readonly sheet?: string | undefined; readonly team?: string | undefined },
): RecordReader {
  const isText = table.sheet === null;
  // In an export, each blank belongs to the event; people type them by mistake.
  const isExport = (['id', 'createdAt'] as const).every((field) =>
    columns.some((column) => column.field === field),
  );
  const toText = (cell: string) => {
    if (isExport) return unescapeCell(cell);
    const text = isText ? unescapeCell(cell.trim()) : cell.trim();
    // An element alone, such as a picture, is all that is known.
    return textOfHtml(text) || text;
  };
  // In a workbook, people break the lines of a name or a place to fit its cell; HTML has breaks too.
  const toLine = (cell: string) =>
    isExport || (isText && !/[<&]/.test(cell))
      ? toText(cell)
      : toText(cell).replace(/\s*\n\s*|\u00a0/g, ' ');
  const width = widthOf(layout, columns);
  const time = columns.find(({ field }) => field === 'time');
  const dates: DateColumn[] = [];
  const unfit = createUnfitNotes();
  const labelOf = (index = 0) =>
    message('place:field', { field: displayText(nameOfColumn(layout, index)) });
  const endLabels = { day: labelOf(ends.day), time: labelOf(ends.time) };
  const repeated = createRowNotes();
  const notes = createCellNotes();
  // The user may have switched the status off.
  const mayBeCancelled = !isExport && options.map.status === undefined;
  const plain = new Set(
    columns.flatMap(({ field, parts, otherwise = [] }) =>
      field === 'name' || field === 'date' ? [...parts, ...otherwise].flat() : [],
    ),
  );
  const timesAt = [...(time?.parts.flat() ?? []), ends.time];
  const isBeside = createBesideTest(layout);
  const parseDraft = createDraftParser(options.timeZone);
  /** True after a row whose text may say that its event is cancelled. */
  let isDoubtful = false;
  /** The rows whose new dates were taken. */
  const moved = new Set<number>();
  /** Adds the status of a row in which a line or a text says that the event is cancelled. */
  const addStatus = (row: Row, values: SourceRecord['values']): SourceRecord['values'] => {
    isDoubtful = false;
    if (!mayBeCancelled || values.status === 'cancelled') return values;
    /** Notes what the event is, unless the row is bad and gives none. */
    const noteEvent = (key: MessageKey, text: string) => {
      if (!('reason' in parseDraft({ values }))) notes.add(key, row.row, text);
    };
    const struck = row.struck?.find((at) => plain.has(at));
    if (struck !== undefined) {
      noteEvent('note:cancelled_by_line', row.cells[struck] ?? '');
      return { ...values, status: 'cancelled' };
    }
    const struckTime = row.struck?.find((at) => timesAt.includes(at) && row.cells[at]?.trim());
    if (struckTime !== undefined) noteEvent('note:times_struck', row.cells[struckTime] ?? '');
    const heading = cancelled === undefined ? '' : nameOfColumn(layout, cancelled);
    const mark = row.cells[cancelled ?? -1]?.trim() ?? '';
    const sign = markThatCancels(heading);
    if (mark !== '' && (readBoolean(mark) === sign || (sign === true && looksLikeDate(mark)))) {
      noteEvent('note:cancelled_by_text', `${heading}: ${mark}`);
      return { ...values, status: 'cancelled' };
    }
    const changed = row.cells
      .slice(0, maxCells)
      .find((text, at) => saysChanged(text) && !isBeside(at));
    const noteChange = () => {
      if (changed !== undefined && !moved.has(row.row)) noteEvent('note:may_be_moved', changed);
      return values;
    };
    if (values.status !== undefined) return noteChange();
    const texts = row.cells.slice(0, maxCells).map((text, at) => {
      const says = saysCancelled(text);
      return { text, says: says && isBeside(at) ? 'doubtful' : says };
    });
    const { text, says } =
      texts.find((one) => one.says === true) ?? texts.find((one) => one.says) ?? {};
    if (text === undefined) return noteChange();
    noteEvent(says === true ? 'note:cancelled_by_text' : 'note:may_be_cancelled', text);
    isDoubtful = says !== true;
    return says === true ? { ...values, status: 'cancelled' } : values;
  };
  const has = (wanted: FieldColumns['field']) => columns.some(({ field }) => field === wanted);
  const hasStatus = !isText || cancelled !== undefined || has('status');
  const hasEnds = ends.day !== undefined || ends.time !== undefined;
  /** Returns the parts of a row, with the line of its end. */
  const partsOf = (row: Row, values: SourceRecord['values'], end: string): RecordParts => {
    const isDay = typeof values.date === 'string' && isoDay.test(values.date);
    const hasTimeCell = time !== undefined && joinedCell(time, row).trim() !== '';
    return {
      ...(mayBeCancelled &&
        values.status === undefined &&
        !isDoubtful && { takesPlace: hasStatus ? 'by status' : 'by text' }),
      ...(isDay && !hasTimeCell && { hasNoTime: true }),
      ...((end !== '' || hasEnds) && { end }),
      ...(has('description') && { hasNote: true }),
    };
  };
  /** Returns the row without a time that says that the event is cancelled. */
  const withoutCancelledTime = (row: Row): Row => {
    const says = time !== undefined && mayBeCancelled && saysCancelled(joinedCell(time, row));
    return says === true ? withValues(row, columns, [{ field: 'time', text: '' }]) : row;
  };
  const zoneOf = createZoneReader(layout, zone, options.timeZone);
  const readEnd = createEndReader(ends, options, zoneOf, (at, row) => {
    const label = endLabels[at === ends.day ? 'day' : 'time'];
    unfit.add(label, row.row, row.cells[at] ?? '');
  });
  const { description, ends: chosenEnds } = options.map;
  const hasNote = (description !== null || Boolean(chosenEnds)) && !isExport;
  /** Returns the line of the end of an event; empty without one. */
  const endOf = (row: Row, values: SourceRecord['values']): string => {
    const date = dates.find((one) => one.columns.field === 'date');
    if (
      !hasNote ||
      date === undefined ||
      typeof values.date !== 'string' ||
      !/^\d{4}-/.test(values.date)
    )
      return '';
    const start = {
      timestamp: values.date,
      range: date.end(),
      order: date.order(),
      offset: date.offset(),
    };
    return readEnd(row, start) ?? '';
  };
  /** Adds the line of an end to the note of an event. */
  const addEnd = (end: string, values: SourceRecord['values']): SourceRecord['values'] => {
    if (end === '') return values;
    const text = [end, values.description].filter((part) => part).join('\n');
    return { ...values, description: text };
  };
  /** Notes a weekday in a column of its own that is not that of the date. */
  const checkWeekday = (row: Row, date: unknown): void => {
    const cell = row.cells[weekday ?? -1]?.trim() ?? '';
    const days = readWeekday(cell);
    if (days === undefined || typeof date !== 'string' || /(?:Z|[+-]\d\d:\d\d)$/i.test(date))
      return;
    const day = new Date(date.slice(0, 10));
    if (Number.isNaN(day.getTime()) || days.includes(day.getUTCDay())) return;
    notes.add('note:weekdays_differ', row.row, `${cell} ${date.slice(0, 10)}`, date);
  };
  /** Adds the team of the sheet to a name; an opponent becomes a match of that team. */
  const addTeam = (name: string | null, { isOpponent }: FieldColumns) =>
    team === undefined || !name ? name : `${team}${isOpponent ? ' – ' : ': '}${name}`;
  const describeCourse = createCourseTest(layout, { ends, weekday });
  const years = createYearCheck(table, layout, options);
  const isFixture = columns.some((column) => column.isFixture);
  const readerOf = (column: FieldColumns): ReadField[] => {
    const { field } = column;
    switch (field) {
      case 'time':
      case 'ends':
        return [];
      case 'date':
      case 'createdAt': {
        const times = field === 'date' ? time : undefined;
        const date = createDateColumn(
          table,
          layout,
          {
            ...column,
            field,
            isFixture,
            weekday,
            ...(field === 'date' && !isExport && { zoneOf }),
          },
          times,
          options,
        );
        dates.push(date);
        if (!column.isLenient) return [{ field, read: date.read }];
        const read = (row: Row) => {
          const cell = date.cell(row);
          if (cell.trim() === '' || looksLikeDate(cell) || readSerial(cell)) return date.read(row);
          return void unfit.add(column.label, row.row, cell);
        };
        return [{ field, read }];
      }
      case 'name':
      case 'location':
        return [
          {
            field,
            read: ({ row, cells }) => {
              const text = readText(column, layout, (at) => toLine(cells[at] ?? ''));
              const sides = column.parts.filter((part) => part.some((at) => cells[at]?.trim()));
              if (column.isFixture && sides.length === 1 && column.parts.length > 1)
                notes.add('note:matches_of_one', row, text ?? '');
              return field === 'name' ? addTeam(text, column) : text;
            },
          },
        ];
      case 'description':
        return [
          {
            field,
            // An empty cell means no description; an escaped empty text is one.
            read: (row) =>
              joinedCell(column, row) === ''
                ? null
                : readText(column, layout, (at) => toText(row.cells[at] ?? '')),
          },
        ];
      default:
        return [
          {
            field,
            read: (row) => {
              const cell = toText(joinedCell(column, row));
              if (column.isLenient && cell.trim() !== '' && !isValue[field](cell)) {
                // A line of its own says that the event is cancelled or moved.
                if (field === 'status' && (saysCancelled(cell) || saysChanged(cell)))
                  return undefined;
                return void unfit.add(column.label, row.row, cell);
              }
              return readCell[field](cell);
            },
          },
        ];
    }
  };
  const fields = columns.flatMap(readerOf);
  const labels = Object.fromEntries(columns.map(({ field, label }) => [field, label]));
  const rawCells = (row: Row) =>
    Object.fromEntries(columns.map((column) => [column.field, joinedCell(column, row)]));
  const corrections = (options.corrections ?? []).filter((one) => one.sheet === sheet);
  const correct = createCorrector(columns, corrections);
  const fillDate = createDateFiller(columns, repeated.add);
  const teamless = createRowNotes();
  const fillTeam = createTeamFiller(columns, teamless.add);
  // A text of an export may look like an error.
  const used = columns.flatMap(({ field, parts, otherwise = [] }) =>
    isExport || field === 'date' || field === 'time' || field === 'ends'
      ? []
      : [parts, otherwise].flat(2),
  );
  /** Empties the cells whose formulas have failed; without its date, a row is refused. */
  const clearErrors = (row: Row): Row => {
    if (!used.some((at) => isFormulaError(row.cells[at] ?? ''))) return row;
    const cells = row.cells.map((cell, at) => {
      if (!isFormulaError(cell) || !used.includes(at)) return cell;
      notes.add('note:formula_errors', row.row, cell);
      return '';
    });
    return { ...row, cells };
  };
  const movedLabel = labelOf(movedTo);
  /** Replaces the date of an event that was moved. */
  const move = (row: Row): Row => {
    const newDate = row.cells[movedTo ?? -1]?.trim() ?? '';
    const newTime = row.cells[movedTime ?? -1]?.trim() ?? '';
    if (newDate === '') {
      if (newTime === '') return row;
      notes.add('note:times_moved', row.row, newTime);
      return withValues(row, columns, [{ field: 'time', text: newTime }]);
    }
    if (!looksLikeDate(newDate)) {
      unfit.add(movedLabel, row.row, newDate);
      return row;
    }
    moved.add(row.row);
    notes.add('note:dates_moved', row.row, `${newDate} ${newTime}`.trim());
    const hasTime =
      /\d[:.hT]\d\d/.test(newDate) && parseDate(newDate, undefined)?.time !== undefined;
    return withValues(row, columns, [
      { field: 'date', text: newDate },
      ...(hasTime || newTime !== '' ? [{ field: 'time', text: newTime } as const] : []),
    ]);
  };
  return {
    dates,
    prepare: (row) => fillTeam(fillDate(correct(move(clearErrors(row))))),
    notes: () => [
      ...teamless.messages('note:teams_repeated'),
      ...repeated.messages('note:dates_repeated'),
      ...unfit.messages(),
      ...notes.messages(),
      ...dates.flatMap((date) => date.notes()),
      ...years.notes(),
    ],
    findLeftOut: createLeftOutTest(layout, columns, isText),
    check: (row) => {
      const problem =
        row.problem ?? (isText && width !== undefined ? findWidthProblem(row, width) : undefined);
      return problem === undefined ? undefined : { place: placeOf(row, sheet), problem };
    },
    read: (row) => {
      const place = placeOf(row, sheet);
      try {
        const timed = withoutCancelledTime(row);
        const read = readValues(timed, fields);
        const dated = dates.find((one) => one.columns.field === 'date');
        const end = dated?.end().time;
        const course = isExport
          ? undefined
          : describeCourse(row, read.name, read.date, end, dated?.order());
        if (course !== undefined) return { place, problem: course };
        const status = addStatus(row, read);
        const endLine = endOf(timed, status);
        const values = addEnd(endLine, status);
        checkWeekday(row, values.date);
        if (!isExport) years.add(row, values.date);
        const own = row.cells[number ?? -1]?.trim() ?? '';
        return {
          place,
          values,
          labels,
          sheet,
          ...(own !== '' && { number: own }),
          ...(!isExport && { parts: partsOf(row, values, endLine) }),
          // A correction is for a whole row, of which an event in one cell is a part.
          ...(row.cell === undefined && { row: row.row }),
        };
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        const { problem } = error;
        if (time === undefined || row.cell !== undefined) return { place, problem };
        const field = message('place:field_at', { place, field: time.label });
        const cells = { row: row.row, sheet, cells: rawCells(row) };
        return { place: field, problem, row: cells, field: 'time' };
      }
    },
  };
}

/**
 * Creates the function that gives a row without a date, but with a time and a name, the date of the
 * row above, as in lists that write each day only once. A row with another date is not of that day, nor
 * is a match of a team that plays above at that time.
 */
function createDateFiller(
  columns: readonly FieldColumns[],
  note: (row: Row, cell: string) => void,
): (row: Row) => Row {
  const [date, time, name] = (['date', 'time', 'name'] as const).map((wanted) =>
    columns.find(({ field }) => field === wanted),
  );
  const [index, second] = date?.parts.flat() ?? [];
  let above: { readonly row: number; readonly cell: string } | undefined;
  let day: Row[] = [];
  const textOf = (one: FieldColumns | undefined, row: Row) =>
    (one && joinedCell(one, row).trim()) ?? '';
  const teamsOf = ({ cells }: Row) =>
    name?.isFixture ? name.parts.flat().flatMap((at) => cells[at]?.trim() || []) : [];
  /** Returns true for a row that can be on the day of the rows above. */
  const fitsDay = (row: Row) => {
    const teams = teamsOf(row);
    const isTaken = day.some(
      (other) =>
        textOf(time, other) === textOf(time, row) &&
        teamsOf(other).some((team) => teams.includes(team)),
    );
    return !isTaken && !row.cells.some((cell) => looksLikeDate(cell));
  };
  return (row) => {
    if (index === undefined || second !== undefined) return row;
    const cell = row.cells[index]?.trim() ?? '';
    if (cell !== '') {
      above = { row: row.row, cell };
      day = [row];
      return row;
    }
    const isWhole = [time, name].every((one) => textOf(one, row) !== '');
    if (above?.row !== row.row - 1 || !isWhole || !fitsDay(row)) return row;
    above = { row: row.row, cell: above.cell };
    day.push(row);
    note(row, above.cell);
    const cells = [...row.cells];
    cells[index] = above.cell;
    return { ...row, cells: Array.from(cells, (one) => one ?? ''), hasDateAbove: true };
  };
}

/**
 * Creates the function that gives a match without its own team that of the row above, as in lists that
 * write each team only once.
 */
function createTeamFiller(
  columns: readonly FieldColumns[],
  note: (row: Row, cell: string) => void,
): (row: Row) => Row {
  const name = columns.find(({ field }) => field === 'name');
  const [[team] = [], [opponent = -1] = []] = name?.parts ?? [];
  if (team === undefined || name?.ownTeam !== team) return (row) => row;
  let above: { readonly row: number; readonly cell: string } | undefined;
  return (row) => {
    const cell = row.cells[team]?.trim() ?? '';
    const follows = above?.row === row.row - 1;
    if (cell !== '') above = { row: row.row, cell };
    if (cell !== '' || !follows || above === undefined || !row.cells[opponent]?.trim()) return row;
    above = { row: row.row, cell: above.cell };
    note(row, above.cell);
    return { ...row, cells: row.cells.with(team, above.cell) };
  };
}

/** Creates the function that replaces the cells of a row that the user has corrected. */
function createCorrector(
  columns: readonly FieldColumns[],
  corrections: readonly Correction[],
): (row: Row) => Row {
  const byRow = new Map<number, Correction[]>();
  for (const one of corrections) byRow.set(one.row, [...(byRow.get(one.row) ?? []), one]);
  return (row) => {
    const own = byRow.get(row.row);
    if (own === undefined) return row;
    return withValues(row, columns, own);
  };
}

/** Returns a row with other values of fields, each in the first of its columns. */
function withValues(
  row: Row,
  columns: readonly FieldColumns[],
  values: readonly Pick<Correction, 'field' | 'text'>[],
): Row {
  const cells = [...row.cells];
  for (const { field, text } of values) {
    const indexes = columns.find((column) => column.field === field)?.parts.flat() ?? [];
    for (const [at, index] of indexes.entries()) cells[index] = at === 0 ? text : '';
  }
  return { ...row, cells: Array.from(cells, (cell) => cell ?? '') };
}
