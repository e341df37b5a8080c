export const createUsersKeysEvents = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  -- The highest event id ever given to an event that came without one, so that none is given twice.
  last_event_id INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the key; the key itself is stored nowhere.
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  label TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT
) STRICT;

CREATE INDEX keys_by_user ON keys (user_id);

CREATE TABLE events (
  row INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  id INTEGER NOT NULL,
  name TEXT NOT NULL,
  date TEXT NOT NULL CHECK (length(date) = 24),
  location TEXT NOT NULL,
  description TEXT,
  -- Compared one by one: for each row, SQLite would build a list with IN into a table first.
  status TEXT NOT NULL CHECK (status = 'draft' OR status = 'active' OR status = 'completed'
    OR status = 'cancelled'),
  event_type TEXT CHECK (event_type = 'national' OR event_type = 'international'
    OR event_type = 'regional' OR event_type = 'club'),
  registration_open INTEGER CHECK (registration_open BETWEEN 0 AND 1),
  created_at TEXT NOT NULL CHECK (length(created_at) = 24),
  -- What a source without ids knows the event by; null when the source gave an id.
  source_key TEXT
) STRICT;

CREATE UNIQUE INDEX events_by_id ON events (user_id, id);
CREATE INDEX events_by_creation ON events (user_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX events_by_source ON events (user_id, source_key) WHERE source_key IS NOT NULL;
`;
