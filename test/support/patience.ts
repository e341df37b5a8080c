import process from 'node:process';

/**
 * The limit of every wait in tests, in milliseconds. A longer one costs nothing while tests pass;
 * a slow machine may need it: `TEST_PATIENCE=300000 npm test`.
 */
export const patience = Number(process.env['TEST_PATIENCE'] ?? 60_000);

/**
 * Marks a read of a page that does not wait: only for a value that an earlier wait has brought. All
 * others are inside `expect.poll`.
 */
export const readOnce = <Value>(read: Value): Value => read;
