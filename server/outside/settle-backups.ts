import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { explain, fileError, type Problem, problem } from '../base/errors.ts';
import { type Home, isBackup } from '../base/home.ts';
import { temporaryName } from '../base/write-file.ts';
import { dayMs } from '../dates/units.ts';
import type { ProblemCode } from '../messages/message.ts';
import { isSameContent } from '../store/backup-check.ts';
import { timeInName } from '../store/backup-files.ts';
import {
  type Backup,
  type BackupRecord,
  backupPath,
  compareBackups,
  findFile,
  listBackups,
  nameOf,
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
import type { FileCalls, FolderEntry, Found } from './file-process.ts';
import { readHomeId } from './identity.ts';
import { callOutside, type OutsideOptions } from './outside-files.ts';
import { failureAfter } from './settle.ts';

type FolderTools = OutsideOptions & {
  readonly home: Home;
  readonly now: () => Date;
  readonly randomInt: (limit: number) => number;
};

/** Interval in milliseconds at which some copies are read whole. */
const readEvery = dayMs;

/** The largest record that is read, in bytes. */
const maxRecord = 1_000_000;

/** Difference in milliseconds of two times of one file: FAT rounds them to two seconds. */
const timeTolerance = 2_000;

/** Failures that concern one file, beside which the others are brought up to date. */
const ofOneFile: ReadonlySet<string> = new Set<Problem['code']>([
  'backup_altered',
  'backup_damaged',
  'file_in_the_way',
  'file_is_folder',
  'place_in_use',
  'place_not_a_file',
  'place_too_large',
]);

const fullCodes: ReadonlySet<string> = new Set<Problem['code']>(['disk_full', 'disk_quota_full']);

/** A file with a backup, and its record. */
type Copy = Backup & { readonly file: string };

/** The folder of this home's copies during a comparison. */
type OwnFolder = {
  /** Calls a function of the process for files outside with a name in the folder. */
  call<Name extends keyof FileCalls>(
    name: Name,
    file: string,
    ...more: Parameters<FileCalls[Name]> extends [FolderEntry, ...infer Rest] ? Rest : never
  ): Promise<ReturnType<FileCalls[Name]>>;
  pathOf(file: string): string;
  readonly files: ReadonlyMap<string, Found>;
  /** The copies by their records, also those whose file is gone. */
  readonly recorded: readonly Copy[];
  /** The texts of the records, by the file of their backup. */
  readonly texts: ReadonlyMap<string, string>;
  /** The copies as they are known; changes with each reading. */
  readonly known: FolderState['copies'];
  readonly now: string;
};

/**
 * Returns the folder of this home's copies in a chosen one, and creates it; undefined while the
 * chosen folder is not there.
 */
async function openOwnFolder(
  { folder, real, mount }: BackupFolder,
  own: string,
  tools: FolderTools,
): Promise<Omit<FolderEntry, 'name'> | undefined> {
  const entry = { folder, real, name: own };
  let looked: ReturnType<FileCalls['look']>;
  try {
    looked = await callOutside(tools, 'look', entry);
  } catch (error) {
    if (explain(error)?.code === 'publish_folder_gone') return undefined;
    throw error;
  }
  // Without its disk, the folder at which that was mounted is an empty one of another disk.
  if (mount !== null && looked.mount !== mount) return undefined;
  const { kind } = looked.found;
  const path = join(folder, own);
  if (kind === 'none') await callOutside(tools, 'makeFolder', entry);
  else if (kind !== 'folder') throw problem('file_in_the_way', { path });
  return { folder: path, real: join(looked.real, own) };
}

/** Returns true for the name that this program gives to the backup of a record. */
function isNameOf(name: string, { createdAt, reason }: BackupRecord): boolean {
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
  own: Omit<FolderEntry, 'name'>,
  known: FolderState['copies'],
  { attempt }: Attempts,
  tools: FolderTools,
): Promise<OwnFolder> {
  const call: OwnFolder['call'] = (name, file, ...more) =>
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
  for (const file of Object.keys(known)) if (!files.has(file)) delete known[file];
  const texts = new Map<string, string>();
  const recorded: Copy[] = [];
  for (const each of listed) {
    const file = each.name.slice(0, -'.json'.length);
    if (recordPath(file) !== each.name || !isBackup(file)) continue;
    const text = await attempt(async () => {
      const read = await call('read', each.name, maxRecord);
      return String(Buffer.from(read?.bytes ?? '', 'base64'));
    });
    if (text === undefined) continue;
    texts.set(file, text);
    const record = parseRecord(text);
    if (record === undefined || !isNameOf(file, record)) continue;
    const storedBytes = files.get(file)?.size ?? 0;
    recorded.push({ ...record, name: nameOf(file), storedBytes, file });
  }
  const now = tools.now().toISOString();
  return { call, pathOf: (name) => join(own.folder, name), files, recorded, texts, known, now };
}

/**
 * Returns true for a copy with a SHA-256, or by default with that of its first reading. Reads it unless
 * it is as it was when it was last read.
 */
async function isSound(
  file: string,
  expected: string | undefined,
  { call, files, known, now }: OwnFolder,
): Promise<boolean> {
  const found = files.get(file);
  if (found?.kind !== 'file') return false;
  const { size, modifiedAt } = found;
  const last = known[file];
  const isSame = last?.size === size && Math.abs(last.modifiedAt - modifiedAt) <= timeTolerance;
  if (isSame && last.isSound) return true;
  const read = await call('digest', file);
  const sha256 = expected ?? last?.sha256 ?? read?.sha256 ?? '';
  known[file] = { sha256, size, modifiedAt, readAt: now, isSound: read?.sha256 === sha256 };
  return known[file].isSound;
}

/** Returns the SHA-256 of the file of a backup at home, whose content must be as recorded. */
async function digestAtHome(backup: Copy, tools: FolderTools): Promise<string> {
  const { file, name, sha256 } = backup;
  if (file === name) return sha256;
  const { home, onStep } = tools;
  const path = backupPath(home, file);
  let isRecorded: boolean;
  try {
    isRecorded = await isSameContent(path, backup, onStep);
  } catch (error) {
    throw fileError(error, path);
  }
  const read = await callOutside(tools, 'digest', { folder: home.backups, name: file });
  if (!isRecorded || read === undefined) throw problem('backup_altered', { path });
  return read.sha256;
}

/** Copies a backup of the home, unless it is there; returns the time at which it arrived. */
async function bringBackup(backup: Copy, own: OwnFolder, tools: FolderTools): Promise<string> {
  const { call, files, texts, known, now } = own;
  const { file, name } = backup;
  const path = backupPath(tools.home, file);
  let arrivedAt = new Date(files.get(file)?.modifiedAt ?? 0).toISOString();
  const expected = file === name ? backup.sha256 : known[file]?.sha256;
  const sha256 = expected ?? (await digestAtHome(backup, tools));
  if (!(await isSound(file, sha256, own))) {
    try {
      const { size, modifiedAt } = await call('copy', file, path, sha256);
      known[file] = { sha256, size, modifiedAt, readAt: now, isSound: true };
    } catch (error) {
      const { code } = explain(error) ?? {};
      // The file at home is altered, and not the copy.
      throw code === 'backup_altered' ? problem(code, { path }, error) : error;
    }
    arrivedAt = now;
  }
  const record = readFileSync(recordPath(path));
  if (String(record) !== texts.get(file)) {
    const present = files.get(recordPath(file))?.stamp ?? '';
    // Only this account can read the record, as the backup.
    await call('write', recordPath(file), record.toString('base64'), present, 0o077);
  }
  return arrivedAt;
}

/** Removes a copy, and then its record: without one, the copy would never be removed. */
async function removeCopy(file: string, { call, files, known }: OwnFolder): Promise<void> {
  for (const each of [file, recordPath(file)]) {
    const found = files.get(each);
    if (found?.kind === 'file') await call('remove', each, found.stamp);
  }
  delete known[file];
}

/** Has the newest copy, and the one that was read longest ago, read again. */
function doubtSome(known: FolderState['copies'], newest: string | undefined): void {
  const ages = Object.entries(known).map(([file, { readAt }]) => [readAt, file] as const);
  const [[, oldest] = []] = ages.toSorted(([left], [right]) => left.localeCompare(right));
  for (const file of [newest, oldest]) {
    const copy = file === undefined ? undefined : known[file];
    if (file !== undefined && copy !== undefined) known[file] = { ...copy, modifiedAt: -1 };
  }
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
  const entry = await openOwnFolder(folder, state.own, tools);
  if (entry === undefined) return false;
  const attempts = createAttempts();
  const { attempt } = attempts;
  const known = state.copies;
  const own = await listCopies(entry, known, attempts, tools);
  const atHome = listBackups(home).map((backup) => ({
    ...backup,
    file: basename(findFile(home, backup.name)),
  }));
  const filesAtHome = new Map(atHome.map(({ name, file }) => [name, file]));
  const others = own.recorded.filter(({ name, file }) => filesAtHome.get(name) !== file);
  const lost = others.filter(({ name, file }) => !filesAtHome.has(name) && own.files.has(file));
  const expired = new Set<Backup>(
    chooseExpired([...atHome, ...lost].toSorted(compareBackups), now()),
  );
  /** Returns true for a copy that has expired, has another form at home, or is only a record. */
  const isObsolete = (copy: Copy) => {
    const file = filesAtHome.get(copy.name);
    if (file !== undefined) return known[file]?.isSound ?? false;
    return expired.has(copy) || !own.files.has(copy.file);
  };
  const removed = new Set<Copy>();
  const removeObsolete = async () => {
    for (const copy of others) {
      if (removed.has(copy) || !isObsolete(copy)) continue;
      removed.add(copy);
      await attempt(() => removeCopy(copy.file, own));
    }
  };
  if (!isRecent(state.readAt ?? '', now(), readEvery)) {
    doubtSome(known, atHome[0]?.file);
    state.readAt = own.now;
  }
  for (const backup of atHome) {
    const arrivedAt = await attempt(async () => {
      try {
        return await bringBackup(backup, own, tools);
      } catch (error) {
        // The home has deleted or compressed it meanwhile.
        if (!existsSync(backupPath(home, backup.file))) return undefined;
        const before = removed.size;
        if (fullCodes.has(explain(error)?.code ?? '')) await removeObsolete();
        if (removed.size === before) throw error;
        return await bringBackup(backup, own, tools);
      }
    });
    const { name, createdAt } = backup;
    const isNews = backup === atHome[0] && state.arrived?.name !== name;
    if (isNews && arrivedAt !== undefined) state.arrived = { name, createdAt, at: arrivedAt };
  }
  await removeObsolete();
  for (const copy of lost) {
    if (removed.has(copy)) continue;
    const expected = copy.file === copy.name ? copy.sha256 : undefined;
    await attempt(async () => {
      if (await isSound(copy.file, expected, own)) return;
      throw problem('backup_altered', { path: own.pathOf(copy.file) });
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
