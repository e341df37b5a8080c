import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { fileError } from './errors.ts';
import { renameFile } from './write-file.ts';

/** Size in bytes above which a log is rotated; one rotated log is kept. */
const rotateAt = 5 * 1024 * 1024;

/** Lines per minute: other programs may cause failures, such as those of a damaged database. */
const maxLines = 60;

/**
 * Opens a log in `directory`, by default that of the service. It contains JSON lines about starts
 * and failures, never a key, a header or a query. Throws `unavailable` naming the file.
 */
export function openLog(
  directory: string,
  onFailure: (error: Error) => void,
  fileName = 'service.log',
): Logger {
  const path = join(directory, fileName);
  let minute = 0;
  let lines = 0;
  let failed = false;

  // Opened for each line: there are only a few a day, and another process may rotate the file.
  function append(text: string): void {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > rotateAt) {
      renameFile(path, `${path}.1`);
    }
    appendFileSync(path, text, { mode: 0o600 });
  }
  function write(line: string): void {
    const now = Math.floor(performance.now() / 60_000);
    if (now !== minute) lines = 0;
    minute = now;
    lines += 1;
    // One more, which says so.
    if (lines > maxLines + 1) return;
    try {
      append(line);
      if (lines === maxLines) logger.warn('no more lines in this minute');
    } catch (error) {
      // A full disk must not end a service that only reads.
      if (!failed) onFailure(error as Error);
      failed = true;
    }
  }
  const logger = pino({ base: { pid: process.pid } }, { write });
  for (const [place, prepare] of [
    [directory, () => mkdirSync(directory, { recursive: true, mode: 0o700 })],
    [path, () => append('')],
  ] as const) {
    try {
      prepare();
    } catch (error) {
      throw fileError(error, place);
    }
  }
  return logger;
}
