import { type Amendment, amendSnapshot, parseSnapshot, type Snapshot } from './snapshot.ts';

export type Memory = {
  readonly snapshot: Snapshot;
  /** Timestamp of the last look at which everything had been seen. */
  readonly at: string;
};

/** The error of the browser's storage: refused, full, or with foreign data. */
export class MemoryError extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
    this.name = 'MemoryError';
  }
}

const databaseName = 'club-events-last-look';
const version = 1;
/** Object stores by account: the times of looks are separate, because they change more often. */
const stores = ['snapshots', 'looks'] as const;

/** Maximum number of stored accounts; one with 100,000 events takes 2 MB. */
const maxAccounts = 8;

function outcomeOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(databaseName, version);
  request.onupgradeneeded = () => {
    for (const name of stores) request.result.createObjectStore(name);
  };
  const database = await outcomeOf(request);
  // Lets a newer page upgrade the database while this one is open.
  database.onversionchange = () => database.close();
  return database;
}

type Stores = Readonly<Record<(typeof stores)[number], IDBObjectStore>>;

/** Runs a transaction on all object stores. Wraps every error in `MemoryError`. */
async function transact<T>(
  mode: IDBTransactionMode,
  work: (stores: Stores) => Promise<T>,
): Promise<T> {
  try {
    const database = await openDatabase();
    try {
      const transaction = database.transaction(stores, mode);
      const ended = endOf(transaction);
      const [snapshots, looks] = stores.map((name) => transaction.objectStore(name));
      const [value] = await Promise.all([work({ snapshots, looks } as Stores), ended]);
      return value;
    } finally {
      database.close();
    }
  } catch (error) {
    throw new MemoryError(error);
  }
}

function parseAt(value: unknown): string | undefined {
  const isTime = typeof value === 'string' && !Number.isNaN(Date.parse(value));
  return isTime ? value : undefined;
}

/** Loads the data of an account; `unreadable` if the stored data is invalid. */
export function recall(account: string): Promise<Memory | 'nothing' | 'unreadable'> {
  return transact('readonly', async ({ snapshots, looks }) => {
    const [storedSnapshot, storedTime] = await Promise.all([
      outcomeOf(snapshots.get(account)),
      outcomeOf(looks.get(account)),
    ]);
    if (storedSnapshot === undefined && storedTime === undefined) return 'nothing';
    const [snapshot, at] = [parseSnapshot(storedSnapshot), parseAt(storedTime)];
    return snapshot === undefined || at === undefined ? 'unreadable' : { snapshot, at };
  });
}

async function forgetOldest({ snapshots, looks }: Stores): Promise<void> {
  const [accounts, times] = await Promise.all([
    outcomeOf(looks.getAllKeys()),
    outcomeOf(looks.getAll()),
  ]);
  const byTime = accounts
    .map((account, index) => ({ account, at: parseAt(times[index]) ?? '' }))
    .sort((one, other) => (one.at < other.at ? 1 : -1));
  for (const { account } of byTime.slice(maxAccounts)) {
    snapshots.delete(account);
    looks.delete(account);
  }
}

/** Stores a first look and deletes the oldest accounts beyond `maxAccounts`. */
export function remember(account: string, { snapshot, at }: Memory): Promise<void> {
  return transact('readwrite', async (all) => {
    all.snapshots.put(snapshot, account);
    all.looks.put(at, account);
    await forgetOldest(all);
  });
}

/**
 * Amends the stored snapshot, which another tab may have amended too, and returns the result. If
 * the stored snapshot is lost, amends that of `fallback`. Stores the time of `fallback`.
 */
export function amend(account: string, amendment: Amendment, fallback: Memory): Promise<Snapshot> {
  return transact('readwrite', async ({ snapshots, looks }) => {
    const before = parseSnapshot(await outcomeOf(snapshots.get(account)));
    const snapshot = amendSnapshot(before ?? fallback.snapshot, amendment);
    snapshots.put(snapshot, account);
    looks.put(fallback.at, account);
    return snapshot;
  });
}

export function rememberLook(account: string, at: string): Promise<void> {
  return transact('readwrite', async ({ looks }) => {
    await outcomeOf(looks.put(at, account));
  });
}
