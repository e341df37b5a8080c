import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { fileError } from './errors.ts';
import { renameFile } from './write-file.ts';

/** A log longer than this, in bytes, is put aside at the next start; one older is kept. */
const rotateAt = 5 * 1024 * 1024;

export type Log = {
  readonly logger: Logger;
  /** Writes what is pending and closes the file. */
  close(): void;
};

/**
 * Opens a log of a data directory, that of the service by default: JSON lines about its life and
 * its failures, never a key, a header or a query.
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
    // Synchronous: at the default level there are a few lines a day, and a crash must not lose them.
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
