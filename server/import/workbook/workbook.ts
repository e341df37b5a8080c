import type { Message } from '../../messages/message.ts';
import type { Row } from '../table/table.ts';
import type { SheetRows } from './sheet-rows.ts';

/** A sheet with cells. */
export type Sheet = {
  readonly name: string;
  readonly isHidden: boolean;
  /** Reads the rows that are not empty, many at a time. Throws `bad_input`. */
  rows(): AsyncIterable<readonly Row[]>;
  /** Returns messages about cells that the last complete reading left out. */
  notes(): readonly Message[];
};

/** Creates a sheet from the reading of its rows. */
export function createSheet(
  name: string,
  isHidden: boolean,
  createRows: () => SheetRows,
  parse: (rows: SheetRows) => AsyncIterable<void>,
): Sheet {
  let notes: readonly Message[] = [];
  return {
    name,
    isHidden,
    notes: () => notes,
    async *rows() {
      const rows = createRows();
      for await (const _ of parse(rows)) {
        const taken = rows.takeRows();
        if (taken.length > 0) yield taken;
      }
      notes = rows.notes();
    },
  };
}
