import type { Sentence } from '../../../errors.ts';
import { wording } from '../../wording.ts';
import {
  badSource,
  type ColumnProblem,
  eventFields,
  type FieldMap,
  neededFields,
  type SourceOptions,
} from '../source.ts';
import type { Row } from './rows.ts';
import { type ColumnKind, kindOfColumn } from './words.ts';

/** A column that is taken. */
export type Column = {
  readonly kind: ColumnKind;
  readonly index: number;
  /** As messages name it: as the file does, with the field beside it. */
  readonly label: string;
};

/** What is which in a header, and what cannot be told; the first problem is the one to tell of. */
export type MatchedColumns = {
  readonly columns: readonly Column[];
  readonly problems: readonly ColumnProblem[];
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

/** What was found of a kind: its column, or why that cannot be told; null where it is to have none. */
type Finding = Column | ColumnProblem | null | undefined;

/** The ways to find the column of a kind in one header, those that are surer first. */
function createFinders(header: readonly string[], map: FieldMap) {
  const names = header.map((name) => name.trim().toLowerCase());
  const kinds = header.map(kindOfColumn);
  const taken = new Set<number>();

  /** Where the entry stands in the list, but for columns that are taken already. */
  const find = (list: readonly (string | undefined)[], wanted: string) =>
    list.flatMap((entry, index) => (entry === wanted && !taken.has(index) ? [index] : []));

  const take = (kind: ColumnKind, index: number): Column => {
    taken.add(index);
    return columnAt(kind, index, header[index] ?? '');
  };

  const findMapped = (field: ColumnKind): Finding => {
    if (field === 'time') return undefined;
    const name = map[field];
    if (name === undefined || name === null) return name;
    const index = header.indexOf(name);
    if (index === -1) return { kind: 'unknown', field, name };
    if (header.indexOf(name, index + 1) !== -1) return { kind: 'repeated', field, name };
    return take(field, index);
  };

  const findNamed = (field: ColumnKind): Finding => {
    if (field === 'time') return undefined;
    const [index, second] = find(names, field.toLowerCase());
    if (second !== undefined) return { kind: 'repeated', field, name: field };
    return index === undefined ? undefined : take(field, index);
  };

  const findMeant = (kind: ColumnKind): Finding => {
    const [index, second] = find(kinds, kind);
    if (index === undefined) return undefined;
    if (second === undefined) return take(kind, index);
    const columns = [header[index] ?? '', header[second] ?? ''] as const;
    return { kind: 'ambiguous', field: kind, columns };
  };

  return [findMapped, findNamed, findMeant] as const;
}

/**
 * Matches the columns of a header with the fields: those that are mapped, those that bear the name
 * of a field, then those whose name means one.
 */
export function matchColumns(header: readonly string[], map: FieldMap): MatchedColumns {
  const columns: Column[] = [];
  const problems: ColumnProblem[] = [];
  const settled = new Set<ColumnKind>();
  for (const find of createFinders(header, map)) {
    for (const kind of [...eventFields, 'time'] as const) {
      const finding = settled.has(kind) ? undefined : find(kind);
      if (finding === undefined) continue;
      settled.add(kind);
      if (finding === null) continue;
      if ('index' in finding) columns.push(finding);
      else problems.push(finding);
    }
  }
  const known = new Set<ColumnKind>([
    ...columns.map(({ kind }) => kind),
    ...problems.map(({ field }) => field),
  ]);
  for (const field of neededFields)
    if (!known.has(field)) problems.push({ kind: 'missing', field });
  return { columns, problems };
}

/** Why an import cannot go on with a header, in a sentence. */
function describeProblem(problem: ColumnProblem, header: readonly string[]): Sentence {
  const { kind, field } = problem;
  switch (kind) {
    case 'unknown':
      return `there is no column "${problem.name}" for ${field}; there are ${showNames(header)}`;
    case 'repeated':
      return `two columns are named "${problem.name}"; rename one`;
    case 'ambiguous': {
      const what = `the columns ${showNames(problem.columns)} could both be the ${field}`;
      if (field === 'time') return `${what}; rename one`;
      return (front) => `${what}; ${wording[front].mapField(field)}`;
    }
    case 'missing': {
      const what = `there is no column "${field}"`;
      return (front) => `${what}; ${wording[front].mapField(field)}, of ${showNames(header)}`;
    }
  }
}

/** Refuses a header that is broken, or has more columns than a spreadsheet can have. */
export function checkHeader(file: string, { row, cells, problem }: Row): void {
  if (problem !== undefined) throw badSource(file, `row ${row}`, problem);
  if (cells.length <= mostColumns) return;
  const what = `there are ${cells.length} columns, more than ${mostColumns}`;
  throw badSource(file, `row ${row}`, what);
}

/**
 * The columns of a header that an import needs and takes; it is told those that are not taken.
 * Throws `bad_input` when name or date is missing, or two columns could be it.
 */
export function requireColumns(
  file: string,
  header: Row,
  { map, ignore }: SourceOptions,
): readonly Column[] {
  checkHeader(file, header);
  const { columns, problems } = matchColumns(header.cells, map);
  const [first] = problems;
  if (first !== undefined) {
    throw badSource(file, `row ${header.row}`, describeProblem(first, header.cells));
  }
  const taken = new Set(columns.map(({ index }) => index));
  for (const [index, name] of header.cells.entries()) {
    if (!taken.has(index) && name !== '') ignore(name);
  }
  return columns;
}
