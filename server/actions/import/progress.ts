import { statSync } from 'node:fs';

export type Progress = {
  readonly file: string;
  /** The completed share of reading and storing the file, from 0 to 1. */
  readonly share: number;
  readonly rows: number;
  readonly done: boolean;
};

/** Minimum time between two reports, in milliseconds. */
const intervalMs = 100;

/** Passes the bytes of a file through; each pass over the file is measured from its start. */
export type Watch = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** Measures the reading of a file and reports the share that was read, at most every 100 ms. */
export function createShareMeter(path: string, onShare: (share: number) => void): Watch {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let lastReport = 0;
  return async function* watch(bytes) {
    let read = 0;
    for await (const chunk of bytes) {
      read += chunk.length;
      const now = performance.now();
      if (now - lastReport >= intervalMs) {
        lastReport = now;
        onShare(Math.min(read / Math.max(size, 1), 1));
      }
      yield chunk;
    }
  };
}
