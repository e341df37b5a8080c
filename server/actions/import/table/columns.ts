import { type Message, type MessageValue, message } from '../../../messages/message.ts';
import {
  badSource,
  type ColumnProblem,
  displayText,
  displayValue,
  eventFields,
  type FieldMap,
  mappedName,
  requiredFields,
  type SourceOptions,
} from '../source.ts';
import { type ColumnKind, kindOfColumn } from './field-names.ts';
import type { Row } from './table.ts';

export type Column = {
  readonly kind: ColumnKind;
  readonly index: number;
  /** Name for messages. */
  readonly label: Message;
};

/** The columns matched to fields, and the problems; the first problem is the one to report. */
type MatchedColumns = {
  readonly columns: readonly Column[];
  readonly problems: readonly ColumnProblem[];
};

/** Maximum number of columns of a spreadsheet. */
const maxColumns = 16_384;
const maxNames = 20;

function displayNames(header: readonly string[]): MessageValue {
  const names = header.slice(0, maxNames).map(displayValue);
  return header.length > maxNames ? [...names, '…'] : names;
}

function columnAt(kind: ColumnKind, index: number, name: string): Column {
  const shown = displayText(name);
  const label =
    name === kind || kind === 'time'
      ? message('place:field', { field: shown })
      : message('place:column', { name: shown, field: message(`field:${kind}`) });
  return { kind, index, label };
}

/** The column of a kind, or the problem with it; null if it is mapped to none. */
type Finding = Column | ColumnProblem | null | undefined;

/** Creates the functions that find the column of a kind in a header, the most reliable first. */
function createFinders(header: readonly string[], map: FieldMap) {
  const names = header.map((name) => name.trim().toLowerCase());
  const kinds = header.map(kindOfColumn);
  const taken = new Set<number>();

  /** Returns the indexes of a value in a list, except those of columns already taken. */
  const find = (list: readonly (string | undefined)[], value: string) =>
    list.flatMap((entry, index) => (entry === value && !taken.has(index) ? [index] : []));

  const take = (kind: ColumnKind, index: number): Column => {
    taken.add(index);
    return columnAt(kind, index, header[index] ?? '');
  };

  const findMapped = (field: ColumnKind): Finding => {
    if (field === 'time') return undefined;
    const name = mappedName(field, map);
    if (name === undefined || name === null) return name;
    const index = header.indexOf(name);
    if (index === -1) return { kind: 'unknown', field, name };
    if (header.indexOf(name, index + 1) !== -1) return { kind: 'repeated', field, name };
    return take(field, index);
  };

  const findByName = (field: ColumnKind): Finding => {
    if (field === 'time') return undefined;
    const [index, second] = find(names, field.toLowerCase());
    if (second !== undefined) return { kind: 'repeated', field, name: field };
    return index === undefined ? undefined : take(field, index);
  };

  const findBySynonym = (kind: ColumnKind): Finding => {
    const [index, second] = find(kinds, kind);
    if (index === undefined) return undefined;
    if (second === undefined) return take(kind, index);
    const columns = [header[index] ?? '', header[second] ?? ''] as const;
    return { kind: 'ambiguous', field: kind, columns };
  };

  return [findMapped, findByName, findBySynonym] as const;
}

/** Matches columns with fields: first mapped columns, then names of fields, then synonyms. */
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
  for (const field of requiredFields)
    if (!known.has(field)) problems.push({ kind: 'missing', field });
  return { columns, problems };
}

function describeProblem(problem: ColumnProblem, header: readonly string[]): Message {
  const field = message(`field:${problem.field}`);
  switch (problem.kind) {
    case 'unknown': {
      const name = displayText(problem.name);
      return message('reason:column_unknown', { name, field, columns: displayNames(header) });
    }
    case 'repeated':
      return message('reason:column_repeated', { name: displayText(problem.name) });
    case 'ambiguous': {
      const columns = displayNames(problem.columns);
      return problem.field === 'time'
        ? message('reason:time_columns_ambiguous', { columns })
        : message('reason:columns_ambiguous', { columns, field });
    }
    case 'missing':
      return message('reason:column_missing', { field, columns: displayNames(header) });
  }
}

/** Throws `bad_input` for a broken header, or for more columns than a spreadsheet can have. */
export function checkHeader(file: string, { row, cells, problem }: Row): void {
  const place = message('place:row', { row });
  if (problem !== undefined) throw badSource(file, place, problem);
  if (cells.length <= maxColumns) return;
  const values = { columns: cells.length, limit: maxColumns };
  throw badSource(file, place, message('reason:too_many_columns', values));
}

/**
 * Returns the columns to import and passes the names of the others to `ignore`. Throws `bad_input`
 * for the first problem, such as a missing name or date.
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
    const place = message('place:row', { row: header.row });
    throw badSource(file, place, describeProblem(first, header.cells));
  }
  const taken = new Set(columns.map(({ index }) => index));
  for (const [index, name] of header.cells.entries()) {
    if (!taken.has(index) && name !== '') ignore(name);
  }
  return columns;
}
