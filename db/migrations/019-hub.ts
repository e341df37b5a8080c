/** Adds the position of a node of a hub, the revisions of its clubs, and the pushes of a home. */
export const createHub = `
-- For a club that comes from a hub: the id of the push that made its revision. Null for other users,
-- who have the epoch of the database.
ALTER TABLE users ADD COLUMN epoch TEXT;

-- The epoch of every revision of a club that comes from a hub. A revision of a push that the record
-- has forgotten is not among them.
CREATE TABLE hub_revisions (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  revision INTEGER NOT NULL,
  epoch TEXT NOT NULL,
  PRIMARY KEY (user_id, revision)
) STRICT, WITHOUT ROWID;

-- A row makes this the database of a node: the number and random id of the last change of the record
-- that it has, null until it is filled, and the last known time at which the record had no later one.
CREATE TABLE hub_node (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER,
  change_id TEXT,
  confirmed_at INTEGER NOT NULL
) STRICT;

-- Pushes of this home to a hub, with the revision of the events here. There is a row before the push
-- is committed; the record decides if it was.
CREATE TABLE hub_pushes (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  push TEXT NOT NULL,
  revision TEXT NOT NULL,
  PRIMARY KEY (user_id, push)
) STRICT, WITHOUT ROWID;
`;
