import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { ActionRequest, ActionResult, ChosenFile } from '../../server/actions/bridge.ts';
import { actionKinds } from '../../server/actions/kinds.ts';
import { Problem, problem } from '../../server/base/errors.ts';

/** Files that the user chose, dropped or opened. The page gets tokens for them, not paths. */
export type FileTokens = {
  issue(path: string): ChosenFile;
  /** Throws `token_unknown`. */
  pathOf(token: string): string;
  /** Returns the name of a path that has a token; other texts unchanged. */
  nameOf(path: string): string;
};

/** The number of files to remember: more than a person chooses, but limited. */
const maxTokens = 1_000;

export function createFileTokens(): FileTokens {
  const paths = new Map<string, string>();
  return {
    issue(path) {
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
      throw problem('token_unknown');
    },
    nameOf: (path) => ([...paths.values()].includes(path) ? basename(path) : path),
  };
}

/** Returns the result of an action for the page: the name of a written file, not its path. */
export function actionResult({ name }: ActionRequest, result: unknown): unknown {
  if (actionKinds[name].file !== 'output') return result;
  const report = result as ActionResult<'export' | 'backup'>;
  return { ...report, output: report.output && basename(report.output) };
}

/** Returns an error for the page, with file names in place of paths. */
export function withoutPaths(error: unknown, files: FileTokens): unknown {
  if (!(error instanceof Problem)) return error;
  const values = Object.entries(error.values).map(([name, value]) => [
    name,
    typeof value === 'string' ? files.nameOf(value) : value,
  ]);
  return new Problem(error.code, Object.fromEntries(values), error);
}

/** Ids and ranges of ids, which stand beside tokens of files with ids. */
const idsPattern = /^\s*\d+(?:-\d+)?\s*$/;

/**
 * Returns the arguments of an action with file tokens replaced by paths. A text that is not a token
 * never becomes a path. Throws `token_unknown` or `file_not_chosen`.
 */
export function actionArguments({ name, args }: ActionRequest, files: FileTokens): unknown {
  const { file } = actionKinds[name];
  if (file === undefined) return args;
  const parsed = z
    .looseObject({ [file]: z.union([z.string(), z.array(z.string())]).optional() })
    .safeParse(args);
  if (!parsed.success) throw problem('file_not_chosen');
  const toPath = (text: string) =>
    file === 'ids' && idsPattern.test(text) ? text : files.pathOf(text);
  const given = parsed.data[file];
  if (given === undefined) return args;
  return { ...parsed.data, [file]: Array.isArray(given) ? given.map(toPath) : toPath(given) };
}
