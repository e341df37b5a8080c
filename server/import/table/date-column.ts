import {
  completeDate,
  type DateOrder,
  hasOffset,
  type LocalDate,
  orderOf,
  parseDate,
  readSerial,
  type WrittenDate,
  yearFrom,
} from '../../dates/dates.ts';
import { addDays, partsOf } from '../../dates/days.ts';
import { readDayInWords, readTimeInWords } from '../../dates/in-words.ts';
import { onClock, splitZone, withoutZone, type ZonedTime } from '../../dates/time-zones.ts';
import {
  isEndOfDay,
  isNoTime,
  isOpenTime,
  pad,
  readFirstTime,
  readTime,
  readTimeEnd,
  readTimeNumber,
} from '../../dates/times.ts';
import { zoneNamed } from '../../dates/zone.ts';
import {
  displayText,
  displayValue,
  type Message,
  type MessageValue,
  message,
} from '../../messages/message.ts';
import { supportedLanguage } from '../../messages/messages.ts';
import { type End, isNearlyADay } from '../end-words.ts';
import { badSource, RecordError, type SourceOptions } from '../source.ts';
import { type FieldColumns, readWeekday } from './columns.ts';
import { type FirstDay, findFirstDay, suggestFirstDay } from './first-day.ts';
import type { TableLayout } from './header.ts';
import { createCellNotes, rangesOf } from './remarks.ts';
import type { Row, Table } from './table.ts';
import type { createZoneReader, RowZone } from './zones.ts';

/** The missing knowledge about the dates of a column. */
type DateGap = 'order' | 'year';

/** A column of dates, whose cells together show the order of day and month. */
export type DateColumn = {
  readonly columns: FieldColumns & {
    readonly field: 'date' | 'createdAt';
    /** The column of the weekdays of the dates. */
    readonly weekday?: number | undefined;
    /** Returns the zone of times that name none. */
    readonly zoneOf?: ReturnType<typeof createZoneReader>;
  };
  /** Returns the cell of a row. */
  cell(row: Row): string;
  /** Returns the order of day and month in dates with slashes, if known. */
  order(): DateOrder | undefined;
  /** Returns the knowledge that a cell needs and no other cell has given so far. */
  findGap(row: Row): DateGap | undefined;
  /** Infers the order, if a row shows it. Throws `bad_input` if two rows contradict each other. */
  decide(by: 'first row' | 'all rows'): Promise<void>;
  /** Infers the order from all rows. Throws `bad_input` if something stays unknown. */
  require(row: Row, gap: DateGap): Promise<void>;
  /**
   * Returns the cell as ISO 8601, or an invalid one unchanged. Throws a `RecordError` for a bad
   * time.
   */
  read(row: Row): string | undefined;
  /** Returns the end of the range of days or times in the row that was read last. */
  end(): End;
  /** Returns the offset from UTC that the time of that row names; undefined on the club's clock. */
  offset(): number | undefined;
  /** Returns messages about dates that were read in an unusual way. */
  notes(): readonly Message[];
};

const isoDay = /^\d{4}-\d\d-\d\d/;
/** A timestamp or a day, which the schema of events reads faster. */
const isoForm = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d[^/]*)?$/;
/** The time that spreadsheets add to date-only cells. */
const midnight = /^00:00(?::00)?/;

/** Two digits behind a date, which may be its year or an hour. */
const hourForm = /[.\p{L}]\s+(?:[01]\d|2[0-4])\s*$/u;

/** A short text with a time and the name of a zone behind it. */
const zonedForm = /^(?=.{1,80}$).*\d.*\p{L}\)?\s*$/u;

const noEnd: End = { day: undefined, time: undefined };
const noZone: RowZone = { zone: undefined, text: '' };

type Evidence = Map<DateOrder | 'either', { readonly row: number; readonly cell: string }>;

function write({ day, time }: LocalDate): string {
  return time === undefined ? day : `${day}T${time}`;
}

/** Returns the cells of all columns, joined by blanks. */
export function joinedCell({ parts }: FieldColumns, { cells }: Row): string {
  const [first] = parts[0] ?? [];
  if (parts.length === 1 && parts[0]?.length === 1) return cells[first ?? 0] ?? '';
  return parts
    .flat()
    .map((index) => cells[index]?.trim() ?? '')
    .filter((cell) => cell !== '')
    .join(' ');
}

type TimeNote = 'note:times_with_texts' | 'note:midnights' | 'note:dates_in_words';

