const form =
  '{"id":%d,"name":%s,"date":"%s","location":%s,"description":%s,' +
  '"status":"%s","eventType":%s%s,"createdAt":"%s"}';

/**
 * SQL for an event as JSON, with its members in the order of INTERFACE section 1. `printf` is as
 * fast as `concat` and also works in older versions of `sqlite3`.
 */
const eventJson = `printf('${form}', id, json_quote(name), date, json_quote(location),
  json_quote(description), status, json_quote(event_type), CASE registration_open
    WHEN 1 THEN ',"registrationOpen":true' WHEN 0 THEN ',"registrationOpen":false' END, created_at)`;

/** Adds an index with the JSON of each user's newest events. */
export const createNewest = `
-- 1 for the newest of each user, as many as a list has. What another program adds has 0 until our
-- next transaction: who reads has to make sure.
ALTER TABLE events ADD COLUMN newest INTEGER NOT NULL DEFAULT 0 CHECK (newest = 0 OR newest = 1);

-- In the table they lie in a page each, all of which are read again after every commit.
CREATE INDEX events_as_json ON events (user_id, created_at, id, ${eventJson}) WHERE newest = 1;

UPDATE events SET newest = 1 WHERE row IN (
  SELECT events.row FROM users JOIN events ON events.row IN (
    SELECT row FROM events INDEXED BY events_by_creation WHERE user_id = users.id
    ORDER BY created_at DESC, id DESC LIMIT 200));
`;
