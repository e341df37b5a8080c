import { eventJson } from '../migrations/005-newest.ts';
import { connection, type Reader } from '../open.ts';
import { countEvents } from './event-count.ts';
import type { Position } from './event-list.ts';
import { prepareLazily } from './lazily.ts';
import { prepareRevision } from './revision.ts';

const newestFirst = 'ORDER BY created_at DESC, id DESC';

/** SQL for all events of a user, newest first; a statement may append a limit. */
export const newestOfAll = `FROM events INDEXED BY events_by_creation WHERE user_id = +@userId
  ${newestFirst}`;

/** SQL for the events marked as newest, from an index that contains their JSON. */
export const newestNoted = `FROM events INDEXED BY events_as_json WHERE user_id = +@userId AND newest = 1
  ${newestFirst}`;

/** Returns SQL that composes the JSON of a list as bytes, without a JavaScript value per event. */
const listOf = (events: string) =>
  `SELECT CAST('{"events":[' || ifnull(group_concat(json), '') || ']}' AS BLOB) AS json,
      count(*) AS listed
    FROM (SELECT ${eventJson} AS json ${events} LIMIT +@limit) LIMIT 1`;

export const newestReads = {
  listAll: listOf(newestOfAll),
  listNoted: listOf(newestNoted),
  lastOfAll: `SELECT created_at AS at, id ${newestOfAll} LIMIT 2 OFFSET +@before`,
  lastNoted: `SELECT created_at AS at, id ${newestNoted} LIMIT 1 OFFSET +@before`,
  count: countEvents,
} as const;

/** The first page of a user's list for a request without parameters. */
export type NewestPage = {
  /** `{"events":[…]}` in UTF-8. */
  readonly json: Buffer;
  readonly total: number;
  /** The position of the last event, if more events follow. */
  readonly next?: Position;
  /** The revision of all events of the user. */
  readonly revision: string;
};

type Listed = { readonly json: Buffer; readonly listed: number };

/** A page with the positions of its last event and of the next one. */
type ListedPage = Listed & { readonly ends: readonly Position[] };

/** Prepares the read of a user's newest `limit` events and their total, in one transaction. */
export function prepareNewestReads(db: Reader, limit: number): (userId: number) => NewestPage {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const readRevision = prepareRevision(sqlite);

  function list(userId: number, sql: string): Listed {
    return prepare<Listed>(sql).get({ userId, limit }) as Listed;
  }
  function endsOf(userId: number, listed: number, sql: string): Position[] {
    return prepare<Position>(sql).all({ userId, before: Math.max(listed - 1, 0) });
  }
  /** Lists the marked events; undefined unless they are the user's newest. */
  function listNoted(userId: number): ListedPage | undefined {
    const page = list(userId, newestReads.listNoted);
    const { listed } = page;
    const ends = endsOf(userId, listed, newestReads.lastOfAll);
    const [lastNoted] = endsOf(userId, listed, newestReads.lastNoted);
    // The marked events are the newest if the last of them is at the same offset among all events.
    const isSame = lastNoted?.at === ends[0]?.at && lastNoted?.id === ends[0]?.id;
    const isComplete = listed === limit || ends.length < 2;
    return isSame && isComplete ? { ...page, ends } : undefined;
  }
  function listAll(userId: number): ListedPage {
    const page = list(userId, newestReads.listAll);
    return { ...page, ends: endsOf(userId, page.listed, newestReads.lastOfAll) };
  }
  return sqlite.transaction((userId: number): NewestPage => {
    const { json, listed, ends } = listNoted(userId) ?? listAll(userId);
    const revision = readRevision(userId);
    const [last, following] = ends;
    if (last === undefined || following === undefined) return { json, total: listed, revision };
    const counted = prepare<{ total: number }>(newestReads.count).get({ userId });
    return { json, total: counted?.total ?? 0, next: last, revision };
  });
}
