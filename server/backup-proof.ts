import { hash, randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { migrateCopy } from '../db/backup.ts';
import { eachEvent } from '../db/event-list.ts';
import { prepareEventReads } from '../db/events.ts';
import { eventOf, type Operation } from '../db/mirror-model.ts';
import { prepareMirrorReads } from '../db/mirror-view.ts';
import type { StoredEvent } from '../db/model.ts';
import { closeStore, openReader, type Reader } from '../db/open.ts';
import { prepareUserReads } from '../db/users.ts';
import { type BackupRecord, digestFile } from './backups.ts';
import { fileError, problem } from './errors.ts';
import { homeAt, prepareHome } from './home.ts';
import { createService } from './main.ts';
import type { RecentRequest } from './recent-requests.ts';
import { createWindowKeys } from './window-keys.ts';

type ProofTools = {
  /** Requests of scripts, to be sent to the service on the copy. */
  readonly requests: readonly RecentRequest[];
  readonly now: () => Date;
  /** Called with the number of events compared so far; may throw to cancel. */
  readonly onEvents: (events: number) => void;
};

type Answer = {
  readonly status: number;
  readonly body: string;
  readonly revision: string | null;
  /** The URL of the next page. */
  readonly next: string | undefined;
};

type Ask = (userId: number, path: string) => Promise<Answer>;

function createAsk(baseUrl: string, windowSecret: string): Ask {
  const keys = createWindowKeys(windowSecret);
  return async (userId, path) => {
    const headers = { Authorization: `Bearer ${keys.keyFor(userId)}` };
    const answer = await fetch(new URL(path, baseUrl), { headers, redirect: 'error' });
    return {
      status: answer.status,
      body: await answer.text(),
      revision: answer.headers.get('Events-Revision'),
      next: /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1],
    };
  };
}

/** Number of events in a part of a list. Each page counts the events of its part. */
const partSize = 2_000;

/** Splits the list of all events into parts by date; returns the paths of their first pages. */
function listParts(dates: readonly string[]): string[] {
  const sorted = dates.toSorted();
  const bounds = new Set(sorted.filter((_, index) => index > 0 && index % partSize === 0));
  const ends = [...bounds, undefined];
  return ends.map((to, index) => {
    const from = ends[index - 1];
    const query = new URLSearchParams({ limit: '200', ...(from && { from }), ...(to && { to }) });
    return `/v1/events?${query}`;
  });
}

/** Follows all parts of a user's list; they must have exactly the events of the database. */
async function proveList(
  db: Reader,
  userId: number,
  ask: Ask,
  onEvents: ProofTools['onEvents'],
): Promise<number> {
  const rows = new Map<number, string>();
  const dates: string[] = [];
  const mask = prepareMask(db, userId);
  for (const { sourceKey: _, ...event } of eachEvent(db, userId)) {
    rows.set(event.id, JSON.stringify(mask(event, 'list')));
    dates.push(event.date);
  }
  for (const part of listParts(dates)) {
    for (let path: string | undefined = part; path !== undefined; ) {
      const { status, body, next } = await ask(userId, path);
      if (status !== 200) return -1;
      const { events } = JSON.parse(body) as { events: readonly StoredEvent[] };
      // Deleting a row finds an event that is listed twice.
      if (!events.every((event) => takeRow(rows, event))) return -1;
      onEvents(dates.length - rows.size);
      path = next;
    }
  }
  return rows.size === 0 ? dates.length : -1;
}

/** Returns a function that masks an event as an operation sends it, if its user is a mirror. */
function prepareMask(
  db: Reader,
  userId: number,
): (event: StoredEvent, operation: Operation) => StoredEvent {
  const view = prepareMirrorReads(db).ofUser(userId);
  if (view === undefined) return (event) => event;
  return (event, operation) => {
    const known = view.confirmations([event.id]).get(event.id);
    return known === undefined ? event : eventOf({ event, ...known }, operation);
  };
}

function takeRow(rows: Map<number, string>, event: StoredEvent): boolean {
  const isRight = rows.get(event.id) === JSON.stringify(event);
  rows.delete(event.id);
  return isRight;
}

/** Compares an answer with the one that the user had got, or else with the rows of the database. */
function isAnswerRight(db: Reader, request: RecentRequest, answer: Answer): boolean {
  const { userId, path, revision, digest } = request;
  if (revision !== undefined && revision === answer.revision) {
    return hash('sha256', answer.body) === digest;
  }
  const { byId } = prepareEventReads(db);
  const mask = prepareMask(db, userId);
  const isRow = (event: StoredEvent, operation: Operation) => {
    const stored = byId(userId, event.id);
    return stored && JSON.stringify(event) === JSON.stringify(mask(stored, operation));
  };
  const [, id] = /^\/v1\/events\/(-?\d+)/.exec(path) ?? [];
  if (id !== undefined && answer.status === 404) return byId(userId, Number(id)) === undefined;
  if (answer.status !== 200) return false;
  const content = JSON.parse(answer.body) as { event?: StoredEvent; events?: StoredEvent[] };
  if (content.event !== undefined && !isRow(content.event, 'byId')) return false;
  return (content.events ?? []).every((event) => isRow(event, 'list'));
}

/** Returns the first request with a wrong answer, or the number of events that were compared. */
async function compareAnswers(
  db: Reader,
  ask: Ask,
  { requests, onEvents }: ProofTools,
): Promise<{ wrong: string } | { events: number }> {
  let events = 0;
  const users = prepareUserReads(db).all();
  for (const { id } of users) {
    const count = await proveList(db, id, ask, onEvents);
    if (count < 0) return { wrong: '/v1/events' };
    events += count;
  }
  const known = new Set(users.map(({ id }) => id));
  for (const request of requests.filter(({ userId }) => known.has(userId))) {
    const answer = await ask(request.userId, request.path);
    if (!isAnswerRight(db, request, answer)) return { wrong: request.path };
  }
  return { events };
}

/**
 * Proves a backup: restores a copy into a temporary home, starts a service on it, and compares its
 * answers. Returns the number of compared events. Throws `backup_unproven` or `backup_altered`.
 */
export async function proveBackup(
  path: string,
  { sha256 }: BackupRecord,
  tools: ProofTools,
): Promise<number> {
  const name = basename(path);
  const directory = mkdtempSync(join(tmpdir(), 'club-events-proof-'));
  try {
    const home = homeAt(directory);
    prepareHome(home);
    copyFileSync(path, home.database);
    chmodSync(home.database, 0o600);
    if (digestFile(home.database) !== sha256) throw problem('backup_altered', { path });
    migrateCopy(home.database);
    const windowSecret = randomBytes(24).toString('base64url');
    const service = createService(
      { home: directory, host: '127.0.0.1', port: 0, allowedOrigins: [], windowSecret },
      { now: tools.now, warn: () => undefined },
    );
    const ask = createAsk(await service.run(), windowSecret);
    try {
      const db = openReader(home.database);
      try {
        const outcome = await compareAnswers(db, ask, tools);
        if ('wrong' in outcome) throw problem('backup_unproven', { name, request: outcome.wrong });
        return outcome.events;
      } finally {
        closeStore(db);
      }
    } finally {
      await service.stop();
    }
  } catch (error) {
    throw fileError(error, path);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
