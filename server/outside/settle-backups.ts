import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { explain, type Problem, problem } from '../base/errors.ts';
import { type Home, isBackup } from '../base/home.ts';
import { temporaryName } from '../base/write-file.ts';
import type { ProblemCode } from '../messages/message.ts';
import { timeInName } from '../store/backup-files.ts';
import {
  type Backup,
  backupPath,
  compareBackups,
  listBackups,
  parseRecord,
  recordPath,
} from '../store/backup-records.ts';
import { chooseExpired, isRecent } from '../store/backup-rotation.ts';
import {
  type BackupFolder,
  type FolderState,
  stampOfBackups,
  unknownState,
} from './backup-folders.ts';
import type { FileCalls, Found, Place } from './file-process.ts';
import { readHomeId } from './identity.ts';
import { callOutside, type OutsideOptions } from './outside-files.ts';
import { failureAfter } from './settle.ts';

export type FolderTools = OutsideOptions & {
  readonly home: Home;
  readonly now: () => Date;
  readonly randomInt: (limit: number) => number;
};

/** Interval in milliseconds at which some copies are read whole. */
const readEvery = 24 * 60 * 60 * 1_000;

/** The largest record that is read, in bytes. */
const maxRecord = 1_000_000;

/** Difference in milliseconds of two times of one file: FAT rounds them to two seconds. */
const timeTolerance = 2_000;

/** Failures that concern one file, beside which the others are brought up to date. */
const ofOneFile: ReadonlySet<string> = new Set<Problem['code']>([
  'backup_altered',
  'file_in_the_way',
  'file_is_folder',
  'place_in_use',
  'place_not_a_file',
  'place_too_large',
]);

const fullCodes: ReadonlySet<string> = new Set<Problem['code']>(['disk_full', 'disk_quota_full']);

/** The folder of this home's copies during a comparison. */
type Copies = {
  /** Calls a function of the process for files outside with a name in the folder. */
  call<Name extends keyof FileCalls>(
    name: Name,
    file: string,
    ...more: Parameters<FileCalls[Name]> extends [Place, ...infer Rest] ? Rest : never
  ): Promise<ReturnType<FileCalls[Name]>>;
  pathOf(name: string): string;
  readonly files: ReadonlyMap<string, Found>;
  /** The copies by their records, and records whose copy is gone. */
  readonly recorded: readonly Backup[];
  /** The texts of the records, by the name of their backup. */
  readonly texts: ReadonlyMap<string, string>;
  readonly sound: FolderState['sound'];
  readonly now: string;
};

/**
 * Returns the place of this home's copies in a chosen folder, and creates it; undefined while the
 * chosen folder is not there.
 */
async function openOwnFolder(
  { folder, real, mount }: BackupFolder,
  own: string,
  tools: FolderTools,
): Promise<Omit<Place, 'name'> | undefined> {
  const place = { folder, real, name: own };
  let looked: ReturnType<FileCalls['look']>;
  try {
    looked = await callOutside(tools, 'look', place);
  } catch (error) {
    if (explain(error)?.code === 'publish_folder_gone') return undefined;
    throw error;
  }
  // Without its disk, the folder at which that was mounted is an empty one of another disk.
  if (mount !== null && looked.mount !== mount) return undefined;
  const { kind } = looked.found;
  const path = join(folder, own);
  if (kind === 'none') await callOutside(tools, 'makeFolder', place);
  else if (kind !== 'folder') throw problem('file_in_the_way', { path });
  return { folder: path, real: join(looked.real, own) };
}

/** Returns true for the name that this program gives to the backup of a record. */
function isNameOf(name: string, { createdAt, reason }: Backup): boolean {
  return name.startsWith(`${timeInName(createdAt)}-${reason}`);
}

/** Collects failures of single files; throws others. */
function createAttempts() {
  let first: Problem | undefined;
  return {
    async attempt<T>(use: () => Promise<T>): Promise<T | undefined> {
      try {
        return await use();
      } catch (error) {
        const failure = explain(error);
        if (failure === undefined || !ofOneFile.has(failure.code)) throw error;
        first ??= failure;
        return undefined;
      }
    },
    /** Throws the first failure. */
    finish(): void {
      if (first !== undefined) throw first;
    },
  };
}
type Attempts = ReturnType<typeof createAttempts>;

