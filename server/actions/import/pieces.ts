import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { badSource } from './source.ts';

/** Number of bytes read at once. */
const pieceLength = 64 * 1024;

/** Reads a file in pieces. With `reuse`, they share one buffer and are valid one at a time. */
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

/** Maximum number of bytes from a pipe or a device; some devices never end. */
const maxPipeLength = 256 * 1024 * 1024;

async function* limitLength(path: string): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const piece of readPieces(path, false)) {
    length += piece.length;
    if (length > maxPipeLength) {
      const what = 'more than 256 MB came from what is not a file; save it as a file first';
      throw badSource(basename(path), undefined, what);
    }
    yield piece;
  }
}

/**
 * Returns a file that can be opened several times: the file itself, or a temporary copy of a pipe
 * or a device. The copy has the same name and is removed on disposal.
 */
export async function openableFile(path: string): Promise<AsyncDisposable & { path: string }> {
  if ((await stat(path)).isFile()) return { path, [Symbol.asyncDispose]: async () => undefined };
  const folder = await mkdtemp(join(tmpdir(), 'club-events-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    await writeFile(copy, limitLength(path), { mode: 0o600 });
    return { path: copy, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
