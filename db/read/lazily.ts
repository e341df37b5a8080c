import type Database from 'better-sqlite3';

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
