import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { explain } from '../server/errors.ts';
import { isPortUnavailable } from '../server/main.ts';
import type { ServiceText } from './service-texts.ts';

/** Why a service is not running. */
export type ServiceProblem =
  /** One for which the shell has words, in each language. */
  | { readonly kind: Exclude<ServiceText, 'taken' | 'fault'> }
  | { readonly kind: 'taken' }
  /** One that the service has a sentence for. */
  | { readonly kind: 'other'; readonly sentence: string }
  /** A fault of ours; what is known of it is for the log. */
  | { readonly kind: 'fault'; readonly trace: string };

const ofFiles: Readonly<Record<string, Exclude<ServiceText, 'taken' | 'fault'>>> = {
  EROFS: 'readOnly',
  ENOSPC: 'full',
  EDQUOT: 'full',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  ENOENT: 'missing',
  ENOTDIR: 'noFolder',
  EEXIST: 'noFolder',
};

const ofStore = ['newer', 'foreign', 'damaged', 'busy', 'full', 'forbidden'] as const;

/** Whether a folder, or the one that it would be made in, is on a disk that may only be read. */
function isReadOnly(folder: string): boolean {
  if (!existsSync(folder) && dirname(folder) !== folder) return isReadOnly(dirname(folder));
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** What kept the service of a data directory from starting. */
export function problemOf(error: unknown, home: string): ServiceProblem {
  const explained = explain(error);
  if (explained === undefined) {
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: 'fault', trace };
  }
  if (isPortUnavailable(explained)) return { kind: 'taken' };
  const { code, problem } = (explained.cause ?? {}) as { code?: unknown; problem?: unknown };
  const kind = ofStore.find((name) => name === problem) ?? ofFiles[String(code)];
  // Neither SQLite nor Node, where it makes several folders, tells this one from the others.
  const vague = kind === 'forbidden' || kind === 'missing';
  if (vague && isReadOnly(home)) return { kind: 'readOnly' };
  return kind === undefined ? { kind: 'other', sentence: explained.message } : { kind };
}
