import type { Problem } from '../../base/errors.ts';
import { displayText, type Message, message } from '../../messages/message.ts';
import { badSource } from '../source.ts';
import { createCellNotes, legendForm, rangesOf } from '../table/remarks.ts';
import type { HiddenPart, Row } from '../table/table.ts';
import { damagedWorkbook, oversizedWorkbook } from './archive.ts';

/** Limits of a sheet: enough for the events of decades, few enough to read in seconds. */
export const maxRows = 200_000;
const maxColumns = 16_384;
/** Limit on cells, with the empty ones between others. */
const maxCells = 5_000_000;

/** Returns the problem of a sheet with too many rows. */
export function tooManyRows(file: string): Problem {
  return badSource(file, undefined, message('reason:too_many_rows', { limit: maxRows }));
}

/** Returns the letters of a column; the first column is 0. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** Returns the index of a column from its letters; the first column is 0. */
export function columnIndex(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number - 1;
}

/** The part of a text that is struck through; a partly struck text is read without that part. */
export type Strike = 'none' | 'part' | 'whole';

const maxComments = 5;
/** Number of rows of a colour that are kept; the message names ten ranges. */
const maxColoured = 100;
/** A merged cell that goes on in later rows. */
type Merge = {
  readonly value: string;
  readonly strike: Strike;
  readonly hidden: HiddenPart | undefined;
  readonly lastRow: number;
};

/** Collects the cells of a sheet as rows. */
export class SheetRows {
  readonly #file: string;
  #rows: Row[] = [];
  #cells: string[] = [];
  #struck = new Set<number>();
  #hidden = new Map<number, HiddenPart>();
  #partlyStruck: string | undefined;
  readonly #notes = createCellNotes();
  readonly #comments: Message[] = [];
  #commentCount = 0;
  readonly #fills = new Map<number, string>();
  /** The texts of the legend, and the rows with a colour, by colour. */
  readonly #legend = new Map<string, string>();
  readonly #coloured = new Map<string, number[]>();
  #rowCount = 0;
  #cellCount = 0;
  readonly #merges = new Map<number, Merge>();
  #spans = new Map<number, number>();
  readonly #hiddenColumns = new Set<number>();
  readonly #leftOutColumns = new Set<number>();
  #hiddenRows = 0;

  constructor(file: string) {
    this.#file = file;
  }

  hideColumns(first: number, last: number): void {
    const end = Math.min(last, maxColumns - 1);
    for (let column = first; column <= end; column += 1) this.#hiddenColumns.add(column);
  }

