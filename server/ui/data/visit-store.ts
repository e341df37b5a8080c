import {
  type Amendment,
  amendSnapshot,
  packSnapshot,
  type Snapshot,
  unpackSnapshot,
} from './seen-events.ts';

/** The last visit of an account. */
export type Visit = {
  readonly snapshot: Snapshot;
  /** Timestamp of the last visit at which everything had been seen. */
  readonly at: string;
};

/** The error of the browser's storage: refused, full, or with foreign data. */
export class StorageError extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
    this.name = 'StorageError';
  }
}

const databaseName = 'club-events-last-look';
const databaseVersion = 1;
/** Object stores by account: the times of visits are separate, because they change more often. */
const stores = ['snapshots', 'looks'] as const;

/** Maximum number of stored accounts. */
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
  const request = indexedDB.open(databaseName, databaseVersion);
  request.onupgradeneeded = () => {
    for (const name of stores) request.result.createObjectStore(name);
  };
  const database = await outcomeOf(request);
  // Lets a newer page upgrade the database while this one is open.
  database.onversionchange = () => database.close();
  return database;
}

type Stores = Readonly<Record<(typeof stores)[number], IDBObjectStore>>;

/** Runs a transaction on all object stores. Wraps every error in `StorageError`. */
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
    throw new StorageError(error);
  }
}

function parseAt(value: unknown): string | undefined {
  const isTime = typeof value === 'string' && !Number.isNaN(Date.parse(value));
  return isTime ? value : undefined;
}

/** Loads the last visit of an account; `unreadable` if the stored data is invalid. */
export function loadVisit(account: string): Promise<Visit | 'none' | 'unreadable'> {
  return transact('readonly', async ({ snapshots, looks }) => {
    const [storedSnapshot, storedTime] = await Promise.all([
      outcomeOf(snapshots.get(account)),
      outcomeOf(looks.get(account)),
    ]);
    if (storedSnapshot === undefined && storedTime === undefined) return 'none';
    const [snapshot, at] = [unpackSnapshot(storedSnapshot), parseAt(storedTime)];
    return snapshot === undefined || at === undefined ? 'unreadable' : { snapshot, at };
  });
}

async function deleteOldest({ snapshots, looks }: Stores): Promise<void> {
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

/** Stores a first visit and deletes the oldest accounts beyond `maxAccounts`. */
export function storeVisit(account: string, { snapshot, at }: Visit): Promise<void> {
  return transact('readwrite', async (all) => {
    all.snapshots.put(packSnapshot(snapshot), account);
    all.looks.put(at, account);
    await deleteOldest(all);
  });
}

/**
 * Amends the stored snapshot, which another tab may have amended too, and returns the result. If
 * the stored snapshot is lost, amends that of `fallback`. Stores the time of `fallback`.
 */
export function storeAmendment(
  account: string,
  amendment: Amendment,
  fallback: Visit,
): Promise<Snapshot> {
  return transact('readwrite', async ({ snapshots, looks }) => {
    const before = unpackSnapshot(await outcomeOf(snapshots.get(account)));
    const snapshot = amendSnapshot(before ?? fallback.snapshot, amendment);
    snapshots.put(packSnapshot(snapshot), account);
    looks.put(fallback.at, account);
    return snapshot;
  });
}

export function storeVisitTime(account: string, at: string): Promise<void> {
  return transact('readwrite', async ({ looks }) => {
    await outcomeOf(looks.put(at, account));
  });
}
