import type Database from 'better-sqlite3';

/** A cursor that comes before every event id. */
export const beforeEveryId = Number.MIN_SAFE_INTEGER - 1;

export const pageSize = 500;

type Listing<Row, Cursor> = readonly [
  /** A cursor before every row. */
  start: Cursor,
  /** Returns the rows after a cursor, at most `limit`. */
  fetchPage: (after: Cursor) => Row[],
  cursorOf: (row: Row) => Cursor,
  /** The maximum number of rows per page; `pageSize` by default. */
  limit?: number,
];

function* eachPage<Row, Cursor>(
  ...[start, fetchPage, cursorOf, limit = pageSize]: Listing<Row, Cursor>
): Generator<Row[]> {
  let after = start;
  for (;;) {
    const page = fetchPage(after);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    after = cursorOf(last);
  }
}

/** Reads all rows into one array; only for small rows. */
export function readAll<Row, Cursor>(...listing: Listing<Row, Cursor>): readonly Row[] {
  const [first = [], ...others] = eachPage(...listing);
  return first.concat(...others);
}

export function* eachRow<Row, Cursor>(...listing: Listing<Row, Cursor>): Generator<Row> {
  for (const page of eachPage(...listing)) yield* page;
}

/** Caches statements and prepares each at its first use, which shortens the start. */
export function prepareLazily(
  sqlite: Database.Database,
): <Row>(sql: string) => Database.Statement<object, Row> {
  const prepared = new Map<string, Database.Statement<object, unknown>>();
  return <Row>(sql: string) => {
    const cached = prepared.get(sql) as Database.Statement<object, Row> | undefined;
    if (cached !== undefined) return cached;
    const statement = sqlite.prepare<object, Row>(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
