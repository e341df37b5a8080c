/** Adds what nodes and homes of a hub know of its record beyond numbers and revisions. */
export const guardHub = `
-- The highest timeline of PostgreSQL that the node has met: a server with a lower one was the record.
ALTER TABLE hub_node ADD COLUMN timeline INTEGER NOT NULL DEFAULT 0;

-- Clubs that are not as the record has them, since when (in milliseconds since 1970), and why.
CREATE TABLE hub_stuck (
  club INTEGER PRIMARY KEY,
  since INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT;

-- What the record had after the push: name and zone of the club, and the SHA-256 of the keys that came
-- along. Null where it is not known.
ALTER TABLE hub_pushes ADD COLUMN name TEXT;
ALTER TABLE hub_pushes ADD COLUMN zone TEXT;
ALTER TABLE hub_pushes ADD COLUMN keys TEXT;
ALTER TABLE hub_pushes ADD COLUMN timeline INTEGER NOT NULL DEFAULT 0;
`;
