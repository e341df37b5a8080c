import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { fileError } from './errors.ts';
import { renameFile } from './write-file.ts';

/** Size in bytes above which a log is rotated at the next start; one rotated log is kept. */
const rotateAt = 5 * 1024 * 1024;

export type Log = {
  readonly logger: Logger;
  /** Flushes and closes the file. */
  close(): void;
};

/**
 * Opens a log in `directory`, by default that of the service. It contains JSON lines about starts
 * and failures, never a key, a header or a query. Throws `unavailable` naming the file.
 */
export function openLog(
  directory: string,
  onFailure: (error: Error) => void,
  fileName = 'service.log',
): Log {
  const path = join(directory, fileName);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (existsSync(path) && statSync(path).size > rotateAt) renameFile(path, `${path}.1`);
    // Synchronous: a crash must not lose lines, and there are only a few a day.
    const destination = pino.destination({ dest: path, mode: 0o600, sync: true });
    // A full disk must not end a service that only reads.
    destination.once('error', onFailure);
    destination.on('error', () => undefined);
    return {
      logger: pino({ base: { pid: process.pid } }, destination),
      close: () => destination.end(),
    };
  } catch (error) {
    throw fileError(error, path);
  }
}
