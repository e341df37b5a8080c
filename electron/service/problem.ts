import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { explain, packProblem } from '../../server/base/errors.ts';
import type { PackedProblem } from '../../server/messages/message.ts';
import type { catalogues } from '../../server/messages/messages.ts';
import { isPortUnavailable } from '../../server/service/service.ts';

type ServiceText = keyof (typeof catalogues)['en']['service'];

export type ServiceProblem =
  /** A problem that the shell describes in each language. */
  | { readonly kind: Exclude<ServiceText, 'taken' | 'fault'> }
  | { readonly kind: 'taken' }
  /** A problem that the service describes. */
  | { readonly kind: 'other'; readonly problem: PackedProblem }
  /** An internal error, with its stack trace for the log. */
  | { readonly kind: 'fault'; readonly trace: string };

const problemsByErrorCode: Readonly<Record<string, Exclude<ServiceText, 'taken' | 'fault'>>> = {
  EROFS: 'readOnly',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  ENOENT: 'missing',
  ENOTDIR: 'noFolder',
  EEXIST: 'noFolder',
};

const storeProblems = ['newer', 'foreign', 'damaged', 'busy', 'full', 'forbidden'] as const;

/** Returns whether a folder, or the nearest one that exists above it, is on a read-only disk. */
function isReadOnly(folder: string): boolean {
  if (!existsSync(folder) && dirname(folder) !== folder) return isReadOnly(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** Returns the reason why the service of a data directory did not start. */
export function problemOf(error: unknown, home: string): ServiceProblem {
  const explained = explain(error);
  if (explained === undefined) {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'fault', trace };
  }
  if (isPortUnavailable(explained)) return { kind: 'taken' };
  const { code, problem } = (explained.cause ?? {}) as { code?: unknown; problem?: unknown };
  const kind = storeProblems.find((name) => name === problem) ?? problemsByErrorCode[String(code)];
  // SQLite, and Node when it creates nested folders, report a read-only disk as one of these.
  const isVague = kind === 'forbidden' || kind === 'missing';
  if (isVague && isReadOnly(home)) return { kind: 'readOnly' };
  return kind === undefined ? { kind: 'other', problem: packProblem(explained) } : { kind };
}
