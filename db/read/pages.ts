/** A cursor that comes before every event id. */
export const beforeEveryId = Number.MIN_SAFE_INTEGER - 1;

/** How many rows one query of a listing fetches. */
export const pageSize = 500;

type Listing<Row, Cursor> = readonly [
  /** The cursor before every row. */
  start: Cursor,
  /** Gives the rows after a cursor, at most `atOnce`. */
  fetchPage: (after: Cursor) => Row[],
  cursorOf: (row: Row) => Cursor,
  atOnce?: number,
];

/** Every row of a listing, in the bounded pages in which they are fetched. */
function* eachPage<Row, Cursor>(
  ...[start, fetchPage, cursorOf, atOnce = pageSize]: Listing<Row, Cursor>
): Generator<Row[]> {
  let after = start;
  for (;;) {
    const page = fetchPage(after);
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < atOnce) return;
    after = cursorOf(last);
  }
}

/** All rows of a listing at once, for what is made of them to be small. */
export function readAll<Row, Cursor>(...listing: Listing<Row, Cursor>): readonly Row[] {
  const [first = [], ...others] = eachPage(...listing);
  return first.concat(...others);
}

/** Every row of a listing, fetched in bounded pages. */
export function* eachRow<Row, Cursor>(...listing: Listing<Row, Cursor>): Generator<Row> {
  for (const page of eachPage(...listing)) yield* page;
}
