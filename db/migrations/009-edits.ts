/** Adds events edited by hand to the history, and the imported values that such edits replaced. */
export const createEdits = `
-- Fields of an imported event that were changed by hand, with the values of the last import before
-- (registration_open as 0, 1 or null). A later import keeps the edit while its file has this value.
CREATE TABLE edits (
  row INTEGER NOT NULL REFERENCES events (row) ON DELETE CASCADE,
  field TEXT NOT NULL,
  imported ANY,
  PRIMARY KEY (row, field)
) STRICT, WITHOUT ROWID;

-- New tables, as the condition of a column cannot be changed. The changes come first: to drop the
-- batches that they refer to would remove them.
CREATE TABLE new_batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('import', 'undo', 'edit')),
  -- The names of the files, for people; empty for an edit and its undo.
  source TEXT NOT NULL,
  created_at TEXT NOT NULL,
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  -- The batch that this one undoes; each is undone once.
  undoes INTEGER UNIQUE REFERENCES new_batches (id) ON DELETE CASCADE
) STRICT;
INSERT INTO new_batches SELECT id, user_id, kind, source, created_at, added, changed, removed, undoes
  FROM batches ORDER BY id;
-- No number of a batch is given twice, even if the last ones were removed with their user.
DELETE FROM sqlite_sequence WHERE name = 'new_batches';
INSERT INTO sqlite_sequence SELECT 'new_batches', seq FROM sqlite_sequence WHERE name = 'batches';

CREATE TABLE new_changes (
  batch_id INTEGER NOT NULL REFERENCES new_batches (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL,
  before TEXT,
  after TEXT,
  PRIMARY KEY (batch_id, event_id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_changes SELECT batch_id, event_id, before, after FROM changes;

DROP TABLE changes;
DROP TABLE batches;
ALTER TABLE new_batches RENAME TO batches;
ALTER TABLE new_changes RENAME TO changes;
CREATE INDEX batches_by_user ON batches (user_id, id);
`;
