import { type Amendment, amendSnapshot, parseSnapshot, type Snapshot } from './snapshot.ts';

/** What is remembered for an account. */
export type Memory = {
  readonly snapshot: Snapshot;
  /** When all there was had been seen: a timestamp. */
  readonly at: string;
};

/** Why nothing can be remembered: the browser refuses, has no room, or holds foreign data. */
export class MemoryError extends Error {
  constructor(cause: unknown) {
    super(String(cause), { cause });
    this.name = 'MemoryError';
  }
}

const databaseName = 'club-events-last-look';
const version = 1;
/** Snapshots by account, and apart from them, as they change more often, the times of last looks. */
const stores = ['snapshots', 'looks'] as const;

/** Of how many accounts something is remembered: of 100,000 events it takes 2 MB each. */
const mostAccounts = 8;

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
  // So that a later page can change the database while this one is open.
  database.onversionchange = () => database.close();
  return database;
}

type Stores = Readonly<Record<(typeof stores)[number], IDBObjectStore>>;

/** Throws `MemoryError` for whatever the browser has against it. */
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

/** What is remembered for an account; `unreadable` when something else stands in its place. */
export function recall(account: string): Promise<Memory | 'nothing' | 'unreadable'> {
  return transact('readonly', async ({ snapshots, looks }) => {
    const [kept, look] = await Promise.all([
      outcomeOf(snapshots.get(account)),
      outcomeOf(looks.get(account)),
    ]);
    if (kept === undefined && look === undefined) return 'nothing';
    const [snapshot, at] = [parseSnapshot(kept), parseAt(look)];
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
  for (const { account } of byTime.slice(mostAccounts)) {
    snapshots.delete(account);
    looks.delete(account);
  }
}

/** Remembers a first look. */
export function remember(account: string, { snapshot, at }: Memory): Promise<void> {
  return transact('readwrite', async (all) => {
    all.snapshots.put(snapshot, account);
    all.looks.put(at, account);
    await forgetOldest(all);
  });
}

/**
 * Amends what is remembered, which another tab may have amended too: what it holds at this moment
 * counts, and `otherwise` only when it is lost.
 */
export function amend(account: string, amendment: Amendment, otherwise: Memory): Promise<Snapshot> {
  return transact('readwrite', async ({ snapshots, looks }) => {
    const before = parseSnapshot(await outcomeOf(snapshots.get(account)));
    const snapshot = amendSnapshot(before ?? otherwise.snapshot, amendment);
    snapshots.put(snapshot, account);
    looks.put(otherwise.at, account);
    return snapshot;
  });
}

/** Remembers when all there was had been seen. */
export function rememberLook(account: string, at: string): Promise<void> {
  return transact('readwrite', async ({ looks }) => {
    await outcomeOf(looks.put(at, account));
  });
}
