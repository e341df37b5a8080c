import type { Writable } from 'node:stream';
import type { Progress } from '../actions/import/progress.ts';
import { fileError } from '../errors.ts';
import { createProgressLine } from './progress-line.ts';

export type Streams = { readonly stdout: Writable; readonly stderr: Writable };

/** Results on stdout, everything else on stderr (INTERFACE section 3). */
export type Output = {
  /** Writes the result: as JSON if requested, else as text. Throws as `write`. */
  result(value: unknown, text: string): Promise<void>;
  /**
   * Writes a piece of a result and waits until it is delivered. Throws `ReaderGone`, or
   * `unavailable` when it cannot be written.
   */
  write(piece: string): Promise<void>;
  /** Writes a sentence beside the result. */
  note(sentence: string): void;
  /** Shows the progress of a long action, on a terminal only. */
  progress(progress: Progress): void;
  /** Says once that another program holds the database. */
  waiting(): void;
};

/** The reader of stdout has seen enough and closed it, as in `… | head -1`. */
export class ReaderGone extends Error {}

/** Explains an error of stdout. */
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
