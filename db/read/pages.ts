/** A cursor that comes before every event id. */
export const beforeEveryId = Number.MIN_SAFE_INTEGER - 1;

/** How many rows one query of a listing fetches. */
export const pageSize = 500;

/**
 * Every row of a listing, fetched in bounded pages: `fetchPage` gets the cursor of the last row
 * seen (`start` at first) and returns the next rows, at most `atOnce`.
 */
export function* eachRow<Row, Cursor>(
  start: Cursor,
  fetchPage: (after: Cursor) => Row[],
  cursorOf: (row: Row) => Cursor,
  atOnce = pageSize,
): Generator<Row> {
  let after = start;
  for (;;) {
    const page = fetchPage(after);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < atOnce) return;
    after = cursorOf(last);
  }
}
