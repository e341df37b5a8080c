import type Database from 'better-sqlite3';

/** The newest change of each event, with the event as it is now. */
const newestChanges = `WITH newest AS (
    SELECT batches.user_id, changes.event_id, max(changes.batch_id) AS batch_id
    FROM changes JOIN batches ON batches.id = changes.batch_id GROUP BY 1, 2
  )
  SELECT newest.event_id AS id, changes.before, changes.after, events.row,
    events.name, events.date, events.location, events.description, events.status,
    events.event_type, events.registration_open, events.created_at
  FROM newest
  JOIN changes ON changes.batch_id = newest.batch_id AND changes.event_id = newest.event_id
  LEFT JOIN events ON events.user_id = newest.user_id AND events.id = newest.event_id`;

/** Pairs of a column and its member in the JSON of a change. */
const columns = [
  ['name', 'name'],
  ['date', 'date'],
  ['location', 'location'],
  ['description', 'description'],
  ['status', 'status'],
  ['event_type', 'eventType'],
  ['registration_open', 'registrationOpen'],
  ['created_at', 'createdAt'],
];

const differs = columns
  .map(([column, member]) => `${column} IS NOT json_extract(after, '$.${member}')`)
  .join(' OR ');

const differentEvents = 'events that differ from their newest state in the history';

/** Contradictions, each with its description and the id of the event, entry or user. */
const contradictions = `SELECT id, CASE
    WHEN row IS NULL THEN
      CASE WHEN after IS NOT NULL OR before IS NULL THEN 'missing events that the history has' END
    WHEN after IS NULL THEN
      CASE WHEN before IS NOT NULL THEN 'events that the history has removed' END
    WHEN NOT json_valid(after) THEN '${differentEvents}'
    WHEN ${differs} THEN '${differentEvents}'
  END AS text FROM (${newestChanges})
UNION ALL SELECT id, 'entries that do not have as many changes as they count' FROM (
    SELECT id, added, changed, removed,
      count(event_id) FILTER (WHERE before IS NULL) AS were_added,
      count(event_id) FILTER (WHERE before IS NOT NULL AND after IS NOT NULL) AS were_changed,
      count(event_id) FILTER (WHERE before IS NOT NULL AND after IS NULL) AS were_removed
    FROM batches LEFT JOIN changes ON changes.batch_id = batches.id GROUP BY batches.id
  ) WHERE added <> were_added OR changed <> were_changed OR removed <> were_removed
-- Each edit and each sync raises the revision. Imports may be older than revisions.
UNION ALL SELECT id, 'users with a revision below the number of their edits and syncs' FROM users
  WHERE revision < (
    SELECT count(*) FROM batches WHERE batches.user_id = users.id AND kind IN ('edit', 'sync')
      AND id NOT IN (SELECT batch_id FROM setting_changes))`;

const summary = `SELECT text, count(*) AS number, min(id) AS first FROM (${contradictions})
  WHERE text IS NOT NULL GROUP BY text`;

/** Returns a line for each kind of contradiction between the history and the events. */
export function findWrongHistory(sqlite: Database.Database): string[] {
  type Row = { readonly text: string; readonly number: number; readonly first: number };
  const rows = sqlite.prepare<[], Row>(summary).all();
  return rows.map(({ text, number, first }) => `${text}: ${number}, such as ${first}`);
}
