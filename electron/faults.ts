import { type Log, openLog } from '../server/log.ts';

/** The log of the faults of the shell. */
export type FaultLog = {
  readonly folder: string;
  readonly report: (error: unknown) => void;
  close(): void;
};

/**
 * Writes faults to `desktop.log` in a folder, and to stderr where that fails. The folder is not in
 * the data directory: a disk that hangs would stop the window in the middle of reporting it.
 */
export function createFaultLog(folder: string): FaultLog {
  let log: Log | undefined;

  function writeToStderr(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`Club Events: ${text}\n`);
  }

  return {
    folder,
    report(error) {
      try {
        log ??= openLog(folder, () => undefined, 'desktop.log');
        log.logger.error({ err: error }, 'fault');
      } catch (another) {
        writeToStderr(another);
        writeToStderr(error);
      }
    },
    close() {
      log?.close();
      log = undefined;
    },
  };
}