/**
 * Adds the time of another column to a date; calls `note` for a time that is not all of the cell, in
 * words or on the next day. Throws a `RecordError` if it is bad or conflicting.
 */
function joinTime(
  date: LocalDate,
  { time: cell, offset }: ZonedTime,
  { language, timeZone }: SourceOptions,
  note: (key: TimeNote, time?: string) => void,
): LocalDate {
  // A moment in a column of times: a workbook that shows only its time.
  const [, text = cell] = /^\d{4}-\d\d-\d\dT(.+)$/.exec(cell) ?? [];
  const hasOwn = date.time !== undefined && !midnight.test(date.time);
  if (!hasOwn && isEndOfDay(text)) {
    note('note:midnights');
    return { day: addDays(date.day, 1), time: '00:00:00' };
  }
  const whole = readTime(text);
  const spoken =
    whole ?? readTimeNumber(text) ?? readTimeInWords(text, supportedLanguage([language ?? 'en']));
  const time = spoken ?? readFirstTime(text);
  if (time === undefined) {
    throw new RecordError(message('reason:not_a_time', { value: displayValue(cell) }));
  }
  if (hasOwn && date.time !== time) {
    const values = { value: displayValue(cell), time: date.time };
    throw new RecordError(message('reason:times_differ', values));
  }
  if (spoken === undefined) note('note:times_with_texts');
  else if (whole === undefined) note('note:dates_in_words', time.slice(0, 5));
  if (offset === undefined) return { day: date.day, time };
  const [day = '', moved] = onClock(`${date.day}T${time}`, offset, timeZone).split('T');
  return { day, time: moved };
}

/** Number of rows that a table can mark. */
const maxMarked = 10_000;

