import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { fileError, problem } from '../base/errors.ts';

/** Most ids of one call, and the size of a file with ids in bytes. */
const limits = { ids: 1_000_000, bytes: 10_000_000 };

const maxId = Number.MAX_SAFE_INTEGER;

/**
 * Reads ids from ids, ranges such as `100-200`, and files. Throws `mirror_ids_invalid` for a text
 * that is none of these, and for a file without ids.
 */
export async function readIds(texts: readonly string[]): Promise<number[]> {
  const ids = new Set<number>();
  for (const text of texts) {
    for (const id of await readPart(text)) {
      ids.add(id);
      if (ids.size > limits.ids) throw problem('mirror_ids_invalid', { text });
    }
  }
  return [...ids];
}

async function readPart(text: string): Promise<Iterable<number>> {
  const [, first, last = first] = /^(\d{1,16})(?:-(\d{1,16}))?$/.exec(text.trim()) ?? [];
  if (first === undefined) return await readFileIds(text);
  const [low, high] = [Number(first), Number(last)];
  if (high > maxId || low > high || high - low >= limits.ids) {
    throw problem('mirror_ids_invalid', { text });
  }
  return Array.from({ length: high - low + 1 }, (_, index) => low + index);
}

async function readFileIds(path: string): Promise<number[]> {
  if (!existsSync(path)) throw problem('mirror_ids_invalid', { text: path });
  try {
    const { size } = await stat(path);
    if (size > limits.bytes) throw problem('mirror_ids_invalid', { text: path });
    const ids = (await readFile(path, 'utf8')).split(/\r?\n/).flatMap(idOfLine);
    if (ids.length === 0) throw problem('mirror_ids_invalid', { text: path });
    return ids;
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Returns the id in a line: that of an address of an event, or else a number at its start. */
function idOfLine(line: string): number[] {
  const [, id] =
    /\/events\/(\d{1,16})\b/.exec(line) ?? /^\W*(\d{1,16})(?=["';,\t\s]|$)/.exec(line) ?? [];
  return id === undefined || Number(id) > maxId ? [] : [Number(id)];
}
