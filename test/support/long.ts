/** Returns the first value in the long form of the tests (`npm run test:long`), else the second. */
export function choose<T>(all: T, short: T): T {
  return process.env['LONG_TESTS'] === '1' ? all : short;
}
