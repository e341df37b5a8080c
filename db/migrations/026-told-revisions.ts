/**
 * Replaces the copies of what members were told by places in the history. `others` has the events that
 * were last told at another place: those that a message left out, and those that were told singly.
 */
export const createToldRevisions = `
CREATE TABLE new_told_states (
  user_id INTEGER PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- The time of the last message, and its language; null before the first message.
  told_at TEXT NOT NULL,
  language TEXT,
  -- The epoch of the database then, and the last batch that members know.
  epoch TEXT NOT NULL,
  batch INTEGER NOT NULL,
  -- Ids of events and their last known batches, as JSON.
  others TEXT NOT NULL
) STRICT;

CREATE TEMP TABLE told AS
SELECT user_id, told_at, value ->> '$.id' AS event_id, value ->> '$.name' AS name,
  value ->> '$.date' AS date, value ->> '$.location' AS location, value ->> '$.status' AS status
FROM told_states, json_each(events);

-- The images of events after and before each batch that changed them, for clubs with a told state.
CREATE TEMP TABLE images AS
SELECT batches.user_id, event_id, batches.id AS batch, batches.created_at AS at,
  changes.before, changes.after
FROM told_states JOIN batches ON batches.user_id = told_states.user_id
JOIN changes ON changes.batch_id = batches.id;
CREATE INDEX images_by_event ON images (user_id, event_id, batch);

-- The place in the history at which an event was as members know it; null for one without changes.
CREATE TEMP TABLE known AS
SELECT told.user_id, told.event_id, coalesce(
  (SELECT max(batch) FROM images WHERE images.user_id = told.user_id
    AND images.event_id = told.event_id AND after ->> '$.name' = told.name
    AND after ->> '$.date' = told.date AND after ->> '$.location' = told.location
    AND after ->> '$.status' = told.status),
  (SELECT min(batch) - 1 FROM images WHERE images.user_id = told.user_id
    AND images.event_id = told.event_id AND before ->> '$.name' = told.name
    AND before ->> '$.date' = told.date AND before ->> '$.location' = told.location
    AND before ->> '$.status' = told.status)) AS batch
FROM told
UNION ALL
-- An event that members do not know yet, though it was there.
SELECT images.user_id, images.event_id, min(images.batch) - 1
FROM images JOIN told_states ON told_states.user_id = images.user_id
JOIN events ON events.user_id = images.user_id AND events.id = images.event_id
WHERE events.status <> 'draft' AND events.date >= told_at
  AND NOT EXISTS (SELECT 1 FROM told
    WHERE told.user_id = images.user_id AND told.event_id = images.event_id)
GROUP BY images.user_id, images.event_id HAVING min(images.at) <= told_at;

INSERT INTO new_told_states
SELECT user_id, told_at, language, (SELECT epoch FROM revision_epoch WHERE id = 1), base, (
  SELECT json_group_array(json_object('id', event_id, 'batch', known.batch)) FROM known
  WHERE known.user_id = told_states.user_id AND (known.batch > base
    OR EXISTS (SELECT 1 FROM images WHERE images.user_id = known.user_id
      AND images.event_id = known.event_id AND images.batch > known.batch
      AND images.batch <= base)))
FROM (SELECT *, ifnull((SELECT max(id) FROM batches
  WHERE batches.user_id = told_states.user_id AND created_at <= told_at), 0) AS base
  FROM told_states) AS told_states;

DROP TABLE told;
DROP TABLE images;
DROP TABLE known;
DROP TABLE told_states;
ALTER TABLE new_told_states RENAME TO told_states;
`;
