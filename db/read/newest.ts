import { eventJson } from '../migrations/005-newest.ts';
import { connection, type Reader } from '../open.ts';
import { countEvents } from './event-count.ts';
import type { Position } from './event-list.ts';
import { prepareLazily } from './lazily.ts';
import { prepareRevision } from './revision.ts';

const newestFirst = 'ORDER BY created_at DESC, id DESC';

/** All events of a user, as the end of a statement that may have a limit. */
export const newestOfAll = `FROM events INDEXED BY events_by_creation WHERE user_id = +@userId
  ${newestFirst}`;

/** Those that are noted as the newest, from an index that has their JSON: no row is read. */
export const newestNoted = `FROM events INDEXED BY events_as_json WHERE user_id = +@userId AND newest = 1
  ${newestFirst}`;

/** Made in SQLite and handed over as bytes: neither objects nor strings for 200 events. */
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

/** The first page of a user's list, as it is asked for without parameters. */
export type NewestPage = {
  /** `{"events":[…]}` in UTF-8. */
  readonly json: Buffer;
  readonly total: number;
  /** The position of the last event, when there are more. */
  readonly next?: Position;
  /** The revision of all the user's events. */
  readonly revision: string;
};

type Listed = { readonly json: Buffer; readonly listed: number };

/** What is listed, and where its last event stands and the one after. */
type Found = Listed & { readonly ends: readonly Position[] };

/** Reads the newest `limit` events of a user, and how many there are in all, of one moment. */
export function prepareNewestReads(db: Reader, limit: number): (userId: number) => NewestPage {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  const revisionOf = prepareRevision(sqlite);

  function list(userId: number, sql: string): Listed {
    return prepare<Listed>(sql).get({ userId, limit }) as Listed;
  }
  function endsOf(userId: number, listed: number, sql: string): Position[] {
    return prepare<Position>(sql).all({ userId, before: Math.max(listed - 1, 0) });
  }
  /** Those that are noted, if they are the newest of all: then the last is the last of as many. */
  function listNoted(userId: number): Found | undefined {
    const found = list(userId, newestReads.listNoted);
    const { listed } = found;
    const ends = endsOf(userId, listed, newestReads.lastOfAll);
    const [lastNoted] = endsOf(userId, listed, newestReads.lastNoted);
    const isSame = lastNoted?.at === ends[0]?.at && lastNoted?.id === ends[0]?.id;
    const isWhole = listed === limit || ends.length < 2;
    return isSame && isWhole ? { ...found, ends } : undefined;
  }
  function listAll(userId: number): Found {
    const found = list(userId, newestReads.listAll);
    return { ...found, ends: endsOf(userId, found.listed, newestReads.lastOfAll) };
  }
  return sqlite.transaction((userId: number): NewestPage => {
    const { json, listed, ends } = listNoted(userId) ?? listAll(userId);
    const revision = revisionOf(userId);
    const [last, more] = ends;
    if (last === undefined || more === undefined) return { json, total: listed, revision };
    const counted = prepare<{ total: number }>(newestReads.count).get({ userId });
    return { json, total: counted?.total ?? 0, next: last, revision };
  });
}
