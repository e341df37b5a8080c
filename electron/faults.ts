import { existsSync } from 'node:fs';
import type { Home } from '../server/home.ts';
import { type Log, openLog } from '../server/log.ts';

/** Where the faults of the shell are told. */
export type FaultLog = {
  readonly report: (error: unknown) => void;
  close(): void;
};

/**
 * Tells of faults in `logs/desktop.log` of the data directory at hand, and on stderr where that
 * cannot be written. The directory is never made for it: that of a disk which is not connected
 * would be taken for an empty one.
 */
export function createFaultLog(home: () => Home): FaultLog {
  let opened: { readonly log: Log; readonly logs: string } | undefined;

  function openIn({ directory, logs }: Home): Log | undefined {
    if (opened?.logs === logs) return opened.log;
    opened?.log.close();
    opened = undefined;
    if (!existsSync(directory)) return undefined;
    // What cannot be written is not worth another fault.
    const log = openLog(logs, () => undefined, 'desktop.log');
    opened = { log, logs };
    return log;
  }

  function tell(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`Club Events: ${text}\n`);
  }

  return {
    report(error) {
      try {
        const log = openIn(home());
        if (log === undefined) tell(error);
        else log.logger.error({ err: error }, 'fault');
      } catch (another) {
        tell(another);
        tell(error);
      }
    },
    close() {
      opened?.log.close();
      opened = undefined;
    },
  };
}
