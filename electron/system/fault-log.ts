import type { Logger } from 'pino';
import { openLog } from '../../server/base/log.ts';

export type FaultLog = {
  readonly folder: string;
  readonly report: (error: unknown) => void;
};

/**
 * Creates a log that writes to `desktop.log` in a folder, or to stderr if that fails. The folder
 * must not be in the data directory: writing to a disk that hangs would freeze the window.
 */
export function createFaultLog(folder: string): FaultLog {
  let log: Logger | undefined;

  function writeToStderr(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`Club Events: ${text}\n`);
  }

  return {
    folder,
    report(error) {
      try {
        log ??= openLog(folder, () => undefined, 'desktop.log');
        log.error({ err: error }, 'fault');
      } catch (logError) {
        writeToStderr(logError);
        writeToStderr(error);
      }
    },
  };
}
