import type { Message } from '../../messages/message.ts';
import type { SourceFile, SourceOptions } from '../source.ts';

/** A part of a date that its number format leaves out; without its day, it is a month. */
export type HiddenPart = 'year' | 'day';

/** A row, numbered as in the file: the first row is 1, and empty rows count. */
export type Row = {
  readonly row: number;
  /** The cell with the event, such as `C12`, if a row of the file has several events. */
  readonly cell?: string;
  /**
   * The cells as text. A typed cell of a workbook is canonical text: `2026-05-02`,
   * `2026-05-02T19:30:00`, `19:30:00`, the shortest decimal number, `true` or `false`.
   */
  readonly cells: readonly string[];
  /** Cells that are merged with those to their right, by the index of the first and the last. */
  readonly spans?: ReadonlyMap<number, number>;
  /** The parts of dates that the sheet does not show, by the index of the cell. */
  readonly hidden?: ReadonlyMap<number, HiddenPart>;
  /** True for a row without a date of its own, which got the one above it. */
  readonly hasDateAbove?: true;
  /** The match of a row below a round without a date. */
  readonly hasNoDate?: string;
  /** The indexes of cells that are struck through. */
  readonly struck?: readonly number[];
  /** The reason why the cells cannot be parsed; `cells` is empty then. */
  readonly problem?: Message;
};

/** A table of a file: the whole of a text file, or a sheet of a workbook. */
export type Table = {
  /** File name for messages. */
  readonly file: string;
  /** Name of the sheet; null in a text file. */
  readonly sheet: string | null;
  /** True for a hidden sheet, which is read only if the user names it. */
  readonly isHidden: boolean;
  /** Reads the rows that are not empty, many at a time; can be called any number of times. */
  rows(): AsyncIterable<readonly Row[]>;
  /** Returns messages about data that the last complete reading left out, such as hidden rows. */
  notes(): readonly Message[];
};

/** Opens the tables of a file, in its order. Throws `bad_input` if it is not such a file. */
export type OpenTables = (file: SourceFile, options: SourceOptions) => Promise<readonly Table[]>;
