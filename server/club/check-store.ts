import { z } from 'zod';
import { type CheckedArea, checkAreas, findContentDamage } from '../../db/check-contents.ts';
import { type Problem, problem } from '../base/errors.ts';
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

/** Returns a description of what is wrong with a backup. */
function describeFlaw({ code, values }: Problem): string {
  switch (code) {
    case 'backup_altered':
      return 'is not as it was when it was made';
    case 'backup_damaged':
      return `is damaged (${values['reason']})`;
    case 'backup_foreign':
      return 'is not a backup';
    case 'backup_unverified':
      return 'has no record; "restore" checks its content alone';
    case 'backup_record_unreadable':
      return 'has a record that cannot be read; "restore" checks its content alone';
    case 'backup_record_flawed':
      return 'is sound, but contradicts its record; a restore without the record takes it';
    default:
      return `could not be examined (${code})`;
  }
}

/** Returns a sentence for each bad backup; undefined if there are no backups. */
async function checkBackups(home: Home): Promise<string[] | undefined> {
  const backups = await verifyBackups(home);
  if (backups.length === 0) return undefined;
  return backups.flatMap(({ name, flaw }) =>
    flaw === undefined ? [] : [`${name} ${describeFlaw(flaw)}`],
  );
}

/** Verifies the database with its schema, search words and history, and the backups. */
export async function checkStore(
  _: z.infer<typeof Check>,
  { home }: ActionTools,
): Promise<CheckReport> {
  const stored = await withReader(home, checkAreas);
  if (stored.some(({ problems }) => problems.length > 0)) forgetCheck(home);
  const problems = await checkBackups(home);
  const backups =
    problems === undefined
      ? ({ area: 'backups', problems: [], isEmpty: true } as const)
      : ({ area: 'backups', problems } as const);
  const areas = [...stored, backups];
  const isInOrder = areas.every((area) => area.problems.length === 0);
  return { database: home.database, isInOrder, areas };
}

/** Returns impossible contents of a database, which explain an internal error; undefined without any. */
export async function findContentProblem(home: Home): Promise<Problem | undefined> {
  const [damage] = await withReader(home, (db) => findContentDamage(db)).catch(() => []);
  return damage === undefined
    ? undefined
    : problem('damage_found', { path: home.database, damage });
}
