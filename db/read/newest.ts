import { connection, type Reader } from '../open.ts';
import { countEvents } from './event-count.ts';
import type { Position } from './event-list.ts';
import { prepareLazily } from './lazily.ts';

/**
 * An event as JSON, member for member as INTERFACE section 1 has it. One `concat` takes two thirds
 * of the time of a chain of `||`, which copies what it has at each step.
 */
const eventJson = `concat('{"id":', id, ',"name":', json_quote(name), ',"date":"', date,
  '","location":', json_quote(location), ',"description":', json_quote(description),
  ',"status":"', status, '","eventType":', ifnull('"' || event_type || '"', 'null'),
  CASE registration_open
    WHEN 1 THEN ',"registrationOpen":true' WHEN 0 THEN ',"registrationOpen":false' END,
  ',"createdAt":"', created_at, '"}')`;

const newestFirst = `FROM events INDEXED BY events_by_creation WHERE user_id = +@userId
  ORDER BY created_at DESC, id DESC`;

export const newestReads = {
  // Made in SQLite and handed over as bytes: neither objects nor strings for 200 events.
  list: `SELECT CAST('{"events":[' || ifnull(group_concat(json), '') || ']}' AS BLOB) AS json,
      count(*) AS listed
    FROM (SELECT ${eventJson} AS json ${newestFirst} LIMIT +@limit) LIMIT 1`,
  last: `SELECT created_at AS at, id ${newestFirst} LIMIT 2 OFFSET +@before`,
  all: countEvents,
} as const;

/** The first page of a user's list, as it is asked for without parameters. */
export type NewestPage = {
  /** `{"events":[…]}` in UTF-8. */
  readonly json: Buffer;
  readonly total: number;
  /** The position of the last event, when there are more. */
  readonly next?: Position;
};

type Listed = { readonly json: Buffer; readonly listed: number };

/** Reads the newest `limit` events of a user, and how many there are in all, of one moment. */
export function prepareNewestReads(db: Reader, limit: number): (userId: number) => NewestPage {
  const sqlite = connection(db);
  const prepare = prepareLazily(sqlite);
  return sqlite.transaction((userId: number): NewestPage => {
    const { list, last, all } = newestReads;
    const { json, listed: total } = prepare<Listed>(list).get({ userId, limit }) as Listed;
    const [next, more] =
      total < limit ? [] : prepare<Position>(last).all({ userId, before: limit - 1 });
    if (next === undefined || more === undefined) return { json, total };
    const counted = prepare<{ total: number }>(all).get({ userId });
    return { json, total: counted?.total ?? 0, next };
  });
}
