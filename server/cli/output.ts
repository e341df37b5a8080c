import type { Writable } from 'node:stream';
import type { Progress } from '../actions/import/progress.ts';
import { fileError } from '../errors.ts';
import { createProgressLine } from './progress-line.ts';

export type Streams = { readonly stdout: Writable; readonly stderr: Writable };

/** Results on stdout, everything else on stderr (INTERFACE section 3). */
export type Output = {
  /** Writes the result as JSON if requested, else as text. Throws the same errors as `write`. */
  result(value: unknown, text: string): Promise<void>;
  /** Writes and flushes a piece of a result. Throws `ReaderGone` or `unavailable`. */
  write(piece: string): Promise<void>;
  note(sentence: string): void;
  /** Shows the progress of a long action, only on a terminal. */
  progress(progress: Progress): void;
  /** Reports, only once, that another program holds the database. */
  waiting(): void;
};

/** The error of a stdout that its reader has closed, as in `… | head -1`. */
export class ReaderGone extends Error {}

/** Converts an error of stdout to `ReaderGone` or `unavailable`. */
export function outputError(error: NodeJS.ErrnoException): unknown {
  return error.code === 'EPIPE' ? new ReaderGone() : fileError(error, 'standard output');
}

export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  const write = (piece: string) =>
    new Promise<void>((resolve, reject) => {
      stdout.write(piece, (error) => (error ? reject(outputError(error)) : resolve()));
    });
  const note = (sentence: string) => void stderr.write(`${sentence}\n`);
  let saidWaiting = false;
  return {
    result: (value, text) => write(`${json ? JSON.stringify(value) : text}\n`),
    write,
    note,
    progress: createProgressLine(stderr),
    waiting() {
      if (!saidWaiting) note('Another program is changing the data; waiting until it is done.');
      saidWaiting = true;
    },
  };
}
