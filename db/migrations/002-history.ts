/** Creates the history of imports, for display and undo, and a column for calendar revisions. */
export const createHistory = `
-- The revision of the source that the event was last taken from (RFC 5545, SEQUENCE).
ALTER TABLE events ADD COLUMN source_sequence INTEGER;

CREATE TABLE batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('import', 'undo')),
  -- Where the changes came from, for people: the names of the files.
  source TEXT NOT NULL,
  created_at TEXT NOT NULL,
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  -- The batch that this one takes back; each is taken back once.
  undoes INTEGER UNIQUE REFERENCES batches (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX batches_by_user ON batches (user_id, id);

-- An event as it was before and after a batch, as JSON; null where there was none.
CREATE TABLE changes (
  batch_id INTEGER NOT NULL REFERENCES batches (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL,
  before TEXT,
  after TEXT,
  PRIMARY KEY (batch_id, event_id)
) STRICT, WITHOUT ROWID;
`;
