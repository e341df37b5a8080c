import { z } from 'zod';
import { type CheckedArea, checkAreas } from '../../db/check.ts';
import type { Home } from '../base/home.ts';
import { verifyBackups } from '../store/backup-check.ts';
import { forgetCheck } from '../store/checked-file.ts';
import { withReader } from '../store/store.ts';
import type { ActionTools } from './tools.ts';

export const Check = z.strictObject({});

type CheckReport = {
  readonly database: string;
  readonly isInOrder: boolean;
  /** The checked areas; one without problems is in order. */
  readonly areas: readonly {
    readonly area: CheckedArea | 'backups';
    /** Technical sentences in English, one line each. */
    readonly problems: readonly string[];
    /** True if there was nothing to check, because there is no backup. */
    readonly isEmpty?: true;
  }[];
};

/** Descriptions of what is wrong with a backup, by the code of its problem. */
const flaws: Readonly<Partial<Record<string, string>>> = {
  backup_altered: 'is not as it was when it was made',
  backup_damaged: 'is damaged',
  backup_foreign: 'is not a backup',
  backup_unverified: 'has no record',
};

/** Returns a sentence for each bad backup; undefined if there are no backups. */
function checkBackups(home: Home): string[] | undefined {
  const backups = verifyBackups(home);
  if (backups.length === 0) return undefined;
  return backups.flatMap(({ name, flaw }) =>
    flaw === undefined ? [] : [`${name} ${flaws[flaw.code] ?? `cannot be used (${flaw.code})`}`],
  );
}

/** Verifies the database with its schema, search words and history, and the backups. */
export async function checkStore(
  _: z.infer<typeof Check>,
  { home }: ActionTools,
): Promise<CheckReport> {
  const stored = await withReader(home, checkAreas);
  if (stored.some(({ problems }) => problems.length > 0)) forgetCheck(home);
  const problems = checkBackups(home);
  const backups =
    problems === undefined
      ? ({ area: 'backups', problems: [], isEmpty: true } as const)
      : ({ area: 'backups', problems } as const);
  const areas = [...stored, backups];
  const isInOrder = areas.every((area) => area.problems.length === 0);
  return { database: home.database, isInOrder, areas };
}
