import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Progress } from '../actions/import/progress.ts';
import { createProgressLine } from './progress-line.ts';

export type Streams = { readonly stdout: Writable; readonly stderr: Writable };

/** Results on stdout, everything else on stderr (INTERFACE section 3). */
export type Output = {
  /** The result: as JSON where that was asked for, else as text. */
  result(value: unknown, text: string): void;
  /** The next piece of a result that is a text of its own; waits while the reader is behind. */
  write(piece: string): Promise<void>;
  /** A sentence beside the result. */
  note(sentence: string): void;
  /** How far a long action has come: on a terminal alone, and on one line. */
  progress(progress: Progress): void;
};

export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  return {
    result: (value, text) => void stdout.write(`${json ? JSON.stringify(value) : text}\n`),
    async write(piece) {
      if (!stdout.write(piece)) await once(stdout, 'drain');
    },
    note: (sentence) => void stderr.write(`${sentence}\n`),
    progress: createProgressLine(stderr),
  };
}
