import { type NamedZone, zoneOfCell, zoneOfHeading, zoneOfTimes } from '../../dates/time-zones.ts';
import { displayValue, type MessageValue } from '../../messages/message.ts';
import { nameOfColumn } from './columns.ts';
import { distinctCells, type TableLayout } from './header.ts';
import type { Row } from './table.ts';

/** The zone of the times of a row that name none themselves, and the text that names it. */
export type RowZone = { readonly zone: NamedZone; readonly text: MessageValue };

/**
 * Creates the function that returns the zone of a column of times: that of its heading, of a column of
 * zones, or of a text beside the table such as "All times are UTC".
 */
export function createZoneReader(
  layout: TableLayout,
  zoneColumn: number | undefined,
  own: string,
): (row: Row, columns: readonly number[]) => RowZone {
  const texts = [...layout.titles, ...layout.data].flatMap((row) => {
    const [text, other] = distinctCells(row);
    return text !== undefined && other === undefined ? [text] : [];
  });
  const ofAll = texts.find((text) => zoneOfTimes(text, own) !== undefined) ?? '';
  /** Reads each text once. */
  const known = new Map<string, RowZone>();
  const readOnce = (text: string, readZone: (text: string, own: string) => NamedZone) => {
    const found = known.get(text) ?? { zone: readZone(text, own), text: displayValue(text) };
    known.set(text, found);
    return found;
  };
  return (row, columns) => {
    const named = columns.map((at) => readOnce(nameOfColumn(layout, at), zoneOfHeading));
    const heading = named.find(({ zone }) => zone !== undefined);
    const cell = row.cells[zoneColumn ?? -1]?.trim() ?? '';
    return heading ?? (cell === '' ? readOnce(ofAll, zoneOfTimes) : readOnce(cell, zoneOfCell));
  };
}
