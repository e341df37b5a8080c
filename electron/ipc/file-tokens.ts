import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import type { ActionRequest, ActionResult, ChosenFile } from '../../server/bridge.ts';
import { Problem, problem } from '../../server/errors.ts';

/** Files that the user chose, dropped or opened. The page gets tokens for them, not paths. */
export type FileTokens = {
  issue(path: string): ChosenFile;
  /** Throws `unavailable` for an unknown token. */
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

/** Returns the result of an action for the page: the name of an exported file, not its path. */
export function actionResult({ name }: ActionRequest, result: unknown): unknown {
  if (name !== 'export' && name !== 'backup') return result;
  const report = result as ActionResult<'export' | 'backup'>;
  return { ...report, output: report.output && basename(report.output) };
}

/** Returns the error of an action for the page, with file names in place of paths. */
export function actionFailure(error: unknown, files: FileTokens): unknown {
  if (!(error instanceof Problem)) return error;
  const values = Object.entries(error.values).map(([name, value]) => [
    name,
    typeof value === 'string' ? files.nameOf(value) : value,
  ]);
  return new Problem(error.code, Object.fromEntries(values), error);
}

const Files = z.looseObject({ files: z.array(z.string()) });
const Output = z.looseObject({ output: z.string() });
const OptionalOutput = z.object({ output: z.string().optional() });
/** A chosen file, or the name of a backup in the list. */
const Source = z.object({ file: z.string().optional(), name: z.string().optional() });

/** The page may name no other computer, to which it could send data by the name. */
const OwnAddress = z.strictObject({ url: z.string().regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/) });

/** Ids, ranges of ids, and tokens of files with ids. */
const Ids = z.looseObject({ ids: z.array(z.string()) });
const idsPattern = /^\s*\d+(?:-\d+)?\s*$/;

function parseTokens<Args>(schema: z.ZodType<Args>, args: unknown): Args {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  throw problem('file_not_chosen');
}

/**
 * Returns the arguments of an action with file tokens replaced by paths. A text that is not a token
 * never becomes a path. Throws `wrong_usage` or `unavailable`.
 */
export function actionArguments({ name, args }: ActionRequest, files: FileTokens): unknown {
  switch (name) {
    case 'import':
    case 'import preview': {
      const parsed = parseTokens(Files, args);
      return { ...parsed, files: parsed.files.map(files.pathOf) };
    }
    case 'export': {
      const parsed = parseTokens(Output, args);
      return { ...parsed, output: files.pathOf(parsed.output) };
    }
    case 'mirror add-ids': {
      const parsed = parseTokens(Ids, args);
      const ids = parsed.ids.map((text) => (idsPattern.test(text) ? text : files.pathOf(text)));
      return { ...parsed, ids };
    }
    case 'doctor': {
      const parsed = OwnAddress.safeParse(args);
      if (parsed.success) return parsed.data;
      throw problem('arguments_invalid', { field: 'url' });
    }
    case 'backup': {
      const { output } = parseTokens(OptionalOutput, args);
      return output === undefined ? {} : { output: files.pathOf(output) };
    }
    case 'restore': {
      const { file, name: listed } = parseTokens(Source, args);
      return file === undefined ? { name: listed } : { file: files.pathOf(file) };
    }
    default:
      return args;
  }
}