/** Lists the folder, removes what a killed writing left in it, and reads the records. */
async function listCopies(
  own: Omit<Place, 'name'>,
  sound: FolderState['sound'],
  { attempt }: Attempts,
  tools: FolderTools,
): Promise<Copies> {
  const call: Copies['call'] = (name, file, ...more) =>
    callOutside(
      tools,
      name,
      ...([{ ...own, name: file }, ...more] as unknown as Parameters<FileCalls[typeof name]>),
    );
  const listed = await call('list', '');
  const files = new Map(listed.map((each) => [each.name, each]));
  // Nobody else writes here: this home has the lock.
  for (const { name, kind, stamp } of listed) {
    if (kind === 'file' && temporaryName.test(name)) await call('remove', name, stamp);
  }
  for (const name of Object.keys(sound)) if (!files.has(name)) delete sound[name];
  const texts = new Map<string, string>();
  const recorded: Backup[] = [];
  for (const { name } of listed) {
    const backup = name.slice(0, -'.json'.length);
    if (recordPath(backup) !== name || !isBackup(backup)) continue;
    const text = await attempt(async () => {
      const read = await call('read', name, maxRecord);
      return read && String(Buffer.from(read.bytes, 'base64'));
    });
    const record = parseRecord(text ?? '');
    if (text !== undefined) texts.set(backup, text);
    if (record === undefined) continue;
    const copy = { ...record, name: backup };
    if (isNameOf(backup, copy)) recorded.push(copy);
  }
  const now = tools.now().toISOString();
  return { call, pathOf: (name) => join(own.folder, name), files, recorded, texts, sound, now };
}

/** Returns true for a copy with the SHA-256 of its record; reads it unless it is known to be sound. */
async function isSound({ name, bytes, sha256 }: Backup, copies: Copies): Promise<boolean> {
  const { call, files, sound, now } = copies;
  const file = files.get(name);
  if (file?.kind !== 'file' || file.size !== bytes) return false;
  const known = sound[name];
  if (known?.size === file.size && Math.abs(known.modifiedAt - file.modifiedAt) <= timeTolerance) {
    return true;
  }
  delete sound[name];
  if ((await call('digest', name))?.sha256 !== sha256) return false;
  sound[name] = { size: file.size, modifiedAt: file.modifiedAt, readAt: now };
  return true;
}

/** Copies a backup of the home, unless it is there; returns the time at which it arrived. */
async function bringBackup(backup: Backup, home: Home, copies: Copies): Promise<string> {
  const { call, files, texts, sound, now } = copies;
  const { name, sha256 } = backup;
  const path = backupPath(home, name);
  let arrivedAt = new Date(files.get(name)?.modifiedAt ?? 0).toISOString();
  if (!(await isSound(backup, copies))) {
    try {
      const { size, modifiedAt } = await call('copy', name, path, sha256);
      sound[name] = { size, modifiedAt, readAt: now };
    } catch (error) {
      const { code } = explain(error) ?? {};
      // The file at home is altered, and not the copy.
      throw code === 'backup_altered' ? problem(code, { path }, error) : error;
    }
    arrivedAt = now;
  }
  const record = readFileSync(recordPath(path));
  if (String(record) !== texts.get(name)) {
    const expected = files.get(recordPath(name))?.stamp ?? '';
    // Only this account can read the record, as the backup.
    await call('write', recordPath(name), record.toString('base64'), expected, 0o077);
  }
  return arrivedAt;
}

/** Removes a copy, and then its record: without one, the copy would never be removed. */
async function removeCopy(name: string, { call, files, sound }: Copies): Promise<void> {
  for (const each of [name, recordPath(name)]) {
    const file = files.get(each);
    if (file?.kind === 'file') await call('remove', each, file.stamp);
  }
  delete sound[name];
}

/** Forgets that the newest copy, and the one that was read longest ago, were sound. */
function forgetSome(sound: FolderState['sound'], newest: string | undefined): void {
  const ages = Object.entries(sound).map(([name, { readAt }]) => [readAt, name] as const);
  const [[, oldest] = []] = ages.toSorted(([left], [right]) => left.localeCompare(right));
  for (const name of [newest, oldest]) if (name !== undefined) delete sound[name];
}

/**
 * Brings the backups of a home to a folder, the newest first, and removes the copies that have expired.
 * Copies that the home has lost stay. Returns false while the folder is not there. Changes the state.
 */
