import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Random } from './random.ts';
import type { Operation } from './shim.ts';

/** The file of a name; writes since the last sync may not be on the disk. */
type DiskFile = { synced: Buffer; pending: Operation[] };

/** The size of a sector, which a disk writes whole. */
const sector = 512;

/** Returns the bytes of a file after writes and changes of its length. */
function applyAll(bytes: Buffer, operations: readonly Operation[]): Buffer {
  let length = bytes.length;
  const lengths = operations.map(({ kind, offset, bytes: written }) => {
    if (kind === 'Z') length = 0;
    else length = kind === 'T' ? offset : Math.max(length, offset + written.length);
    return length;
  });
  // Bytes that were never written are zero.
  const result = Buffer.alloc(Math.max(bytes.length, ...lengths));
  bytes.copy(result);
  operations.forEach(({ kind, offset, bytes: written }, at) => {
    if (kind === 'W') written.copy(result, offset);
    else result.fill(0, lengths[at]);
  });
  return result.subarray(0, length);
}

/** Splits a write into its sectors. */
function sectorsOf(operation: Operation): Operation[] {
  const parts: Operation[] = [];
  const { offset, bytes } = operation;
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + sector - ((offset + at) % sector));
    parts.push({ ...operation, offset: offset + at, bytes: bytes.subarray(at, end) });
    at = end;
  }
  return parts;
}

/** The parts of the unsynced writes that a power cut can leave. */
const remains: Readonly<Record<string, (pending: Operation[], random: Random) => Operation[]>> = {
  none: () => [],
  all: (pending) => pending,
  'a part': (pending, random) => pending.filter(() => random(2) === 0),
  'the first ones': (pending, random) => pending.slice(0, random(pending.length + 1)),
  'the first ones, the last of them torn': (pending, random) => {
    const count = random(pending.length + 1);
    const last = pending[count];
    if (last?.kind !== 'W') return pending.slice(0, count);
    return [...pending.slice(0, count), ...sectorsOf(last).filter(() => random(2) === 0)];
  },
};

/** Chooses the remains of a power cut; half of the time nothing, where mistakes show best. */
export function chooseRemains(random: Random): string {
  const kinds = Object.keys(remains);
  return random(2) === 0 ? 'none' : (kinds[random(kinds.length)] as string);
}

/** SQLite's index of the log: it is in memory only, and rebuilt after a power cut. */
const isIndex = (path: string) => path.endsWith('-shm');

/**
 * Reads the files of a folder before the recorded operations. They are on the disk: the folder has
 * been at rest.
 */
export function readFolder(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(paths.filter((path) => !isIndex(path)).map((path) => [path, readFileSync(path)]));
}

/** Returns true if an operation changes the names in a folder. */
const changesName = ({ kind }: Operation) => 'CUR'.includes(kind);

/**
 * Returns the number of operations after which the names are on the disk for certain. As a journal
 * of a file system, it has the changes of names in order; a sync of the file or of its folder
 * completes all of them.
 */
function syncedNames(operations: readonly Operation[]): number {
  let synced = 0;
  operations.forEach(({ kind, path }, at) => {
    if (kind !== 'S') return;
    const named = operations.findLastIndex(
      (earlier, index) =>
        index < at &&
        changesName(earlier) &&
        [earlier.path, earlier.to, dirname(earlier.path)].includes(path),
    );
    synced = Math.max(synced, named + 1);
  });
  return synced;
}

/** Returns true if the folder of a changed name was synced later. */
function isFolderSynced(operations: readonly Operation[], at: number): boolean {
  const folder = dirname(operations[at]?.path ?? '');
  return operations.slice(at + 1).some(({ kind, path }) => kind === 'S' && path === folder);
}

/**
 * Writes the files as they can be after a power cut to another folder: everything before the last
 * sync of a file is there; of later writes, those of `remain`. With `hasJournal` false, a name is
 * there only after a sync of its folder.
 */
export function writeAfterCut(
  before: ReadonlyMap<string, Buffer>,
  operations: readonly Operation[],
  {
    from,
    to,
    remain,
    random,
    hasJournal = true,
  }: {
    readonly from: string;
    readonly to: string;
    readonly remain: string;
    readonly random: Random;
    readonly hasJournal?: boolean;
  },
): void {
  const changes = operations.filter(({ path }) => !isIndex(path));
  const certain = syncedNames(changes);
  const lastName =
    random(2) === 0 ? changes.length : certain + random(changes.length - certain + 1);
  const newFile = (synced: Buffer): DiskFile => ({ synced, pending: [] });
  const start = [...before].map(([path, bytes]) => [path, newFile(bytes)] as const);
  /** The files as the program saw them, and those on the disk. */
  const seen = new Map(start);
  const stored = new Map(start);
  changes.forEach((operation, at) => {
    const { kind, path } = operation;
    const isStored = hasJournal ? at < lastName : isFolderSynced(changes, at);
    if (kind === 'C') {
      const file = newFile(Buffer.alloc(0));
      seen.set(path, file);
      if (isStored) stored.set(path, file);
    } else if (kind === 'U') {
      seen.delete(path);
      if (isStored) stored.delete(path);
    } else if (kind === 'R') {
      const file = seen.get(path);
      for (const names of isStored ? [seen, stored] : [seen]) {
        if (file !== undefined) names.set(operation.to, file);
        names.delete(path);
      }
    } else if ('WTAZ'.includes(kind)) seen.get(path)?.pending.push(operation);
    else if (kind === 'S') {
      const file = seen.get(path);
      if (file === undefined) return;
      file.synced = applyAll(file.synced, file.pending);
      file.pending = [];
    }
  });
  mkdirSync(to, { recursive: true });
  for (const { kind, path } of changes)
    if (kind === 'M') mkdirSync(join(to, relative(from, path)), { recursive: true, mode: 0o700 });
  for (const [path, { synced, pending }] of stored) {
    const bytes = applyAll(synced, remains[remain]?.(pending, random) ?? []);
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, bytes, { mode: 0o600 });
  }
}
