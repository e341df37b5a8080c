import { open } from 'node:fs/promises';

/** How much of a file is read at once, in bytes. */
const pieceLength = 64 * 1024;

/**
 * Reads a file in pieces. With `reuse` a piece is only valid until the next one is asked for, and a
 * large file leaves no memory behind.
 */
export async function* readPieces(path: string, reuse: boolean): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    let buffer = Buffer.allocUnsafeSlow(pieceLength);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, pieceLength);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      if (!reuse) buffer = Buffer.allocUnsafeSlow(pieceLength);
    }
  } finally {
    await file.close();
  }
}
