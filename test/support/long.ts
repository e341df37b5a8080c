/**
 * Returns the first value in the long form of the tests (`npm run test:long`), else the second. The
 * third one is for the models and the faults, which then run for an hour (`npm run test:twin` and
 * `npm run test:faults`).
 */
export function choose<T>(all: T, short: T, most: T = all): T {
  if (process.env['MODEL_TESTS'] === '1') return most;
  return process.env['LONG_TESTS'] === '1' ? all : short;
}