/** Creates the reader of a column of dates; `timeColumns` hold their times. */
export function createDateColumn(
  table: Table,
  layout: TableLayout,
  columns: DateColumn['columns'],
  timeColumns: FieldColumns | undefined,
  options: SourceOptions,
): DateColumn {
  const { file } = table;
  const evidence: Evidence = new Map();
  const cellNotes = createCellNotes();
  const cellOf = (row: Row) => joinedCell(columns, row);
  const firstRow = (layout.header?.row ?? layout.titles.at(-1)?.row ?? 0) + 1;
  let order = options.dateOrder;
  let firstDay: FirstDay | null | undefined;
  /** The rows whose dates have no year of their own. */
  const rowsWithoutYear: number[] = [];
  let firstWithoutYear: { readonly cell: string; readonly year: number | undefined } | undefined;
  const [[dateAt = -1, ...others] = []] = columns.parts;
  /** The column whose cells may hide a part of their dates. */
  const hiddenAt = columns.parts.length === 1 && others.length === 0 ? dateAt : -1;
  let end: End = noEnd;
  let startZone: number | undefined;
  /** True once all rows were read for their order. */
  let isSurveyed = false;

  const hiddenOf = ({ cells, hidden }: Row) =>
    hidden?.has(hiddenAt) && isoDay.test(cells[hiddenAt] ?? '') ? hidden.get(hiddenAt) : undefined;

  /** Returns false for dates that go on in a second year, as spreadsheets do not guess them. */
  const areGuessed = (): boolean => {
    const days = layout.data.flatMap((row) => (hiddenOf(row) === 'year' ? cellOf(row) : []));
    const [first = '', last = ''] = [days.at(0), days.at(-1)];
    return first.slice(0, 4) === last.slice(0, 4) || days.join() !== days.toSorted().join();
  };
  let mayHideYear: boolean | undefined;

  /** True for times such as 19.3 and 18.15, among which 20 is an hour. */
  const areNumbers = layout.data.some(
    (row) =>
      timeColumns !== undefined && /^\d\d?[.,]\d\d?$/.test(joinedCell(timeColumns, row).trim()),
  );

  /** Returns the date of a row that its sheet shows without a year. */
  const readHidden = (row: Row): WrittenDate | undefined => {
    if (hiddenOf(row) !== 'year') return undefined;
    mayHideYear ??= areGuessed();
    const [day = '', time] = cellOf(row).split('T');
    const { month, date } = partsOf(day);
    const shown = { year: undefined, month, day: date, weekdays: [], time, isRange: false };
    return mayHideYear ? shown : undefined;
  };

  /** Returns the date of a row with its weekday, which may stand in a column of its own. */
  const parseRow = (row: Row): WrittenDate | undefined => {
    const written = readHidden(row) ?? parseDate(cellOf(row), options.dateOrder);
    const beside = readWeekday(row.cells[columns.weekday ?? -1] ?? '') ?? [];
    return written && written.weekdays.length === 0 ? { ...written, weekdays: beside } : written;
  };

  /** Finds the first day when the first date without a year comes. */
  const getFirstDay = (): FirstDay | undefined => {
    const dates = () => layout.data.flatMap((row) => parseRow(row) ?? []);
    firstDay ??= findFirstDay(table, layout, dates(), options) ?? null;
    return firstDay ?? undefined;
  };

  /** Records the order that a cell shows. Throws `bad_input` if another cell contradicts it. */
  const gather = (row: Row): void => {
    const cell = cellOf(row);
    const shown = orderOf(cell);
    if (shown === undefined || evidence.has(shown)) return;
    evidence.set(shown, { row: row.row, cell });
    const [dmy, mdy] = [evidence.get('dmy'), evidence.get('mdy')];
    if (dmy === undefined || mdy === undefined) return;
    const dayFirst = { dayFirst: displayValue(dmy.cell), dayFirstRow: dmy.row };
    const monthFirst = { monthFirst: displayValue(mdy.cell), monthFirstRow: mdy.row };
    const reason = message('reason:date_orders_mixed', { ...dayFirst, ...monthFirst });
    throw badSource(file, columns.label, reason);
  };

  const gapError = (row: number, cell: string, gap: DateGap): Error =>
    badSource(
      file,
      message('place:field_at', { place: message('place:row', { row }), field: columns.label }),
      message(gap === 'order' ? 'reason:date_order_unclear' : 'reason:year_missing', {
        value: displayValue(cell.trim()),
        from: suggestFirstDay(
          layout.data.flatMap((one) => parseRow(one) ?? []),
          zoneNamed(options.timeZone).dayOf(options.now),
        ),
      }),
    );

  const inferOrder = (): DateOrder | undefined => {
    if (evidence.has('dmy')) return 'dmy';
    return evidence.has('mdy') ? 'mdy' : undefined;
  };

  const decide: DateColumn['decide'] = async (by) => {
    for await (const rows of table.rows()) {
      for (const row of rows) if (row.row >= firstRow) gather(row);
      if (by === 'first row' && inferOrder() !== undefined) break;
    }
    order = inferOrder();
    isSurveyed ||= by === 'all rows' || order !== undefined;
  };

  /** Completes a date with its year, and notes the unusual; `stored` is a year that is not shown. */
  const complete = (
    written: WrittenDate,
    cell: string,
    { row, hasDateAbove }: Row,
    stored?: number,
  ): LocalDate | undefined => {
    const first = written.year === undefined ? getFirstDay() : undefined;
    const found = first && yearFrom(first.day, written);
    // Spreadsheets add the year in which somebody types; another one is that of something else.
    const isNear = stored === undefined || Math.abs((found ?? stored) - stored) < 2;
    const year = written.year ?? (isNear ? (found ?? stored) : stored);
    const date = year === undefined ? undefined : completeDate(written, year);
    if (date === undefined) return undefined;
    if (first !== undefined && year !== stored && rowsWithoutYear.at(-1) !== row) {
      if (rowsWithoutYear.length === 0) firstWithoutYear = { cell: displayText(cell.trim()), year };
      rowsWithoutYear.push(row);
    } else if (first === undefined && stored !== undefined) {
      cellNotes.add('note:years_hidden', row, cell, String(year));
    }
    const { last } = written;
    const isLater = last && (last.month - written.month || last.day - written.day) > 0;
    const lastYear = last?.year ?? Number(date.day.slice(0, 4)) + (isLater ? 0 : 1);
    const lastDay = last && completeDate(last, lastYear)?.day;
    // A match takes place on one of the days, as does an event below them.
    const isOneDay = columns.isFixture || hasDateAbove || options.map.description === null;
    const hasEnd = lastDay !== undefined && !isOneDay;
    const endTime = hasEnd ? last?.time?.slice(0, 5) : written.end;
    const isSameDay = !hasEnd || lastDay === date.day;
    end = { day: hasEnd ? lastDay : undefined, time: endTime };
    if (isSameDay && isNearlyADay(date.time, endTime)) {
      cellNotes.add('note:times_with_texts', row, cell);
      end = noEnd;
    }
    if (written.isRange && !hasEnd) cellNotes.add('note:date_ranges', row, cell, write(date));
    const fits = ({ weekdays }: Pick<WrittenDate, 'weekdays'>, day: string) =>
      weekdays.length === 0 || weekdays.includes(new Date(day).getUTCDay());
    if (!fits(written, date.day) || (last && lastDay && !fits(last, lastDay))) {
      cellNotes.add('note:weekdays_differ', row, cell, write(date));
    }
    return date;
  };

  const noteWords = (row: number, cell: string, read: string): void =>
    cellNotes.add('note:dates_in_words', row, `${cell} → ${read.replace('T', ' ')}`);

  /** Reads a date with the end of its day, such as "5.12.2026, 24 Uhr". */
  const readEndOfDay = (cell: string, row: Row, own: DateOrder | undefined) => {
    const gaps = [...cell.matchAll(/[\s,]+/g)];
    const gap = gaps.find(({ 0: text, index }) => isEndOfDay(cell.slice(index + text.length)));
    const written = gap && parseDate(cell.slice(0, gap.index), own);
    const date = written && complete(written, cell, row);
    if (date === undefined || date.time !== undefined) return undefined;
    cellNotes.add('note:midnights', row.row, cell);
    return { day: addDays(date.day, 1), time: '00:00:00' };
  };

  const readAny = (row: Row): LocalDate | undefined => {
    const cell = cellOf(row);
    const hidden = readHidden(row);
    if (hidden !== undefined) {
      const shown = `${pad(hidden.day)}.${pad(hidden.month)}.`;
      return complete(hidden, shown, row, Number(cell.slice(0, 4)));
    }
    if (hiddenOf(row) === 'day') noteWords(row.row, cell.slice(0, 7), cell);
    const serial = readSerial(cell);
    if (serial !== undefined) {
      cellNotes.add('note:dates_were_numbers', row.row, cell, write(serial));
      return serial;
    }
    // A weekday may show the order of a single date.
    const shown = order ?? orderOf(cell);
    const own = shown === 'either' ? undefined : shown;
    const written: ReturnType<typeof readDayInWords> =
      parseDate(cell, own) ?? readDayInWords(cell, own, getFirstDay()?.day);
    if (written === undefined || written === 'no year') return readEndOfDay(cell, row, own);
    if (written.isTimeOpen) cellNotes.add('note:times_open', row.row, cell);
    if (written.hasMark) cellNotes.add('note:times_with_texts', row.row, cell);
    const date = complete(written, cell, row);
    // The number behind "5.12. 20" may be an hour.
    const mayBeHour = written.year !== undefined && written.time === undefined;
    const isVague = written.isVague || (mayBeHour && hourForm.test(cell));
    if (date !== undefined && isVague) noteWords(row.row, cell.trim(), write(date));
    return date;
  };

  const foreignZone = (value: MessageValue) =>
    new RecordError(message('reason:zone_foreign', { value, zone: options.timeZone }));

  /** Adds the time of the other column to a date, and its end. */
  const addTime = (date: LocalDate, { row }: Row, cell: string, beside: RowZone): LocalDate => {
    const isHour = areNumbers && /^\d\d?$/.test(cell.trim());
    const zoned = splitZone(isHour ? `${cell.trim()}:00` : cell, options.timeZone, beside.zone);
    if (zoned === 'foreign') {
      const isBeside = splitZone(cell, options.timeZone) !== 'foreign';
      throw foreignZone(isBeside ? beside.text : displayValue(cell));
    }
    startZone = zoned.offset;
    const range = readTimeEnd(zoned.time);
    const isBackwards =
      end.day === undefined && isNearlyADay(range && readTime(zoned.time), range?.time);
    if (range?.isList || isBackwards) cellNotes.add('note:times_with_texts', row, cell);
    else end = { ...end, time: range?.time && onOwnClock(`${date.day}T${range.time}`, zoned) };
    const named = readWeekday(cell.split(/[\s.,]/, 1)[0] ?? '');
    if (named !== undefined && !named.includes(new Date(date.day).getUTCDay())) {
      cellNotes.add('note:weekdays_differ', row, `${date.day} ${cell}`, date.day);
    }
    return joinTime(date, zoned, options, (key, read) =>
      read === undefined ? cellNotes.add(key, row, cell) : noteWords(row, cell, read),
    );
  };
  /** Moves a date with a time of its own from the zone beside it to the clock of the club. */
  const convert = (date: LocalDate, { zone, text }: RowZone): LocalDate => {
    if (date.time === undefined || zone === undefined) return date;
    if (zone === 'foreign') throw foreignZone(text);
    startZone = zone;
    if (end.time !== undefined) {
      const time = onOwnClock(`${end.day ?? date.day}T${end.time}`, { time: '', offset: zone });
      end = { ...end, time };
    }
    const [day = '', time] = onClock(write(date), zone, options.timeZone).split('T');
    return { day, time };
  };
  /** Moves the zone behind a date and its time, as in "2026-12-05 18:00 UTC", beside them. */
  const splitOwn = (row: Row): { readonly row: Row; readonly zone: RowZone } | undefined => {
    const cell = cellOf(row);
    const mayHaveZone = columns.zoneOf && hiddenAt >= 0 && zonedForm.test(cell);
    if (!mayHaveZone || hasOffset.test(cell)) return undefined;
    const rest = withoutZone(cell);
    if (rest === cell || parseDate(rest, order)?.time === undefined) return undefined;
    const zoned = splitZone(cell, options.timeZone);
    const zone = zoned === 'foreign' ? zoned : zoned.offset;
    const cells = row.cells.with(hiddenAt, rest);
    return { row: { ...row, cells }, zone: { zone, text: displayValue(cell) } };
  };
  const onOwnClock = (local: string, { offset }: ZonedTime) =>
    offset === undefined
      ? local.slice(11, 16)
      : onClock(local, offset, options.timeZone).slice(11, 16);

  /** Returns the note on the source of the years, with the rows that have none. */
  const noteYears = ({ key, values }: Message): Message =>
    message(key, {
      ...values,
      count: rowsWithoutYear.length,
      rows: rangesOf(rowsWithoutYear),
      cell: firstWithoutYear?.cell ?? '',
      // The first year of a season may be that of other dates.
      ...(rowsWithoutYear.length === 1 && { year: firstWithoutYear?.year ?? 0 }),
      guessed: rowsWithoutYear.slice(0, maxMarked),
    });

  return {
    columns,
    cell: cellOf,
    order: () => order,
    findGap: (row) => {
      const cell = cellOf(row);
      if (order === undefined && /\d[/-]\d/.test(cell) && !isoDay.test(cell)) {
        gather(row);
        if (orderOf(cell) === 'either') return 'order';
        // A date with hyphens begins with its day unless another row shows the opposite.
        if (!isSurveyed && !cell.includes('/')) return 'order';
      }
      // Four digits are a year, or a time behind a date that hardly anybody writes without one.
      if (/\d{4}/.test(cell)) return undefined;
      const written = parseDate(cell, order) ?? readDayInWords(cell, order, undefined);
      const hasYear =
        written === undefined || (written !== 'no year' && written.year !== undefined);
      return hasYear || getFirstDay() !== undefined ? undefined : 'year';
    },
    decide,
    require: async (row, gap) => {
      if (gap === 'year') throw gapError(row.row, cellOf(row), gap);
      await decide('all rows');
      const { row: at, cell } = evidence.get('either') ?? { row: row.row, cell: cellOf(row) };
      if (order === undefined && cellOf(row).includes('/')) throw gapError(at, cell, gap);
    },
    read: (row) => {
      const cell = cellOf(row);
      end = noEnd;
      startZone = undefined;
      if (cell.trim() === '') return undefined;
      const time = timeColumns === undefined ? '' : joinedCell(timeColumns, row);
      const hasTime = time.trim() !== '' && !isNoTime(time);
      const timesAt = (hasTime ? timeColumns : columns)?.parts.flat() ?? [];
      const zone = columns.zoneOf?.(row, timesAt) ?? noZone;
      if (!hasTime && isOpenTime(time)) cellNotes.add('note:times_open', row.row, time);
      const own = hasTime ? undefined : splitOwn(row);
      const ownDate = own && readAny(own.row);
      if (own && ownDate) return write(convert(ownDate, own.zone));
      const isExact = isoForm.test(cell) && (zone.zone === undefined || hasOffset.test(cell));
      if (!hasTime && isExact && hiddenOf(row) === undefined) return cell;
      const date = readAny(row);
      if (!hasTime) return date === undefined ? cell : write(convert(date, zone));
      if (date !== undefined) return write(addTime(date, row, time, zone));
      if (!isoDay.test(cell.trim()) || parseDate(cell, order) !== undefined) return cell;
      throw new RecordError(message('reason:date_has_time', { value: displayValue(cell) }));
    },
    end: () => end,
    offset: () => startZone,
    notes: () => [
      ...cellNotes.messages(),
      ...(rowsWithoutYear.length > 0 && firstDay?.note ? [noteYears(firstDay.note)] : []),
    ],
  };
}
