import { closeStore, connection, openReader } from '../../db/open.ts';

/** The tables with people's data; the others are derived from these, or renewed by a restore. */
const tables = ['users', 'keys', 'events', 'batches', 'changes', 'edits'] as const;

/** Reads every row of people's data in a database, in a fixed order. */
export function readRows(path: string): unknown[][] {
  const db = openReader(path);
  try {
    const sqlite = connection(db);
    return tables.map((table) =>
      sqlite.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all(),
    );
  } finally {
    closeStore(db);
  }
}
