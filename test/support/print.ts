import type { Reporter } from 'vitest/node';

/** Prints a figure that a test has measured. */
export function printFigure(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Prints the skipped tests with their reasons, which the default reporter leaves out, and how many
 * belong to the long form.
 */
export const skipReporter: Reporter = {
  onTestRunEnd(modules) {
    const skipped = modules.flatMap(({ children }) => [...children.allTests('skipped')]);
    const long = skipped.filter(({ tags }) => tags.includes('long')).length;
    if (long > 0)
      process.stdout.write(`Skipped: ${long} tests of the long form, npm run test:long\n`);
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result();
        if (result.state !== 'skipped' || result.note === undefined) continue;
        process.stdout.write(
          `Skipped: ${module.relativeModuleId} > ${test.fullName}: ${result.note}\n`,
        );
      }
    }
  },
};
