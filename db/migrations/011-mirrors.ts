/** Adds mirrors of online services, and their syncs to the history. */
export const createMirrors = `
CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  base_url TEXT NOT NULL,
  -- The place of the upstream key: a file, the key store of the system, or memory for one run.
  key_store TEXT NOT NULL CHECK (key_store IN ('file', 'system', 'run')),
  created_at TEXT NOT NULL,
  -- The reason for which no sync begins until a person resumes it; null for none.
  paused TEXT CHECK (paused = 'restored'),
  -- JSON; requests read it.
  coverage TEXT NOT NULL,
  -- The ids of the last list in its order, as JSON.
  listed TEXT NOT NULL,
  -- Unix time in milliseconds, as all times below.
  listed_at INTEGER,
  -- The other members of a source, as JSON: they are only read and written together.
  state TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX sources_by_user ON sources (user_id);

-- Knowledge about an event, beside its row: a confirmation changes no event and no revision.
CREATE TABLE confirmations (
  row INTEGER PRIMARY KEY REFERENCES events (row) ON DELETE CASCADE,
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  confirmed_at INTEGER NOT NULL,
  registration_at INTEGER NOT NULL,
  oldest INTEGER NOT NULL AS (min(confirmed_at, registration_at)) VIRTUAL,
  -- The registrationOpen of each operation: 0 or 1, 2 if it was omitted, null if never sent.
  list_registration INTEGER CHECK (list_registration BETWEEN 0 AND 2),
  by_id_registration INTEGER CHECK (by_id_registration BETWEEN 0 AND 2),
  suspected_at INTEGER,
  suspected_by TEXT CHECK (suspected_by IN ('list', 'byId'))
) STRICT;

CREATE INDEX confirmations_by_age ON confirmations (source_id, oldest);

-- Ids that the upstream does not have.
CREATE TABLE absences (
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  event_id INTEGER NOT NULL,
  absent_at INTEGER NOT NULL,
  PRIMARY KEY (source_id, event_id)
) STRICT, WITHOUT ROWID;

-- Set for a key of the upstream, which opens the events here until the mirror is removed.
ALTER TABLE keys ADD COLUMN source_id INTEGER REFERENCES sources (id) ON DELETE CASCADE;
CREATE INDEX keys_by_source ON keys (source_id);

-- New tables, as the condition of a column cannot be changed. The changes come first: to drop the
-- batches that they refer to would remove them.
CREATE TABLE new_batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('import', 'undo', 'edit', 'sync')),
  -- The names of the files, for people; the host of a sync; empty for an edit and its undo.
  source TEXT NOT NULL,
  created_at TEXT NOT NULL,
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  removed INTEGER NOT NULL DEFAULT 0,
  -- The batch that this one undoes; each is undone once.
  undoes INTEGER UNIQUE REFERENCES new_batches (id) ON DELETE CASCADE,
  -- The sync that made this batch: its later changes join the batch.
  run INTEGER
) STRICT;
INSERT INTO new_batches
  SELECT id, user_id, kind, source, created_at, added, changed, removed, undoes, NULL
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
