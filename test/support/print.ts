import type { Reporter } from 'vitest/node';

/** Prints a figure that a test has measured. */
export function printFigure(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the skipped tests with their reasons, which the default reporter leaves out. */
export const skipReporter: Reporter = {
  onTestRunEnd(modules) {
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
