import { badSource, type EventField, eventFields, type SourceOptions } from '../source.ts';
import type { Row } from './rows.ts';
import { type ColumnKind, kindOfColumn } from './words.ts';

/** A column that is taken. */
export type Column = {
  readonly kind: ColumnKind;
  readonly index: number;
  /** As messages name it: as the file does, with the field beside it. */
  readonly label: string;
};

/** As many as a spreadsheet can have. */
const mostColumns = 16_384;
const mostNamed = 20;

/** A name as messages show it: short, and on one line. */
function showName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}

/** The names of a header as messages show them, as far as they are bearable. */
function showNames(header: readonly string[]): string {
  const shown = header.slice(0, mostNamed).map(showName).join(', ');
  return header.length > mostNamed ? `${shown} and ${header.length - mostNamed} more` : shown;
}

function columnAt(kind: ColumnKind, index: number, name: string): Column {
  const label = name === kind || kind === 'time' ? showName(name) : `${showName(name)} (${kind})`;
  return { kind, index, label };
}

/** Finds columns in one header. Refusals name its row. */
function createFinder(file: string, { row, cells: header }: Row, map: SourceOptions['map']) {
  const names = header.map((name) => name.trim().toLowerCase());
  const kinds = header.map(kindOfColumn);
  const taken = new Set<number>();
  const refuse = (what: string) => badSource(file, `row ${row}`, what);

  /** Where the entry stands in the list, but for columns that are taken already. */
  const find = (list: readonly (string | undefined)[], wanted: string) =>
    list.flatMap((entry, index) => (entry === wanted && !taken.has(index) ? [index] : []));

  const take = (kind: ColumnKind, index: number): Column => {
    taken.add(index);
    return columnAt(kind, index, header[index] ?? '');
  };

  const findMapped = (field: EventField, name: string): Column => {
    const index = header.indexOf(name);
    if (index === -1) {
      const what = `there is no column "${name}" for ${field}; there are ${showNames(header)}`;
      throw refuse(what);
    }
    if (header.indexOf(name, index + 1) !== -1) {
      throw refuse(`two columns are named "${name}"; rename one`);
    }
    return take(field, index);
  };

  const findNamed = (field: EventField): Column | undefined => {
    const [index, second] = find(names, field.toLowerCase());
    if (second !== undefined) throw refuse(`two columns are named "${field}"; rename one`);
    return index === undefined ? undefined : take(field, index);
  };

  const findMeant = (kind: ColumnKind): Column | undefined => {
    const [index, second] = find(kinds, kind);
    if (index === undefined) return undefined;
    if (second !== undefined) {
      const remedy =
        kind === 'time' ? 'rename one' : `say which one it is with --map ${kind}=COLUMN`;
      const both = showNames([header[index] ?? '', header[second] ?? '']);
      throw refuse(`the columns ${both} could both be the ${kind}; ${remedy}`);
    }
    return take(kind, index);
  };

  const findAll = (): Column[] => {
    const mapped = eventFields.flatMap((field) => {
      const name = map[field];
      return name === undefined ? [] : [findMapped(field, name)];
    });
    const unmapped = eventFields.filter((field) => map[field] === undefined);
    const named = unmapped.map(findNamed).filter((column) => column !== undefined);
    const found = new Set<ColumnKind>([...mapped, ...named].map(({ kind }) => kind));
    const meant = [...eventFields, 'time' as const]
      .filter((kind) => !found.has(kind))
      .map(findMeant)
      .filter((column) => column !== undefined);
    return [...mapped, ...named, ...meant];
  };
  return { findAll, refuse, isTaken: (index: number) => taken.has(index) };
}

/**
 * Finds the columns of a header: those that are mapped, those that bear the name of a field, then
 * those whose name means one. Throws `bad_input` when name or date is missing, or two could be it.
 */
export function findColumns(file: string, header: Row, options: SourceOptions): Column[] {
  const { findAll, refuse, isTaken } = createFinder(file, header, options.map);
  if (header.cells.length > mostColumns) {
    throw refuse(`there are ${header.cells.length} columns, more than ${mostColumns}`);
  }
  const columns = findAll();
  for (const field of ['name', 'date'] as const) {
    if (columns.some(({ kind }) => kind === field)) continue;
    const remedy = `say which one it is with --map ${field}=COLUMN`;
    throw refuse(`there is no column "${field}"; ${remedy}, of ${showNames(header.cells)}`);
  }
  for (const [index, name] of header.cells.entries()) {
    if (!isTaken(index) && name !== '') options.ignore(name);
  }
  return columns;
}
