import { statSync } from 'node:fs';

/** How far the import of a file has come. */
export type Progress = {
  readonly file: string;
  /** Of the bytes of the file, the share that was read, from 0 to 1. */
  readonly share: number;
  readonly rows: number;
  readonly done: boolean;
};

/** How often progress is told, in milliseconds. */
const intervalMs = 100;

/** Hands the bytes of a file through; a second pass over it starts from nothing. */
export type Watch = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** Measures the reading of a file and tells its share at most every tenth of a second. */
export function createShareMeter(path: string, onShare: (share: number) => void): Watch {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let told = 0;
  return async function* watch(bytes) {
    let read = 0;
    for await (const chunk of bytes) {
      read += chunk.length;
      const now = performance.now();
      if (now - told >= intervalMs) {
        told = now;
        onShare(Math.min(read / Math.max(size, 1), 1));
      }
      yield chunk;
    }
  };
}
