import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileError, problem } from '../base/errors.ts';
import { isAlive } from '../base/long-running.ts';
import { serviceName } from '../base/version.ts';
import { writeWholeFile } from '../base/write-file.ts';
import { askHealth, type Reply } from './health.ts';

/** A running service in `service.json` (INTERFACE section 5). */
export type Registration = {
  /** The URL for scripts. */
  readonly baseUrl: string;
  readonly pid: number;
  /** The URL for this machine; differs from `baseUrl` if a public URL is configured. */
  readonly localUrl: string;
  /** True if it serves the demo club rather than the data of this directory. */
  readonly demo: boolean;
};

/** An entry of `service.json`, with a random secret that identifies its service. */
export type Entry = Registration & { readonly secret: string };

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null) return false;
  const { baseUrl, pid, localUrl, demo, secret } = value as Record<string, unknown>;
  return (
    typeof baseUrl === 'string' &&
    typeof localUrl === 'string' &&
    URL.canParse(localUrl) &&
    new URL(localUrl).protocol === 'http:' &&
    Number.isSafeInteger(pid) &&
    (pid as number) > 0 &&
    typeof demo === 'boolean' &&
    typeof secret === 'string'
  );
}

/** Copies only the members of an entry: the first entry in the file also contains the others. */
function copyEntry({ baseUrl, pid, localUrl, demo, secret }: Entry): Entry {
  return { baseUrl, pid, localUrl, demo, secret };
}

/**
 * Reads the entries of `service.json`, in order of preference. Returns undefined if it has none that can
 * be understood.
 */
export function readEntries(path: string): Entry[] | undefined {
  try {
    const first: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const { others } = (first ?? {}) as { readonly others?: unknown };
    const entries = [first, ...(Array.isArray(others) ? others : [])].filter(isEntry);
    return entries.length === 0 ? undefined : entries.map(copyEntry);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fileError(error, path);
  }
}

/** Writes the entries; the preferred one is at the top level, where scripts look for it. */
function writeRegistration(path: string, [first, ...others]: readonly Entry[]): void {
  if (first === undefined) rmSync(path, { force: true });
  // A power failure ends the services, too.
  else writeWholeFile(path, [`${JSON.stringify({ ...first, others })}\n`], { isDurable: false });
}

/** Returns true if a Club Events service runs at `url`. */
export async function isServiceAt(url: string): Promise<boolean> {
  const { reply } = await askHealth(url);
  return reply.kind === 'answer' && reply.body.includes(`"service":"${serviceName}"`);
}

/** A service of `service.json`, with its state. */
export type FoundService = Entry & {
  /**
   * `running`: it has proven its identity. `silent`: its process and port are there, but nothing was
   * heard in time. `gone`: its process has ended, or its port belongs to another program.
   */
  readonly state: 'running' | 'silent' | 'gone';
  readonly reply: Reply | undefined;
};

/** Failures of a request to a program that stalls, or has too much to do. */
const stalled = new Set(['timeout', 'ECONNRESET']);

/**
 * Examines the service of an entry. Its process id and port are not enough: after a crash, they may
 * belong to another program or service.
 */
export async function examineEntry(entry: Entry): Promise<FoundService> {
  if (!isAlive(entry.pid)) return { ...entry, state: 'gone', reply: undefined };
  const { reply, responderOf } = await askHealth(entry.localUrl);
  if (responderOf(entry) === 'service') return { ...entry, state: 'running', reply };
  const isSilent = reply.kind === 'failure' && stalled.has(reply.code);
  return { ...entry, state: isSilent ? 'silent' : 'gone', reply };
}

/** Finds the running and silent services of a `service.json`, the preferred one first. */
export async function findServices(path: string): Promise<FoundService[]> {
  const found = await Promise.all((readEntries(path) ?? []).map(examineEntry));
  return found.filter(({ state }) => state !== 'gone');
}

/** Time in milliseconds for which a service may be silent, as after the computer woke. */
const stallPatience = 15_000;

/** Interval between two looks for a service, in milliseconds. */
const lookEvery = 200;

/**
 * Finds the preferred service of a `service.json`, and waits up to `patience` milliseconds for its
 * start. Throws `service_silent` if it does not answer, as another one may have other data.
 */
export async function findService(path: string, patience = 0): Promise<Registration | undefined> {
  const begin = performance.now();
  for (;;) {
    const [service] = await findServices(path);
    if (service?.state === 'running') {
      const { baseUrl, pid, localUrl, demo } = service;
      return { baseUrl, pid, localUrl, demo };
    }
    const limit = service === undefined ? patience : Math.max(patience, stallPatience);
    const left = begin + limit - performance.now();
    if (left <= 0) {
      if (service === undefined) return undefined;
      throw problem('service_silent', { url: service.localUrl, pid: service.pid });
    }
    await delay(Math.min(lookEvery, left));
  }
}

/** Milliseconds after which a lock counts as left from a crash; a change takes far less. */
const lockTimeout = 2_000;

function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Changes the entries of `service.json` under a lock against other processes. */
async function changeEntries(
  path: string,
  change: (entries: readonly Entry[]) => Entry[],
): Promise<void> {
  const lock = `${path}.lock`;
  try {
    const deadline = performance.now() + lockTimeout;
    while (!takeLock(lock) && performance.now() < deadline) await delay(10);
    try {
      writeRegistration(path, change(readEntries(path) ?? []));
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Adds a service to `service.json`. The latest is preferred, but never a demo to a real one. */
export async function register(path: string, entry: Entry): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw fileError(error, path);
  }
  await changeEntries(path, (entries) => {
    const others = entries.filter(({ pid }) => pid !== entry.pid && isAlive(pid));
    return [entry, ...others].sort((left, right) => Number(left.demo) - Number(right.demo));
  });
}

/** Removes the service of a process from `service.json`, and the file after the last one. */
export async function unregister(path: string, pid: number): Promise<void> {
  if (!readEntries(path)?.some((entry) => entry.pid === pid)) return;
  await changeEntries(path, (entries) =>
    entries.filter((entry) => entry.pid !== pid && isAlive(entry.pid)),
  );
}