  /** Sets a cell of the current row; an empty value needs no call. */
  setCell(column: number, value: string, strike: Strike = 'none'): void {
    if (!(column >= 0 && column < maxColumns)) throw damagedWorkbook(this.#file);
    for (let gap = this.#cells.length; gap < column; gap += 1) this.#cells.push('');
    this.#cells[column] = value;
    if (strike === 'whole') this.#struck.add(column);
    else if (strike === 'part') this.#partlyStruck = value;
  }

  /** Notes the part of a date that a cell of the current row does not show. */
  hidePart(column: number, part: HiddenPart): void {
    this.#hidden.set(column, part);
  }

  /** Sets the background colour of a cell of the current row. */
  setFill(column: number, fill: string): void {
    this.#fills.set(column, fill);
  }

  /** Adds a comment on a cell, which is not imported. */
  addComment(row: number, text: string): void {
    this.#commentCount += 1;
    if (this.#commentCount > maxComments) return;
    this.#comments.push(message('value:cell', { row, text: displayText(text.trim()) }));
  }

  #takeFills(row: number, cells: readonly string[]): void {
    for (const [column, fill] of this.#fills) {
      const [own = '', next = ''] = cells.slice(column, column + 2);
      const rows = this.#coloured.get(fill) ?? [];
      if (legendForm.test(own)) this.#legend.set(fill, own);
      else if (legendForm.test(next)) this.#legend.set(fill, `${own} ${next}`.trim());
      else if (rows.at(-1) !== row) this.#coloured.set(fill, [...rows.slice(-maxColoured), row]);
    }
    this.#fills.clear();
  }

  /** Repeats a cell of the current row in the following rows. */
  mergeDown(column: number, lastRow: number): void {
    const value = this.#cells[column] ?? '';
    const strike = this.#struck.has(column) ? 'whole' : 'none';
    const hidden = this.#hidden.get(column);
    if (value !== '') this.#merges.set(column, { value, strike, hidden, lastRow });
  }

  /** Notes that a cell of the current row goes on to the right. */
  mergeRight(column: number, lastColumn: number): void {
    if ((this.#cells[column] ?? '') !== '') this.#spans.set(column, lastColumn);
  }

  /** Ends the current row, which stands for `count` rows with the same cells. */
  endRow(row: number, count: number, isHidden: boolean): void {
    const [cells, struck, spans, hidden] = [this.#cells, this.#struck, this.#spans, this.#hidden];
    if (hidden.size > 0) this.#hidden = new Map();
    if (spans.size > 0) this.#spans = new Map();
    if (this.#fills.size > 0) this.#takeFills(row, cells);
    if (!cells.some((cell) => cell !== '')) {
      this.#cells = [];
      return;
    }
    for (const [column, merge] of this.#merges) {
      if (row > merge.lastRow) this.#merges.delete(column);
      else if ((cells[column] ?? '') === '') {
        this.setCell(column, merge.value, merge.strike);
        if (merge.hidden !== undefined) hidden.set(column, merge.hidden);
      }
    }
    this.#cells = [];
    if (struck.size > 0) this.#struck = new Set();
    if (this.#partlyStruck !== undefined) {
      this.#notes.add('note:struck_parts', row, this.#partlyStruck);
      this.#partlyStruck = undefined;
    }
    this.#rowCount += count;
    this.#cellCount += count * cells.length;
    if (this.#rowCount > maxRows) throw tooManyRows(this.#file);
    if (this.#cellCount > maxCells) throw oversizedWorkbook(this.#file);
    if (isHidden) {
      this.#hiddenRows += count;
      return;
    }
    this.#clearHidden(cells);
    if (!cells.some((cell) => cell !== '')) return;
    for (let at = 0; at < count; at += 1) {
      this.#rows.push({
        row: row + at,
        cells,
        ...(spans.size > 0 && { spans }),
        ...(hidden.size > 0 && { hidden }),
        ...(struck.size > 0 && { struck: [...struck] }),
      });
    }
  }

  /** Returns the rows since the last call. */
  takeRows(): readonly Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  /** Returns messages about hidden cells, partly struck texts, comments and colours with a legend. */
  notes(): Message[] {
    const columns = [...this.#leftOutColumns].sort((left, right) => left - right);
    return [
      ...(this.#hiddenRows > 0 ? [message('note:hidden_rows', { count: this.#hiddenRows })] : []),
      ...(columns.length > 0
        ? [message('note:hidden_columns', { columns: columns.map(columnLetters) })]
        : []),
      ...this.#notes.messages(),
      ...[...this.#legend].flatMap(([fill, legend]) => {
        const rows = this.#coloured.get(fill);
        const values = { legend: displayText(legend), rows: rangesOf(rows ?? []) };
        return rows === undefined ? [] : [message('note:legend', values)];
      }),
      ...(this.#commentCount > 0
        ? [
            message('note:comments', {
              comments: [...this.#comments, ...(this.#commentCount > maxComments ? ['…'] : [])],
            }),
          ]
        : []),
    ];
  }

  #clearHidden(cells: string[]): void {
    for (const column of this.#hiddenColumns.size === 0 ? [] : cells.keys()) {
      if (cells[column] === '' || !this.#hiddenColumns.has(column)) continue;
      cells[column] = '';
      this.#leftOutColumns.add(column);
    }
    while (cells.at(-1) === '') cells.pop();
  }
}
