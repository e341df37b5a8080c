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

export type ProgressMeter = {
  /** Hands bytes through and counts them; a second pass over the file starts from nothing. */
  watch(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Counts a row. */
  count(): void;
  finish(): void;
};

/** Measures the import of a file and tells of it at most every tenth of a second. */
export function createProgressMeter(
  path: string,
  file: string,
  onProgress: (progress: Progress) => void,
): ProgressMeter {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let read = 0;
  let rows = 0;
  let told = 0;
  const tell = (done: boolean) => {
    const share = done ? 1 : Math.min(read / Math.max(size, 1), 1);
    onProgress({ file, share, rows, done });
  };
  return {
    async *watch(bytes) {
      read = 0;
      for await (const chunk of bytes) {
        read += chunk.length;
        const now = performance.now();
        if (now - told >= intervalMs) {
          told = now;
          tell(false);
        }
        yield chunk;
      }
    },
    count() {
      rows += 1;
    },
    finish: () => tell(true),
  };
}
