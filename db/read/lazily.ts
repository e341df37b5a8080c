import type Database from 'better-sqlite3';

/** Prepares each statement when it is first needed, and once: a start needs few of them. */
export function prepareLazily(
  sqlite: Database.Database,
): <Row>(sql: string) => Database.Statement<object, Row> {
  const prepared = new Map<string, Database.Statement<object, unknown>>();
  return <Row>(sql: string) => {
    const known = prepared.get(sql) as Database.Statement<object, Row> | undefined;
    if (known !== undefined) return known;
    const statement = sqlite.prepare<object, Row>(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
