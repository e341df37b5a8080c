/** Adds the calendars that clubs follow at an address. */
export const createCalendars = `
-- The address itself is a secret, which no backup contains: it is in a file of its own.
CREATE TABLE calendars (
  -- Never used twice: the keys of events name it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- The host, or the name of the file.
  host TEXT NOT NULL,
  -- What its events are: a JSON object.
  rules TEXT NOT NULL,
  -- What is known of its last good contents: a JSON object.
  memory TEXT NOT NULL,
  -- The events of one that a club only looks at: a JSON array. Null for one whose events are its own.
  looked TEXT
) STRICT;

CREATE INDEX calendars_by_user ON calendars (user_id, id);
`;
