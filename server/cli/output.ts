import type { Writable } from 'node:stream';

export type Streams = { readonly stdout: Writable; readonly stderr: Writable };

/** Results on stdout, everything else on stderr (INTERFACE section 3). */
export type Output = {
  /** The result: as JSON where that was asked for, else as text. */
  result(value: unknown, text: string): void;
  /** A sentence beside the result. */
  note(sentence: string): void;
};

export function createOutput({ stdout, stderr }: Streams, json: boolean): Output {
  return {
    result: (value, text) => void stdout.write(`${json ? JSON.stringify(value) : text}\n`),
    note: (sentence) => void stderr.write(`${sentence}\n`),
  };
}
