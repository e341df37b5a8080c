import type { TestContext } from 'vitest';

/** Returns the first value in the long form of the tests (`npm run test:long`), else the second. */
export function choose<T>(all: T, short: T): T {
  return process.env['LONG_TESTS'] === '1' ? all : short;
}

/** Skips the running test in the short form. */
export function requireLong(context: TestContext): void {
  if (process.env['LONG_TESTS'] !== '1') context.skip('is in the long form, "npm run test:long"');
}
