import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import type { ChosenFile } from '../server/bridge.ts';
import { ClubEventsError } from '../server/errors.ts';

/** The files that the user chose in a dialog, dropped or opened, each behind a token for the page. */
export type FileTokens = {
  give(path: string): ChosenFile;
  /** Throws `unavailable` when no file was given with this token. */
  pathOf(token: string): string;
  /** A sentence with the names of these files where it has their paths. */
  nameIn(sentence: string): string;
};

/** How many choices are remembered: far more than a person makes, and never without end. */
const mostTokens = 1_000;

export function createFileTokens(): FileTokens {
  const paths = new Map<string, string>();
  return {
    give(path) {
      const token = randomUUID();
      paths.set(token, path);
      const [oldest] = paths.keys();
      if (paths.size > mostTokens && oldest !== undefined) paths.delete(oldest);
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? null;
      return { token, name: basename(path), size };
    },
    pathOf(token) {
      const path = paths.get(token);
      if (path !== undefined) return path;
      throw new ClubEventsError('unavailable', 'This file is not known any more; choose it again.');
    },
    nameIn(sentence) {
      // The longest first: a path may begin as another one does.
      const known = [...paths.values()].sort((one, other) => other.length - one.length);
      return known.reduce((text, path) => text.replaceAll(path, () => basename(path)), sentence);
    },
  };
}