async function bringBackups(
  folder: BackupFolder,
  state: FolderState,
  tools: FolderTools,
): Promise<boolean> {
  const { home, now } = tools;
  const own = await openOwnFolder(folder, state.own, tools);
  if (own === undefined) return false;
  const attempts = createAttempts();
  const { attempt } = attempts;
  const copies = await listCopies(own, state.sound, attempts, tools);
  const atHome = listBackups(home);
  const names = new Set(atHome.map(({ name }) => name));
  const onlyHere = copies.recorded.filter(({ name }) => !names.has(name));
  const others = onlyHere.filter(({ name }) => copies.files.has(name));
  const expired = new Set(chooseExpired([...atHome, ...others].toSorted(compareBackups), now()));
  const kept = others.filter((copy) => !expired.has(copy));
  const removed = new Set(onlyHere.filter((copy) => !kept.includes(copy)));
  const removeExpired = async () => {
    for (const copy of removed) {
      removed.delete(copy);
      await attempt(() => removeCopy(copy.name, copies));
    }
  };
  if (!isRecent(state.readAt ?? '', now(), readEvery)) {
    forgetSome(state.sound, atHome[0]?.name);
    state.readAt = copies.now;
  }
  for (const backup of atHome) {
    const bring = () => bringBackup(backup, home, copies);
    const arrivedAt = await attempt(async () => {
      try {
        return await bring();
      } catch (error) {
        // The rotation of the home has deleted it meanwhile.
        if (!existsSync(backupPath(home, backup.name))) return undefined;
        if (!fullCodes.has(explain(error)?.code ?? '') || removed.size === 0) throw error;
        await removeExpired();
        return await bring();
      }
    });
    const { name, createdAt } = backup;
    const isNews = backup === atHome[0] && state.arrived?.name !== name;
    if (isNews && arrivedAt !== undefined) {
      state.arrived = { name, createdAt, at: arrivedAt };
    }
  }
  await removeExpired();
  for (const copy of kept) {
    await attempt(async () => {
      if (await isSound(copy, copies)) return;
      throw problem('backup_altered', { path: copies.pathOf(copy.name) });
    });
  }
  attempts.finish();
  return true;
}

/** Returns the stamps of a chosen folder and of the one in it: empty if not there, null if unreadable. */
async function readStamps(
  { folder, real }: BackupFolder,
  own: string,
  tools: FolderTools,
): Promise<Pick<FolderState['stamps'], 'chosen' | 'own'>> {
  const stampOf = async (name: string) => {
    try {
      return (await callOutside(tools, 'look', { folder, real, name })).found.stamp;
    } catch (error) {
      const failure = explain(error);
      if (failure === undefined) throw error;
      return failure.code === 'publish_folder_gone' ? '' : null;
    }
  };
  return { chosen: await stampOf('.'), own: await stampOf(own) };
}

/**
 * Compares a folder with the backups of the home and brings it up to date. Call it under its lock.
 * Calls `store` with the new state, also before it throws `cancelled`.
 */
export async function settleFolder(
  folder: BackupFolder,
  before: FolderState,
  tools: FolderTools,
  store: (state: FolderState) => void,
): Promise<FolderState> {
  const { home, now } = tools;
  const own = `Club Events backups ${readHomeId(home, tools.randomInt)}`;
  // A copy of a data directory has an id of its own, and knows nothing about its own folder.
  const known = before.own === own ? before : unknownState;
  const state: FolderState = { ...structuredClone(known), own };
  const backups = stampOfBackups(home);
  try {
    state.isThere = await bringBackups(folder, state, tools);
    state.failure = null;
  } catch (error) {
    const failed = explain(error);
    if (failed === undefined) throw error;
    if (failed.code === 'cancelled') {
      store(state);
      throw error;
    }
    state.isThere = true;
    const { code, values } = failed;
    // A full or read-only disk is no matter of the file that was the first.
    const path = ofOneFile.has(code) ? values['path'] : folder.folder;
    const named = problem(code as ProblemCode, { ...values, path: path ?? '' });
    const isCostly = code.startsWith('disk_');
    state.failure = failureAfter(named, before.failure, now(), { isCostly });
  }
  state.checkedAt = now().toISOString();
  state.stamps = { home: backups, ...(await readStamps(folder, state.own, tools)) };
  store(state);
  return state;
}
