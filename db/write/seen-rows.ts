import { connection, type Writer } from '../open.ts';

export const seenRowStatements = {
  create: `CREATE TEMP TABLE IF NOT EXISTS seen_rows (
      key NOT NULL PRIMARY KEY, times INTEGER NOT NULL
    ) WITHOUT ROWID`,
  forget: 'DELETE FROM temp.seen_rows',
  note: `INSERT INTO temp.seen_rows (key, times) VALUES (@key, 1)
    ON CONFLICT (key) DO UPDATE SET times = times + 1 RETURNING times`,
} as const;

/** The keys that occurred in a file, in a temporary table so that memory stays bounded. */
export type SeenRows = {
  forget(): void;
  /** Records a key; returns its number of occurrences, including this one. */
  note(key: number | string): number;
};

export function prepareSeenRows(db: Writer): SeenRows {
  const sqlite = connection(db);
  sqlite.exec(seenRowStatements.create);
  const forget = sqlite.prepare(seenRowStatements.forget);
  const note = sqlite.prepare<object, { times: number }>(seenRowStatements.note);
  return {
    forget: () => forget.run(),
    note: (key) => note.get({ key })?.times ?? 1,
  };
}
