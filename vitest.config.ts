import { defineConfig } from 'vitest/config';

/** Tests that measure, which run after the others and with nothing beside them. */
const timed = 'test/**/*.timed.test.ts';

/** What else is run, by mode. */
const kinds: Readonly<Record<string, string>> = { timed, pictures: 'test/**/*.pictures.ts' };

/** Long forms, by mode: of the tests that damage files, and of those of many combinations. */
const settings: Readonly<Record<string, Record<string, string>>> = {
  fuzz: { FUZZ_RUNS: '100000' },
  long: { LONG_TESTS: '1' },
};

export default defineConfig(({ mode }) => ({
  test: {
    include: [kinds[mode] ?? 'test/**/*.test.ts'],
    // What is measured against may be installed below test/bench.
    exclude: ['**/node_modules/**', ...(mode === 'timed' ? [] : [timed])],
    // The desktop application contains the page.
    globalSetup: ['test/support/build-page.ts', 'test/support/build-desktop.ts'],
    // Most tests wait for processes and browsers, half of the time.
    maxWorkers: mode === 'timed' ? 1 : 3,
    // A process for each file would take a tenth of the time; what files share is nothing of ours.
    isolate: mode === 'timed',
    // Every test starts real processes, sockets and database files, on machines with two cores; some
    // of those that measure do so several times, and the long form takes every combination.
    testTimeout: mode === 'timed' || mode === 'long' ? 90_000 : 30_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 30_000,
    env: settings[mode] ?? {},
  },
}));
