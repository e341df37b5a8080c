import { connection, type Writer } from '../open.ts';
import { eachRow } from '../read/pages.ts';

const chunksPerQuery = 1;

export const stagedRowStatements = {
  create: `CREATE TEMP TABLE IF NOT EXISTS staged_rows (
      id INTEGER PRIMARY KEY, file INTEGER NOT NULL, rows TEXT NOT NULL
    )`,
  clear: 'DELETE FROM temp.staged_rows',
  add: 'INSERT INTO temp.staged_rows (file, rows) VALUES (@file, @rows)',
  next: `SELECT id, rows FROM temp.staged_rows WHERE id > @after AND file = @file
    ORDER BY id LIMIT ${chunksPerQuery}`,
} as const;

/** The number of rows per JSON text. */
const chunkLength = 500;

/**
 * The rows of files between reading and storing. A temporary table bounds memory, and does not lock
 * out other programs while files are read.
 */
export type StagedRows<Row> = {
  /** Adds a row of the file with this index. */
  add(file: number, row: Row): void;
  /** Iterates over the rows of a file in the order in which they were added. */
  each(file: number): Generator<Row>;
  clear(): void;
};

/** Prepares the staging of rows, which must be JSON values. */
export function prepareStagedRows<Row>(db: Writer): StagedRows<Row> {
  const sqlite = connection(db);
  sqlite.exec(stagedRowStatements.create);
  const add = sqlite.prepare(stagedRowStatements.add);
  const next = sqlite.prepare<object, { id: number; rows: string }>(stagedRowStatements.next);
  const clear = sqlite.prepare(stagedRowStatements.clear);
  let pending: { readonly file: number; readonly rows: Row[] } | undefined;

  function flush(): void {
    if (pending !== undefined) {
      add.run({ file: pending.file, rows: JSON.stringify(pending.rows) });
    }
    pending = undefined;
  }
  return {
    add(file, row) {
      if (pending?.file !== file) flush();
      pending ??= { file, rows: [] };
      if (pending.rows.push(row) === chunkLength) flush();
    },
    *each(file) {
      flush();
      const chunks = eachRow(
        0,
        (after) => next.all({ after, file }),
        ({ id }) => id,
        chunksPerQuery,
      );
      for (const { rows } of chunks) yield* JSON.parse(rows) as Row[];
    },
    clear() {
      pending = undefined;
      clear.run();
    },
  };
}
