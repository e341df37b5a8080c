import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { makeMemoryFolder } from './test/support/memory-folder.ts';
import { patience } from './test/support/patience.ts';
import { skipReporter } from './test/support/print.ts';

/** Tests that measure. They need a quiet machine and run one after the other. */
const timed = 'test/**/*.timed.test.ts';

/** Tests that `npm run test:long` adds. */
const long = 'test/**/*.long.test.ts';

/** The test files of modes that do not run the ordinary tests. */
const kinds: Readonly<Record<string, string>> = {
  timed,
  pictures: 'test/**/*.pictures.ts',
  packages: 'test/{documents,workflows*,electron/packaging/{application*,npm-package}}.test.ts',
  faults: 'test/faults/**/*.test.ts',
  hub: 'test/hub/**/*.test.ts',
  wine: 'test/wine/**/*.wine.ts',
  node: 'test/server/http/{edges,events,query,list-model,isolation,openapi,model,representations}.test.ts',
  twin: `test/{db/mirror,server/{${[
    'mirror/{planner/simulator,two-laptops}',
    'follow/histories',
    'proposals/three-computers',
    'publish/publish',
    'export/live-page',
    'ui/manage/odd-values',
  ]}}}.test.ts`,
};

/** The environment that selects the long forms of tests, by mode. */
const settings: Readonly<Record<string, Record<string, string>>> = {
  fuzz: { FUZZ_RUNS: '100000' },
  long: { LONG_TESTS: '1' },
  packages: { LONG_TESTS: '1' },
  hub: { LONG_TESTS: '1' },
  // The tests of HTTP against a node of a hub.
  node: { TEST_ON_NODE: '1' },
  // That of the page in the pictures.
  pictures: { TZ: 'Europe/Berlin' },
  twin: { LONG_TESTS: '1', MODEL_TESTS: '1', SIMULATOR_SEEDS: '1000000' },
  faults: { LONG_TESTS: '1', MODEL_TESTS: '1', SOAK_MINUTES: process.env['SOAK_MINUTES'] ?? '30' },
};

/**
 * Modes whose tests have their files on the disk: those that measure, those that damage files, and
 * Wine, whose own files have 700 MB. In the others, SQLite would wait for the disk at each commit.
 */
const onDisk: readonly string[] = ['timed', 'faults', 'wine'];

/** Returns the environment of the tests in a mode. */
function environmentOf(mode: string): Record<string, string> {
  const folder = onDisk.includes(mode)
    ? undefined
    : (process.env['TEST_FOLDER'] ?? makeMemoryFolder());
  return { ...(folder && { TEST_FOLDER: folder }), ...settings[mode] };
}

export default defineConfig(({ mode }) => ({
  test: {
    include: [kinds[mode] ?? 'test/**/*.test.ts'],
    exclude: [
      // Competitors of the benchmark may be installed below test/bench.
      '**/node_modules/**',
      ...(mode === 'timed' ? [] : [timed]),
      ...(settings[mode]?.['LONG_TESTS'] !== undefined ? [] : [long]),
    ],
    reporters: ['default', skipReporter],
    // The desktop application contains the page.
    globalSetup: ['guard-run', 'build-page', 'build-desktop'].map(
      (name) => `test/support/${name}.ts`,
    ),
    // Most tests wait for processes and browsers, half of the time.
    maxWorkers: mode === 'timed' || mode === 'faults' ? 1 : 2 * availableParallelism(),
    // A process for each file would take a tenth of the time; what files share is nothing of ours.
    isolate: mode === 'timed',
    // A test or hook waits several times, each time with this patience. These limits only end one that
    // hangs without a wait; the tests of the other modes compute for minutes or hours.
    testTimeout: mode === 'test' ? 10 * patience : 0,
    hookTimeout: 10 * patience,
    expect: { poll: { timeout: patience } },
    tags: [
      {
        name: 'long',
        description: 'Tests that only `npm run test:long` and the other long modes run.',
        skip: settings[mode]?.['LONG_TESTS'] === undefined,
      },
    ],
    env: environmentOf(mode),
  },
}));
