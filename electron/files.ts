import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ChosenFile } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';

/** Files that the user chose, dropped or opened. The page gets tokens for them, not paths. */
export type FileTokens = {
  give(path: string): ChosenFile;
  /** Throws `unavailable` for an unknown token. */
  pathOf(token: string): string;
  /** Replaces the paths of these files in a sentence with their names. */
  nameIn(sentence: string): string;
};

/** The number of files to remember: more than a person chooses, but limited. */
const maxTokens = 1_000;

export function createFileTokens(): FileTokens {
  const paths = new Map<string, string>();
  return {
    give(path) {
      const token = randomUUID();
      paths.set(token, path);
      const [oldest] = paths.keys();
      if (paths.size > maxTokens && oldest !== undefined) paths.delete(oldest);
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? null;
      return { token, name: basename(path), size };
    },
    pathOf(token) {
      const path = paths.get(token);
      if (path !== undefined) return path;
      throw new ClubEventsError('unavailable', 'This file is not known any more; choose it again.');
    },
    nameIn(sentence) {
      // Longest first: one path may be the beginning of another.
      const known = [...paths.values()].sort((one, other) => other.length - one.length);
      return known.reduce((text, path) => text.replaceAll(path, () => basename(path)), sentence);
    },
  };
}
