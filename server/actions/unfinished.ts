import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { readStoreFacts } from '../../db/replace-database.ts';
import { type Problem, problem } from '../base/errors.ts';
import type { Home } from '../base/home.ts';
import { writeWholeFile } from '../base/write-file.ts';
import type { ActionName } from './catalogue.ts';

// Only these take so long that the end of the program, or of the computer, comes in between.
const noted = ['import', 'restore'] as const;

const Unfinished = z.strictObject({
  action: z.enum(noted),
  /** The names of the files. */
  files: z.string(),
  /** The state of the database before. */
  state: z.string(),
});
type Unfinished = z.infer<typeof Unfinished>;

/** The files of each action that can change something. */
const fileArguments = {
  import: z
    .looseObject({ files: z.array(z.string()), dryRun: z.literal(false).optional() })
    .transform(({ files }) => files),
  restore: z
    .looseObject({ file: z.string().optional(), name: z.string().optional() })
    .transform(({ file, name }) => [file ?? name ?? '']),
};

/** The reason with which the end of the program cancels an action. */
export const endOfProgram = Symbol('end of the program');

function describe(name: ActionName, args: unknown, { database }: Home): Unfinished | undefined {
  const action = noted.find((each) => each === name);
  const files = action && fileArguments[action].safeParse(args).data;
  if (action === undefined || files === undefined) return undefined;
  try {
    const { state } = readStoreFacts(database);
    const names = files.map((path) => basename(path)).join(', ');
    return state === null ? undefined : { action, files: names, state };
  } catch {
    // Without a state, nobody could say later that nothing was changed.
    return undefined;
  }
}

/** Notes in the data directory which long changes of this process are not finished. */
export function createUnfinished(home: Home) {
  const running = new Set<Unfinished>();

  function write(): void {
    try {
      if (running.size === 0) rmSync(home.unfinished, { force: true });
      else writeWholeFile(home.unfinished, [`${JSON.stringify([...running])}\n`]);
    } catch {
      // The note only serves a sentence after an interruption.
    }
  }

  return {
    /** Performs an action under a note, which stays if the end of the program cancels it. */
    async during<Value>(
      name: ActionName,
      args: unknown,
      signal: AbortSignal,
      perform: () => Promise<Value>,
    ): Promise<Value> {
      const entry = describe(name, args, home);
      if (entry === undefined) return perform();
      running.add(entry);
      write();
      let hasSucceeded = false;
      try {
        const value = await perform();
        hasSucceeded = true;
        return value;
      } finally {
        if (hasSucceeded || signal.reason !== endOfProgram) {
          running.delete(entry);
          write();
        }
      }
    },
  };
}

function readNotes({ unfinished }: Home): readonly Unfinished[] {
  try {
    return z.array(Unfinished).parse(JSON.parse(readFileSync(unfinished, 'utf8')));
  } catch {
    // Missing, as usually, or broken.
    return [];
  }
}

/**
 * Returns a problem for each long change that the end of an earlier process interrupted, once. If the
 * database has changed since, the change may be in it: then there is nothing to say.
 */
export function takeInterrupted(home: Home): Problem[] {
  const notes = readNotes(home);
  if (notes.length === 0) return [];
  rmSync(home.unfinished, { force: true });
  try {
    const { state } = readStoreFacts(home.database);
    return notes
      .filter((note) => note.state === state)
      .map(({ action, files }) =>
        problem(action === 'import' ? 'import_interrupted' : 'restore_interrupted', { files }),
      );
  } catch {
    // The start reports a database that cannot be read.
    return [];
  }
}
